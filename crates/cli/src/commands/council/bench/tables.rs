//! What a bench found, as tables and plain sentences.

use std::path::Path;

use assize_methods::council::Aggregation;
use assize_methods::council::bench::{
    Agreement, Bench, Board, Calibration, Difference, HeldOut, Part, Preference,
};
use assize_methods::council::verdict::Range;

use crate::output::names::Names;
use crate::output::report::{Report, Sheet};
use crate::output::table::{Heading, columns};

/// The longest name in a table that still fits 80 columns.
const NAME_MAX: usize = 15;

/// Everything, from the answer to its details.
pub(super) fn report(found: &Bench, data: &Path, aggregation: Aggregation) -> Report {
    let mut lead = vec![format!(
        "{} comparisons on {} questions from {}, {} with a human preference; the council \
         aggregates by {aggregation}. 95 % intervals, resampled by question.",
        found.comparisons,
        found.questions,
        data.file_name().unwrap_or_default().to_string_lossy(),
        found.judged,
    )];
    lead.extend(plainly(found));
    let mut sheets = Vec::new();
    if let Some(held_out) = &found.held_out {
        sheets.push(held_out_sheet(held_out));
    }
    let note = "Agreement: a correct choice counts 1, a tie against a choice 0.5. Ahead: the \
        council's points minus the row's, with the p-value from the same resamples after Holm's \
        correction."
        .to_owned();
    sheets.push(people("All judges on all comparisons", &found.all, note));
    sheets.push(order(found));
    sheets.extend(forms(found));
    sheets.extend(
        found.by_council.as_ref().map(|found| board("Systems ranked by the council", found)),
    );
    sheets.extend(found.by_people.as_ref().map(|found| board("Systems ranked by people", found)));
    sheets.push(own("Preference for own model", &found.own_model));
    sheets.push(own("Preference for own model family", &found.own_family));
    sheets.extend(found.calibration.as_ref().map(calibration));
    Report { title: "Council vs. people".to_owned(), lead, sheets, drawn: None }
}

/// Whether the council is worth its cost, in plain words.
fn plainly(found: &Bench) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(held_out) = &found.held_out {
        let best = held_out.part.best_reviewer.as_deref().unwrap_or("the best reviewer");
        said.extend(held_out.against_best.as_ref().map(|against| {
            sentence("On the held-out half, the council with learned weights", best, against)
        }));
    }
    let best = found.all.best_reviewer.as_deref().unwrap_or("the best reviewer");
    said.extend(found.all.against_best.as_ref().map(|against| {
        sentence("On all comparisons, the council with equal weights", best, against)
    }));
    if said.is_empty() {
        said.push("There are no human preferences to compare with.".to_owned());
    }
    said
}

fn sentence(council: &str, best: &str, against: &Difference) -> String {
    let points = against.difference.abs() * 100.0;
    let range = against.interval;
    let verdict = match (against.difference, range) {
        (difference, Some(range)) if difference < 0.0 && range.high < 0.0 => "is worse than",
        (difference, Some(range)) if difference > 0.0 && range.low > 0.0 => "is better than",
        (difference, _) if difference < 0.0 => "is behind, though not significantly,",
        (difference, _) if difference > 0.0 => "is ahead of, though not significantly,",
        _ => "is level with",
    };
    let interval = range.map_or_else(String::new, |range| {
        format!(", interval {:+.1} to {:+.1}", range.low * 100.0, range.high * 100.0)
    });
    format!("{council} {verdict} its best reviewer, {best}: {points:.1} points{interval}.")
}

fn held_out_sheet(held_out: &HeldOut) -> Sheet {
    let weights: Vec<String> = held_out
        .learned
        .weights
        .iter()
        .map(|(name, weight)| format!("{name} {weight:+.3}"))
        .collect();
    let chosen = match (&held_out.chosen, &held_out.against_chosen) {
        (Some(name), Some(against)) => format!(
            " Against {name}, the best reviewer on the training half: {}.",
            difference(Some(against))
        ),
        _ => String::new(),
    };
    let note = format!(
        "Weights in log-odds per mark, learned on {} comparisons of the other half with a ridge \
         penalty of {}: {}.{chosen}",
        held_out.learned.count,
        held_out.learned.penalty,
        weights.join(", "),
    );
    people("Held-out half", &held_out.part, note)
}

fn people(title: &str, part: &Part, note: String) -> Sheet {
    let headings = columns("who | #n | #agree | interval | #kappa | #ties | #ahead | #p");
    let names = Names::of(part.rows.iter().map(|row| row.name.as_str()), NAME_MAX);
    let rows = part.rows.iter().map(|row| {
        let Agreement { count, agreement, interval, kappa, ties, .. } = &row.agreement;
        let against = row.council_less_this.as_ref();
        vec![
            names.get(&row.name),
            count.to_string(),
            three(*agreement),
            range(*interval),
            three(*kappa),
            percent(*ties),
            against.map_or_else(dash, |found| format!("{:+.1}", found.difference * 100.0)),
            against.map_or_else(dash, |found| three(found.p_corrected)),
        ]
    });
    Sheet { title: title.to_owned(), headings, rows: rows.collect(), note }
}

fn order(found: &Bench) -> Sheet {
    let headings = columns("reviewer | #both orders | #flipped | #rate");
    let names = Names::of(found.flips.iter().map(|flips| flips.reviewer.as_str()), NAME_MAX);
    let rows: Vec<Vec<String>> = found
        .flips
        .iter()
        .map(|flips| {
            let rate = flips.flipped as f64 / flips.count as f64;
            vec![
                names.get(&flips.reviewer),
                flips.count.to_string(),
                flips.flipped.to_string(),
                percent(Some(rate)),
            ]
        })
        .collect();
    let note = if rows.is_empty() {
        "No comparison was recorded in both orders, so position bias cannot be measured."
    } else {
        "A preference that changes with the order counts as a tie."
    };
    let title = "Position bias".to_owned();
    Sheet { title, headings, rows, note: note.to_owned() }
}

fn forms(found: &Bench) -> Option<Sheet> {
    let headings = columns("reviewer | #choices | interval | #marks | interval");
    let reviewers = found.pairwise_and_pointwise.iter().map(|forms| forms.reviewer.as_str());
    let names = Names::of(reviewers, NAME_MAX);
    let rows: Vec<Vec<String>> = found
        .pairwise_and_pointwise
        .iter()
        .map(|forms| {
            vec![
                names.get(&forms.reviewer),
                three(forms.pairwise.agreement),
                range(forms.pairwise.interval),
                three(forms.pointwise.agreement),
                range(forms.pointwise.interval),
            ]
        })
        .collect();
    let title = "Choices vs. marks".to_owned();
    (!rows.is_empty()).then(|| Sheet { title, headings, rows, note: String::new() })
}

fn board(title: &str, found: &Board) -> Sheet {
    let headings: Vec<Heading> =
        columns("system | #n | #win rate | interval | #equal length | interval");
    let names = Names::of(found.systems.iter().map(|system| system.system.as_str()), NAME_MAX);
    let rows = found.systems.iter().map(|system| {
        vec![
            names.get(&system.system),
            system.count.to_string(),
            three(Some(system.win_rate)),
            range(system.interval),
            three(Some(system.at_equal_length)),
            range(system.at_equal_length_interval),
        ]
    });
    let note = format!(
        "Bradley-Terry: probability of being preferred to one of the others. At equal length: the \
         same, controlling for the difference in length; a longer answer has {} log-odds ({}).",
        found.length_effect.map_or_else(dash, |effect| format!("{effect:+.2}")),
        range(found.length_interval),
    );
    Sheet { title: title.to_owned(), headings, rows: rows.collect(), note }
}

fn own(title: &str, found: &[Preference]) -> Sheet {
    let headings = columns("reviewer | #n | #own | #people | #more | interval");
    let names = Names::of(found.iter().map(|found| found.reviewer.as_str()), NAME_MAX);
    let rows: Vec<Vec<String>> = found
        .iter()
        .map(|found| {
            vec![
                names.get(&found.reviewer),
                found.count.to_string(),
                percent(Some(found.own)),
                percent(Some(found.people)),
                format!("{:+.3}", found.more),
                range(found.interval),
            ]
        })
        .collect();
    let note = if rows.is_empty() {
        "Judging by the names, no reviewer compared an answer of its own side with another's."
    } else {
        "How often reviewers prefer their own side, compared with people on the same comparisons."
    };
    Sheet { title: title.to_owned(), headings, rows, note: note.to_owned() }
}

fn calibration(found: &Calibration) -> Sheet {
    let headings = columns("same winner | #n | #right");
    let rows = found.bins.iter().map(|(low, high, count, right)| {
        vec![format!("{low:.1} – {high:.1}"), count.to_string(), percent(*right)]
    });
    let note = format!(
        "How often the same answer wins when reviewers are resampled, compared with how often the \
         council is right. Mean gap {:.3}, Brier score {:.3}, over {} decided comparisons.",
        found.expected_error, found.brier, found.count
    );
    Sheet {
        title: "Calibration of the council's confidence".to_owned(),
        headings,
        rows: rows.collect(),
        note,
    }
}

fn difference(found: Option<&Difference>) -> String {
    found.map_or_else(dash, |found| {
        format!("{:+.1} points ({})", found.difference * 100.0, range(found.interval))
    })
}

fn three(value: Option<f64>) -> String {
    value.map_or_else(dash, |value| format!("{value:.3}"))
}

fn percent(value: Option<f64>) -> String {
    value.map_or_else(dash, |value| format!("{:.1} %", value * 100.0))
}

fn range(range: Option<Range>) -> String {
    range.map_or_else(dash, |range| format!("{:.3} – {:.3}", range.low, range.high))
}

fn dash() -> String {
    "–".to_owned()
}
