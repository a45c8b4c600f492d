//! `assize runs rescore`: stored evidence scored another way.

use std::fs;
use std::io::BufReader;

use anyhow::{Context, Result, bail, ensure};
use assize_engine::council::{CouncilRequest, OperatorPolicy};
use assize_engine::runs::{Change, evidence};
use assize_engine::store::{Instrument, Order, Run};
use assize_methods::compliance::Rubric;

use super::args::Rescore;
use super::show;
use crate::commands::evaluate::session::with_existing;
use crate::exit::Done;
use crate::model_args::variables;
use crate::output::{files, terminal};

/// Scores again and shows what came of it.
pub(super) fn run(arguments: &Rescore) -> Result<Done> {
    with_existing(&arguments.which.database, async |workspace, _| {
        let run = workspace.find_run(&arguments.which.run).await?;
        let (change, words) = change(&run, arguments)?;
        let reason = arguments.reason.clone().unwrap_or(words);
        let version = workspace.rescore(&run, &change, &reason).await?;
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

/// What is to be another way, and that in words.
fn change(run: &Run, arguments: &Rescore) -> Result<(Change, String)> {
    match run.instrument {
        Instrument::Summary => of_summary(arguments),
        Instrument::Retrieval => {
            let Some(words) = arguments.retrieval.words() else {
                bail!("nothing would change: give --measures, --k or --level");
            };
            Ok((Change::Retrieval(arguments.retrieval.clone()), words))
        }
        Instrument::Council => {
            let request = arguments.council.clone();
            ensure!(
                request != CouncilRequest::default(),
                "nothing would change: give --weights, --profile, --aggregate or --safety-gate"
            );
            // What the operator says about the gate holds for stored councils too.
            let operator = OperatorPolicy::load(&variables(), None)?.request;
            let request = request.under(operator.gate_only());
            Ok((Change::Council(Box::new(request)), "other council settings".to_owned()))
        }
        Instrument::Compliance => {
            let Some(path) = &arguments.rubric else {
                bail!("nothing would change: give a different rubric with --rubric FILE");
            };
            let shown = path.display();
            let text =
                fs::read_to_string(path).with_context(|| format!("{shown} could not be read"))?;
            let json = serde_json::from_str(&text)
                .with_context(|| format!("{shown} is not valid JSON"))?;
            let rubric = Rubric::from_json(Some(&json))?;
            Ok((Change::Compliance(Box::new(rubric)), "different rubric".to_owned()))
        }
    }
}

fn of_summary(arguments: &Rescore) -> Result<(Change, String)> {
    let mut words = Vec::new();
    let framework = arguments.framework;
    words.extend(framework.map(|framework| format!("framework {}", framework.name())));
    let evidence = match &arguments.evidence {
        None => Vec::new(),
        Some(path) => {
            words.push("corrected evidence".to_owned());
            let shown = path.display();
            let file =
                fs::File::open(path).with_context(|| format!("{shown} could not be read"))?;
            let lines = evidence::read_lines(&mut BufReader::new(file));
            lines.with_context(|| shown.to_string())?
        }
    };
    ensure!(!words.is_empty(), "nothing would change: give --framework or --evidence");
    Ok((Change::Summary { framework, evidence }, words.join(", ")))
}
