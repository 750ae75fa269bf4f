//! The command `pgnmill`; see [`pgnmill::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    pgnmill::cli::main()
}
