//! The command `pgnmill`; see [`pgnmill_cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    pgnmill_cli::main()
}
