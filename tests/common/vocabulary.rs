//! A small vocabulary of a byte-pair encoder, in the format of tiktoken: every byte, and some texts of moves.
//!
//! The first tokens are ranks 0 to 255 in the order of bytes; those of two and more bytes follow.

/// Texts that are joined from others, or are not, as in no vocabulary that was trained.
const TOKENS: [&str; 34] = [
    " N", " B", " R", " e", " d", " f", " c", "f3", "c6", " Nf", " Nf3", "xd", "xe", "e4", "d5",
    " O", "-O", " O-O", "-O-O", "1/", "1/2", "-1", " 1", ". e", "12", "10", " b5", "5+", "Qx", "♘",
    "Кр", "e8=Q", "5a", "g1f",
];

fn base64(token: &[u8]) -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in token.chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte));
        let bits = bits << (8 * (3 - group.len()));
        for at in 0..4 {
            let digit = alphabet[(bits >> (18 - 6 * at)) as usize & 63];
            text.push(if at <= group.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

/// The tokens, by rank.
pub(crate) fn tokens() -> Vec<Vec<u8>> {
    let bytes = (0..=255).map(|byte| vec![byte]);
    bytes.chain(TOKENS.iter().map(|token| token.as_bytes().to_vec())).collect()
}

/// The file of these tokens.
pub(crate) fn file_of(tokens: &[Vec<u8>]) -> String {
    let lines = tokens.iter().zip(0..);
    lines.map(|(token, rank)| format!("{} {rank}\n", base64(token))).collect()
}

/// The file.
pub(crate) fn file() -> String {
    file_of(&tokens())
}
