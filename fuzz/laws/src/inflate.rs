//! Inflating: a pipe of zstd bytes gives the reference decoder's text, games and all, however few bytes come at once.

use pgnmill_io::archive::Archive;
use pgnmill_io::error::ErrorKind;

use crate::Choices;
use crate::archives::{Dribble, holds_frame, ledger, options, reference};

/// Six bytes choose the sizes, one how much comes at once; the rest follows the magic number of a frame.
pub fn hold(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let options = options(&mut choices);
    let at_once = choices.byte();
    let stored = [b"\x28\xB5\x2F\xFD", choices.rest()].concat();
    let Some((text, whole)) = reference(&stored) else { return };
    let archive = Archive::from_reader("pipe", Dribble::new(stored, at_once), &options)
        .expect("a magic number is enough to begin");
    let (found, error) = ledger(archive);
    assert!(text.starts_with(&found.text), "what was given is true");
    assert_eq!(error.is_none(), whole, "{error:?}");
    if let Some(error) = error {
        assert!(matches!(error.kind(), ErrorKind::Damaged { .. }), "{error}");
        return;
    }
    let plain = Archive::from_reader("pipe", Dribble::new(text.clone(), 4096), &options);
    // Text that is itself stored in another format is another matter.
    let Ok(plain) = plain else { return };
    let begins_a_frame =
        text.starts_with(b"\x28\xB5\x2F\xFD") || matches!(text[..], [0x50..=0x5F, 0x2A, ..]);
    if !begins_a_frame && !holds_frame(&text) {
        assert_eq!(ledger(plain).0, found, "the same games as from plain text");
    }
}
