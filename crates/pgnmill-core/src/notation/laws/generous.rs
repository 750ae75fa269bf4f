//! Examples of texts that the generous reader of the algebraic family must read, name or reject.
//!
//! The examples are those of the list of deviations; check suffixes are tested separately, by
//! [`crate::notation::CheckSuffix`].

use super::positions;
use crate::notation::{Check, Notation, san::San};
use crate::pgn::deviation::Deviation;

/// White may play Nbxd2, Nfxd2, exd5, Nf3 to seven other squares.
const CAPTURES: &str = "4k3/8/8/3p4/4P3/5N2/3r4/1N5K w - - 0 1";
/// Three queens reach e1, with check or without.
const QUEENS: &str = "1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1";
/// b8 and bxa8 promote.
const PROMOTION: &str = "n3k3/1P6/8/8/8/8/7K/8 w - - 0 1";
const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
/// The knight on c3 is pinned.
const PINNED: &str = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1";
/// The rooks on h8 and f8 reach g8.
const ROOKS: &str = "5R1R/8/1k6/8/8/2n5/1P6/B3K3 w - - 0 1";

/// The only move that a text is read as, in UCI, and its deviations, those of the check suffix included.
fn read(fen: &str, text: &str) -> Result<(String, Vec<Deviation>), Deviation> {
    let position = positions::read(fen);
    let reading = San.read(text.as_bytes(), &position)?;
    let check = Check::of(&position.play(reading.mv));
    let marked = reading.check_suffix.deviation(check);
    let uci = super::write(super::UCI, &position, reading.mv);
    Ok((uci.to_string(), reading.deviations.iter().chain(marked).collect()))
}

fn assert_named(fen: &str, uci: &str, named: &[Deviation], texts: &[&str]) {
    for text in texts {
        assert_eq!(read(fen, text), Ok((uci.to_owned(), named.to_vec())), "{text}");
    }
}

fn assert_refused(fen: &str, fault: Deviation, texts: &[&str]) {
    for text in texts {
        assert_eq!(read(fen, text), Err(fault), "{text}");
    }
}

#[test]
fn a_capture_mark_stands_right_before_the_target() {
    assert_named(CAPTURES, "b1d2", &[], &["Nbxd2"]);
    let texts = ["Nxbd2", "Nbd2x", "Nbdx2", "xNbd2", "xed5", "ed5x", "Nb1xxd2", "Nb-1d2", "edx"];
    assert_refused(CAPTURES, Deviation::MoveUnreadable, &texts);
}

#[test]
fn capture_marks_are_named() {
    let colon = [Deviation::CaptureColon];
    assert_named(CAPTURES, "b1d2", &colon, &["NbXd2", "Nb:d2", "Nbd2:"]);
    assert_named(CAPTURES, "e4d5", &colon, &["eXd5", "e:d5", "ed5:"]);
    assert_named(CAPTURES, "b1d2", &[Deviation::CaptureMarkMissing], &["Nbd2"]);
    assert_named(CAPTURES, "f3d4", &[Deviation::CaptureMarkExtra], &["Nxd4"]);
    assert_named(CAPTURES, "e4d5", &[Deviation::PawnCaptureShort], &["ed5", "exd", "ed"]);
}

/// A square alone is an advance, whatever could be taken there; a pawn that takes is named by its file.
#[test]
fn a_pawn_that_takes_is_named_by_its_file() {
    let texts = ["d5", "xd5", "Pd5", "Pxd5", "4xd5", "d5:", "exe", "ee"];
    for text in texts {
        let refused = read(CAPTURES, text);
        assert!(refused.is_err(), "{text}: {refused:?}");
    }
    assert_refused(CAPTURES, Deviation::MoveIllegal, &["d5", "Pd5", "ee"]);
}

#[test]
fn a_dash_is_of_the_long_form_even_where_the_origin_is_needed() {
    assert_named(QUEENS, "h4e1", &[], &["Qh4e1"]);
    let long = [Deviation::LongForm];
    assert_named(QUEENS, "h4e1", &long, &["Qh4-e1", "Qh4\u{2013}e1", "Qh4\u{2212}e1", "h4e1"]);
    assert_named(CAPTURES, "b1d2", &long, &["Nb1xd2", "b1xd2"]);
    assert_refused(QUEENS, Deviation::MoveUnreadable, &["Qh-e1", "Q4-e1", "Q-e1", "Q-h4e1"]);
    assert_refused(QUEENS, Deviation::MoveAmbiguous, &["Qe1", "Qhe1", "Q4e1"]);
}

#[test]
fn other_origins_are_named() {
    assert_named(PINNED, "g1e2", &[Deviation::DisambiguationExtra], &["Nge2", "N1e2"]);
    assert_named(PINNED, "g1e2", &[Deviation::LongForm], &["Ng1e2", "Ng1-e2", "g1e2"]);
    assert_named(CAPTURES, "e4d5", &[Deviation::PawnLetter], &["Pexd5"]);
    assert_refused(PINNED, Deviation::MoveIllegal, &["Nce2", "Nc3e2", "Ke8"]);
    assert_refused(ROOKS, Deviation::MoveUnreadable, &["R8hg8"]);
    assert_refused(ROOKS, Deviation::MoveAmbiguous, &["Rg8", "R8g8"]);
}

#[test]
fn promotions_are_named() {
    let promotion = [Deviation::PromotionMark];
    let texts = ["b8Q+", "b8(Q)+", "b8/Q+", "b8=q+"];
    assert_named(PROMOTION, "b7b8q", &promotion, &texts);
    assert_refused(PROMOTION, Deviation::PromotionPieceMissing, &["b8", "bxa8+"]);
    assert_refused(PROMOTION, Deviation::PromotionNotAPromotion, &["Kg3=Q"]);
    assert_refused(PROMOTION, Deviation::MoveUnreadable, &["b8=K", "b8=P", "b8=", "b8==Q"]);
}

#[test]
fn en_passant_marks_are_named() {
    let texts = ["exd6e.p.", "exd6ep", "exd6e.p", "exd6ep."];
    assert_named(EN_PASSANT, "e5d6", &[Deviation::EnPassantMark], &texts);
}

#[test]
fn castling_is_read_in_every_spelling() {
    assert_named(CASTLING, "e1g1", &[], &["O-O"]);
    assert_named(CASTLING, "e1c1", &[Deviation::CastlingZeros], &["0-0-0"]);
    assert_named(CASTLING, "e1c1", &[Deviation::CastlingLowerCase], &["o-o-o"]);
    let lookalikes = ["\u{41e}-\u{41e}", "\u{39f}-\u{39f}", "O\u{2013}O"];
    assert_named(CASTLING, "e1g1", &[Deviation::CastlingLookalike], &lookalikes);
    assert_named(CASTLING, "e1g1", &[Deviation::LongForm], &["Ke1-g1", "e1g1"]);
    assert_refused(CASTLING, Deviation::MoveUnreadable, &["OO", "O-", "O-O-O-O", "-O-O"]);
}

#[test]
fn check_marks_are_named() {
    assert_named(QUEENS, "e4e8", &[Deviation::CheckMarkMissing], &["Qe8"]);
    let style = [Deviation::CheckMarkStyle];
    let texts = ["Qe8#", "Qe8++", "Qe8\u{2020}", "Qe8ch", "Qe8mate", "Qe8dbl.ch", "Qe8dis.ch"];
    assert_named(QUEENS, "e4e8", &style, &texts);
    assert_named(QUEENS, "e4c2", &[Deviation::CheckMarkExtra], &["Qc2+", "Qc2#", "Qc2ch"]);
    assert_refused(QUEENS, Deviation::MoveUnreadable, &["Qe8+=+", "+", "Qe8+-"]);
}
