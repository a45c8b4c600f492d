//! A whole file of pairs, printed while it is worked through.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Result, bail};
use assize_engine::summary::batches::Progress;
use assize_engine::summary::calibration::Calibrations;
use assize_engine::summary::{ByRules, Judged, Settings, Tally, run as work_through};
use assize_methods::summary::Metric;
use assize_page::summary as page;
use assize_wire::summary::{Mean, Overview, Row};

use super::args::{Arguments, Format};
use super::keep::Keeper;
use super::line::Line;
use crate::commands::summary::progress::Bar;
use crate::commands::summary::sink::Sink;
use crate::output::table::{numbers, table, words};
use crate::output::terminal::{self, one_line, quiet, strong};

/// A table shows no more rows than this; the means are over all pairs.
const ROWS_MAX: usize = 1_000;

/// Names longer than this are cut in a table.
const NAME_CHARACTERS_MAX: usize = 48;

/// A pair that a page shows in full.
pub(super) struct ShownPair {
    pub(super) number: usize,
    pub(super) mean: f64,
    pub(super) judged: Judged,
}

/// What is left when all records are done.
#[derive(Default)]
pub(super) struct Totals {
    pub(super) tally: Tally,
    pub(super) rows: Vec<Row>,
    /// The weakest pairs, the weakest first.
    pub(super) shown: Vec<ShownPair>,
    /// What people would say to a score.
    pub(super) calibrations: Calibrations,
}

/// Scores every pair of a file by rules.
pub(super) fn run(input: &Path, by: ByRules<'_>, arguments: &Arguments) -> Result<Tally> {
    let settings = by.settings;
    let look = arguments.look()?;
    let records = arguments.fields.open(input)?;
    let mut printer = Printer::open(arguments)?;
    let mut keeper = Keeper::open(arguments, settings, false)?;
    let wanted = keeper.wanted;
    let end = work_through(
        records,
        &arguments.fields.to_fields()?,
        by,
        |judged| (wanted.prepare(&judged), Line::of(judged, settings, &look)),
        |(prepared, line), progress| {
            keeper.keep(prepared?)?;
            printer.take(line, progress)
        },
    );
    if let Err(error) = end {
        keeper.abandon()?;
        return Err(error);
    }
    let tally = printer.finish(input, settings)?;
    keeper.finish()?;
    report_errors(&tally)?;
    Ok(tally)
}

/// Prints pairs as they come, and keeps what is printed in the end.
pub(super) struct Printer<'a> {
    arguments: &'a Arguments,
    format: Format,
    sink: Sink,
    kept: Totals,
    bar: Bar,
}

impl<'a> Printer<'a> {
    /// Opens the output.
    pub(super) fn open(arguments: &'a Arguments) -> Result<Self> {
        let sink = Sink::open(arguments.output.as_deref())?;
        let format = arguments.format();
        let calibrations = Calibrations::read(&arguments.calibration)?;
        let kept = Totals { calibrations, ..Totals::default() };
        Ok(Self { arguments, format, sink, kept, bar: Bar::new() })
    }

    /// One more pair.
    pub(super) fn take(&mut self, line: Line, progress: Progress) -> Result<()> {
        let (before, explain) = (self.kept.tally.records, self.arguments.explain);
        write_line(&mut self.sink, &line, self.format, before, explain)?;
        self.kept.add(line, self.format, self.arguments.show);
        self.bar.advance(progress);
        Ok(())
    }

    /// There are no more.
    pub(super) fn finish(mut self, input: &Path, settings: Settings) -> Result<Tally> {
        self.bar.finish();
        if self.kept.tally.records == 0 {
            bail!("{}: contains no records", input.display());
        }
        self.sink.write(&ending(&self.kept, input, settings, self.format))?;
        self.sink.finish()?;
        Ok(self.kept.tally)
    }

    /// The run ended early: what is printed stays, and a file does not take its name.
    pub(super) fn abandon(self) -> Result<Tally> {
        self.bar.finish();
        if let Sink::Stdout(_) = &self.sink {
            self.sink.finish()?;
        }
        Ok(self.kept.tally)
    }
}

/// What is printed of a record as soon as it is done.
fn write_line(
    sink: &mut Sink,
    line: &Line,
    format: Format,
    before: usize,
    explain: bool,
) -> Result<()> {
    match format {
        Format::Json => {
            sink.write(if before == 0 { "[\n" } else { ",\n" })?;
            sink.write(&line.text)
        }
        Format::Jsonl => {
            sink.write(&line.text)?;
            sink.write("\n")
        }
        Format::Table if explain => {
            let name = line.id.as_deref().map(|id| one_line(id, NAME_CHARACTERS_MAX));
            let title = format!("Pair {} {}", before + 1, name.unwrap_or_default());
            sink.write(&format!("{}\n{}\n", strong(title.trim_end()), line.text))
        }
        Format::Table | Format::Html => Ok(()),
    }
}

/// What is printed when all are done.
fn ending(kept: &Totals, input: &Path, settings: Settings, format: Format) -> String {
    match format {
        Format::Json => "\n]\n".to_owned(),
        Format::Jsonl => String::new(),
        Format::Table => summary_table(kept),
        Format::Html => page::many(&kept.overview(input, settings)),
    }
}

impl Totals {
    fn add(&mut self, line: Line, format: Format, show: usize) {
        self.tally.add(&line.scores);
        self.tally.unscored += usize::from(line.is_unscored);
        let number = self.tally.records;
        let mean = line.mean();
        if matches!(format, Format::Table | Format::Html) && self.rows.len() < ROWS_MAX {
            let (scores, error) = match line.scores {
                Ok(scores) => (Metric::ALL.map(|metric| *scores.get(metric)), None),
                Err(reason) => ([None; 5], Some(reason)),
            };
            self.rows.push(Row { number, id: line.id, scores, error });
        }
        if let Some(judged) = line.judged {
            let place = self.shown.partition_point(|shown| shown.mean <= mean);
            if place < show {
                self.shown.insert(place, ShownPair { number, mean, judged });
                self.shown.truncate(show);
            }
        }
    }

    fn overview(&self, input: &Path, settings: Settings) -> Overview<'_> {
        Overview {
            input: input.display().to_string(),
            method: settings.method(),
            judge: settings.judge.name().to_owned(),
            records: self.tally.records,
            errors: self.tally.errors,
            means: self.tally.to_wire(),
            rows: &self.rows,
            cards: self
                .shown
                .iter()
                .filter_map(|one| one.judged.to_card(one.number, settings, &self.calibrations).ok())
                .collect(),
        }
    }
}

/// What is shown of a mean.
type Figure = fn(&Mean) -> String;

fn summary_table(kept: &Totals) -> String {
    let mut headings = vec![numbers("pair"), words("id")];
    headings.extend(Metric::ALL.map(|metric| numbers(metric.name())));
    let mut rows: Vec<Vec<String>> = kept.rows.iter().map(cells).collect();
    let more = kept.tally.records - kept.rows.len();
    if more > 0 {
        let mut row = vec!["…".to_owned(), format!("{more} more pairs")];
        row.resize(headings.len(), String::new());
        rows.push(row);
    }
    let figures: [(&str, Figure); 3] = [
        ("mean", |mean| mean.value.map_or("–".to_owned(), |value| format!("{value:.4}"))),
        ("scored", |mean| mean.scored.to_string()),
        ("unscored", |mean| mean.unscored.to_string()),
    ];
    rows.push(vec![String::new(); headings.len()]);
    for (name, figure) in figures {
        let mut row = vec![String::new(), name.to_owned()];
        row.extend(kept.tally.to_wire().iter().map(figure));
        rows.push(row);
    }
    let mut text = table(&headings, rows);
    if more > 0 {
        let remark = format!(
            "Showing the first {ROWS_MAX} of {} pairs; --format jsonl prints all.",
            kept.tally.records
        );
        let _ = writeln!(text, "{}", quiet(&remark));
    }
    text
}

fn cells(row: &Row) -> Vec<String> {
    let name = row.id.as_deref().map(|id| one_line(id, NAME_CHARACTERS_MAX)).unwrap_or_default();
    let mut cells = vec![row.number.to_string(), name];
    if let Some(reason) = &row.error {
        let space = if cells[1].is_empty() { "" } else { " " };
        cells[1] = format!("{}{space}error: {}", cells[1], one_line(reason, 60));
    }
    let score = |score: Option<f64>| score.map_or("–".to_owned(), |score| format!("{score:.2}"));
    cells.extend(row.scores.map(score));
    cells
}

fn report_errors(tally: &Tally) -> Result<()> {
    let Tally { records, errors, .. } = tally;
    if errors == records {
        bail!(
            "none of the {records} records could be scored; the results give the reason for each"
        );
    }
    if *errors > 0 {
        terminal::notice(&format!(
            "{errors} of {records} records could not be scored; the results give the reason for \
             each"
        ));
    }
    Ok(())
}
