//! From what was found to a score: each formula once, with its workings.

use assize_score::{Cap, Working, arithmetic::mean};

use super::evidence::Support;

/// What one obligation's three shares count.
const STATEMENT: f64 = 0.4;
const PARAGRAPH: f64 = 0.4;
const DOCUMENT: f64 = 0.2;

/// What the requirement and its title count.
const REQUIREMENT: f64 = 0.8;
const TITLE: f64 = 0.2;

/// Any two texts of the trade share some words: below the floor nothing is said. Few say all
/// of it in the same words: at the ceiling everything is.
const FLOOR: f64 = 0.05;
const CEILING: f64 = 0.75;

/// What words are worth in a document about something else, and from where on it is about it.
const ELSEWHERE: f64 = 0.3;
const ABOUT_FROM: f64 = 0.7;

/// A statement that covers so much of an obligation, and denies it, counts against it.
pub(super) const CONTRARY_MIN: f64 = 0.4;

/// Whether a document rather denies an obligation than meets it.
pub(super) fn is_contradicted(support: &Support) -> bool {
    support.contrary >= CONTRARY_MIN && support.contrary > support.statement
}

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
        Cap::when(is_contradicted(support), 0.0, "the document says the contrary"),
        Cap::when(is_denied, value / 2.0, "the document also says the contrary"),
    ];
    covered.capped(caps).named(format!("obligation {number}"))
}

/// What a document says beside the obligations themselves; shares from 0 to 1.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Setting {
    /// How much of the criterion's title one statement names, as far as the obligations are
    /// not contradicted; none without a title.
    pub title: Option<f64>,
    /// How much the document is about what the group of the criterion is about; none without
    /// a group.
    pub group: Option<f64>,
}

/// The score from 0 to 100: what the obligations are worth on average, and less in a document
/// that is about something else.
pub(super) fn score<N: Working>(obligations: Vec<N>, setting: Setting) -> N {
    let requirement: N = mean("requirement", obligations);
    let said = match setting.title {
        Some(title) => {
            let value = REQUIREMENT * requirement.value() + TITLE * title;
            let inputs = [requirement, N::given("title", title)];
            N::computed("said", "0.8 requirement + 0.2 title", value, inputs)
        }
        None => requirement,
    };
    let share = ((said.value() - FLOOR) / (CEILING - FLOOR)).clamp(0.0, 1.0);
    let formula = "100 (said - 0.05) / (0.75 - 0.05), within 0 to 100";
    let met = N::computed("met", formula, 100.0 * share, [said]);
    let Some(group) = setting.group else { return met.named("score").rounded(1) };
    let about = ELSEWHERE + (1.0 - ELSEWHERE) * (group / ABOUT_FROM).min(1.0);
    let formula = "0.3 + 0.7 (words of the group / 0.7, at most 1)";
    let about = N::computed("about", formula, about, [N::given("words of the group", group)]);
    let value = met.value() * about.value();
    N::computed("score", "met * about", value, [met, about]).rounded(1)
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
        let alone = |shares: &[f64]| score::<f64>(shares.to_vec(), Setting::default());
        assert_eq!(alone(&[0.05]), 0.0);
        assert_eq!(alone(&[0.4]), 50.0);
        assert_eq!(alone(&[0.9, 0.7]), 100.0);
        // 0.8 of 0.4 and 0.2 of 0.4: (0.4 - 0.05) / 0.7.
        let titled = Setting { title: Some(0.4), group: None };
        assert_eq!(score::<f64>(vec![0.4], titled), 50.0);
    }

    #[test]
    fn words_count_less_in_a_document_about_something_else() {
        let grouped = |group| score::<f64>(vec![0.4], Setting { title: None, group: Some(group) });
        assert_eq!(grouped(0.0), 15.0);
        assert_eq!(grouped(0.35), 32.5);
        assert_eq!(grouped(0.7), 50.0);
        assert_eq!(grouped(1.0), 50.0);
    }
}
