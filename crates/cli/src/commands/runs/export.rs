//! `assize runs export`: a run as a file.

use anyhow::Result;
use assize_engine::runs::export::ExportFormat;

use super::args::Export;
use crate::commands::evaluate::session::with_reader;
use crate::commands::export::{chosen, write};
use crate::exit::Done;
use crate::output::{files, terminal};

/// Writes the run.
pub(super) fn run(arguments: &Export) -> Result<Done> {
    let output = arguments.output.as_deref();
    let has_ending = output.is_some_and(|path| path.extension().is_some());
    let format = match arguments.format {
        None if !has_ending => ExportFormat::Jsonl,
        named => chosen(named, output)?,
    };
    files::check(output, &[])?;
    with_reader(&arguments.which.database, async |workspace| {
        let run = workspace.find_run(&arguments.which.run).await?;
        let version = workspace.version_of(&run, arguments.version)?;
        workspace.check_export(&run, version, format)?;
        let count = write(&workspace, (&run, arguments.version), format, output).await?;
        if let Some(path) = output {
            let path = path.display();
            terminal::remark(&format!("run #{}: {count} items written to {path}", run.number));
        }
        Ok(Done::Fine)
    })
}
