//! The mean that people would give of what a judge scored, from the labels of a check.

use std::path::Path;

use super::instruments::{refused, told};
use crate::error::EngineError;
use crate::judges::{Inference, Items, Told, infer};
use crate::thresholds::{CORRECTED, Figure, Figures, Requirement};

/// How many items are labelled, as a measure.
const LABELS: &str = "labels";
/// How sure the intervals are that are told.
const LEVEL: f64 = 0.95;

/// The measure that a requirement wants corrected by labels.
fn measure(requirement: &Requirement) -> Option<&str> {
    match &requirement.figure {
        Figure::Mean(name) => name.strip_prefix(CORRECTED),
        _ => None,
    }
}

/// Whether a requirement is about a mean that labels correct.
pub(super) fn is_corrected(requirement: &Requirement) -> bool {
    measure(requirement).is_some()
}

/// A requirement, and what it says of the number of labels: `… >= 7 (n labels >= 40)`.
pub(super) fn parts(line: &str) -> Vec<&str> {
    let inside = line.trim().strip_suffix(')').and_then(|line| line.split_once("(n labels "));
    match inside {
        // Behind `(n `, up to the bracket at the end.
        Some((requirement, _)) => {
            vec![requirement, line.trim()[requirement.len() + 3..].trim_end_matches(')')]
        }
        None => vec![line],
    }
}

/// Adds every corrected mean that is asked for and how many labels there are; gives back what to
/// say of each.
pub(super) fn correct(
    figures: &mut Figures,
    requirements: &[Requirement],
    labels: &Path,
) -> Result<Vec<String>, EngineError> {
    let mut notices = Vec::new();
    let ids: Vec<String> = figures.items.iter().map(|(name, _)| name.clone()).collect();
    let labels = Told::from_file(labels).and_then(|said| said.labels(&ids)).map_err(told)?;
    let mut found = vec![(LABELS.to_owned(), Some(labels.iter().flatten().count() as f64))];
    for wanted in requirements.iter().filter_map(measure) {
        let name = match (wanted, &*figures.names()) {
            ("mean", [only]) => *only,
            (name, _) => name,
        };
        let scores = figures.column(name).ok_or_else(|| {
            let known = figures.names().join(", ");
            refused(format!("{CORRECTED}{wanted}: name one of the measures {known}"))
        })?;
        let scores = scores.into_iter().map(|(_, score)| score).collect();
        let items = Items::labelled(ids.clone(), (name, scores), labels.clone());
        let asked = Inference { level: LEVEL, share: None, width: None, next: 0, seed: 0 };
        let inferred = infer(&items, &asked).map_err(refused)?;
        // Where everything is labelled, the labels are the answer.
        let all = (inferred.labels == inferred.items).then_some(inferred.labelled).flatten();
        let best = inferred.corrected.or(all);
        if let Some(mean) = best {
            notices.push(format!(
                "{CORRECTED}{wanted} {:.3} (95 % {:.3} to {:.3}); the judge alone says {:.3}",
                mean.value, mean.low, mean.high, inferred.judged
            ));
        }
        notices.extend(inferred.notices);
        found.push((format!("{CORRECTED}{wanted}"), best.map(|mean| mean.value)));
    }
    figures.means.extend(found);
    Ok(notices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Forty items that a judge scores 2 to 6, one too high; the first `labelled` have labels.
    fn corrected(labelled: usize, lines: &[&str]) -> Result<(Figures, Vec<String>), String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("labels.csv");
        let label = |place: usize| place % 5 + 1;
        let head = "id,score".to_owned();
        let rows = (0..labelled).map(|place| format!("i{place},{}", label(place)));
        let lines_of_file: Vec<String> = std::iter::once(head).chain(rows).collect();
        fs::write(&file, lines_of_file.join("\n")).unwrap();
        let item = |place| (format!("i{place}"), vec![Some((label(place) + 1) as f64)]);
        let mut figures = Figures {
            means: vec![("coverage".to_owned(), Some(4.0))],
            items: (0..40).map(item).collect(),
            count: 40,
            unscored: 0,
        };
        let lines = lines.iter().flat_map(|line| parts(line));
        let requirements: Vec<Requirement> = lines.map(|line| line.parse().unwrap()).collect();
        let said = correct(&mut figures, &requirements, &file).map_err(|error| error.message)?;
        Ok((figures, said))
    }

    #[test]
    fn the_mean_is_corrected_by_how_far_the_judge_is_off() {
        for line in ["human-corrected mean >= 3 (n labels >= 20)", "human-corrected coverage >= 3"]
        {
            let (figures, said) = corrected(20, &[line]).unwrap();
            assert_eq!(figures.mean("labels"), Some(Some(20.0)));
            let name = line.split(" >=").next().unwrap();
            let mean = figures.mean(name).unwrap().unwrap();
            assert!((mean - 3.0).abs() < 1e-12, "{mean}");
            assert!(said[0].contains("the judge alone says 4.000"), "{said:?}");
        }
    }

    #[test]
    fn too_few_labels_correct_nothing_and_all_of_them_are_the_answer() {
        let line = "human-corrected coverage >= 1";
        let (figures, said) = corrected(9, &[line]).unwrap();
        assert_eq!(figures.mean("human-corrected coverage"), Some(None));
        assert!(said[0].contains("9 labels are too few"), "{said:?}");
        let (figures, _) = corrected(40, &[line]).unwrap();
        assert_eq!(figures.mean("human-corrected coverage"), Some(Some(3.0)));
    }

    #[test]
    fn labels_of_nothing_and_unknown_measures_are_named() {
        let problem = corrected(41, &["human-corrected coverage >= 1"]).unwrap_err();
        assert!(problem.contains("i40"), "{problem}");
        let problem = corrected(20, &["human-corrected clarity >= 1"]).unwrap_err();
        assert!(problem.contains("name one of the measures coverage"), "{problem}");
    }

    #[test]
    fn the_number_of_labels_is_a_requirement_of_its_own() {
        let line = "human-corrected mean >= 7 (n labels >= 40)";
        assert_eq!(parts(line), ["human-corrected mean >= 7 ", "labels >= 40"]);
        assert_eq!(parts("recall@10 >= 0.8"), ["recall@10 >= 0.8"]);
    }
}
