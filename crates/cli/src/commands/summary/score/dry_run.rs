//! `--dry-run`: what judging would take, and nothing is sent.

use anyhow::{Result, bail};
use assize_engine::asking::Estimate;
use assize_engine::summary::batches::read_record;
use assize_engine::summary::model::SummaryJudge;
use assize_engine::summary::wire;
use assize_wire::text::line;

use super::args::{Arguments, Format};
use super::pair_of_files;
use crate::exit::Done;
use crate::output::asking::estimate_lines;
use crate::output::files;

/// Adds up every pair and prints the sum.
pub(super) async fn run(judge: &SummaryJudge, arguments: &Arguments) -> Result<Done> {
    let (mut estimate, mut pairs) = (Estimate::default(), 0_u64);
    match (&arguments.article, &arguments.summary, &arguments.input) {
        (Some(article), Some(summary), None) => {
            pairs += 1;
            judge.estimate(&pair_of_files(article, summary)?, &mut estimate).await?;
        }
        (None, None, Some(input)) => {
            let fields = arguments.fields.to_fields()?;
            for record in arguments.fields.open(input)? {
                // A record that cannot be understood costs nothing.
                if let Ok((_, pair)) = read_record(record?, &fields) {
                    pairs += 1;
                    judge.estimate(&pair, &mut estimate).await?;
                }
            }
        }
        _ => bail!("give either --article and --summary, or --input"),
    }
    let judges: Vec<&str> = judge.names().collect();
    files::report(&match arguments.format() {
        Format::Json | Format::Jsonl => {
            format!("{}\n", line(&wire::estimate(&estimate, pairs, &judges)))
        }
        Format::Table | Format::Html => text(&estimate, pairs, &judges),
    })
}

fn text(estimate: &Estimate, pairs: u64, judges: &[&str]) -> String {
    let judges = judges.join(", ");
    format!("judges            {judges}\npairs             {pairs}\n{}", estimate_lines(estimate))
}
