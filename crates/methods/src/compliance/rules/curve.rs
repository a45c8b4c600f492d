//! How far a share of the words says a part of a requirement.

/// The share from which on a statement is rather about a part than not, by how full the full
/// statements on the criteria are. Where they are full, the document has the words of the criteria,
/// and what it does not say in them it does not say. Where they are fair, it has words of its own and
/// may say in them what seems missing.
const BY_FULLNESS: [(f64, f64); 2] = [(0.7, 0.09), (0.9, 0.42)];

/// The same by how many criteria no statement comes near to. Where they are many, the document is
/// about something else, and what is alike is alike by chance.
const BY_SILENCE: [(f64, f64); 2] = [(0.15, 0.09), (0.4, 0.48)];

/// A criterion is silent if its fullest statement covers less. Words alike by chance reach 0.2 and more,
/// so with 0.2 a document that is about a few of many criteria was taken for one in words of its own,
/// and got credit for the others: `compliance_development` measures that.
const SILENT_BELOW: f64 = 0.25;

/// What is assumed before anything is known; so few criteria tell nothing about a document, and this
/// many more half of what there is to know.
const ASSUMED: f64 = 0.42;
const TELL_NOTHING: f64 = 4.0;
const TELL_HALF: f64 = 2.0;

/// So much below the middle, a statement says nothing yet.
pub(super) const SILENT_BEFORE: f64 = 0.08;

/// The steps of [`said`] in words, by how far the share lies from the midpoint.
pub(super) const SAID_BY: &str = "a line by the share less the midpoint: 0.05 at -0.08, \
    0.3 at -0.02, 0.85 at 0.04, 0.94 at 0.2, and 0.97 at a share of 1";

/// The share from which on a statement of a document is rather about a part than not, by how much of
/// each criterion its fullest statement covers.
pub(super) fn middle(fullest: &[f64]) -> f64 {
    let count = fullest.len() as f64;
    let sum: f64 = fullest.iter().sum();
    let squares: f64 = fullest.iter().map(|full| full * full).sum();
    let silent = fullest.iter().filter(|full| **full < SILENT_BELOW).count() as f64;
    // A mean in which the full ones count more: a document that answers half of the criteria in full
    // is full all the same.
    let fullness = between(&BY_FULLNESS, squares / sum.max(f64::MIN_POSITIVE));
    let silence = between(&BY_SILENCE, silent / count.max(1.0));
    let telling = (count - TELL_NOTHING).max(0.0);
    (telling * fullness.max(silence) + TELL_HALF * ASSUMED) / (telling + TELL_HALF)
}

/// How much a share says, 0 to 1: little in common says little, and few statements use all words
/// of a requirement. The last three parts of a hundred are left to people: the same words may be
/// meant otherwise.
pub(super) fn said(share: f64, middle: f64) -> f64 {
    let steps = [
        (0.0, 0.0),
        (middle - SILENT_BEFORE, 0.05),
        (middle - 0.02, 0.3),
        (middle + 0.04, 0.85),
        (middle + 0.2, 0.94),
        (1.0, 0.97),
    ];
    between(&steps, share)
}

/// The height of a line through points in order of their places; level before and after them.
fn between(points: &[(f64, f64)], place: f64) -> f64 {
    for pair in points.windows(2) {
        let [(low, from), (high, to)] = [pair[0], pair[1]];
        if place <= high {
            return from + (to - from) * (place - low).max(0.0) / (high - low);
        }
    }
    points.last().map_or(0.0, |(_, height)| *height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_low_where_a_document_has_words_of_its_own() {
        let is_about = |fullest: &[f64], expected: f64| (middle(fullest) - expected).abs() < 1e-9;
        // (4 x 0.09 + 2 x 0.42) / 6, and 0.42 throughout.
        assert!(is_about(&[0.5; 8], 0.2));
        assert!(is_about(&[0.95; 8], 0.42));
        // Half of them silent, (4 x 0.48 + 2 x 0.42) / 6: a mean of 0.5 does not hide it.
        assert!(is_about(&[0.9, 0.1, 0.9, 0.1, 0.9, 0.1, 0.9, 0.1], 0.46));
        assert!(is_about(&[], 0.42) && is_about(&[0.5; 4], 0.42));
    }

    #[test]
    fn the_words_of_the_curve_give_its_steps() {
        let middle = 0.42;
        let steps = SAID_BY.split(", ").filter_map(|step| {
            let (height, place) = step.rsplit_once(" at ")?;
            let height = height.rsplit(' ').next()?.parse::<f64>().ok()?;
            Some((height, place.parse::<f64>().ok()?))
        });
        let steps: Vec<(f64, f64)> = steps.collect();
        assert_eq!(steps.len(), 4);
        for (height, place) in steps {
            assert!((said(middle + place, middle) - height).abs() < 1e-9, "{height} at {place}");
        }
        assert!((said(1.0, middle) - 0.97).abs() < 1e-9 && SAID_BY.contains("0.97"));
    }

    #[test]
    fn little_in_common_says_little_and_more_never_says_less() {
        for middle in [0.12, 0.42, 0.48] {
            assert_eq!((said(0.0, middle), said(1.0, middle)), (0.0, 0.97));
            assert!(said(middle - 0.08, middle) < 0.051 && said(middle + 0.041, middle) > 0.85);
            let said: Vec<f64> =
                (0..=100).map(|share| said(f64::from(share) / 100.0, middle)).collect();
            assert!(said.is_sorted());
        }
    }
}
