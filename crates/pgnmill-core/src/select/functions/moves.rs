//! `moves("1. e4 c5")`: the moves with which a game begins.
//!
//! In: moves in SAN or UCI, with or without numbers. Out: a condition on the moves. Cost: a comparison for each ply of
//! the line.

use crate::select::call::Call;
use crate::select::error::Fault;
use crate::select::node::Typed;
use crate::select::target::Target;

pub(super) fn make(call: &mut Call<'_>) -> Result<Typed, Fault> {
    let target = Target::of_line(call.literal(0, "a line of moves")?)
        .map_err(|error| call.fault(0, format!("this is no line of moves: {error}")))?;
    Ok(Typed::Bool(call.reached(target)?))
}
