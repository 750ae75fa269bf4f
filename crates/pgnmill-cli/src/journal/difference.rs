//! What is different between the run of a journal and another one, in words.
//!
//! In: both runs. Out: the first difference, or none. Cost: a comparison per option and pair of inputs.

use super::records::{InputFact, RunFact};

/// The first difference between the run of a journal and another.
pub(super) fn difference(before: &RunFact, now: &RunFact) -> Option<String> {
    if before.program != now.program {
        return Some(format!(
            "version {} of the program has begun it, this is {}",
            before.program, now.program
        ));
    }
    if before.command != now.command {
        return Some(format!("it was `{}`, this is `{}`", before.command, now.command));
    }
    for (name, value) in &now.options {
        let old = before.options.iter().find(|(other, _)| other == name);
        match old.map_or("", |(_, old)| old) {
            old if old == value => {}
            old => return Some(format!("{name} was {}, is {}", shown(old), shown(value))),
        }
    }
    let is_known = |name: &String| now.options.iter().any(|(other, _)| other == name);
    if let Some((name, value)) = before.options.iter().find(|(name, _)| !is_known(name)) {
        return Some(format!("{name} was {}, is not given", shown(value)));
    }
    let (old, new) = (&before.inputs, &now.inputs);
    let has = |inputs: &[InputFact], path: &str| inputs.iter().any(|input| input.path == path);
    if let Some(input) = old.iter().find(|input| !has(new, &input.path)) {
        return Some(format!("the input {} is missing", input.path));
    }
    if let Some(input) = new.iter().find(|input| !has(old, &input.path)) {
        return Some(format!("the input {} was added", input.path));
    }
    if old.len() != new.len() {
        return Some(format!("there were {} inputs, now there are {}", old.len(), new.len()));
    }
    for (old, new) in old.iter().zip(new) {
        if old.path != new.path {
            return Some(format!(
                "the inputs were in another order: {}, now {}",
                old.path, new.path
            ));
        }
        if old.bytes != new.bytes {
            let (path, old, new) = (&new.path, old.bytes, new.bytes);
            return Some(format!("the input {path} had {old} bytes, has {new}"));
        }
        if old.modified != new.modified {
            return Some(format!("the input {} was modified since", new.path));
        }
    }
    None
}

fn shown(value: &str) -> String {
    if value.is_empty() { "not given".to_string() } else { value.to_string() }
}
