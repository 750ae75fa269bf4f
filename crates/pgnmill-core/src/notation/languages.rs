//! SAN in the letters of forty-six languages: one row per language.
//!
//! Source: Wikipedia, "Algebraic notation (chess)", with corrections. Where the source is wrong (Ukrainian, Turkish,
//! the Hungarian pawn …) the corrected letters are written; the source's are read if they are unambiguous. Telugu has
//! no letters there and is not offered. Names are BCP 47 codes after `san-`.

use crate::chess::Role;
use crate::pgn::deviation::Deviation;

use super::localized::{Localized, length_max, words_of};
use super::{Digits, Info, Needs};

const SOURCE: &str =
    "Wikipedia, Algebraic notation (chess), letters in several languages; corrected";
const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const ROOK_TAKES: &str = "4k3/4q3/8/8/8/8/4R3/4K3 w - - 0 1";
const KNIGHT_PROMOTED: &str = "n3k3/1P6/8/8/8/8/7K/8 w - - 0 1";

const fn characters(text: &str) -> usize {
    let (bytes, mut index, mut count) = (text.as_bytes(), 0, 0);
    while index < bytes.len() {
        count += (bytes[index] & 0xc0 != 0x80) as usize;
        index += 1;
    }
    count
}

const fn longest(lengths: [usize; 4]) -> usize {
    let (mut longest, mut index) = (0, 0);
    while index < lengths.len() {
        if lengths[index] > longest {
            longest = lengths[index];
        }
        index += 1;
    }
    longest
}

/// Rows of code, language, the letters of pawn, knight, bishop, rook, queen and king (the pawn's is
/// only read), the characters they add to the alphabet, and what is read besides.
macro_rules! languages {
    ($(
        $code:literal $language:literal
        $p:literal $n:literal $b:literal $r:literal $q:literal $k:literal
        $letters:literal [$($other:literal $role:ident),*];
    )*) => {
        /// The languages, in the order of their English names.
        pub(super) static LANGUAGES: &[Localized] = &[$(Localized {
            info: &Info {
                name: concat!("san-", $code),
                title: concat!("SAN, ", $language),
                source: SOURCE,
                about: concat!(
                    "SAN with the piece letters of ", $language, ": king ", $k, ", queen ", $q,
                    ", rook ", $r, ", bishop ", $b, ", knight ", $n, "."
                ),
                alphabet: concat!("abcdefgh12345678", $letters, "xO-=+#"),
                characters_max: length_max(
                    characters($k),
                    longest([characters($n), characters($b), characters($r), characters($q)]),
                ),
                bytes_max: length_max(
                    $k.len(),
                    longest([$n.len(), $b.len(), $r.len(), $q.len()]),
                ),
                needs: Needs::Board,
                writes_check: true,
                digits: Digits::Never,
                examples: &[
                    (INITIAL, "g1f3", concat!($n, "f3")),
                    (ROOK_TAKES, "e2e7", concat!($r, "xe7+")),
                    (KNIGHT_PROMOTED, "b7a8n", concat!("bxa8=", $n)),
                ],
                exceptions: "",
            },
            letters: [&[$p, $n, $b, $r, $q, $k]; 2],
            words: [words_of(&[$p, $n, $b, $r, $q, $k]); 2],
            others: &[$(($other, Role::$role)),*],
            undeclared: Deviation::PieceLetterForeign,
        }),*];
    };
}

languages! {
    "ar" "Arabic" "ب" "ح" "ف" "ر" "و" "م" "حفروم" [];
    "be-tarask" "Belarusian (Taraskievica spelling)" "Л" "В" "А" "Лд" "Вз" "К" "ВАЛдзК"
        ["K" King, "A" Bishop, "B" Knight, "Bз" Queen];
    "bg" "Bulgarian" "П" "К" "О" "Т" "Д" "Ц" "КОТДЦ"
        ["T" Rook, "O" Bishop, "K" Knight];
    "ca" "Catalan" "P" "C" "A" "T" "D" "R" "CATDR" [];
    "zh-hant" "Chinese" "P" "N" "B" "R" "Q" "K" "NBRQK" [];
    "hr" "Croatian" "P" "S" "L" "T" "D" "K" "SLTDK" [];
    "cs" "Czech" "P" "J" "S" "V" "D" "K" "JSVDK" [];
    "da" "Danish" "B" "S" "L" "T" "D" "K" "SLTDK" [];
    "nl" "Dutch" "O" "P" "L" "T" "D" "K" "PLTDK" [];
    "en" "English" "P" "N" "B" "R" "Q" "K" "NBRQK"
        ["Kt" Knight, "S" Knight];
    "eo" "Esperanto" "P" "Ĉ" "K" "T" "D" "R" "ĈKTDR" [];
    "et" "Estonian" "E" "R" "O" "V" "L" "K" "RVLK" [];
    "fi" "Finnish" "S" "R" "L" "T" "D" "K" "RLTDK" [];
    "fr" "French" "P" "C" "F" "T" "D" "R" "CFTDR" [];
    "de" "German" "B" "S" "L" "T" "D" "K" "SLTDK" [];
    "el" "Greek" "Σ" "Ι" "Α" "Π" "Β" "Ρ" "ΙΑΠΒΡ"
        ["P" King, "B" Queen, "A" Bishop, "I" Knight];
    "he" "Hebrew" "" "פ" "ר" "צ" "מה" "מ" "פרצמה" [];
    "hi-latn" "Hindi (Latin transliteration)" "P" "G" "O" "H" "V" "R" "GHVR" [];
    "hu" "Hungarian" "G" "H" "F" "B" "V" "K" "HFBVK"
        ["P" Pawn];
    "is" "Icelandic" "P" "R" "B" "H" "D" "K" "RBHDK" [];
    "id" "Indonesian" "P" "K" "G" "B" "M" "R" "KGBMR" [];
    "ga" "Irish" "F" "D" "E" "C" "B" "R" "DECBR" [];
    "it" "Italian" "P" "C" "A" "T" "D" "R" "CATDR" [];
    "ja" "Japanese" "P" "N" "B" "R" "Q" "K" "NBRQK" [];
    "ko" "Korean" "P" "N" "B" "R" "Q" "K" "NBRQK" [];
    "la" "Latin" "P" "Q" "E" "T" "G" "K" "QETGK"
        ["R" King];
    "lv" "Latvian" "B" "Z" "L" "T" "D" "K" "ZLTDK" [];
    "lt" "Lithuanian" "P" "Ž" "R" "B" "V" "K" "ŽRBVK" [];
    "lb" "Luxembourgish" "B" "P" "L" "T" "D" "K" "PLTDK" [];
    "no" "Norwegian" "B" "S" "L" "T" "D" "K" "SLTDK" [];
    "fa" "Persian" "س" "ا" "ف" "ر" "و" "ش" "افروش"
        ["ق" Rook];
    "pl" "Polish" "P" "S" "G" "W" "H" "K" "SGWHK" [];
    "pt" "Portuguese" "P" "C" "B" "T" "D" "R" "CBTDR" [];
    "ro" "Romanian" "P" "C" "N" "T" "D" "R" "CNTDR" [];
    "ru" "Russian" "П" "К" "С" "Л" "Ф" "Кр" "КСЛФр"
        ["K" Knight, "C" Bishop, "Kр" King, "Кp" King, "Kp" King];
    "sr-cyrl" "Serbian (Cyrillic)" "П" "С" "Л" "Т" "Д" "К" "СЛТДК"
        ["K" King, "T" Rook, "C" Knight];
    "sr-latn" "Serbian (Latin)" "P" "S" "L" "T" "D" "K" "SLTDK" [];
    "scn" "Sicilian" "P" "S" "A" "T" "D" "R" "SATDR" [];
    "sk" "Slovak" "P" "J" "S" "V" "D" "K" "JSVDK" [];
    "sl" "Slovene" "P" "S" "L" "T" "D" "K" "SLTDK" [];
    "es" "Spanish" "P" "C" "A" "T" "D" "R" "CATDR" [];
    "sv" "Swedish" "B" "S" "L" "T" "D" "K" "SLTDK" [];
    "tr" "Turkish" "P" "A" "F" "K" "V" "Ş" "AFKVŞ" [];
    "uk" "Ukrainian" "П" "К" "С" "Т" "Ф" "Кр" "КСТФр"
        ["D" Queen, "T" Rook, "C" Bishop, "K" Knight, "Kр" King, "Кp" King, "Kp" King];
    "vi" "Vietnamese" "" "M" "T" "X" "H" "V" "MTXHV" [];
    "cy" "Welsh" "G" "M" "E" "C" "B" "T" "MECBT" [];
}
