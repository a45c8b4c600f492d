//! The `assize` binary: what was typed in, exit code out.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    ExitCode::from(assize_cli::run(&words))
}
