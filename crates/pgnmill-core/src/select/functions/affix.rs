//! `contains(text, part)`, `starts_with(text, part)`, `ends_with(text, part)`: where a text has a part.
//!
//! In: two texts. Out: a condition, missing where one of them is. Cost: a search in the text of each game.

use crate::select::call::Call;
use crate::select::error::Fault;
use crate::select::node::{Affix, BoolNode, Typed};

pub(super) fn anywhere(call: &mut Call<'_>) -> Result<Typed, Fault> {
    has_part(call, Affix::Anywhere)
}

pub(super) fn start(call: &mut Call<'_>) -> Result<Typed, Fault> {
    has_part(call, Affix::Start)
}

pub(super) fn end(call: &mut Call<'_>) -> Result<Typed, Fault> {
    has_part(call, Affix::End)
}

fn has_part(call: &mut Call<'_>, affix: Affix) -> Result<Typed, Fault> {
    let part = call.part(1)?;
    let sides = (call.text(0)?, part);
    Ok(Typed::Bool(call.watched(BoolNode::Contains(affix, Box::new(sides)))))
}
