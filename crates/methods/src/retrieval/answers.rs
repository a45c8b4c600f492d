//! What an answer makes of the passages it was given: the shares behind two metrics of summaries.
//!
//! An answer is to its passages what a summary is to its article, so the judges of summaries read
//! it, and the same evidence is counted: [`crate::summary`].

use assize_score::arithmetic::complement;
use assize_score::{Explained, MethodVersion, Outcome, Verdict, Working};

use crate::summary::evidence::Evidence;
use crate::summary::metrics::Unscored;
use crate::summary::twin_lock::{hallucination, relevance};

/// This method; the number counts up with every change that can move a value.
pub const METHOD: MethodVersion = MethodVersion::new("retrieval-answers", 1);

/// The names of the two values.
pub const NAMES: [&str; 2] = ["faithfulness", "answer_relevance"];

/// The share of the answer's claims that the passages back, half for one backed in part; and the
/// mean worth of its segments, by how much each has in common with the passages.
pub fn score<N: Working>(evidence: &Evidence) -> Result<[N; 2], Unscored> {
    let none = Unscored("the judge did not read the answer");
    let claims = evidence.hallucination.as_ref().ok_or(none)?;
    let segments = evidence.relevance.as_ref().ok_or(none)?;
    let unsupported = hallucination::score::<N>(claims).unsupported_fraction?;
    let overlap = relevance::score::<N>(segments).section_overlap?;
    Ok([complement(NAMES[0], unsupported), overlap.named(NAMES[1])])
}

/// Both values with their workings, or why there are none.
pub fn explain(evidence: &Evidence) -> Verdict {
    let outcomes = match score::<Explained>(evidence) {
        Ok(values) => values.map(Outcome::from),
        Err(Unscored(reason)) => [Outcome::unscored(reason), Outcome::unscored(reason)],
    };
    let scores = NAMES.into_iter().map(Into::into).zip(outcomes).collect();
    Verdict { method: METHOD, scores, findings: evidence.findings.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::{SummaryPair, rules, twin_lock};

    /// The passages say one of the two, and nothing of the other.
    #[test]
    fn half_of_the_claims_in_the_passages_is_half_faithful() {
        let passages = "The tenant pays the rent on the first day of each month.";
        let answer = "The tenant pays the rent on the first day of each month. The harbour office \
                      sells fresh oysters to visitors in Lisbon.";
        let pair = SummaryPair::new(passages, answer).unwrap();
        let evidence = rules::judge(&pair, &twin_lock::LIMITS);
        assert_eq!(evidence.hallucination.as_ref().unwrap().claims.len(), 2);
        let [faithfulness, relevance] = score::<f64>(&evidence).unwrap();
        assert_eq!((faithfulness, relevance), (0.5, 0.5));
        let verdict = explain(&evidence);
        assert_eq!(verdict.scores[0].0, "faithfulness");
    }
}
