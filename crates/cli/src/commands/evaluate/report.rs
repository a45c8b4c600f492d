//! A run at a glance, for people and for programs.

use std::fmt::Write;

use assize_engine::compliance::overview::{Line, Mean, Overview};
use assize_engine::store::ResultOutcome;

use crate::exit::Done;
use crate::output::table::{columns, numbers, table, words};
use crate::output::terminal::{one_line, strong};

/// Lines without a score that are named; the rest is counted.
const NAMED_MAX: usize = 10;
/// The widest bar, in characters.
const BAR: usize = 20;

/// How long it took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timing {
    pub(crate) seconds: f64,
    pub(crate) judged: u64,
}

impl Timing {
    pub(crate) fn words(self) -> String {
        let Self { seconds, judged } = self;
        match judged {
            0 => "nothing left to judge".to_owned(),
            _ => format!("{judged} judged in {seconds:.2} s: {} per criterion", self.each()),
        }
    }

    fn each(self) -> String {
        let milliseconds = self.seconds * 1e3 / self.judged.max(1) as f64;
        if milliseconds < 1e3 {
            format!("{milliseconds:.2} ms")
        } else {
            format!("{:.1} s", milliseconds / 1e3)
        }
    }
}

/// The whole summary for people.
pub(crate) fn text(overview: &Overview, weakest: usize) -> String {
    let mut text = head(overview);
    let _ = write!(text, "\n{}", tiers(overview));
    if overview.documents.len() > 1 {
        let _ = write!(text, "\n{}", documents(overview));
    }
    if weakest > 0 {
        text.push_str(&weak(overview, weakest));
    }
    text.push_str(&unscored(overview));
    text
}

fn head(overview: &Overview) -> String {
    let Overview { run, configuration, criteria_set, documents, criteria, lines, .. } = overview;
    let mut text = strong(&format!("Run #{}, {}", run.number, run.state));
    let _ = writeln!(
        text,
        "\n{} × {} of {}, judged by {}",
        counted(documents.len(), "document", "documents"),
        counted(criteria.ids.len(), "criterion", "criteria"),
        one_line(&criteria_set.name, 40),
        configuration.judge,
    );
    let Mean { mean, scored, unscored } = Mean::of(lines);
    let mean = mean.map_or("none".to_owned(), |mean| format!("{mean:.1} of 100"));
    let _ = write!(text, "{scored} scored, {unscored} without a score; mean {mean}");
    let missing = overview.planned() - lines.len();
    if missing > 0 {
        let _ = write!(text, "; {missing} not judged yet");
    }
    let overridden = lines.iter().filter(|line| line.is_overridden).count();
    if overridden > 0 {
        let _ = write!(text, "; {overridden} overridden");
    }
    let _ = match overview.citations() {
        (_, 0) => writeln!(text, "\nno citations"),
        (found, all) if found == all => {
            writeln!(text, "\n{all} citations, all found in the documents")
        }
        (found, all) => {
            writeln!(text, "\n{all} citations, {} not found in the documents", all - found)
        }
    };
    text
}

fn tiers(overview: &Overview) -> String {
    let counts = overview.tiers();
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let tiers = overview.configuration.rubric.tiers().iter().zip(&counts).rev();
    let rows = tiers.map(|(tier, count)| {
        let bar = "█".repeat((count * BAR).div_ceil(most));
        vec![
            format!("{}-{}", tier.min, tier.max),
            one_line(&tier.label, 30),
            count.to_string(),
            bar,
        ]
    });
    table(&columns("#score | label | #results | "), rows.collect())
}

fn documents(overview: &Overview) -> String {
    let rows = overview.documents.iter().enumerate().map(|(place, document)| {
        let mean = Mean::of(overview.lines.iter().filter(|line| line.document == place));
        vec![
            one_line(&document.name, 36),
            mean.mean.map_or("–".to_owned(), |mean| format!("{mean:.1}")),
            mean.scored.to_string(),
            mean.unscored.to_string(),
        ]
    });
    let headings = columns("document | #mean | #scored | #unscored");
    table(&headings, rows.collect())
}

fn weak(overview: &Overview, count: usize) -> String {
    let is_one = overview.documents.len() == 1;
    let weakest = overview.set.weakest();
    if weakest.is_empty() {
        return String::new();
    }
    let name = |place: usize| overview.documents[place].name.as_str();
    let rows = weakest.iter().take(count).map(|(place, score, verdict)| {
        let criterion = &overview.criteria.criteria[*place];
        let requirement = one_line(&criterion.requirement, if is_one { 34 } else { 36 });
        let beside = if is_one {
            let label = verdict.status.as_ref().map(|status| status.label.as_str());
            [one_line(label.unwrap_or_default(), 20), requirement]
        } else {
            let document = match (verdict.contradicted_by.first(), verdict.document) {
                (Some(place), _) => format!("denied by {}", name(*place)),
                (None, Some(place)) => name(place).to_owned(),
                (None, None) => "–".to_owned(),
            };
            [requirement, one_line(&document, 18)]
        };
        let decided = |line: &&Line| {
            (line.criterion, Some(line.document)) == (*place, verdict.document)
                && line.is_overridden
                && verdict.contradicted_by.is_empty()
        };
        let mark = if overview.lines.iter().any(|line| decided(&line)) { "*" } else { "" };
        [one_line(&criterion.id, 12), format!("{score:.1}{mark}")]
            .into_iter()
            .chain(beside)
            .collect()
    });
    let beside = if is_one { ["label", "requirement"] } else { ["requirement", "best document"] };
    let [third, fourth] = beside.map(words);
    let headings = [words("weakest"), numbers("score"), third, fourth];
    format!("\n{}", table(&headings, rows.collect()))
}

fn unscored(overview: &Overview) -> String {
    let missing: Vec<&Line> = overview.lines.iter().filter(|line| line.score.is_none()).collect();
    if missing.is_empty() {
        return String::new();
    }
    let rows = missing.iter().take(NAMED_MAX).map(|line| {
        vec![
            one_line(&overview.criteria.criteria[line.criterion].id, 14),
            one_line(&overview.documents[line.document].name, 18),
            outcome_words(line.outcome).to_owned(),
            one_line(line.reason.as_deref().unwrap_or_default(), 26),
        ]
    });
    let headings = columns("unscored | document | because | in full");
    let mut text = format!("\n{}", table(&headings, rows.collect()));
    if missing.len() > NAMED_MAX {
        let _ = writeln!(text, "and {} more", missing.len() - NAMED_MAX);
    }
    text
}

/// What came of a pair, for people.
pub(crate) fn outcome_words(outcome: ResultOutcome) -> &'static str {
    match outcome {
        ResultOutcome::Scored => "scored",
        ResultOutcome::NotApplicable => "not applicable",
        ResultOutcome::NeedsInformation => "needs information",
        ResultOutcome::Failed => "failed",
    }
}

/// A criterion to show as an example.
pub(crate) fn example(overview: &Overview) -> String {
    let place = overview.set.weakest().first().map_or(0, |(place, ..)| *place);
    let id = overview.criteria.criteria.get(place).map(|criterion| criterion.id.as_str());
    one_line(id.unwrap_or("ID"), 20)
}

/// A judge that failed is not passed over in silence.
pub(crate) fn conclude(overview: &Overview, allow_unscored: bool) -> Done {
    let failed = overview.count(ResultOutcome::Failed) > 0;
    if failed && !allow_unscored { Done::Unscored } else { Done::Fine }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
