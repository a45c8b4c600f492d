//! The claims that the rules could not decide: a model is asked about these, and about
//! nothing else.

use assize_text::tokens::alnum_tokens;
use serde::Deserialize;

use super::assemble::extraneous;
use super::kit::{SYSTEM, list, listed, object};
use super::labelling::{Entry, Label, label_schema, restored};
use super::locate::Sources;
use super::suspicion;
use crate::ask::{Ask, Prompt, ReplyError};
use crate::reply;
use crate::summary::evidence::{Claim, Evidence};
use crate::summary::input::SummaryPair;
use crate::summary::labels::{Confidence, Support};
use crate::template::Fill;

const QUESTION: &str = include_str!("../../../prompts/summary/shared/decide.txt");

/// The longest reply, in tokens.
const REPLY_TOKENS_MAX: u32 = 900;

/// What is said of a claim that a model decided.
const BY_MODEL: &str = "not decided by the words; decided by the model";

/// Asks for the labels of claims that were not decided.
#[derive(Debug, Clone)]
pub struct DecideClaims<'a> {
    /// The article.
    pub article: &'a str,
    /// The summary in which the claims stand.
    pub summary: &'a str,
    /// The claims.
    pub claims: &'a [String],
}

/// The texts of the claims that are not decided, in order.
pub fn undecided(evidence: &Evidence) -> Vec<String> {
    let claims = evidence.hallucination.iter().flat_map(|found| &found.claims);
    claims.filter(|claim| is_open(claim)).map(|claim| claim.text.clone()).collect()
}

/// Puts labels in the place of those that the rules were not sure of, in the same order.
/// All else stays as the rules found it.
pub fn settle(
    pair: &SummaryPair<'_>,
    mut evidence: Evidence,
    labels: &[Label<Support>],
) -> Evidence {
    let sources = Sources::of(pair);
    let article_tokens = alnum_tokens(pair.article()).into_iter().collect();
    if let Some(found) = &mut evidence.hallucination {
        let open = found.claims.iter_mut().filter(|claim| is_open(claim));
        for (claim, said) in open.zip(labels) {
            claim.support = said.label;
            // The claim may be told with its subject and verb; its own words are those it quotes.
            let words = claim.in_summary.as_ref().map_or(&claim.text, |quote| &quote.text);
            claim.extraneous_tokens = extraneous(words, said.label, &article_tokens);
            BY_MODEL.clone_into(&mut claim.note);
            if let Some(quote) = sources.in_article(said.quote.as_deref()) {
                claim.in_article = Some(quote);
            }
            claim.soft_support = None;
            claim.confidence = Some(Confidence::High);
        }
        evidence.totals.extraneous_tokens =
            extraneous_in_all(&found.claims).min(evidence.totals.summary_tokens);
    }
    suspicion::add(&mut evidence.findings, pair);
    evidence
}

fn is_open(claim: &Claim) -> bool {
    claim.confidence == Some(Confidence::Low)
}

/// Statements and pieces of them overlap: each stretch of the summary counts once, as the
/// statement or as its pieces, whichever has more.
pub(super) fn extraneous_in_all(claims: &[Claim]) -> usize {
    let span = |claim: &Claim| claim.in_summary.as_ref().and_then(|quote| quote.span);
    let is_within = |inner: &Claim, outer: &Claim| match (span(inner), span(outer)) {
        (Some(inner), Some(outer)) => {
            inner != outer && outer.start() <= inner.start() && inner.end() <= outer.end()
        }
        _ => false,
    };
    let outermost =
        claims.iter().filter(|claim| !claims.iter().any(|other| is_within(claim, other)));
    let of_stretch = |outer: &Claim| {
        let pieces = claims.iter().filter(|claim| is_within(claim, outer));
        let in_pieces: usize = pieces.map(|claim| claim.extraneous_tokens).sum();
        in_pieces.max(outer.extraneous_tokens)
    };
    outermost.map(of_stretch).sum()
}

#[derive(Deserialize)]
struct Said {
    claims: Vec<Entry<Support>>,
}

impl Ask for DecideClaims<'_> {
    type Answer = Vec<Label<Support>>;

    fn prompt(&self) -> Prompt {
        let count = self.claims.len();
        let entry = label_schema(&["supported", "partial", "unsupported"]);
        let claims = self.claims.iter().map(String::as_str);
        let form = r#"{"claims": [{"id": "C1", "label": …, "quote": …}, …]}"#;
        Prompt {
            name: "decide",
            system: SYSTEM.to_owned(),
            question: QUESTION.to_owned(),
            fills: vec![
                ("article", Fill::Evaluated(self.article.to_owned())),
                ("summary", Fill::Evaluated(self.summary.to_owned())),
                ("claims", Fill::Evaluated(listed('C', claims))),
                ("form", Fill::Ours(form.to_owned())),
            ],
            schema: Some(object(vec![("claims", list(&entry, count, count))])),
            reply_tokens_max: Some(REPLY_TOKENS_MAX),
        }
    }

    fn read(&self, reply: &str) -> Result<Vec<Label<Support>>, ReplyError> {
        let said: Said = reply::read(reply)?;
        let order: Vec<usize> = (0..self.claims.len()).collect();
        restored("claims", 'C', &order, said.claims)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::{rules, twin_lock};

    const ARTICLE: &str = "The old bridge over the river was closed by the council on Tuesday. \
                           Engineers had found 14 cracks in it. Shops fear for their trade.";
    const SUMMARY: &str = "Engineers had found 14 cracks in it. \
                           Traders are worried after officials shut the crossing.";

    fn by_rules(pair: &SummaryPair<'_>) -> Evidence {
        rules::judge(pair, &twin_lock::LIMITS)
    }

    #[test]
    fn only_what_is_not_decided_is_asked_and_settled() {
        let pair = SummaryPair::new(ARTICLE, SUMMARY).unwrap();
        let before = by_rules(&pair);
        let open = undecided(&before);
        assert!(
            !open.is_empty() && open.iter().all(|text| !text.contains("Engineers")),
            "{open:?}"
        );
        let quote = Some("Shops fear for their trade.".to_owned());
        let labels = vec![Label { label: Support::Supported, quote }; open.len()];
        let after = settle(&pair, before.clone(), &labels);
        let (before, after) = (before.hallucination.unwrap(), after.hallucination.unwrap());
        assert_eq!(after.decided(), Some(after.claims.len()));
        assert!(after.claims.iter().all(|claim| claim.support == Support::Supported));
        let kept = |found: &[Claim]| -> Vec<Claim> {
            found.iter().filter(|claim| claim.text.contains("Engineers")).cloned().collect()
        };
        assert_eq!(kept(&before.claims), kept(&after.claims));
        let settled = after.claims.iter().find(|claim| claim.note == BY_MODEL).unwrap();
        assert!(settled.in_article.as_ref().is_some_and(|quote| quote.span.is_some()));
    }

    /// The statement of eight tokens and its pieces are unsupported: they count once.
    #[test]
    fn tokens_of_a_statement_and_its_pieces_count_once() {
        let pair = SummaryPair::new(ARTICLE, SUMMARY).unwrap();
        let evidence = by_rules(&pair);
        let open = undecided(&evidence).len();
        let labels = vec![Label { label: Support::Unsupported, quote: None }; open];
        assert_eq!(settle(&pair, evidence, &labels).totals.extraneous_tokens, 8);
    }

    #[test]
    fn a_reply_that_leaves_a_claim_out_is_refused() {
        let claims = ["one".to_owned(), "two".to_owned()];
        let ask = DecideClaims { article: ARTICLE, summary: SUMMARY, claims: &claims };
        let reply = r#"{"claims": [{"id": "C1", "label": "supported", "quote": null}]}"#;
        let problem = ask.read(reply).unwrap_err().to_string();
        assert!(problem.contains("no entry for C2"), "{problem}");
    }
}
