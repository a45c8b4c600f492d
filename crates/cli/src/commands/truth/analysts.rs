//! `assize truth agreement|adjudicate|keep`: several analysts.

use std::fmt::Write;

use anyhow::{Result, anyhow};
use assize_engine::compliance::analysts::Adjudication;
use assize_methods::compliance::analysts::AnalystAgreement;
use assize_wire::truth::{Analysts, DisputeEntry};

use super::args::{Adjudicate, Keep, List};
use crate::commands::evaluate::session::{with_reader, with_workspace};
use crate::exit::Done;
use crate::output::files;
use crate::output::table::{columns, table};
use crate::output::terminal::one_line;

/// Differences that are shown; the rest is in the JSON.
const DISPUTES_MAX: usize = 20;

/// Shows how far analysts agree.
pub(super) fn agreement(arguments: &List) -> Result<Done> {
    with_reader(&arguments.shown.database, async |workspace| {
        let documents = workspace.document_set(&arguments.sets.documents).await?;
        let criteria = workspace.criteria_set(&arguments.sets.criteria).await?;
        let found = workspace.analysts(&documents, &criteria).await?;
        arguments.shown.format.print(&found, text)
    })
}

/// Settles a difference, or opens it again.
pub(super) fn adjudicate(arguments: &Adjudicate) -> Result<Done> {
    let who = named(arguments.by.as_deref(), "--by")?;
    with_workspace(&arguments.database, async |workspace, _| {
        let documents = workspace.document_set(&arguments.sets.documents).await?;
        let criteria = workspace.criteria_set(&arguments.sets.criteria).await?;
        let (document, criterion) = (&arguments.document, &arguments.criterion);
        let score = arguments.score;
        let wanted = Adjudication {
            document,
            criterion,
            score,
            sections: None,
            reason: &arguments.reason,
            who,
        };
        workspace.adjudicate((&documents, &criteria), &wanted).await?;
        let counts = match score {
            Some(score) => format!("{score} is the final score"),
            None => "the analysts' keys count again".to_owned(),
        };
        files::report(&format!("{document} × {criterion}: {counts}\n"))
    })
}

/// Makes what counts about a result a truth key.
pub(super) fn keep(arguments: &Keep) -> Result<Done> {
    let analyst = named(arguments.analyst.as_deref(), "--analyst")?;
    with_workspace(&arguments.database, async |workspace, _| {
        let run = workspace.find_compliance_run(&arguments.run).await?;
        let document = arguments.document.as_deref();
        let result = workspace.find_result(&run, &arguments.criterion, document).await?;
        let key = workspace.keep_as_truth(&run, result, analyst).await?;
        let (criterion, score) = (&arguments.criterion, key.expected_score);
        files::report(&format!("{criterion}: {score} is the truth key of {analyst}\n"))
    })
}

fn named<'a>(name: Option<&'a str>, switch: &str) -> Result<&'a str> {
    let name = name.filter(|name| !name.trim().is_empty());
    name.ok_or_else(|| anyhow!("give your name with {switch} NAME"))
}

fn text(found: &Analysts) -> String {
    let Some(agreement) = &found.agreement else {
        return "no two analysts have judged the same document and criterion yet\n".to_owned();
    };
    let mut text = figures(agreement);
    if agreement.between.len() > 1 {
        let _ = write!(text, "\n{}", between(agreement));
    }
    if found.disputes.is_empty() {
        text.push_str("\nno differences\n");
        return text;
    }
    let _ = write!(text, "\n{}", disputes(&found.disputes));
    if found.disputes.len() > DISPUTES_MAX {
        let _ =
            writeln!(text, "and {} with smaller differences", found.disputes.len() - DISPUTES_MAX);
    }
    let open = found.basis.disputed;
    let _ = writeln!(text, "{open} in different tiers need `assize truth adjudicate`");
    text
}

fn number(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.3}"))
}

fn figures(found: &AnalystAgreement) -> String {
    let row =
        |name: &str, value: Option<f64>, more: String| vec![name.to_owned(), number(value), more];
    let interval =
        found.icc_interval.map(|(low, high)| format!("[{low:.3}, {high:.3}]")).unwrap_or_default();
    let rows = vec![
        row("accuracy", Some(found.accuracy), "1 - |one - other| / 100".to_owned()),
        row("same tier", Some(found.same_tier), String::new()),
        row("kappa, quadratic", found.kappa, String::new()),
        row("ICC(2,1)", found.icc, interval),
        row("Krippendorff alpha", found.alpha, String::new()),
    ];
    let headings = columns("analysts with each other | #value | ");
    format!(
        "{} judged {} of the same document × criterion pairs\n\n{}",
        one_line(&found.analysts.join(", "), 60),
        found.pairs,
        table(&headings, rows)
    )
}

fn between(found: &AnalystAgreement) -> String {
    let rows = found.between.iter().map(|one| {
        vec![
            one_line(&one.first, 16),
            one_line(&one.second, 16),
            one.pairs.to_string(),
            format!("{:.3}", one.accuracy),
            format!("{:.3}", one.same_tier),
            number(one.kappa),
        ]
    });
    let headings = columns("analyst | and | #pairs | #accuracy | #same tier | #kappa");
    table(&headings, rows.collect())
}

fn disputes(found: &[DisputeEntry]) -> String {
    let rows = found.iter().take(DISPUTES_MAX).map(|one| {
        let said = one.dispute.scores.iter().map(|(who, score)| format!("{who} {score}"));
        let settled = match (one.dispute.adjudicated, one.is_outdated) {
            (Some(score), true) => format!("{score}, changed since"),
            (Some(score), false) => score.to_string(),
            (None, _) => "–".to_owned(),
        };
        vec![
            one_line(&one.dispute.document, 20),
            one_line(&one.dispute.criteria_id, 10),
            one_line(&said.collect::<Vec<_>>().join(", "), 26),
            one.dispute.spread.to_string(),
            one_line(&settled, 18),
        ]
    });
    let headings = columns("document | criterion | scores | #apart | settled");
    table(&headings, rows.collect())
}
