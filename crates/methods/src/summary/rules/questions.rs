//! Questions and answers by rule: a gap in one text, filled from the other.

use assize_score::float::descending;

use super::facts::{Fact, facts};
use super::judge::Case;
use super::reading::{Reading, Sentence};
use super::statement::Statement;
use super::vocabulary::Stem;
use crate::summary::evidence::QuestionAnswer;
use crate::summary::labels::Answer;

/// A sentence speaks of a fact when it holds this share of what stands around it.
const CONTEXT_SHARE: f64 = 0.25;
/// Only so many sentences are searched for facts; the heaviest come first.
const SENTENCES_MAX: usize = 64;

/// Questions from the weightiest sentences of the article, answered from the summary alone.
pub(super) fn about_article(case: &Case, asked: usize) -> Vec<QuestionAnswer> {
    if asked == 0 {
        return Vec::new();
    }
    let mut ranked: Vec<usize> = (0..case.article.sentences.len()).collect();
    ranked.sort_by(|left, right| descending(case.weights[*left], case.weights[*right]));
    let sentences =
        ranked.iter().take(SENTENCES_MAX).map(|number| &case.article.sentences[*number]);
    let chosen = choose(sentences, asked, |sentence| {
        facts(case.article, sentence, case.index, case.vocabulary, true)
    });
    let candidates: Vec<&Sentence> = case.summary.sentences.iter().take(SENTENCES_MAX).collect();
    chosen
        .into_iter()
        .map(|fact| {
            let reply = answer(case, &fact, (case.article, case.summary), &candidates);
            QuestionAnswer {
                question: fact.question(case.article),
                gold: case.article.text[fact.answer_bytes(case.article)].to_owned(),
                given: reply.given.map(|bytes| case.summary.text[bytes].to_owned()),
                answer: reply.answer,
                in_article: Some(case.from_article.quote(fact.window_bytes(case.article))),
                in_summary: reply
                    .sentence
                    .map(|found| case.from_summary.quote(found.bytes.clone())),
            }
        })
        .collect()
}

/// Questions from the claims of the summary, answered from the article.
pub(super) fn about_claims(
    case: &Case,
    statements: &[Statement],
    asked: usize,
) -> Vec<QuestionAnswer> {
    if asked == 0 {
        return Vec::new();
    }
    let sentences = statements.iter().take(SENTENCES_MAX).map(|statement| &statement.sentence);
    let chosen = choose(sentences, asked, |claim| {
        facts(case.summary, claim, case.index, case.vocabulary, true)
    });
    chosen
        .into_iter()
        .map(|fact| {
            let of_fact =
                |statement: &&Statement| statement.sentence.words.contains(&fact.answer.start);
            let statement = statements.iter().find(of_fact);
            let best = statement.map(|statement| statement.best.sentence);
            let candidates: Vec<&Sentence> =
                best.and_then(|best| case.article.sentences.get(best)).into_iter().collect();
            let mut reply = answer(case, &fact, (case.summary, case.article), &candidates);
            // What the article denies it answers in another way; what it leaves open it does not.
            let is_denied = statement.is_some_and(|statement| statement.denies(&fact.answer));
            if is_denied && reply.answer == Answer::Unanswered {
                reply.answer = Answer::Wrong;
            }
            QuestionAnswer {
                question: fact.question(case.summary),
                gold: case.summary.text[fact.answer_bytes(case.summary)].to_owned(),
                given: reply.given.clone().map(|bytes| case.article.text[bytes].to_owned()),
                answer: reply.answer,
                in_article: reply.given.map(|bytes| case.from_article.quote(bytes)),
                in_summary: Some(case.from_summary.quote(fact.window_bytes(case.summary))),
            }
        })
        .collect()
}

/// The best fact of every sentence, then the second best, until there are enough.
fn choose<'a>(
    sentences: impl Iterator<Item = &'a Sentence>,
    asked: usize,
    facts_of: impl Fn(&Sentence) -> Vec<Fact>,
) -> Vec<Fact> {
    let mut chosen: Vec<Fact> = Vec::with_capacity(asked);
    let mut later: Vec<std::vec::IntoIter<Fact>> = Vec::new();
    for sentence in sentences {
        if chosen.len() == asked {
            return chosen;
        }
        let mut found = facts_of(sentence).into_iter();
        chosen.extend(next_new(&mut found, &chosen));
        later.push(found);
    }
    loop {
        let before = chosen.len();
        for found in &mut later {
            if chosen.len() < asked {
                chosen.extend(next_new(found, &chosen));
            }
        }
        if chosen.len() == before {
            return chosen;
        }
    }
}

/// The next fact whose answer was not asked for yet.
fn next_new(found: &mut impl Iterator<Item = Fact>, chosen: &[Fact]) -> Option<Fact> {
    found.find(|fact| chosen.iter().all(|other| other.stems != fact.stems))
}

/// What the other text answers.
struct Reply<'a> {
    answer: Answer,
    /// The bytes of the answer in the other text.
    given: Option<std::ops::Range<usize>>,
    /// The sentence that speaks of the fact.
    sentence: Option<&'a Sentence>,
}

/// Looks for the answer in the sentences that speak of the fact; `texts` are the text the
/// question was made from and the one that answers.
fn answer<'a>(
    case: &Case,
    fact: &Fact,
    texts: (&Reading, &Reading),
    candidates: &[&'a Sentence],
) -> Reply<'a> {
    let (from, other) = texts;
    let gold = &fact.stems;
    let context = fact.context(from, case.vocabulary);
    let weight = |stems: &mut dyn Iterator<Item = &Stem>| -> f64 {
        stems.map(|stem| case.index.rarity(*stem)).sum()
    };
    let all = weight(&mut context.iter());
    let mut best = Reply { answer: Answer::Unanswered, given: None, sentence: None };
    let mut best_share = 0.0;
    for &sentence in candidates {
        let holds = |stem: &&Stem| other.stems_of(sentence).any(|held| held == **stem);
        let share = weight(&mut context.iter().filter(holds)) / all;
        if share < CONTEXT_SHARE {
            continue;
        }
        let found = gold.iter().filter(holds).count();
        let given = place(other, sentence, |stem| gold.binary_search(&stem).is_ok());
        let answer = match found {
            0 => Answer::Unanswered,
            some if some == gold.len() => Answer::Correct,
            _ => Answer::Partial,
        };
        if (answer, share) > (best.answer, best_share) || best.sentence.is_none() {
            best_share = share;
            best = Reply { answer, given, sentence: Some(sentence) };
        }
    }
    best
}

/// The stretch from the first to the last word of a kind, if they stand together.
fn place(
    reading: &Reading,
    sentence: &Sentence,
    is_kind: impl Fn(Stem) -> bool,
) -> Option<std::ops::Range<usize>> {
    let words = reading.words_of(sentence);
    let first = words.iter().position(|word| is_kind(word.stem))?;
    let run = words[first..].iter().take_while(|word| is_kind(word.stem)).count();
    Some(words[first].bytes().start..words[first + run - 1].bytes().end)
}
