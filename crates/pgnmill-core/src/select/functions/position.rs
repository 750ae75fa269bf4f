//! `position("FEN")`: a position that is reached.
//!
//! In: a FEN record, as far as it has fields. Out: a condition on the moves. Cost: a comparison for each position.

use crate::select::call::Call;
use crate::select::error::Fault;
use crate::select::node::Typed;
use crate::select::target::Target;

pub(super) fn make(call: &mut Call<'_>) -> Result<Typed, Fault> {
    let target = Target::of_record(call.literal(0, "a FEN record")?)
        .map_err(|error| call.fault(0, format!("this is no FEN record: {error}")))?;
    Ok(Typed::Bool(call.reached(target)?))
}
