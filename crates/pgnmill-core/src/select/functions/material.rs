//! `material("KRPkr")`, `material_any_colour("KRPkr")`: pieces that a position has.
//!
//! In: a signature of material. Out: a condition on the moves. Cost: a comparison for each position, two for any
//! colour.

use crate::select::call::Call;
use crate::select::error::Fault;
use crate::select::material::Material;
use crate::select::node::{BoolNode, Typed};
use crate::select::target::Target;

pub(super) fn of_colours(call: &mut Call<'_>) -> Result<Typed, Fault> {
    let material = signature(call)?;
    Ok(Typed::Bool(call.reached(Target::Material(material))?))
}

pub(super) fn any_colour(call: &mut Call<'_>) -> Result<Typed, Fault> {
    let material = signature(call)?;
    let either = [material, material.exchanged()];
    let either = either.into_iter().map(|material| call.reached(Target::Material(material)));
    Ok(Typed::Bool(BoolNode::Any(either.collect::<Result<_, _>>()?)))
}

fn signature(call: &Call<'_>) -> Result<Material, Fault> {
    Material::read(call.literal(0, "a signature of material")?)
        .map_err(|error| call.fault(0, format!("this is no signature of material: {error}")))
}
