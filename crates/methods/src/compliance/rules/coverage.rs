//! From what was found to a score: each formula once, with its workings.

use assize_score::{Cap, Working, arithmetic::mean};

use super::curve::SAID_BY;
use super::evidence::Support;
use super::fit::Fit;
use super::stance::Stance;

/// A denial that covers so much of a part counts against it.
const CONTRARY_MIN: f64 = 0.42;

/// One that denies just what must happen needs to cover less.
const CONTRARY_OF_MAIN_MIN: f64 = 0.37;

/// A denial that covers less than this of what an agreeing statement does is about something else.
const CONTRARY_OF_STATED: f64 = 0.95;

/// A denial must cover so much of what agrees to outweigh it; less if it denies what must happen.
const CONTRADICTED_FROM: f64 = 1.1;
const CONTRADICTED_OF_MAIN_FROM: f64 = 0.9;

/// What a part is worth at most that the document both states and denies.
const CONFLICTING: f64 = 0.45;

/// A part that is worth so much is met.
const MET_FROM: f64 = 0.6;

/// What a part that was merely not found counts of those that are met.
const DOUBT: f64 = 0.2;

/// A statement that covers less of a part says nothing about it.
const SILENT_BELOW: f64 = 0.35;

/// What it is worth to name the subject and state nothing about it.
const NAMED: f64 = 0.12;

/// What the words of the requirement and its title count in naming the subject.
const WORDS: f64 = 0.3;
const TITLE: f64 = 0.7;

/// From where on a document is about the subject of a group.
const ABOUT_FROM: f64 = 0.7;

/// Whether a document denies a part somewhere.
pub(super) fn is_denied(support: &Support) -> bool {
    let least = if support.denies_main { CONTRARY_OF_MAIN_MIN } else { CONTRARY_MIN };
    support.contrary >= least && support.contrary >= CONTRARY_OF_STATED * support.share
}

/// Whether a document rather denies a part than meets it.
pub(super) fn is_contradicted(support: &Support) -> bool {
    let from = if support.denies_main { CONTRADICTED_OF_MAIN_FROM } else { CONTRADICTED_FROM };
    is_denied(support) && support.contrary >= from * support.share
}

/// What one part is worth, 0 to 1.
pub(super) fn part<N: Working>(number: usize, support: &Support) -> N {
    let Support { worth, share, stance, fit, .. } = *support;
    let found = N::computed(
        "stated",
        "how far the words say it × how it is meant × how its numbers fit",
        worth,
        [
            N::given("share of the words", share),
            N::computed(
                "how far the words say it",
                SAID_BY,
                support.said,
                [
                    N::given("midpoint for this document", support.middle),
                    N::given("share less the midpoint", share - support.middle),
                ],
            ),
            N::given("how it is meant", stance.worth()),
            N::given("how its numbers fit", fit.worth()),
        ],
    );
    let caps = vec![
        Cap::when(is_contradicted(support), 0.0, "the document says the contrary"),
        Cap::when(is_denied(support), CONFLICTING, "the document also says the contrary"),
    ];
    found.capped(caps).named(format!("part {number}"))
}

/// Whether a part was merely not found: the document denies it nowhere, says it in no other number,
/// and neither plans nor advises it.
pub(super) fn is_open(support: &Support) -> bool {
    let is_silent = support.share < SILENT_BELOW || support.stance >= Stance::Mostly;
    !is_denied(support) && !matches!(support.fit, Fit::Missed(_)) && is_silent
}

/// What an obligation is worth: the mean of its parts. One that was merely not found counts a fifth
/// of those that are met: who states one half of a sentence often states the other too, in words
/// that rules do not know.
fn obligation<N: Working>(parts: Vec<(N, bool)>) -> N {
    let met: Vec<f64> = parts.iter().map(|(part, _)| part.value()).collect();
    let met: Vec<f64> = met.into_iter().filter(|value| *value >= MET_FROM).collect();
    let doubt = DOUBT * met.iter().sum::<f64>() / met.len().max(1) as f64;
    let lifted = |(part, is_open): &(N, bool)| {
        if *is_open { part.value().max(doubt) } else { part.value() }
    };
    let count = parts.len().max(1) as f64;
    let value = parts.iter().map(lifted).sum::<f64>() / count;
    let is_lifted = parts.iter().any(|part| lifted(part) > part.0.value());
    let parts: Vec<N> = parts.into_iter().map(|(part, _)| part).collect();
    if is_lifted {
        let formula = "mean of the parts; one not found counts 0.2 of those met";
        N::computed("obligation", formula, value, parts)
    } else {
        mean("obligation", parts)
    }
}

/// What a document says beside the parts themselves; shares from 0 to 1.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Setting {
    /// How many of the words of the requirement the document has, where it is not denied.
    pub words: f64,
    /// How much of the criterion's title one statement names; none without a title.
    pub title: Option<f64>,
    /// How much the document is about what the group of the criterion is about; none without
    /// a group.
    pub group: Option<f64>,
}

/// The score from 0 to 100: what the parts of each obligation are worth on average, a little
/// for naming the subject, and less in a document that is about something else.
pub(super) fn score<N: Working>(obligations: Vec<Vec<(N, bool)>>, setting: Setting) -> N {
    let one = |(number, parts): (usize, Vec<(N, bool)>)| {
        obligation(parts).named(format!("obligation {number}"))
    };
    let obligations: Vec<N> = (1..).zip(obligations).map(one).collect();
    let requirement: N = mean("requirement", obligations);
    let value = match setting.title {
        Some(title) => WORDS * setting.words + TITLE * title,
        None => setting.words,
    };
    let inputs = std::iter::once(N::given("words of the requirement", setting.words))
        .chain(setting.title.map(|title| N::given("title", title)));
    let formula = if setting.title.is_some() { "0.3 words + 0.7 title" } else { "words" };
    let named: N = N::computed("subject named", formula, value, inputs.collect::<Vec<_>>());
    // Naming the subject is worth something only as long as nothing is stated about it.
    let unmet = (1.0 - requirement.value()).clamp(0.0, 1.0);
    let met = requirement.value() + NAMED * unmet * unmet * unmet * unmet * named.value();
    let formula = "requirement + 0.12 (1 - requirement)^4 subject named";
    let met: N = N::computed("met", formula, met.clamp(0.0, 1.0), [requirement, named]);
    let Some(group) = setting.group else {
        let value = 100.0 * met.value();
        return N::computed("score", "100 met", value, [met]).rounded(1);
    };
    let about = (group / ABOUT_FROM).min(1.0);
    let formula = "words of the group / 0.7, at most 1";
    let about: N = N::computed("about", formula, about, [N::given("words of the group", group)]);
    // What is stated in full counts wherever it stands; what is said in part, less and less.
    let squared = met.value() * met.value();
    let whole = squared * squared * squared * squared;
    let value = met.value() * (about.value() + (1.0 - about.value()) * whole);
    let formula = "100 met (about + (1 - about) met^8)";
    N::computed("score", formula, 100.0 * value, [met, about]).rounded(1)
}

#[cfg(test)]
mod tests {
    use assize_score::Explained;

    use super::*;

    fn support(worth: f64, contrary: f64) -> Support {
        Support {
            worth,
            share: worth,
            stance: Stance::Firm,
            fit: Fit::Met,
            contrary,
            ..Support::default()
        }
    }

    #[test]
    fn a_denial_lowers_and_outweighs() {
        let worth = |worth, contrary| part::<f64>(1, &support(worth, contrary));
        assert_eq!(worth(0.9, 0.0), 0.9);
        assert_eq!(worth(0.9, 0.5), 0.9);
        assert_eq!(worth(0.9, 0.7), 0.9);
        assert_eq!(worth(0.9, 0.8), 0.9);
        assert_eq!(worth(0.9, 0.87), 0.45);
        assert_eq!(worth(0.5, 0.9), 0.0);
    }

    #[test]
    fn the_workings_show_the_midpoint_and_where_the_share_lies() {
        let support = Support { share: 0.3, said: 0.9, middle: 0.25, ..support(0.9, 0.0) };
        let shown: Explained = part(1, &support);
        let text = serde_json::to_string(&shown).unwrap();
        assert_eq!(shown.value, part::<f64>(1, &support));
        assert!(text.contains("midpoint for this document") && text.contains("0.25"), "{text}");
        assert!(text.contains("share less the midpoint") && text.contains(SAID_BY), "{text}");
    }

    #[test]
    fn parts_are_weighed_within_their_obligation() {
        let alone = |shares: Vec<Vec<f64>>| {
            let closed = |parts: Vec<f64>| parts.into_iter().map(|part| (part, false)).collect();
            score::<f64>(shares.into_iter().map(closed).collect(), Setting::default())
        };
        assert_eq!(alone(vec![vec![1.0, 0.0], vec![1.0]]), 75.0);
        assert_eq!(alone(vec![vec![0.5]]), 50.0);
        // Naming everything and stating nothing: 0.12 of 100; with a title 0.12 (0.3 + 0.35).
        let named = Setting { words: 1.0, ..Setting::default() };
        assert_eq!(score::<f64>(vec![vec![(0.0, true)]], named), 12.0);
        let titled = Setting { words: 1.0, title: Some(0.5), group: None };
        assert_eq!(score::<f64>(vec![vec![(0.0, true)]], titled), 7.8);
    }

    #[test]
    fn a_part_not_found_counts_a_little_beside_one_that_is_met_and_a_denied_one_nothing() {
        let worth = |parts: Vec<(f64, bool)>| score::<f64>(vec![parts], Setting::default());
        // (0.9 + 0.2 x 0.9) / 2 and (0.9 + 0) / 2.
        assert_eq!(worth(vec![(0.9, false), (0.1, true)]), 54.0);
        assert_eq!(worth(vec![(0.9, false), (0.0, false)]), 45.0);
        // Nothing is met: nothing is lifted.
        assert_eq!(worth(vec![(0.5, true), (0.1, true)]), 30.0);
    }

    #[test]
    fn half_a_statement_counts_less_in_a_document_about_something_else() {
        let grouped = |met: f64, group| {
            let setting = Setting { group: Some(group), ..Setting::default() };
            score::<f64>(vec![vec![(met, false)]], setting)
        };
        // 0.5 to the ninth.
        assert_eq!(grouped(0.5, 0.0), 0.2);
        assert_eq!(grouped(0.5, 0.7), 50.0);
        assert_eq!(grouped(1.0, 0.0), 100.0);
    }
}
