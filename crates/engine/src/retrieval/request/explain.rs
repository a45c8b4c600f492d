//! How the numbers of one query were computed.

use assize_score::Verdict;

use super::board::ranked_values;
use super::{Inputs, ScoreError, ScoreRequest};
use crate::retrieval::detect::Contents;
use crate::retrieval::passages::{self, QuerySelector};
use crate::retrieval::ranked::{self, Qrels, Relevant, Run};

/// So many relevant documents that were not retrieved are named.
const MISSING_SHOWN: usize = 10;

/// A query and what is said about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// Which query.
    pub title: String,
    /// Its numbers with their workings.
    pub verdicts: Vec<Verdict>,
    /// The passages that were looked at, best first; none where only documents are ranked.
    pub passages: Vec<String>,
    /// The gold snippets.
    pub gold: Vec<String>,
    /// What should have been found and was not, within the cutoff of the measures.
    pub missed: Vec<Missed>,
    /// The relevant documents of a ranked run, in words: where each stands, or that it does not.
    pub documents: Vec<String>,
}

/// A gold snippet, or a relevant document, that a query did not find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missed {
    /// The document; empty for a snippet.
    pub name: String,
    /// The snippet, or the document and where it stands.
    pub words: String,
}

impl ScoreRequest {
    /// The ledger of one query, found by its place (1, 2, …), identifier or text.
    pub fn explain(&self, inputs: Inputs<'_>, query: &str) -> Result<Explained, ScoreError> {
        let by_place: QuerySelector = query.parse().unwrap_or_else(|never| match never {});
        self.explained(inputs, &by_place, |qrels| judged_query(qrels, query))
    }

    /// The same by identifier or text alone. Programs ask for what they have at hand: a query `2`
    /// that is not there must not become the second one.
    pub fn explain_named(&self, inputs: Inputs<'_>, query: &str) -> Result<Explained, ScoreError> {
        let by_text = QuerySelector::Text(query.to_owned());
        self.explained(inputs, &by_text, |_| query.to_owned())
    }

    fn explained(
        &self,
        inputs: Inputs<'_>,
        of_passages: &QuerySelector,
        of_qrels: impl FnOnce(&Qrels) -> String,
    ) -> Result<Explained, ScoreError> {
        let request = self.checked()?;
        let ids = inputs.by_identifier()?;
        let inputs = ids.as_ref().map_or(inputs, |(run, gold)| Inputs::Values(run, gold));
        let place = inputs.gold_in_folder()?;
        let inputs = inputs.with_gold(place.as_deref());
        match request.contents(inputs)? {
            Contents::Passages => request.explain_passages(inputs, of_passages),
            Contents::Ranked => request.explain_ranked(inputs, of_qrels),
        }
    }

    fn explain_passages(
        &self,
        inputs: Inputs<'_>,
        selector: &QuerySelector,
    ) -> Result<Explained, ScoreError> {
        let mut options = self.passage_options();
        if let Some(k) = self.passage_ks().first() {
            options.passages.k = *k;
        }
        let (run, gold) = self.passage_sources(inputs)?;
        let mut found = passages::explain_sources(&run, &gold, &options, selector)?;
        if !self.measures.is_empty() {
            let all = found.verdicts.iter().flat_map(|verdict| &verdict.scores);
            let names: Vec<&str> = all.map(|(name, _)| name.as_ref()).collect();
            let chosen = self.passage_measures(&names)?;
            for verdict in &mut found.verdicts {
                verdict.scores.retain(|(name, _)| chosen.iter().any(|one| one == name));
            }
        }
        let title = format!("Query {}: {}", found.number, found.query);
        let passages::Explanation { verdicts, passages, gold, missed, .. } = found;
        let missed = missed.into_iter().map(|words| Missed { name: String::new(), words });
        let (missed, documents) = (missed.collect(), Vec::new());
        Ok(Explained { title, verdicts, passages, gold, missed, documents })
    }

    fn explain_ranked(
        &self,
        inputs: Inputs<'_>,
        query: impl FnOnce(&Qrels) -> String,
    ) -> Result<Explained, ScoreError> {
        let read;
        let (run, qrels) = match inputs {
            Inputs::Ranked(run, qrels) => (run, qrels),
            Inputs::Files(run, gold) => {
                let (of_gold, of_run) = self.readings(gold, &[run])?;
                let qrels = Qrels::load(gold, &of_gold)?;
                read = (Run::load(run, &of_run[0])?, qrels);
                (&read.0, &read.1)
            }
            Inputs::Values(run, gold) => {
                read = ranked_values(run, gold)?;
                (&read.0, &read.1)
            }
        };
        let query = query(qrels);
        let (measures, options) = (self.ranked_measures()?, self.ranked_options());
        let verdict = ranked::explain(run, qrels, &query, &measures, &options)?;
        let (title, verdicts) = (format!("Query {query}"), vec![verdict]);
        let relevant = ranked::relevant(run, qrels, &query, &options)?;
        let (documents, missed) = (in_words(&relevant), self.missed(relevant));
        let (passages, gold) = (Vec::new(), Vec::new());
        Ok(Explained { title, verdicts, passages, gold, missed, documents })
    }
}

impl ScoreRequest {
    /// The relevant documents that stand below the cutoff of the first measure, or nowhere.
    fn missed(&self, relevant: Relevant) -> Vec<Missed> {
        let cutoff =
            self.measures.first().and_then(|measure| measure.rsplit_once('@')?.1.parse().ok());
        let cutoff: usize = cutoff.unwrap_or(usize::MAX);
        let below = relevant.retrieved.into_iter().filter(|(_, rank, _)| *rank > cutoff);
        let below = below.map(|(name, rank, _)| {
            let words = format!("{name} at rank {rank}");
            Missed { name, words }
        });
        let nowhere = relevant.missing.into_iter().map(|(name, _)| {
            let words = format!("{name} not retrieved");
            Missed { name, words }
        });
        below.chain(nowhere).collect()
    }
}

/// Where each relevant document stands, and which were not retrieved.
fn in_words(relevant: &Relevant) -> Vec<String> {
    let retrieved = relevant.retrieved.iter();
    let mut lines: Vec<String> = retrieved
        .map(|(name, rank, level)| format!("{name} at rank {rank} (level {level})"))
        .collect();
    let missing = relevant.missing.iter().take(MISSING_SHOWN);
    lines.extend(missing.map(|(name, level)| format!("{name} not retrieved (level {level})")));
    let more = relevant.missing.len().saturating_sub(MISSING_SHOWN);
    if more > 0 {
        lines.push(format!("and {more} more that were not retrieved"));
    }
    lines
}

/// A query by its identifier, or by its place among the judged queries, from 1.
fn judged_query(qrels: &Qrels, asked: &str) -> String {
    let known = qrels.queries().any(|query| query == asked);
    let place = asked.parse::<usize>().ok().and_then(|place| place.checked_sub(1));
    match place {
        Some(place) if !known => qrels.queries().nth(place).unwrap_or_else(|| asked.to_owned()),
        _ => asked.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_query_only_where_places_are_asked_for() {
        let qrels = Qrels::from_judgements([("7", "a", 1), ("8", "a", 1)]).unwrap();
        let run = Run::from_scores("r", [("7", "a", 1.0), ("8", "a", 1.0)]);
        let (request, inputs) = (ScoreRequest::default(), Inputs::Ranked(&run, &qrels));
        assert_eq!(request.explain(inputs, "2").unwrap().title, "Query 8");
        let error = request.explain_named(inputs, "2").unwrap_err();
        assert_eq!(error.to_string(), "query `2` is not in the qrels");
        assert_eq!(request.explain_named(inputs, "8").unwrap().title, "Query 8");
    }
}
