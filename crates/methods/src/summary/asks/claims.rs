//! One question about the claims of a summary: the article and the numbered claims in one request,
//! labels with quotes in the reply. A model is asked about every claim, or about those that the
//! rules could not decide.

use assize_text::tokens::alnum_tokens;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::assemble::extraneous;
use super::kit::{list, listed, object, place};
use super::labelling::{Entry, Label, label_schema};
use super::locate::Sources;
use super::suspicion;
use crate::ask::{Ask, Prompt, ReplyError, Result};
use crate::reply;
use crate::summary::evidence::{Claim, Evidence};
use crate::summary::input::SummaryPair;
use crate::summary::labels::{Confidence, Support};
use crate::template::Fill;

const SYSTEM: &str = include_str!("../../../prompts/summary/shared/claims_system.txt");
const QUESTION: &str = include_str!("../../../prompts/summary/shared/claims.txt");

/// The longest reply, in tokens.
const REPLY_TOKENS_MAX: u32 = 900;

/// What is said of a claim that a model decided.
const BY_MODEL: &str = "decided by the model";

/// How much a model is asked about a pair.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum Questions {
    /// What both texts say, what they answer, and how they compare: three to four requests
    #[default]
    Many,
    /// Which claims the article backs: one request, for small models; rules find the rest
    One,
}

/// The claims of a summary that a model is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimsAsked {
    /// Every claim.
    All,
    /// Those that the rules could not decide.
    Undecided,
}

impl ClaimsAsked {
    fn has(self, claim: &Claim) -> bool {
        self == Self::All || claim.confidence == Some(Confidence::Low)
    }

    /// Their texts, in order.
    pub fn texts(self, evidence: &Evidence) -> Vec<String> {
        let claims = evidence.hallucination.iter().flat_map(|found| &found.claims);
        claims.filter(|claim| self.has(claim)).map(|claim| claim.text.clone()).collect()
    }

    /// Puts labels in the place of those of the rules, in the same order. A claim without a label,
    /// and all else, stays as the rules found it.
    pub fn settle(
        self,
        pair: &SummaryPair<'_>,
        mut evidence: Evidence,
        labels: &[Option<Label<Support>>],
    ) -> Evidence {
        let sources = Sources::of(pair);
        let article_tokens = alnum_tokens(pair.article()).into_iter().collect();
        if let Some(found) = &mut evidence.hallucination {
            let asked = found.claims.iter_mut().filter(|claim| self.has(claim));
            for (claim, said) in asked.zip(labels) {
                let Some(said) = said else { continue };
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
}

/// Asks for the labels of claims.
#[derive(Debug, Clone)]
pub struct LabelClaims<'a> {
    /// The article.
    pub article: &'a str,
    /// The claims.
    pub claims: &'a [String],
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

/// Entries one by one: what is usable of a reply is used.
#[derive(Deserialize)]
struct ReplyForm {
    claims: Vec<Value>,
}

impl Ask for LabelClaims<'_> {
    /// The label of each claim; none where the reply has no usable one.
    type Answer = Vec<Option<Label<Support>>>;

    fn prompt(&self) -> Prompt {
        let count = self.claims.len();
        let entry = label_schema(&["supported", "partial", "unsupported"]);
        let claims = self.claims.iter().map(String::as_str);
        let form = r#"{"claims": [{"id": "C1", "label": …, "quote": …}, …]}"#;
        Prompt {
            name: "claims",
            system: SYSTEM.to_owned(),
            question: QUESTION.to_owned(),
            fills: vec![
                ("article", Fill::Evaluated(self.article.to_owned())),
                ("claims", Fill::Evaluated(listed('C', claims))),
                ("form", Fill::Ours(form.to_owned())),
            ],
            schema: Some(object(vec![("claims", list(&entry, count, count))])),
            reply_tokens_max: Some(REPLY_TOKENS_MAX),
        }
    }

    fn read(&self, reply: &str) -> Result<Self::Answer> {
        let said: ReplyForm = reply::read(reply)?;
        let mut labels: Self::Answer = vec![None; self.claims.len()];
        let (mut twice, mut problem) = (vec![false; labels.len()], None);
        for entry in said.claims {
            match serde_json::from_value::<Entry<Support>>(entry) {
                Ok(Entry { id, label, quote }) => {
                    let Some(at) = place(&id, 'C', labels.len()) else { continue };
                    twice[at] |= labels[at].is_some();
                    labels[at] = Some(Label { label, quote });
                }
                Err(error) => problem = Some(error.to_string()),
            }
        }
        // Two labels for one claim contradict each other or repeat; neither is usable.
        for (label, _) in labels.iter_mut().zip(twice).filter(|(_, twice)| *twice) {
            *label = None;
        }
        if labels.iter().any(Option::is_some) || labels.is_empty() {
            return Ok(labels);
        }
        let problem = problem.unwrap_or_else(|| "no listed claim has a label".to_owned());
        Err(ReplyError::Rule(format!("`claims`: {problem}")))
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
        let open = ClaimsAsked::Undecided.texts(&before);
        assert!(
            !open.is_empty() && open.iter().all(|text| !text.contains("Engineers")),
            "{open:?}"
        );
        let quote = Some("Shops fear for their trade.".to_owned());
        let labels = vec![Some(Label { label: Support::Supported, quote }); open.len()];
        let after = ClaimsAsked::Undecided.settle(&pair, before.clone(), &labels);
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
        let open = ClaimsAsked::Undecided.texts(&evidence).len();
        let labels = vec![Some(Label { label: Support::Unsupported, quote: None }); open];
        let settled = ClaimsAsked::Undecided.settle(&pair, evidence, &labels);
        assert_eq!(settled.totals.extraneous_tokens, 8);
    }

    #[test]
    fn every_claim_may_be_asked_about_and_one_without_a_label_stays() {
        let pair = SummaryPair::new(ARTICLE, SUMMARY).unwrap();
        let before = by_rules(&pair);
        let mut labels = vec![
            Some(Label { label: Support::Unsupported, quote: None });
            ClaimsAsked::All.texts(&before).len()
        ];
        labels[0] = None;
        let after = ClaimsAsked::All.settle(&pair, before.clone(), &labels).hallucination.unwrap();
        assert_eq!(after.claims[0], before.hallucination.unwrap().claims[0]);
        assert!(after.claims[1..].iter().all(|claim| claim.support == Support::Unsupported));
    }

    fn read(entries: &str) -> Result<Vec<Option<Support>>, ReplyError> {
        let claims = ["one".to_owned(), "two".to_owned()];
        let ask = LabelClaims { article: ARTICLE, claims: &claims };
        let labels = ask.read(&format!(r#"{{"claims": [{entries}]}}"#))?;
        Ok(labels.into_iter().map(|label| label.map(|label| label.label)).collect())
    }

    #[test]
    fn what_is_usable_of_a_reply_is_used() {
        let one = r#"{"id": "C1", "label": "supported", "quote": null}"#;
        let supported = Some(Support::Supported);
        assert_eq!(read(one).unwrap(), [supported, None]);
        let wrong = r#"{"id": "C2", "label": "perhaps"}"#;
        assert_eq!(read(&format!("{one}, {wrong}")).unwrap(), [supported, None]);
        let strange = r#"{"id": "C7", "label": "partial"}, 12"#;
        assert_eq!(read(&format!("{one}, {strange}")).unwrap(), [supported, None]);
        let two = r#"{"id": "2", "label": "partial"}"#;
        assert_eq!(read(&format!("{one}, {two}")).unwrap(), [supported, Some(Support::Partial)]);
        assert_eq!(read(&format!("{one}, {one}, {two}")).unwrap(), [None, Some(Support::Partial)]);
        assert!(read(wrong).unwrap_err().to_string().contains("perhaps"));
        assert!(read("").is_err());
    }

    /// 400 words of an article and 60 of a summary stay below 900 tokens, at four letters a token.
    #[test]
    fn the_question_is_short() {
        let article = "river ".repeat(400);
        let claims = vec!["the council closed the bridge on Tuesday".to_owned(); 8];
        let prompt = LabelClaims { article: &article, claims: &claims }.prompt();
        let filled: usize = prompt
            .fills
            .iter()
            .map(|(_, fill)| match fill {
                Fill::Ours(text) | Fill::Evaluated(text) => text.chars().count(),
            })
            .sum();
        let own = prompt.system.chars().count() + prompt.question.chars().count();
        let delimiters = 100;
        assert!(own + filled + delimiters < 4 * 900, "{own} {filled}");
    }
}
