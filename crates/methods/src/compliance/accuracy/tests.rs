//! Tests of accuracy over a run, by hand calculation.

use assize_text::similarity::similarity;

use super::*;

fn key(document: &str, criterion: &str, expected_score: f64) -> TruthKey {
    TruthKey {
        document: document.to_owned(),
        criterion: criterion.to_owned(),
        expected_score,
        response_sections: BTreeMap::new(),
        analyst: None,
        is_adjudicated: false,
    }
}

fn report(keys: &[TruthKey], said: &[(Option<f64>, Option<u8>)]) -> AccuracyReport {
    let none = Map::new();
    let checked: Vec<Checked<'_>> = keys
        .iter()
        .zip(said)
        .map(|(key, (score, confidence))| Checked {
            key,
            score: *score,
            confidence: *confidence,
            sections: &none,
        })
        .collect();
    accuracy(&checked, &Rubric::default(), &similarity)
}

#[test]
fn figures_are_those_worked_out_by_hand() {
    let keys = [key("d", "a", 80.0), key("d", "b", 10.0), key("e", "a", 50.0), key("e", "b", 90.0)];
    let said =
        [(Some(70.0), Some(95)), (Some(30.0), Some(95)), (Some(50.0), Some(15)), (None, None)];
    let found = report(&keys, &said);
    assert_eq!((found.scored, found.unscored), (3, 1));
    // Off by 10, 20 and 0.
    assert_eq!(found.score_diff.unwrap().mean, 10.0);
    assert!((found.overall.unwrap().mean - 0.9).abs() < 1e-12);
    // -10, +20 and 0.
    assert!((found.bias.unwrap().mean - 10.0 / 3.0).abs() < 1e-12);
    // 4 and 4, 1 and 2, 3 and 3.
    assert!((found.tier_match.unwrap().mean - 2.0 / 3.0).abs() < 1e-12);
    assert_eq!(found.confusion[3][3], 1);
    assert_eq!(found.confusion[0][1], 1);
    assert_eq!(found.confusion.iter().flatten().sum::<usize>(), 3);
    // Squared distances: observed 0 + 1 + 0; by chance the nine pairs of {3, 0, 2} and
    // {3, 1, 2}, over three: (0 + 4 + 1 + 9 + 1 + 4 + 1 + 1 + 0) / 3 = 7.
    assert!((found.kappa.unwrap() - (1.0 - 1.0 / 7.0)).abs() < 1e-12);
    // Two at 0.95, one right; one at 0.15, right: (2 · 0.45 + 0.85) / 3.
    let calibration = found.calibration.unwrap();
    assert!((calibration.expected_error - 1.75 / 3.0).abs() < 1e-12);
    assert_eq!(calibration.count, 3);
    assert_eq!(found.granularity.distinct, 3);
    assert_eq!(found.worst[0].criterion, "b");
    assert_eq!(found.worst.len(), 2);
}

#[test]
fn slices_count_what_has_no_score_apart() {
    let keys = [key("d", "a", 80.0), key("d", "b", 10.0), key("e", "b", 90.0)];
    let found = report(&keys, &[(Some(70.0), None), (Some(30.0), None), (None, None)]);
    let b = &found.by_criterion[1];
    assert_eq!((b.name.as_str(), b.scored, b.unscored), ("b", 1, 1));
    assert_eq!((b.overall, b.bias), (Some(0.8), Some(20.0)));
    assert_eq!(found.by_document[1].overall, None);
    assert_eq!(found.calibration, None);
}

#[test]
fn intervals_hold_the_mean_and_come_from_documents_if_there_are_enough() {
    let keys: Vec<TruthKey> = (0..12).map(|at| key(&format!("d{}", at / 2), "a", 50.0)).collect();
    let said: Vec<(Option<f64>, Option<u8>)> =
        (0..12).map(|at| (Some(40.0 + f64::from(at / 2) * 4.0), None)).collect();
    let bias = report(&keys, &said).bias.unwrap();
    assert_eq!((bias.mean, bias.count), (0.0, 12));
    assert!(bias.low.unwrap() < 0.0 && bias.high.unwrap() > 0.0);
    // Six documents draw wider than twelve results would: the deviation is the same, over a
    // root of 6 instead of 12.
    let alone: Vec<TruthKey> = (0..12).map(|_| key("d", "a", 50.0)).collect();
    let narrow = report(&alone, &said).bias.unwrap();
    assert!(bias.high.unwrap() - bias.low.unwrap() > narrow.high.unwrap() - narrow.low.unwrap());
}

#[test]
fn without_a_score_there_is_no_figure() {
    let found = report(&[key("d", "a", 1.0)], &[(None, None)]);
    assert_eq!((found.scored, found.unscored, found.overall, found.kappa), (0, 1, None, None));
    assert_eq!(found.granularity.coarse_share, None);
}

/// A judge that is ten points too high wherever an analyst looked says 60 on average of all forty
/// pairs: analysts would say 50.
#[test]
fn the_mean_of_all_pairs_is_corrected_by_the_keys() {
    let given = |place: usize| [40.0, 60.0, 80.0, 60.0][place % 4];
    let keyed: Vec<(f64, f64)> = (0..20).map(|at| (given(at) - 10.0, given(at))).collect();
    let others: Vec<f64> = (20..40).map(given).collect();
    let found = corrected(&keyed, &others).unwrap();
    assert!((found.mean - 50.0).abs() < 1e-9, "{found:?}");
    assert!(found.low.unwrap() < 50.0 && found.high.unwrap() > 50.0, "{found:?}");
    assert_eq!(found.count, 20);
    assert_eq!(corrected(&keyed[..9], &others), None);
    assert_eq!(corrected(&keyed, &[]), None);
}
