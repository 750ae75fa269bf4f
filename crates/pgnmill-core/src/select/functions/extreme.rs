//! `min(number, number)`, `max(number, number)`: the smaller and the larger of two numbers.
//!
//! In: two numbers. Out: one of them, missing where either is. Cost: that of both.

use crate::select::call::Call;
use crate::select::error::Fault;
use crate::select::node::{NumberNode, Typed};

pub(super) fn smaller(call: &mut Call<'_>) -> Result<Typed, Fault> {
    of_two(call, f64::min)
}

pub(super) fn larger(call: &mut Call<'_>) -> Result<Typed, Fault> {
    of_two(call, f64::max)
}

fn of_two(call: &mut Call<'_>, choose: fn(f64, f64) -> f64) -> Result<Typed, Fault> {
    let sides = (call.number(0)?, call.number(1)?);
    Ok(Typed::Number(NumberNode::OfTwo(choose, Box::new(sides))))
}
