//! How many points are left when a summary drifts away from its article.

use assize_score::Working;

use super::evidence::Deviation;
use super::labels::Drift;

/// The score of a summary that keeps intent, stance and tone.
const NO_DRIFT: f64 = 10.0;

/// The score after one, two, and three or more mild deviations.
const MILD: [f64; 3] = [8.0, 7.0, 6.0];

/// The score after one, two, three, and more severe deviations.
const SEVERE: [f64; 4] = [3.0, 2.0, 1.0, 0.0];

/// The ladder: one severe deviation outweighs every mild one.
pub(crate) fn ladder<N: Working>(deviations: &[Deviation]) -> N {
    let count = |drift| deviations.iter().filter(|deviation| deviation.drift == drift).count();
    let (mild, severe) = (count(Drift::Mild), count(Drift::Severe));
    let value = match (severe, mild) {
        (0, 0) => NO_DRIFT,
        (0, _) => MILD[mild.min(MILD.len()) - 1],
        (_, _) => SEVERE[severe.min(SEVERE.len()) - 1],
    };
    let inputs =
        [N::given("severe deviations", severe as f64), N::given("mild deviations", mild as f64)];
    N::computed_by("alignment", formula, value, inputs)
}

/// Both ladders as a reader would write them.
fn formula() -> String {
    let listed = |steps: &[f64]| steps.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
    format!(
        "severe: {} for 1, 2, 3, more; else mild: {} for 1, 2, 3; none: {NO_DRIFT}",
        listed(&SEVERE),
        listed(&MILD)
    )
}
