//! pgnmill reads archives of chess games, proves every move, rewrites the moves in any notation and
//! measures what each notation costs.

pub mod archive;
pub mod error;
