//! `tag("Name")`: a tag pair by any name, as text.
//!
//! In: a name in quotes. Out: the node of its value, missing where a game has no such tag pair. Cost: a slot.

use crate::select::call::Call;
use crate::select::error::Fault;
use crate::select::known_tags::is_known;
use crate::select::node::{TextNode, Typed};

pub(super) fn make(call: &mut Call<'_>) -> Result<Typed, Fault> {
    let name = call.literal(0, "the name of a tag pair")?;
    Ok(Typed::Text(TextNode::Tag(call.reads.tag(name, is_known(name)))))
}
