//! `assize runs export`: a run as a file.

use std::fs::File;
use std::io::{BufWriter, Write};

use anyhow::{Context, Result};
use assize_engine::runs::export::ExportFormat as Written;

use super::args::{Export, ExportFormat};
use super::with_existing;
use crate::exit::Done;
use crate::output::files;
use crate::output::terminal;

/// Writes the run.
pub(super) fn run(arguments: &Export) -> Result<Done> {
    files::check_ending(arguments.output.as_deref(), &["jsonl", "json", "csv"])?;
    files::check(arguments.output.as_deref(), &[])?;
    with_existing(&arguments.which.database, async |registry| {
        let run = registry.any_run(&arguments.which.run).await?;
        let mut to: Box<dyn Write> = match &arguments.output {
            Some(path) => {
                let shown = path.display();
                let file =
                    File::create(path).with_context(|| format!("{shown} could not be written"))?;
                Box::new(BufWriter::new(file))
            }
            None => Box::new(std::io::stdout().lock()),
        };
        let format = format(arguments);
        let count = registry.export_run(&run, arguments.version, format, &mut *to).await?;
        if let Some(path) = &arguments.output {
            let path = path.display();
            terminal::remark(&format!("run #{}: {count} items written to {path}", run.number));
        }
        Ok(Done::Fine)
    })
}

fn format(arguments: &Export) -> Written {
    let extension = arguments.output.as_ref().and_then(|path| path.extension()?.to_str());
    match (arguments.format, extension) {
        (Some(ExportFormat::Csv), _) | (None, Some("csv")) => Written::Csv,
        (Some(ExportFormat::Json), _) | (None, Some("json")) => Written::Json,
        _ => Written::Jsonl,
    }
}
