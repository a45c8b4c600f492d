//! `assize runs rescore`: stored evidence scored again.

use std::fs;
use std::io::BufReader;

use anyhow::{Context, Error, Result, anyhow};
use assize_engine::council::{CouncilRequest, OperatorPolicy};
use assize_engine::runs::{RescoreRequest, RunError, evidence, rescore_fields};
use assize_engine::store::Order;

use super::args::Rescore;
use super::show;
use crate::commands::evaluate::session::with_existing;
use crate::exit::Done;
use crate::model_args::variables;
use crate::output::{files, terminal};

/// The fields of a request that are typed under other names.
const FLAGS: [(&str, &str); 2] = [
    ("retrieval", "--measures, --k or --level"),
    ("council", "--weights, --profile, --aggregate or --safety-gate"),
];

/// Scores again and shows what came of it.
pub(super) fn run(arguments: &Rescore) -> Result<Done> {
    with_existing(&arguments.which.database, async |workspace, _| {
        let run = workspace.find_run(&arguments.which.run).await?;
        let version = workspace.rescore(&run, &request(arguments)?).await.map_err(typed)?;
        let run = workspace.find_run(run.id.as_str()).await?;
        let view = workspace.run_view(&run, None, &Order::ByPosition { after: None }, 20).await?;
        files::print(&show::text(&view))?;
        let (number, before) = (run.number, version - 1);
        terminal::remark(&format!(
            "version {version} of run #{number}; what moved: \
             assize runs compare {number} {number} --first-version {before}"
        ));
        Ok(Done::Fine)
    })
}

/// The request with the files that arguments name.
fn request(arguments: &Rescore) -> Result<RescoreRequest> {
    let mut request = arguments.request.clone();
    if let Some(path) = &arguments.evidence {
        let shown = path.display();
        let file = fs::File::open(path).with_context(|| format!("{shown} could not be read"))?;
        let lines = evidence::read_lines(&mut BufReader::new(file));
        request.evidence = lines.with_context(|| shown.to_string())?;
    }
    if let Some(path) = &arguments.rubric {
        let shown = path.display();
        let text =
            fs::read_to_string(path).with_context(|| format!("{shown} could not be read"))?;
        let json =
            serde_json::from_str(&text).with_context(|| format!("{shown} is not valid JSON"))?;
        request.rubric = Some(json);
    }
    if request.council == CouncilRequest::default() {
        return Ok(request);
    }
    Ok(request.under(OperatorPolicy::load(&variables(), None)?.request))
}

/// A refusal that names fields as they are typed.
fn typed(error: RunError) -> Error {
    let flag = |field: &str| {
        let known = FLAGS.iter().find(|(name, _)| *name == field);
        known.map_or_else(|| format!("--{field}"), |(_, flags)| (*flags).to_owned())
    };
    match error {
        RunError::Unchanged(instrument) => {
            let flags: Vec<String> =
                rescore_fields(instrument).iter().map(|field| flag(field)).collect();
            anyhow!("nothing would change: give {}", flags.join(" or "))
        }
        RunError::Field(error) => anyhow!("{}: {}", flag(error.field), error.problem),
        other => other.into(),
    }
}
