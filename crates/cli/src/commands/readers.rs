//! `assize readers …`: models of this machine that judges read with.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::{Context, Result};
use assize_engine::asking::Stop;
use assize_engine::configuration::Written;
use assize_engine::readers::bench::{BenchPair, Measured, bench, read_pairs};
use assize_engine::readers::install::{Happening, Wanted, install};
use assize_engine::readers::manifest::shipped;
use assize_engine::readers::shelf::Shelf;
use clap::{Args, Subcommand};

use crate::exit::Done;
use crate::model_args::variables;
use crate::output::table::{columns, table};
use crate::output::{files, terminal};
use crate::runtime::block_on;

/// Megabytes of a file between two words about it.
const MEGABYTES_BETWEEN: u64 = 25;

/// Models of this machine that judges read with.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// List the readers that are installed, and those that can be
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Install a reader: from the hub, a server or a folder
    #[command(after_help = "\
Size and licence are shown first. A download that is interrupted goes on when the same command is run
again. Files that nobody pinned are recorded, and compared from then on.")]
    Install(InstallArguments),
    /// Read every byte of installed readers, and open them
    Check {
        /// The readers [default: all that are installed]
        names: Vec<String>,
    },
    /// Remove a reader
    Remove {
        /// Its name
        name: String,
    },
    /// Measure how quickly a reader reads, and how often it agrees with people
    Bench(BenchArguments),
}

/// What to install.
#[derive(Debug, Args)]
pub(crate) struct InstallArguments {
    /// A name of the list, or any name together with --from
    name: String,
    /// A folder, or the address of one on a server
    #[arg(long, value_name = "FOLDER|URL")]
    from: Option<String>,
    /// What model.safetensors must have
    #[arg(long, value_name = "HEX")]
    sha256: Option<String>,
}

/// What to measure.
#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// The reader: a name that is installed, or the path of a folder
    name: String,
    /// Pairs as JSON Lines: premise, hypothesis and, if people judged them, label (0 stated, 1 open, 2
    /// denied) [default: a few of our own]
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// How many of them
    #[arg(long, default_value_t = 200)]
    limit: usize,
    /// How many threads read
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Print JSON, with the shares of each pair
    #[arg(long)]
    json: bool,
}

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let written = Written::load(None, &variables())?;
    let shelf = Shelf::find(&written, &variables())?;
    match arguments {
        Arguments::List { json } => list(&shelf, *json),
        Arguments::Install(wanted) => {
            let wanted = Wanted {
                name: wanted.name.clone(),
                from: wanted.from.clone(),
                hub: written.readers.hub.clone(),
                sha256: wanted.sha256.clone(),
            };
            installed(&shelf, &wanted)
        }
        Arguments::Check { names } => check(&shelf, names),
        Arguments::Remove { name } => {
            shelf.remove(name)?;
            terminal::notice(&format!("{name} was removed"));
            Ok(Done::Fine)
        }
        Arguments::Bench(arguments) => benched(&shelf, arguments),
    }
}

fn list(shelf: &Shelf, json: bool) -> Result<Done> {
    let installed = shelf.list()?;
    if json {
        files::print(&format!("{}\n", serde_json::to_string_pretty(&installed)?))?;
        return Ok(Done::Fine);
    }
    let headings = columns("reader | kind | #MB | licence | sha256");
    let rows = installed.iter().map(|one| {
        let licence = one.record.as_ref().and_then(|record| record.licence.clone());
        let kind = one.kind.map_or_else(|| "cannot be read".to_owned(), |kind| kind.to_string());
        let hash = one.sha256().map(|hash| hash[..12].to_owned()).unwrap_or_default();
        let licence = licence.unwrap_or_else(|| "not stated".to_owned());
        vec![one.name.clone(), kind, one.megabytes.to_string(), licence, hash]
    });
    files::print(&table(&headings, rows.collect()))?;
    for one in &installed {
        if let Some(problem) = &one.problem {
            terminal::remark(&format!("{}: {problem}", one.name));
        }
    }
    let headings = columns("can be installed | kind | languages | licence | pinned");
    let others =
        shipped().into_iter().filter(|known| !installed.iter().any(|one| one.name == known.name));
    let rows = others.map(|known| {
        let pinned = if known.sha256.is_empty() { "at first installation" } else { "yes" };
        vec![known.name, known.kind, known.languages, known.licence, pinned.to_owned()]
    });
    files::print(&format!("\n{}", table(&headings, rows.collect())))?;
    terminal::notice(&format!("readers are installed in {}", shelf.folder().display()));
    Ok(Done::Fine)
}

fn installed(shelf: &Shelf, wanted: &Wanted) -> Result<Done> {
    let said: Mutex<BTreeMap<&'static str, u64>> = Mutex::new(BTreeMap::new());
    let hear = |happening: Happening| match happening {
        Happening::Planned { source, licence, megabytes } => {
            let size =
                megabytes.map_or_else(|| "size not stated".to_owned(), |size| format!("{size} MB"));
            let licence = licence.unwrap_or_else(|| "licence not stated".to_owned());
            terminal::notice(&format!("{}: {size}, {licence}, from {source}", wanted.name));
        }
        Happening::Arrived(file, bytes) => {
            let (megabytes, Ok(mut said)) = (bytes / 1_000_000, said.lock()) else { return };
            let before = said.entry(file).or_insert(0);
            if megabytes >= *before + MEGABYTES_BETWEEN {
                *before = megabytes;
                terminal::notice(&format!("{file}: {megabytes} MB"));
            }
        }
        Happening::Recorded(file, hash) => terminal::notice(&format!("{file}: recorded {hash}")),
    };
    let stop = Stop::default();
    let identity = block_on(&stop, async {
        tokio::select! {
            installed = install(shelf, wanted, &hear) => Ok(installed?),
            () = stop.asked() => anyhow::bail!("interrupted; run the same command again to go on"),
        }
    })?;
    files::report(&format!("{identity}\n"))
}

fn check(shelf: &Shelf, names: &[String]) -> Result<Done> {
    let all =
        || -> Result<Vec<String>> { Ok(shelf.list()?.into_iter().map(|one| one.name).collect()) };
    let names = if names.is_empty() { all()? } else { names.to_vec() };
    for name in &names {
        let identity = shelf.check(name)?;
        files::print(&format!("{identity}\n"))?;
    }
    terminal::notice(&format!("{} readers are as they were installed", names.len()));
    Ok(Done::Fine)
}

fn benched(shelf: &Shelf, arguments: &BenchArguments) -> Result<Done> {
    let folder = shelf.folder_of(&arguments.name)?;
    let mut pairs = match &arguments.pairs {
        Some(file) => read_pairs(file)?,
        None => own_pairs(),
    };
    pairs.truncate(arguments.limit);
    anyhow::ensure!(!pairs.is_empty(), "there are no pairs to read");
    let measured = bench(&folder, &pairs, arguments.threads)?;
    if arguments.json {
        let json = serde_json::to_string(&measured).context("what was measured is JSON")?;
        files::print(&format!("{json}\n"))?;
        return Ok(Done::Fine);
    }
    files::report(&lines(&arguments.name, &measured))
}

fn lines(name: &str, measured: &Measured) -> String {
    let Measured { kind, count, open_seconds, processor_seconds, per_second, .. } = measured;
    let mut text = format!(
        "{name} ({kind}): opened in {open_seconds:.2} s; {count} read in {processor_seconds:.2} s of \
         the processor, {per_second:.1} a second\n"
    );
    if let Some(right) = measured.right {
        let area =
            |area: Option<f64>| area.map_or_else(|| "none".to_owned(), |area| format!("{area:.3}"));
        let (area, words) = (area(measured.area), area(measured.words_area));
        let line = format!(
            "right on {right:.3}; area of what is stated {area}, by shared words {words}\n"
        );
        text.push_str(&line);
    }
    text
}

/// Pairs for whoever has none.
fn own_pairs() -> Vec<BenchPair> {
    const STATEMENTS: [&str; 5] = [
        "Backups are tested once a year, and the result is written down by whoever tested them.",
        "Access rights are reviewed twice a year by the owner of the system; what is no longer needed is withdrawn.",
        "Passwords have at least twelve characters and are changed when there is reason to think that they are known.",
        "The supplier answers every request within 48 hours, unless the law says otherwise.",
        "Records are kept for seven years and destroyed afterwards.",
    ];
    const PARTS: [&str; 5] = [
        "Backups are tested every year.",
        "Access rights are reviewed regularly.",
        "Passwords are changed at least four times a year.",
        "Requests are answered within one working day.",
        "Records are destroyed after ten years.",
    ];
    let pairs = STATEMENTS.iter().flat_map(|premise| PARTS.iter().map(move |part| (premise, part)));
    let pair = |(premise, hypothesis): (&&str, &&str)| BenchPair {
        premise: (*premise).to_owned(),
        hypothesis: (*hypothesis).to_owned(),
        label: None,
    };
    pairs.map(pair).collect()
}
