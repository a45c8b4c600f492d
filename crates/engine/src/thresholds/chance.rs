//! Whether chance explains that a measure fell below its baseline.

use assize_stats::paired::randomisation_test;
use assize_wire::number::{counted, p_value};

use super::{Baseline, Figures};
use crate::retrieval::uncertainty::Uncertainty;

/// What a paired test says about a drop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Chance {
    /// The test could have told, and did not: the drop is within chance.
    Explains {
        /// What the test found.
        p: f64,
    },
    /// The test tells the two apart.
    Excluded {
        /// What the test found.
        p: f64,
    },
    /// So few items changed that no result of the test could count against the drop, so none
    /// can excuse it either.
    Untestable {
        /// How many items changed.
        changed: usize,
        /// The level that cannot be reached.
        level: f64,
    },
}

impl Chance {
    /// What is said of a drop; `missed` is the inequality that does not hold.
    pub(super) fn words(self, missed: &str, drop: f64, allowed: f64) -> String {
        match self {
            Self::Explains { p } => format!("drop {drop:.4} is not significant ({})", equation(p)),
            Self::Excluded { p } => format!("{missed}, {}", equation(p)),
            Self::Untestable { changed, level } => format!(
                "drop {drop:.4} > {allowed:.4} ({} changed: too few for p < {level}, so the drop \
                 counts)",
                counted(changed, "item", "items")
            ),
        }
    }
}

/// A small p is written as a bound.
fn equation(p: f64) -> String {
    let value = p_value(p);
    if value.starts_with('<') { format!("p {value}") } else { format!("p = {value}") }
}

/// What a paired test says at a level, where the baseline keeps the values of the same items.
pub(super) fn held_to_chance(
    measure: &str,
    figures: &Figures,
    baseline: &Baseline,
    level: f64,
) -> Option<Chance> {
    let (mut now, mut before) = (Vec::new(), Vec::new());
    for ((name, value), (_, nth)) in figures.column(measure)?.into_iter().zip(figures.occurrences())
    {
        now.push(value?);
        before.push(baseline.item(measure, name, nth)?);
    }
    let Uncertainty { permutations, seed, .. } = Uncertainty::default();
    let permutations = u64::try_from(permutations).ok()?;
    let test = randomisation_test(&now, &before, permutations, seed).ok()?;
    let changed = now.iter().zip(&before).filter(|(now, before)| now != before).count();
    // All differences with one sign, or with the other, are the rarest of all assignments.
    let smallest = if test.exact {
        2.0 / test.permutations as f64
    } else {
        1.0 / (test.permutations as f64 + 1.0)
    };
    Some(if smallest >= level {
        Chance::Untestable { changed, level }
    } else if test.p < level {
        Chance::Excluded { p: test.p }
    } else {
        Chance::Explains { p: test.p }
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::check;
    use super::*;

    /// The check `recall@10 no worse than baseline by 0.02 (p < 0.05)` of items with these
    /// values, before and now.
    fn held(before: &[f64], now: &[f64]) -> (bool, String) {
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let item = |(place, value): (usize, &f64)| {
            format!("{{\"query\": \"q{place}\", \"recall@10\": {value}}}")
        };
        let items: Vec<String> = before.iter().enumerate().map(item).collect();
        let (mean_before, items) = (mean(before), items.join(", "));
        let text = format!(
            "{{\"measures\": {{\"recall@10\": {{\"value\": {mean_before}}}}}, \"queries\": [{items}]}}"
        );
        let baseline = Baseline::from_text(Path::new("x"), &text).unwrap();
        let items = now.iter().enumerate();
        let figures = Figures {
            means: vec![("recall@10".to_owned(), Some(mean(now)))],
            items: items.map(|(place, value)| (format!("q{place}"), vec![Some(*value)])).collect(),
            count: now.len(),
            unscored: 0,
        };
        let wanted = "recall@10 no worse than baseline by 0.02 (p < 0.05)".parse().unwrap();
        let check = check(&[wanted], &figures, Some(&baseline)).remove(0);
        (check.passed, check.line)
    }

    /// 2 of 32 sign assignments are as extreme: p is 0.0625 at best, never below 0.05.
    #[test]
    fn a_collapse_that_no_test_could_show_fails() {
        let (passed, line) = held(&[1.0; 5], &[0.0; 5]);
        assert!(!passed);
        assert_eq!(
            line,
            "FAIL recall@10 drop 1.0000 > 0.0200 (5 items changed: too few for p < 0.05, so the \
             drop counts)"
        );
        let (passed, line) = held(&[0.3, 0.9, 1.0], &[0.2, 0.9, 1.0]);
        assert!(!passed && line.contains("(1 item changed: too few"), "{line}");
    }

    /// Six items: 2 of 64 is 0.03125, the first that can count.
    #[test]
    fn with_six_items_the_test_decides() {
        let (passed, line) = held(&[1.0; 6], &[0.0; 6]);
        assert!(!passed);
        assert_eq!(line, "FAIL recall@10 0.0000 < 0.9800 (baseline 1.0000), p = 0.031");
        // Five down and one up by as much: 14 of 64 assignments are as extreme.
        let (passed, line) = held(&[1.0, 1.0, 1.0, 1.0, 1.0, 0.0], &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        assert!(passed, "{line}");
        assert_eq!(line, "PASS recall@10 drop 0.6667 is not significant (p = 0.219)");
    }

    #[test]
    fn many_items_that_fall_together_leave_nothing_to_chance() {
        let (passed, line) = held(&[1.0; 40], &[0.5; 40]);
        assert!(!passed && line.ends_with(", p < 0.001"), "{line}");
    }
}
