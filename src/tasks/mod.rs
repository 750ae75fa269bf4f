//! Tasks: what is done with the games of archives, one folder a task. The engine runs them and knows none by name.

pub mod convert;
pub mod measure;
