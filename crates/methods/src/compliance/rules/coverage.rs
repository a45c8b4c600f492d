//! From what was found to a score: each formula once, with its workings.

use assize_score::{Cap, Working, arithmetic::mean};

use super::evidence::Support;

/// What one obligation's three shares count.
const STATEMENT: f64 = 0.4;
const PARAGRAPH: f64 = 0.4;
const DOCUMENT: f64 = 0.2;

/// What the requirement and its subject count.
const REQUIREMENT: f64 = 0.75;
const SUBJECT: f64 = 0.25;

/// Any two texts of the trade share some words: below the floor nothing is said. Few say all
/// of it in the same words: at the ceiling everything is.
const FLOOR: f64 = 0.1;
const CEILING: f64 = 0.8;

/// A statement that covers so much of an obligation, and denies it, counts against it.
pub(super) const CONTRARY_MIN: f64 = 0.4;

/// What one obligation is worth, 0 to 1.
pub(super) fn obligation<N: Working>(number: usize, support: &Support) -> N {
    let Support { statement, paragraph, document, contrary, .. } = *support;
    let value = STATEMENT * statement + PARAGRAPH * paragraph + DOCUMENT * document;
    let covered = N::computed(
        "covered",
        "0.4 best statement + 0.4 best paragraph + 0.2 whole document",
        value,
        [
            N::given("best statement", statement),
            N::given("best paragraph", paragraph),
            N::given("whole document", document),
        ],
    );
    let is_denied = contrary >= CONTRARY_MIN;
    let caps = vec![
        Cap::when(is_denied && contrary > statement, 0.0, "the document says the contrary"),
        Cap::when(is_denied, value / 2.0, "the document also says the contrary"),
    ];
    covered.capped(caps).named(format!("obligation {number}"))
}

/// The score from 0 to 100: what the obligations are worth on average, and whether the
/// document deals with their subject at all.
pub(super) fn score<N: Working>(obligations: Vec<N>, subject: Option<f64>) -> N {
    let requirement: N = mean("requirement", obligations);
    let met = match subject {
        Some(subject) => {
            let value = REQUIREMENT * requirement.value() + SUBJECT * subject;
            let inputs = [requirement, N::given("subject", subject)];
            N::computed("met", "0.75 requirement + 0.25 subject", value, inputs)
        }
        None => requirement,
    };
    let share = ((met.value() - FLOOR) / (CEILING - FLOOR)).clamp(0.0, 1.0);
    let formula = "100 (met - 0.1) / (0.8 - 0.1), within 0 to 100";
    N::computed("score", formula, 100.0 * share, [met]).rounded(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn support(statement: f64, contrary: f64) -> Support {
        Support {
            statement,
            paragraph: statement,
            document: statement,
            contrary,
            ..Support::default()
        }
    }

    #[test]
    fn a_denial_lowers_and_outweighs() {
        let worth = |statement, contrary| obligation::<f64>(1, &support(statement, contrary));
        assert_eq!(worth(0.5, 0.0), 0.5);
        assert_eq!(worth(0.5, 0.3), 0.5);
        assert_eq!(worth(0.5, 0.5), 0.25);
        assert_eq!(worth(0.5, 0.6), 0.0);
    }

    #[test]
    fn the_score_runs_from_the_floor_to_the_ceiling() {
        assert_eq!(score::<f64>(vec![0.1], None), 0.0);
        assert_eq!(score::<f64>(vec![0.45], None), 50.0);
        assert_eq!(score::<f64>(vec![0.9, 0.7], None), 100.0);
        // 0.75 of 0.5 and 0.25 of 0.3: (0.45 - 0.1) / 0.7.
        assert_eq!(score::<f64>(vec![0.5], Some(0.3)), 50.0);
    }
}
