//! `lower(text)`: a text in small letters.
//!
//! In: a text. Out: its node. Cost: a copy of the text for each game.

use crate::select::call::Call;
use crate::select::error::Fault;
use crate::select::node::{TextNode, Typed};

pub(super) fn make(call: &mut Call<'_>) -> Result<Typed, Fault> {
    Ok(Typed::Text(TextNode::Lower(Box::new(call.text(0)?))))
}
