//! Commands that this build was made without, so that it compiles sooner.

use anyhow::{Result, bail};
use clap::Args;

use crate::exit::Done;

/// Whatever was meant.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<String>,
}

/// Says how to get it.
pub(crate) fn run(_: &Arguments) -> Result<Done> {
    bail!(
        "this build of assize does not include `serve`, `worker`, `mcp` and `readers`; build the \
         full version with `cargo install --path crates/cli`"
    )
}
