//! Which claims of a summary are judged: its statements, and the facts they are made of.

use assize_score::float::descending;

use super::index::Index;
use super::reading::{Reading, Sentence};
use super::regime::Extract;
use super::ruling::{Claim, Ruling, rule};
use super::statement::{Sources, Statement};
use super::vocabulary::Vocabulary;
use crate::summary::asks::suspicion::speaks_to_the_judge;
use crate::summary::labels::{Confidence, Support};

/// A shorter sentence states nothing, unless the summary has no longer one.
const STATEMENT_WORDS_MIN: usize = 3;

/// So many statements of a summary are read against the article at most.
const STATEMENTS_MAX: usize = 400;

/// Two words in a row that ask the reader to do something and claim nothing.
const CALLS: [(&str, &str); 3] = [("click", "here"), ("scroll", "down"), ("click", "link")];

/// The statements of a summary in order: its sentences without calls to the reader and
/// empty phrases, unless there is nothing else; of very many, those with the weightiest
/// words.
pub(super) fn statements(
    summary: &Reading,
    index: &Index,
    vocabulary: &Vocabulary,
) -> Vec<Sentence> {
    let has_content =
        |sentence: &&Sentence| summary.stems_of(sentence).any(|stem| vocabulary.is_content(stem));
    let states = |sentence: &&Sentence| {
        has_content(sentence)
            && sentence.words.len() >= STATEMENT_WORDS_MIN
            && !is_call(summary, sentence, vocabulary)
    };
    let all = &summary.sentences;
    let mut found: Vec<Sentence> = all.iter().filter(states).cloned().collect();
    if found.is_empty() {
        found = all.iter().filter(has_content).cloned().collect();
    }
    if found.is_empty() {
        found.clone_from(all);
    }
    if found.len() > STATEMENTS_MAX {
        let weight = |sentence: &Sentence| weight(summary, sentence, index, vocabulary);
        found = weightiest(found, STATEMENTS_MAX, |sentence| (0, weight(sentence)));
        found.sort_by_key(|sentence| sentence.words.start);
    }
    found
}

/// A claim with its label.
pub(super) struct LabelledClaim<'a> {
    /// The statement that it is, or is a fact of.
    pub statement: &'a Statement,
    /// The claim in the summary.
    pub claim: &'a Sentence,
    /// Whether it is a fact of its statement.
    pub is_fact: bool,
    /// The label.
    pub ruling: Ruling,
}

/// A statement and its facts, labelled.
pub(super) struct LabelledStatement<'a> {
    /// The statement.
    pub whole: LabelledClaim<'a>,
    /// Its facts; the statement itself where it cannot be cut.
    pub facts: Vec<LabelledClaim<'a>>,
}

/// Labels every statement and every fact.
pub(super) fn label<'a>(
    statements: &'a [Statement],
    summary: &Reading,
    extract: Extract,
    sources: &Sources,
) -> Vec<LabelledStatement<'a>> {
    let judged = |statement: &'a Statement, fact: Option<&'a Sentence>| {
        let claim = fact.map_or(Claim::Statement(statement), |fact| Claim::Fact(statement, fact));
        let mut ruling = rule(&claim, &statement.windows, summary, extract, sources);
        // What speaks to the judge is nothing that an article could say in other words.
        if ruling.support == Support::Partial
            && speaks_to_the_judge(summary.text_of(&statement.sentence))
        {
            ruling.support = Support::Unsupported;
        }
        LabelledClaim {
            statement,
            claim: fact.unwrap_or(&statement.sentence),
            is_fact: fact.is_some(),
            ruling,
        }
    };
    let labelled = |statement: &'a Statement| LabelledStatement {
        whole: judged(statement, None),
        facts: statement.facts.iter().map(|fact| judged(statement, Some(fact))).collect(),
    };
    statements.iter().map(labelled).collect()
}

/// The claims that count, at most `most`, in the order of the summary: every statement,
/// then facts of those that are not decided and have several, not decided ones first, so that the score
/// follows how many of them a summary has. What is denied comes before all, statement and
/// fact alike, whatever their weight: no claim has more consequences.
pub(super) fn choose(
    labelled: Vec<LabelledStatement<'_>>,
    extract: Extract,
    most: usize,
    weight: impl Fn(&Sentence) -> f64,
) -> Vec<LabelledClaim<'_>> {
    let key = |judged: &LabelledClaim| {
        let rank = match judged.ruling.support {
            Support::Unsupported if judged.is_fact || judged.statement.is_denied() => 3,
            _ if !judged.is_fact => 2,
            Support::Partial => 1,
            Support::Unsupported | Support::Supported => 0,
        };
        (rank, weight(judged.claim))
    };
    let mut claims = Vec::with_capacity(labelled.len());
    for LabelledStatement { whole, facts } in labelled {
        // A statement that is decided is one claim: an error in it counts once, and so does what is
        // found. One that is not is looked at piece by piece.
        let is_denied = |judged: &LabelledClaim| judged.ruling.support == Support::Unsupported;
        let is_found = whole.ruling.support == Support::Supported
            && whole.ruling.confidence == Confidence::High;
        let is_told = (is_found || is_denied(&whole)) && is_found != facts.iter().any(is_denied);
        claims.push(whole);
        if facts.len() > 1 && !is_told {
            claims.extend(weightiest(facts, extract.facts_for_each(), key));
        }
    }
    let mut chosen = weightiest(claims, most, key);
    chosen.sort_by_key(|judged| {
        (judged.statement.sentence.words.start, judged.is_fact, judged.claim.words.start)
    });
    chosen
}

fn is_call(summary: &Reading, sentence: &Sentence, vocabulary: &Vocabulary) -> bool {
    vocabulary.is_english()
        && summary.words_of(sentence).windows(2).any(|pair| {
            let texts = (vocabulary.text(pair[0].stem), vocabulary.text(pair[1].stem));
            CALLS.contains(&texts)
        })
}

/// The weight of what a stretch of the summary says.
pub(super) fn weight(
    summary: &Reading,
    stretch: &Sentence,
    index: &Index,
    vocabulary: &Vocabulary,
) -> f64 {
    let content = summary.stems_of(stretch).filter(|stem| vocabulary.is_content(*stem));
    content.map(|stem| index.rarity(stem)).sum()
}

/// The `most` that come first: by rank, then by weight, then as they stand.
fn weightiest<T>(found: Vec<T>, most: usize, key: impl Fn(&T) -> (u8, f64)) -> Vec<T> {
    let mut ranked: Vec<((u8, f64), T)> =
        found.into_iter().map(|item| (key(&item), item)).collect();
    ranked.sort_by(|((left_first, left), _), ((right_first, right), _)| {
        right_first.cmp(left_first).then(descending(*left, *right))
    });
    ranked.truncate(most);
    ranked.into_iter().map(|(_, item)| item).collect()
}
