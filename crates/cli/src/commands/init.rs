//! `assize init`: a file of checks for what lies in a folder.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use assize_engine::asking::{AskOptions, Stop};
use assize_engine::checks::Asking;
use assize_engine::configuration::FILE;
use assize_engine::init::text::{WORKFLOW, workflow};
use assize_engine::init::{Columns, Found, Kind, found, propose};
use clap::Args;

use crate::exit::Done;
use crate::model_args::load;
use crate::output::asking::tell;
use crate::output::files;
use crate::output::terminal::{self, one_line};
use crate::runtime::block_on;

const NOTES: &str = "\
Existing files are never overwritten. Guide: docs/guide/check.md";

/// How much of a cell is shown.
const CELL_CHARACTERS: usize = 24;
/// How many columns are shown.
const COLUMNS_SHOWN: usize = 4;

/// Inspect the files in a folder and write an assize.toml with checks for them.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// The folder to inspect
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// Print what would be written, without writing it
    #[arg(long)]
    print: bool,
    /// Column that holds a summary field: article, summary or id (repeatable)
    #[arg(long, value_name = "FIELD=COLUMN", value_parser = crate::map_args::pair)]
    map: Vec<(String, String)>,
    /// Do not prompt, even on a terminal
    #[arg(long)]
    yes: bool,
    /// Also write a GitHub workflow that runs the checks
    #[arg(long)]
    workflow: bool,
}

/// Looks, says what was found, proposes, and writes.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let folder = &arguments.folder;
    let place = |name: &str| {
        if folder == Path::new(".") { PathBuf::from(name) } else { folder.join(name) }
    };
    let path = place(FILE);
    if path.exists() && !arguments.print {
        bail!("{} already exists and was not changed; --print shows the proposal", path.display());
    }
    let mut files =
        found(folder).with_context(|| format!("{}: could not be read", folder.display()))?;
    for file in &mut files {
        terminal::remark(&format!("{}: {}", file.path.display(), file.kind.words()));
        if let Kind::Summaries(columns) = &mut file.kind {
            decide(&file.path, columns, arguments)?;
        }
    }
    let stop = Stop::default();
    let asking = Asking::new(AskOptions::default(), load(None, &[])?, stop.clone(), tell);
    let proposal = block_on(&stop, async { Ok(propose(folder, &files, &asking).await) })?;
    for left_out in &proposal.left_out {
        terminal::notice(left_out);
    }
    if arguments.print {
        files::print(&proposal.text)?;
        return Ok(Done::Fine);
    }
    if proposal.checks.is_empty() {
        bail!("{}", nothing_found(folder, &files));
    }
    files::write(&path, &proposal.text)?;
    let count = proposal.checks.len();
    let checks = if count == 1 { "check" } else { "checks" };
    let mut text =
        format!("{}: {count} {checks} written; `assize check` runs them\n", path.display());
    if arguments.workflow {
        text.push_str(&write_workflow(&place(WORKFLOW))?);
    }
    files::report(&text)
}

fn nothing_found(folder: &Path, files: &[Found]) -> String {
    let known = if files.is_empty() { "no recognised files" } else { "nothing can be checked" };
    format!(
        "{}: {known}; expected a retrieval run with its gold, a ragas file, summaries with their \
         articles, answers (field `response`), or criteria with documents",
        folder.display()
    )
}

fn write_workflow(path: &Path) -> Result<String> {
    let shown = path.display();
    if path.exists() {
        terminal::notice(&format!("{shown} already exists and was not changed"));
        return Ok(String::new());
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)
            .with_context(|| format!("could not create {}", parent.display()))?;
    }
    files::write(path, workflow())?;
    Ok(format!("{shown}: written\n"))
}

/// Which columns are meant: by flag, by their names, or by asking whoever sits there.
fn decide(path: &Path, columns: &mut Columns, arguments: &Arguments) -> Result<()> {
    for (field, column) in &arguments.map {
        if !columns.names.contains(column) {
            let known = columns.names.join("`, `");
            bail!("{}: no column `{column}`; the columns are `{known}`", path.display());
        }
        columns.map.insert(field.clone(), column.clone());
        columns.doubtful.retain(|(doubtful, _)| doubtful != field);
    }
    if columns.map.is_empty() && columns.doubtful.is_empty() {
        return Ok(());
    }
    terminal::remark(&rows(columns));
    for (field, column) in &columns.map {
        terminal::remark(&format!("  the {field} is `{column}`"));
    }
    let asks = !arguments.yes && io::stdin().is_terminal() && io::stderr().is_terminal();
    for (field, candidates) in columns.doubtful.clone() {
        let choices = candidates.join("`, `");
        if asks {
            let chosen = ask(&field, &candidates)?;
            columns.map.insert(field, chosen);
        } else {
            terminal::notice(&format!(
                "{}: the {field} could be `{choices}`; using the first (choose another with --map \
                 {field}=COLUMN)",
                path.display()
            ));
        }
    }
    Ok(())
}

/// The first rows under their columns, in 80 columns of text.
fn rows(columns: &Columns) -> String {
    let shown = columns.names.len().min(COLUMNS_SHOWN);
    let width = (76 / shown.max(1)).min(CELL_CHARACTERS) - 2;
    let line = |cells: &[String]| {
        let cells = cells.iter().take(shown).map(|cell| {
            let text = one_line(cell, width.saturating_sub(1));
            format!("{text:<width$}")
        });
        format!("  {}", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    let all = std::iter::once(line(&columns.names)).chain(columns.rows.iter().map(|row| line(row)));
    all.collect::<Vec<_>>().join("\n")
}

fn ask(field: &str, candidates: &[String]) -> Result<String> {
    let mut stderr = io::stderr().lock();
    loop {
        write!(
            stderr,
            "Which column is the {field}? {} [{}] ",
            candidates.join(", "),
            candidates[0]
        )?;
        stderr.flush()?;
        let mut answer = String::new();
        let ended = io::stdin().lock().read_line(&mut answer)? == 0;
        let answer = answer.trim();
        if answer.is_empty() || ended {
            return Ok(candidates[0].clone());
        }
        if let Some(known) = candidates.iter().find(|name| name.as_str() == answer) {
            return Ok(known.clone());
        }
    }
}
