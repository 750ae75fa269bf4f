//! What is read besides canonical text, under which name, and what is refused.

use pgnmill_core::chess::Position;
use pgnmill_core::notation::Check;
use pgnmill_core::pgn::deviation::Deviation;

use crate::common::games::{Moment, position, registered, uci};

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
const ROOK_TAKES: &str = "4k3/4q3/8/8/8/8/4R3/4K3 w - - 0 1";
const PROMOTES: &str = "n3k3/1P6/8/8/8/8/7K/8 w - - 0 1";
const TWO_KNIGHTS: &str = "4k3/8/8/6N1/8/8/8/4K1N1 w - - 0 1";
const TWO_ROOKS: &str = "r4rk1/pQpnbp2/3pbq1p/6p1/3P4/2NB1N1P/PPP2PP1/R3K2R b KQ - 0 14";

/// What a text departs by, its check mark included.
fn deviations(name: &str, moment: &Moment, text: &str, mv: &str) -> Vec<&'static str> {
    let lineage = moment.lineage.as_ref();
    let read = registered(name).read_in(text.as_bytes(), &moment.position, lineage);
    let fen = moment.position.to_fen();
    let reading = read.unwrap_or_else(|e| panic!("{name}: {fen}: {text}: {}", e.name()));
    assert_eq!(reading.mv, uci(&moment.position, mv), "{name}: {fen}: {text}");
    let check = Check::of(&moment.position.play(reading.mv));
    let marks = reading.check_suffix.deviation(check);
    reading.deviations.iter().chain(marks).map(Deviation::name).collect()
}

fn reads(name: &str, fen: &str, rows: &[(&str, &str, &[&str])]) {
    let moment = Moment::start(position(fen));
    for &(text, mv, expected) in rows {
        assert_eq!(deviations(name, &moment, text, mv), expected, "{name}: {fen}: {text}");
    }
}

fn refuses(name: &str, fen: &str, rows: &[(&str, Deviation)]) {
    let moment = Moment::start(position(fen));
    for &(text, expected) in rows {
        let read =
            registered(name).read_in(text.as_bytes(), &moment.position, moment.lineage.as_ref());
        assert_eq!(read.err(), Some(expected), "{name}: {fen}: {text}");
    }
}

const VARIANT: &[&str] = &["notation-variant"];

#[test]
fn letters_of_other_writers() {
    reads(
        "san-ru",
        CASTLING,
        &[
            ("Крf1", "e1f1", &[]),
            ("Kpf1", "e1f1", VARIANT),
            ("Kрf1", "e1f1", VARIANT),
            ("0-0", "e1g1", &["castling-zeros"]),
            ("О-О", "e1g1", &["castling-lookalike"]),
            ("Лa1-b1", "a1b1", &["long-form"]),
        ],
    );
    reads("san-ru", INITIAL, &[("Kf3", "g1f3", VARIANT), ("Пe4", "e2e4", &["pawn-letter"])]);
    reads(
        "san-bg",
        "4k3/8/8/8/8/8/8/4KB2 w - - 0 1",
        &[("Оe2", "f1e2", &[]), ("Oe2", "f1e2", VARIANT)],
    );
    reads(
        "san-et",
        "r3k2r/8/8/8/8/8/6B1/4K2R w Kkq - 0 1",
        &[("Oe4", "g2e4", &[]), ("O-O", "e1g1", &[]), ("Og2-e4", "g2e4", &["long-form"])],
    );
    reads("san-uk", INITIAL, &[("Кf3", "g1f3", &[]), ("Kf3", "g1f3", VARIANT)]);
    reads("san-uk", ROOK_TAKES, &[("Txe7+", "e2e7", VARIANT)]);
    reads("san-en", INITIAL, &[("Ktf3", "g1f3", VARIANT), ("Sf3", "g1f3", VARIANT)]);
    reads("san-la", ROOK_TAKES, &[("Rd1", "e1d1", VARIANT), ("Kd1", "e1d1", &[])]);
    reads("san-fa", ROOK_TAKES, &[("رxe7+", "e2e7", &[]), ("قxe7+", "e2e7", VARIANT)]);
    reads(
        "san-de",
        PROMOTES,
        &[
            ("bxa8=S", "b7a8n", &[]),
            ("bxa8S", "b7a8n", &["promotion-mark"]),
            ("b:a8(D)†", "b7a8q", &["capture-colon", "promotion-mark", "check-mark-style"]),
        ],
    );
    refuses(
        "san-de",
        INITIAL,
        &[
            ("Nf3", Deviation::MoveUnreadable),
            ("sf3", Deviation::MoveUnreadable),
            ("Sf4", Deviation::MoveIllegal),
        ],
    );
    refuses(
        "san-de",
        PROMOTES,
        &[
            ("bxa8=Q", Deviation::MoveUnreadable),
            ("bxa8=s", Deviation::MoveUnreadable),
            ("b8b", Deviation::MoveUnreadable),
            ("b8", Deviation::PromotionPieceMissing),
        ],
    );
    // K is the king of the source's row and the rook of the language.
    refuses("san-tr", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", &[("Ke2", Deviation::MoveIllegal)]);
}

#[test]
fn figurines_of_either_colour() {
    let selector = "♘\u{fe0e}f3";
    reads(
        "fan",
        INITIAL,
        &[("♘f3", "g1f3", &[]), ("♞f3", "g1f3", VARIANT), (selector, "g1f3", VARIANT)],
    );
    reads("fan", INITIAL, &[("♟e4", "e2e4", &["pawn-letter"]), ("♘g1-f3", "g1f3", &["long-form"])]);
    reads("fan-white", TWO_ROOKS, &[("♖ab8", "a8b8", &[]), ("♜ab8", "a8b8", VARIANT)]);
    refuses("fan", INITIAL, &[("♘", Deviation::MoveUnreadable), ("♘f", Deviation::MoveUnreadable)]);
}

#[test]
fn both_squares_in_other_clothes() {
    let more: &[(&str, &str, &[&str])] = &[
        ("Re2xQe7+", "e2e7", &[]),
        ("Re2xe7+", "e2e7", VARIANT),
        ("e2e7+", "e2e7", VARIANT),
        ("Rxe7", "e2e7", &["notation-variant", "check-mark-missing"]),
        ("Re2xQe7#", "e2e7", &["check-mark-style"]),
    ];
    reads("reversible", ROOK_TAKES, more);
    refuses(
        "reversible",
        ROOK_TAKES,
        &[("Re2xRe7+", Deviation::MoveIllegal), ("Ne2xQe7+", Deviation::MoveIllegal)],
    );
    reads("xolalg", CASTLING, &[("e1-g1", "e1g1", VARIANT), ("0-0", "e1g1", VARIANT)]);
    reads("halg", CASTLING, &[("O-O", "e1g1", VARIANT), ("e1-c1", "e1c1", &[])]);
    reads("xlalg", EN_PASSANT, &[("e5xd6", "e5d6", VARIANT), ("e5xd6ep", "e5d6", &[])]);
    reads("lalg", PROMOTES, &[("b7a8=N", "b7a8n", VARIANT), ("b7b8Q+", "b7b8q", &[])]);
    refuses(
        "lalg",
        PROMOTES,
        &[("b7b8", Deviation::PromotionPieceMissing), ("h2h3Q", Deviation::PromotionNotAPromotion)],
    );
    reads("iccf", "4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1", &[("3171", "c1g1", &[])]);
    refuses(
        "iccf",
        PROMOTES,
        &[
            ("2728", Deviation::PromotionPieceMissing),
            ("27280", Deviation::MoveUnreadable),
            ("27285", Deviation::MoveUnreadable),
            ("b7b8", Deviation::MoveUnreadable),
        ],
    );
    reads("smith", ROOK_TAKES, &[("e2e7", "e2e7", VARIANT)]);
    reads("smith", CASTLING, &[("e1g1", "e1g1", VARIANT), ("e1c1C", "e1c1", &[])]);
    reads("smith", PROMOTES, &[("b7b8q", "b7b8q", VARIANT), ("b7a8nn", "b7a8n", VARIANT)]);
    refuses(
        "smith",
        PROMOTES,
        &[("b7a8qQ", Deviation::MoveIllegal), ("b7a8n", Deviation::PromotionPieceMissing)],
    );
    reads("uedemann", PROMOTES, &[("ELEPk", "b7b8n", &[]), ("ELEPN", "b7b8n", VARIANT)]);
    reads("eco", ROOK_TAKES, &[("Re7", "e2e7", &[]), ("Rxe7+", "e2e7", VARIANT)]);
    reads("eco", CASTLING, &[("0-0-0", "e1c1", &[]), ("O-O-O", "e1c1", VARIANT)]);
}

#[test]
fn chess99_on_the_ordinary_board() {
    reads(
        "chess99",
        INITIAL,
        &[
            ("e24", "e2e4", &[]),
            ("e3", "e2e3", &[]),
            ("e4", "e2e4", VARIANT),
            ("Ng1f3", "g1f3", &[]),
            ("Nf3", "g1f3", VARIANT),
            ("Ngf3", "g1f3", VARIANT),
        ],
    );
    reads(
        "chess99",
        ROOK_TAKES,
        &[
            ("Re27×Q+", "e2e7", &[]),
            ("Re27x(Q)+", "e2e7", VARIANT),
            ("Re7×", "e2e7", &["notation-variant", "check-mark-missing"]),
            ("Re27×Q#", "e2e7", &["check-mark-style"]),
        ],
    );
    reads("chess99", EN_PASSANT, &[("ed6*", "e5d6", &[]), ("ed6(*)", "e5d6", VARIANT)]);
    reads(
        "chess99",
        PROMOTES,
        &[("ba8×N=Q+", "b7a8q", &[]), ("ba8=Q×N+", "b7a8q", VARIANT), ("b8=B", "b7b8b", &[])],
    );
    reads(
        "chess99",
        CASTLING,
        &[
            ("Keg&R", "e1g1", &[]),
            ("Keg&Rh", "e1g1", VARIANT),
            ("Kec&Ra", "e1c1", &[]),
            ("Kec&R", "e1c1", VARIANT),
            ("0-0", "e1g1", &["castling-zeros", "notation-variant"]),
        ],
    );
    // Two rooks on the h side: the text gives which.
    reads("chess99", "4k3/8/8/8/8/8/8/1R2K1RR w GB - 0 1", &[("Keg&Rg", "e1g1", &[])]);
    refuses("chess99", ROOK_TAKES, &[("Re27×R+", Deviation::MoveIllegal)]);
    let mate = position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    assert_eq!(Moment::start(mate).write(registered("chess99"), uci(&mate, "a1a8")), "Ra18+");
}

#[test]
fn geographical_as_people_write_it() {
    reads(
        "geographical",
        INITIAL,
        &[
            ("P5 - n2", "e2e4", VARIANT),
            ("P5–n2", "e2e4", VARIANT),
            ("N1-nne", "b1c3", &[]),
            ("P5-n1", "e2e3", VARIANT),
        ],
    );
    reads(
        "geographical",
        ROOK_TAKES,
        &[
            ("RxQ+", "e2e7", &[]),
            ("R1 x Q1 +", "e2e7", VARIANT),
            ("RxQ", "e2e7", &["check-mark-missing"]),
        ],
    );
    reads(
        "geographical",
        CASTLING,
        &[("0-0", "e1g1", &["castling-zeros"]), ("O-O-O", "e1c1", &[])],
    );
    reads("geographical", EN_PASSANT, &[("PxP", "e5d6", &[]), ("PxPe.p.", "e5d6", VARIANT)]);
    // Only one of the two can: the number is left out.
    reads("geographical", TWO_KNIGHTS, &[("N-ssw", "g5f3", VARIANT), ("N2-nnw", "g1f3", &[])]);
    refuses(
        "geographical",
        INITIAL,
        &[
            ("P-n2", Deviation::MoveAmbiguous),
            ("P9-n2", Deviation::MoveIllegal),
            ("N1-enn", Deviation::MoveUnreadable),
            ("N1-nn", Deviation::MoveUnreadable),
        ],
    );
    refuses("geographical", PROMOTES, &[("P-n", Deviation::PromotionPieceMissing)]);
}

#[test]
fn descriptive_as_books_in_spanish_and_french_write_it() {
    let (es, fr) = ("descriptive-es", "descriptive-fr");
    reads(es, INITIAL, &[("P4R", "e2e4", &[]), ("P-4R", "e2e4", VARIANT), ("C3AR", "g1f3", &[])]);
    reads(fr, INITIAL, &[("P4R", "e2e4", &[]), ("P 4 R", "e2e4", VARIANT), ("C3FR", "g1f3", &[])]);
    for name in [es, fr] {
        reads(name, CASTLING, &[("O-O", "e1g1", &[]), ("0-0", "e1g1", &["castling-zeros"])]);
        refuses(name, INITIAL, &[("N-KB3", Deviation::MoveUnreadable)]);
        refuses(name, PROMOTES, &[("PxC", Deviation::PromotionPieceMissing)]);
        reads(
            name,
            PROMOTES,
            &[
                ("PxC=D+", "b7a8q", &[]),
                ("PxC/D+", "b7a8q", VARIANT),
                ("P8C(C)", "b7b8n", VARIANT),
                ("P8C=Dch", "b7b8q", &["check-mark-style"]),
            ],
        );
    }
    reads(es, EN_PASSANT, &[("PxPa.p.", "e5d6", &[]), ("PxPe.p.", "e5d6", VARIANT)]);
    reads(fr, EN_PASSANT, &[("PxPe.p.", "e5d6", &[]), ("PxP", "e5d6", VARIANT)]);
    reads(
        es,
        TWO_KNIGHTS,
        &[
            ("C/5C3A", "g5f3", &[]),
            ("C(5C)3A", "g5f3", VARIANT),
            ("C5-3A", "g5f3", VARIANT),
            ("C\\5-3A", "g5f3", VARIANT),
        ],
    );
    refuses(
        es,
        TWO_KNIGHTS,
        &[
            ("C3A", Deviation::MoveAmbiguous),
            ("C(5C3A", Deviation::MoveUnreadable),
            ("C/5C)3A", Deviation::MoveUnreadable),
        ],
    );
    for mark in ["ap", "ap.", "a.p"] {
        reads(es, EN_PASSANT, &[(&format!("PxP{mark}"), "e5d6", VARIANT)]);
    }
    reads(es, TWO_ROOKS, &[("TD1C", "a8b8", VARIANT), ("TR1C", "f8b8", VARIANT)]);
}

/// Games of books, and what another program made of them.
#[test]
fn games_of_books_in_spanish_are_what_another_program_made_of_them() {
    let rows = include_str!("spanish.tsv").lines().filter(|line| !line.starts_with('#'));
    let (es, mut texts_count, mut moves_count) = (registered("descriptive-es"), 0, 0);
    for row in rows {
        let fields: Vec<&str> = row.split('\t').collect();
        let mut moves = fields[2].split_whitespace();
        let mut moment = Moment::start(Position::initial());
        for text in fields[1].split_whitespace() {
            let (read, known) = (es.read(text.as_bytes(), &moment.position), moves.next());
            let known = known.map(|mv| uci(&moment.position, mv));
            moves_count += usize::from(known.is_some());
            let mv = match text.strip_suffix('?') {
                // The book means the one that is better.
                Some(text) => {
                    let read = es.read(text.as_bytes(), &moment.position);
                    assert_eq!(read.err(), Some(Deviation::MoveAmbiguous), "{}: {text}", fields[0]);
                    known.unwrap()
                }
                None => read.unwrap_or_else(|e| panic!("{}: {text}: {}", fields[0], e.name())).mv,
            };
            assert!(known.is_none_or(|known| known == mv), "{}: {text}", fields[0]);
            moment = Moment::start(moment.position.play(mv));
            texts_count += 1;
        }
    }
    assert_eq!((texts_count, moves_count), (418, 330));
}

#[test]
fn descriptive_as_books_write_it() {
    reads(
        "descriptive",
        INITIAL,
        &[
            ("P-K4", "e2e4", &[]),
            ("P - K 4", "e2e4", VARIANT),
            ("PK4", "e2e4", VARIANT),
            ("Kt-KB3", "g1f3", VARIANT),
            ("P-KR4", "h2h4", &[]),
        ],
    );
    reads(
        "descriptive",
        CASTLING,
        &[
            ("CastlesK", "e1g1", VARIANT),
            ("Castles (QR)", "e1c1", VARIANT),
            ("0-0", "e1g1", &["castling-zeros"]),
        ],
    );
    refuses("descriptive", CASTLING, &[("Castles", Deviation::MoveAmbiguous)]);
    reads("descriptive", EN_PASSANT, &[("PxPe.p.", "e5d6", &[]), ("PxP", "e5d6", VARIANT)]);
    reads(
        "descriptive",
        PROMOTES,
        &[
            ("PxN=Qch", "b7a8q", &[]),
            ("PxN/Q+", "b7a8q", &["notation-variant", "check-mark-style"]),
            ("P-N8(Kt)", "b7b8n", VARIANT),
            ("P-N8Q ch", "b7b8q", VARIANT),
        ],
    );
    refuses("descriptive", PROMOTES, &[("PxN", Deviation::PromotionPieceMissing)]);
    reads(
        "descriptive",
        TWO_KNIGHTS,
        &[
            ("N/N5-B3", "g5f3", &[]),
            ("N(Kt5)-B3", "g5f3", VARIANT),
            ("N/5-B3", "g5f3", VARIANT),
            ("N(1)-KB3", "g1f3", VARIANT),
        ],
    );
    refuses("descriptive", TWO_KNIGHTS, &[("N-B3", Deviation::MoveAmbiguous)]);
    reads("descriptive", TWO_ROOKS, &[("QR-Kt1", "a8b8", VARIANT), ("KR-Kt1", "f8b8", VARIANT)]);
    reads(
        "descriptive",
        ROOK_TAKES,
        &[
            ("RxQch", "e2e7", &[]),
            ("RxQ", "e2e7", &["check-mark-missing"]),
            ("K-QSq.", "e1d1", VARIANT),
        ],
    );
    // Two pawns may take; only one of the captures gives check, and it is written so.
    let pawns = "8/8/4k3/2n5/3P1P2/8/4n3/4K3 w - - 0 1";
    refuses("descriptive", pawns, &[("PxB", Deviation::MoveIllegal)]);
    let checks = "8/4k3/2n3n1/3P3P/8/8/8/4K3 w - - 0 1";
    reads("descriptive", checks, &[("QPxN", "d5c6", &[]), ("RPxN", "h5g6", &[])]);
}

#[test]
fn the_written_check_settles_what_two_moves_fit() {
    // Bishops to N5: one of them checks.
    let fen = "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1";
    reads("descriptive", fen, &[("B-N5ch", "f1b5", VARIANT), ("B-N5", "c1g5", VARIANT)]);
}

#[test]
fn the_history_names_wings_and_files() {
    let mut moment = Moment::start(Position::initial());
    for mv in ["g1f3", "d7d5", "d2d3", "e7e5"] {
        moment = moment.after(uci(&moment.position, mv));
    }
    let sides = registered("descriptive-sides");
    let mv = uci(&moment.position, "f3d2");
    assert_eq!(moment.write(sides, mv), "KN-Q2");
    assert_eq!(moment.write(registered("descriptive"), mv), "N/B3-Q2");
    assert_eq!(deviations("descriptive-sides", &moment, "KN-Q2", "f3d2"), [""; 0]);
    assert_eq!(deviations("descriptive-sides", &moment, "QKt-Q2", "b1d2"), VARIANT);
    let forgotten = Moment { lineage: None, ..moment };
    assert_eq!(forgotten.write(sides, mv), "N/B3-Q2");

    assert_eq!(deviations("stamma", &moment, "gd2", "f3d2"), [""; 0]);
    assert_eq!(deviations("stamma", &moment, "g d 2", "f3d2"), VARIANT);
    assert_eq!(deviations("stamma", &moment, "pee4", "e2e4"), VARIANT);
    reads("stamma", INITIAL, &[("gf3", "g1f3", &[]), ("ggf3", "g1f3", VARIANT)]);
    refuses(
        "stamma",
        INITIAL,
        &[
            ("0-0", Deviation::MoveIllegal),
            ("Nf3", Deviation::MoveUnreadable),
            ("bf3", Deviation::MoveIllegal),
        ],
    );
}
