//! `assize criteria …`.

mod args;

use anyhow::{Result, bail};

pub(crate) use args::{Arguments, Format};

use crate::exit::Done;

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    bail!("not yet {:?}", arguments)
}
