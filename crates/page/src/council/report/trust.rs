//! Whether reviewers agree, whether the ranking is stable, and what weights could overturn it.

use assize_methods::council::report::{Agreement, CouncilReport, Of};
use assize_wire::council::Council;

use super::section::{Section, number, percent, range};

/// What a lower variance does not show.
const VARIANCE_CAVEAT: &str = "Variance is in squared points: a sum of several marks varies less than \
                               one score even where nobody agrees, so only alpha, ICC and W compare \
                               rubric and single score.";

/// Reviewers on each dimension, on our sums and on their own overall scores.
pub(super) fn agreement(report: &CouncilReport) -> Section {
    let name = |of: &Of| match of {
        Of::Dimension(dimension) => dimension.name().to_owned(),
        Of::Rubric => "weighted sum of the marks".to_owned(),
        Of::Holistic => "stated overall score".to_owned(),
    };
    let row = |agreement: &Agreement| {
        vec![
            name(&agreement.of),
            agreement.reviewers.to_string(),
            agreement.answers.to_string(),
            number(agreement.variance),
            number(agreement.alpha),
            number(agreement.icc),
            range(agreement.icc_interval),
            number(agreement.w),
        ]
    };
    let alpha =
        |wanted: &Of| report.agreement.iter().find(|agreement| agreement.of == *wanted)?.alpha;
    let remark = match (alpha(&Of::Rubric), alpha(&Of::Holistic)) {
        (Some(rubric), Some(holistic)) if rubric > holistic => {
            "Reviewers agree more on the rubric than on a single overall score."
        }
        (Some(rubric), Some(holistic)) if rubric < holistic => {
            "Reviewers agree less on the rubric than on a single overall score."
        }
        _ => "1 is perfect agreement; 0 is chance for alpha, and no common ranking for W.",
    };
    Section {
        title: "Do reviewers agree?",
        remark: format!("{remark} {VARIANCE_CAVEAT}"),
        headings: vec!["on", "reviewers", "answers", "variance", "alpha", "ICC(2,k)", "~95 %", "W"],
        rows: report.agreement.iter().map(row).collect(),
    }
}

/// Whether other reviewers would have named the same winner.
pub(super) fn stability(report: &CouncilReport) -> Section {
    let stability = &report.stability;
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    Section {
        title: "Is the ranking stable?",
        remark: String::new(),
        headings: vec!["", "value"],
        rows: vec![
            row(
                "same winner when reviewers are resampled, by marks",
                percent(stability.rubric_same_winner),
            ),
            row("same winner by stated overall scores", percent(stability.holistic_same_winner)),
            row("tau between the two rankings", number(stability.rubric_holistic_tau)),
            row(
                "questions with the same winner in both",
                format!("{} of {}", stability.same_winner, stability.compared),
            ),
        ],
    }
}

/// How far weights can move before another answer wins.
pub(super) fn sensitivity(report: &CouncilReport, councils: &[Council]) -> Section {
    let mut rows = Vec::new();
    let is_single = report.sensitivity.len() == 1;
    for sensitivity in report.sensitivity.iter().filter(|_| is_single) {
        for range in &sensitivity.ranges {
            rows.push(vec![
                range.dimension.name().to_owned(),
                format!("{}", range.weight),
                format!("{:.2} – {:.2}", range.low, range.high),
            ]);
        }
    }
    let shares: Vec<f64> = report.sensitivity.iter().filter_map(|each| each.same_winner).collect();
    let mean = (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64);
    let winners = || {
        let (sensitivity, council) = (report.sensitivity.first()?, councils.first()?);
        let names =
            sensitivity.winners.iter().filter_map(|index| council.verdict.answers.get(*index));
        Some(names.map(|answer| answer.model.as_str()).collect::<Vec<_>>().join(" and "))
    };
    let who = if is_single { winners().unwrap_or_default() } else { "the same answer".to_owned() };
    let remark = mean.map_or(String::new(), |mean| {
        format!("With random weights, {who} wins in {:.0} % of the draws.", mean * 100.0)
    });
    Section {
        title: "Would other weights change the winner?",
        remark,
        headings: vec!["dimension", "weight", "~same winner within"],
        rows,
    }
}
