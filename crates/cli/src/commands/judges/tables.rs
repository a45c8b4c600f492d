//! Judges against raters as tables.

use std::fmt::Write;

use assize_engine::judges::{Bench, Figure, Judge, RIGHT_WITHIN};
use assize_engine::summary::agreement::few_groups;
use assize_page::summary::agreement;

use crate::output::names::Names;
use crate::output::report::{Report, Sheet};
use crate::output::table::columns;

/// The longest name in a table that still fits 80 columns.
const NAME_MAX: usize = 18;

/// Everything, from the ranking to single items.
pub(super) fn report(found: &Bench, level: f64) -> Report {
    let groups = match found.groups {
        0 => String::new(),
        count => format!(" in {}", counted(count, "group")),
    };
    let names = Names::of(found.judges.iter().map(|judge| judge.name.as_str()), NAME_MAX);
    let mut lead = vec![
        format!(
            "{}{groups}, {} against {}. {:.0} % intervals.",
            counted(found.items, "item"),
            counted(found.judges.len(), "judge"),
            raters(found.ceiling.raters),
            level * 100.0
        ),
        found.recommendation.words.clone(),
        ceiling(found),
    ];
    lead.extend(found.ceiling.identical.iter().map(|pair| {
        let (first, second) = &pair.raters;
        format!(
            "{first} and {second} gave the same rating to all {} items that both rated: if one is a \
             copy of the other, the upper limit is too high.",
            pair.items
        )
    }));
    lead.extend(few_groups(found.groups));
    let sheets = [
        Some(correlations(found, &names)),
        Some(distances(found, &names)),
        binary(found, &names),
        slices(found, &names),
        leanings(found, &names),
        effort(found, &names),
        versus(found, &names),
        combinations(found),
        Some(worst(found, &names)),
    ];
    let title = "Judges vs. raters".to_owned();
    let judges: Vec<_> =
        found.judges.iter().map(|judge| (judge.name.as_str(), &judge.plotted)).collect();
    Report {
        title,
        lead,
        sheets: sheets.into_iter().flatten().map(without_empty).collect(),
        drawn: Some(agreement::judges(&found.everybody, &judges)),
    }
}

/// A count with its word.
fn counted(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

fn raters(count: usize) -> String {
    if count == 1 { "1 rater".to_owned() } else { format!("the mean of {count} raters") }
}

/// The table without the columns in which no row has anything.
fn without_empty(sheet: Sheet) -> Sheet {
    let has_some = |column: &usize| {
        let mut cells = sheet.rows.iter().filter_map(|row| row.get(*column));
        sheet.rows.is_empty() || cells.any(|cell| *cell != dash() && !cell.is_empty())
    };
    let kept: Vec<usize> = (0..sheet.headings.len()).filter(has_some).collect();
    Sheet {
        headings: kept.iter().map(|column| sheet.headings[*column].clone()).collect(),
        rows: (sheet.rows.iter())
            .map(|row| kept.iter().filter_map(|column| row.get(*column).cloned()).collect())
            .collect(),
        ..sheet
    }
}

fn ceiling(found: &Bench) -> String {
    let ceiling = &found.ceiling;
    if ceiling.raters < 2 {
        return "There is only one rater, so rater agreement, the upper limit for judges, is \
            unknown."
            .to_owned();
    }
    format!(
        "Agreement among raters is the upper limit: Krippendorff's alpha {}, ICC(2,k) {}, one \
         rater against the mean of the others {} (Spearman).",
        three(ceiling.alpha),
        interval(&ceiling.icc, true),
        three(ceiling.one_against_others)
    )
}

fn correlations(found: &Bench, names: &Names) -> Sheet {
    let headings = columns("judge | #n | #rho | interval | #within | #tau | #r | alike");
    let row = |judge: &Judge| {
        vec![
            names.get(&judge.name),
            judge.count.to_string(),
            three(judge.spearman.value),
            interval(&judge.spearman, false),
            judge.within_groups.map_or_else(dash, |found| three(found.value)),
            three(judge.kendall.value),
            three(judge.pearson.value),
            judge.letters.clone(),
        ]
    };
    Sheet {
        title: "Agreement".to_owned(),
        headings,
        rows: found.judges.iter().map(row).collect(),
        note: format!(
            "Spearman's rho{}, Kendall's tau and Pearson's r. Judges that share a letter do not \
             differ significantly: differences of rho on the {} items that all judges scored, by \
             bootstrap, after Holm's correction.",
            if found.groups > 0 { ", within groups on average" } else { "" },
            found.versus.count
        ),
    }
}

fn distances(found: &Bench, names: &Names) -> Sheet {
    let headings =
        columns("judge | #error | #bias | #same tier | #kappa | #curve | #values | #missing");
    let row = |judge: &Judge| {
        vec![
            names.get(&judge.name),
            three(judge.error),
            signed(judge.bias),
            three(judge.same_tier),
            three(judge.kappa),
            three(judge.calibrated_error),
            judge.granularity.to_string(),
            judge.unscored.to_string(),
        ]
    };
    Sheet {
        title: "Distance".to_owned(),
        headings,
        rows: found.judges.iter().map(row).collect(),
        note: format!("{} {}", scales(found, names), legend(found)),
    }
}

/// Which scale each judge is taken to use, and what its scores were laid onto.
fn scales(found: &Bench, names: &Names) -> String {
    let mut said = Vec::new();
    for judge in &found.judges {
        let name = names.get(&judge.name);
        said.push(match judge.scale {
            Some(scale) if scale.is_same() => format!("{name} {} as is", scale.raters),
            Some(scale) => format!("{name} {} onto {}", scale.judge, scale.raters),
            None => format!("{name} unknown, so it has no distances"),
        });
    }
    format!("Scales: {}.", said.join(", "))
}

/// What the columns that are there mean, and why others are not.
fn legend(found: &Bench) -> String {
    let some =
        |figure: fn(&Judge) -> Option<f64>| found.judges.iter().any(|one| figure(one).is_some());
    let mut parts = vec!["Error and bias are on the raters' scale.".to_owned()];
    if some(|judge| judge.kappa) {
        parts.push("Kappa is quadratic.".to_owned());
    }
    if !some(|judge| judge.kappa.or(judge.same_tier)) {
        let mean = match found.ceiling.raters {
            1 => "",
            _ => "; the mean of several raters is often not one",
        };
        parts.push(format!(
            "Kappa and same tier are left out: they need up to eleven whole numbers on both \
             sides, on one scale{mean}."
        ));
    }
    if some(|judge| judge.calibrated_error) {
        let curve = "Curve is the cross-validated error of a monotone calibration curve.";
        parts.push(curve.to_owned());
    }
    parts.join(" ")
}

fn binary(found: &Bench, names: &Names) -> Option<Sheet> {
    let rows: Vec<Vec<String>> = found
        .judges
        .iter()
        .filter_map(|judge| {
            let (auc, accuracy) = (judge.auc?, judge.balanced_accuracy?);
            Some(vec![
                names.get(&judge.name),
                three(auc.value),
                interval(&auc, false),
                three(accuracy.value),
                interval(&accuracy, false),
            ])
        })
        .collect();
    let headings = columns("judge | #AUC | interval | #balanced | interval");
    let note = "Balanced accuracy at a cut chosen by cross-validation.".to_owned();
    (!rows.is_empty()).then(|| Sheet { title: "Yes or no".to_owned(), headings, rows, note })
}

/// What a score takes, and whether it is the same the next time; `None` where nothing says.
fn effort(found: &Bench, names: &Names) -> Option<Sheet> {
    let headings =
        columns("judge | #seconds | #dollars | #samples | #spread | #right | #pass^k | #missing");
    let row = |judge: &Judge| {
        let steady = judge.steadiness.as_ref();
        vec![
            names.get(&judge.name),
            judge.seconds.map_or_else(dash, |seconds| format!("{seconds:.4}")),
            judge.dollars.map_or_else(dash, |dollars| format!("{dollars:.6}")),
            steady.map_or_else(|| "1".to_owned(), |steady| steady.samples.to_string()),
            three(steady.map(|steady| steady.spread)),
            three(steady.and_then(|steady| steady.right)),
            three(steady.and_then(|steady| steady.always_right)),
            judge.unscored.to_string(),
        ]
    };
    let says = |judge: &Judge| {
        judge.seconds.is_some() || judge.steadiness.is_some() || !judge.because.is_empty()
    };
    let mut note = format!(
        "Per score of one item. Spread is the standard deviation within an item on the raters' \
         scale; a sample is correct if it is within {:.0} % of the raters' scale, and pass^k is \
         the share of items with all samples correct.",
        RIGHT_WITHIN * 100.0
    );
    for judge in &found.judges {
        for (because, count) in &judge.because {
            let because = crate::output::terminal::one_line(because, 60);
            let _ = write!(note, " {}: {count} without a score ({because}).", judge.name);
        }
    }
    found.judges.iter().any(says).then(|| Sheet {
        title: "Cost and consistency".to_owned(),
        headings,
        rows: found.judges.iter().map(row).collect(),
        note,
    })
}

fn slices(found: &Bench, names: &Names) -> Option<Sheet> {
    let headings = columns("slice | judge | #n | #rho | interval | #error | #bias");
    let mut rows: Vec<Vec<String>> = Vec::new();
    for judge in &found.judges {
        rows.extend(judge.slices.iter().map(|slice| {
            vec![
                name(&slice.name),
                names.get(&judge.name),
                slice.count.to_string(),
                three(slice.spearman.value),
                interval(&slice.spearman, false),
                three(slice.error),
                signed(slice.bias),
            ]
        }));
    }
    rows.sort_by(|one, other| one[0].cmp(&other[0]));
    let title = "Agreement by slice".to_owned();
    (!rows.is_empty()).then(|| Sheet { title, headings, rows, note: String::new() })
}

fn leanings(found: &Bench, names: &Names) -> Option<Sheet> {
    let headings = columns("judge | leans with | #n | #by | interval");
    let mut rows: Vec<Vec<String>> = Vec::new();
    for judge in &found.judges {
        rows.extend(judge.leanings.iter().map(|one| {
            let favoured = one.favoured.as_ref().map(|name| format!(" ({name})"));
            vec![
                names.get(&judge.name),
                format!("{}{}", one.with, favoured.unwrap_or_default()),
                one.count.to_string(),
                signed(one.by.value),
                interval(&one.by, false),
            ]
        }));
    }
    let note = "What a judge says above the raters. Length: its Spearman correlation with the length \
                of the text. Order and own family: how much higher it is, on the raters' scale, for \
                texts in the first place or of the judge's own family than for all others. An \
                interval without 0 is a bias."
        .to_owned();
    let title = "Bias".to_owned();
    (!rows.is_empty()).then_some(Sheet { title, headings, rows, note })
}

fn signed(value: Option<f64>) -> String {
    value.map_or_else(dash, |value| format!("{value:+.3}"))
}

fn versus(found: &Bench, names: &Names) -> Option<Sheet> {
    let headings = columns("judge | minus | #Spearman | interval | #p | #corrected");
    let rows: Vec<Vec<String>> = found
        .versus
        .pairs
        .iter()
        .map(|pair| {
            vec![
                names.get(&pair.first),
                names.get(&pair.second),
                signed(pair.difference.value),
                interval(&pair.difference, false),
                three(pair.p),
                three(pair.p_corrected),
            ]
        })
        .collect();
    let title = "Differences between judges".to_owned();
    (!rows.is_empty()).then(|| Sheet { title, headings, rows, note: String::new() })
}

fn combinations(found: &Bench) -> Option<Sheet> {
    let headings = columns("combination | #n | #Spearman | interval | #minus best | interval");
    let rows: Vec<Vec<String>> = found
        .combinations
        .iter()
        .map(|one| {
            vec![
                one.name.clone(),
                one.count.to_string(),
                three(one.spearman.value),
                interval(&one.spearman, false),
                signed(one.less_best.value),
                interval(&one.less_best, false),
            ]
        })
        .collect();
    let note =
        "All figures are cross-validated, including the choice of the best judge.".to_owned();
    let title = "Combinations of judges".to_owned();
    (!rows.is_empty()).then_some(Sheet { title, headings, rows, note })
}

fn worst(found: &Bench, names: &Names) -> Sheet {
    let headings = columns("item | group | judge | #judge score | #rater mean");
    let row = |one: &assize_engine::judges::Worst| {
        vec![
            name(&one.id),
            one.group.as_deref().map_or_else(dash, name),
            names.get(&one.judge),
            format!("{:.2}", one.said),
            format!("{:.2}", one.raters),
        ]
    };
    Sheet {
        title: "Largest disagreements".to_owned(),
        headings,
        rows: found.worst.iter().map(row).collect(),
        note: String::new(),
    }
}

fn three(value: Option<f64>) -> String {
    value.map_or_else(dash, |value| format!("{value:.3}"))
}

fn interval(found: &Figure, with_value: bool) -> String {
    let range = match (found.low, found.high) {
        (Some(low), Some(high)) => format!("{low:.3} – {high:.3}"),
        _ => dash(),
    };
    if with_value { format!("{} ({range})", three(found.value)) } else { range }
}

fn dash() -> String {
    "–".to_owned()
}

/// A name in one line that leaves room for the figures.
fn name(text: &str) -> String {
    crate::output::terminal::one_line(text, NAME_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::table::{Heading, numbers, words};

    #[test]
    fn one_is_no_plural() {
        assert_eq!(counted(1, "judge"), "1 judge");
        assert_eq!(counted(2, "judge"), "2 judges");
        assert_eq!((raters(1).as_str(), raters(3).as_str()), ("1 rater", "the mean of 3 raters"));
    }

    #[test]
    fn a_column_of_dashes_is_left_out() {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let sheet = without_empty(Sheet {
            title: String::new(),
            headings: vec![words("judge"), numbers("rho"), numbers("within"), words("alike")],
            rows: vec![row(["a", "0.5", "–", ""]), row(["b", "–", "–", ""])],
            note: String::new(),
        });
        assert_eq!(sheet.headings.iter().map(Heading::text).collect::<Vec<_>>(), ["judge", "rho"]);
        assert_eq!(sheet.rows, [["a", "0.5"], ["b", "–"]]);
    }
}
