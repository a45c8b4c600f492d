//! Measures of passages as people write them.

use std::num::NonZeroUsize;

use assize_methods::retrieval::answers;
use assize_methods::retrieval::passages::measures::context;

use super::{ScoreError, ScoreRequest};
use crate::retrieval::passages::Besides;

impl ScoreRequest {
    /// The numbers of passages that the measures name, in their order; that of the request where
    /// a measure names none, or nobody asks for any.
    pub(super) fn passage_ks(&self) -> Vec<NonZeroUsize> {
        let at =
            |measure: &String| measure.rsplit_once('@').and_then(|(_, k)| k.trim().parse().ok());
        let mut ks: Vec<NonZeroUsize> = Vec::new();
        for measure in &self.measures {
            for k in at(measure).map_or_else(|| self.k.all(), |k| vec![k]) {
                if !ks.contains(&k) {
                    ks.push(k);
                }
            }
        }
        if ks.is_empty() { self.k.all() } else { ks }
    }

    /// What is only computed where somebody asks for it.
    pub(super) fn besides(&self) -> Besides {
        let all = || self.measures.iter().chain(&self.also);
        let asks = |names: &[&str]| all().any(|asked| names.contains(&&*passage_measure(asked)));
        Besides { contexts: asks(&context::NAMES), answers: asks(&answers::NAMES) }
    }

    /// The measures that were asked for, each once, if passages have them.
    pub(super) fn passage_measures(&self, names: &[&str]) -> Result<Vec<String>, ScoreError> {
        let mut chosen: Vec<String> = Vec::new();
        for asked in &self.measures {
            let measure = passage_measure(asked);
            let bare: Vec<String> = self.k.all().iter().map(|k| format!("{measure}@{k}")).collect();
            let is_meant = |name: &&&str| **name == measure || bare.iter().any(|one| one == *name);
            let found: Vec<&&str> = names.iter().filter(is_meant).collect();
            if found.is_empty() {
                return Err(ScoreError::NoMeasure {
                    measure: asked.clone(),
                    known: names.iter().map(ToString::to_string).collect(),
                });
            }
            for found in found {
                if !chosen.iter().any(|one| one == found) {
                    chosen.push((*found).to_owned());
                }
            }
        }
        Ok(chosen)
    }
}

/// The names in lists with commas between them; a comma inside parentheses does not separate them.
pub(super) fn split_list(lists: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for list in lists {
        let mut depth = 0_usize;
        let parts = list.split(|letter: char| {
            match letter {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            letter == ',' && depth == 0
        });
        names.extend(parts.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()));
    }
    names
}

/// What passages call a measure that goes by other names elsewhere.
fn passage_measure(asked: &str) -> String {
    let (name, at) = asked.split_once('@').map_or((asked, None), |(name, at)| (name, Some(at)));
    let name = name.trim().to_ascii_lowercase().replace([' ', '-'], "_");
    let name = match name.as_str() {
        "em" => "exact_match",
        "f1" | "token_f1" => "span_f1",
        "r" | "context_recall" => "recall",
        "groundedness" => answers::NAMES[0],
        other => other,
    };
    at.map_or_else(|| name.to_owned(), |at| format!("{name}@{}", at.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_within_brackets_parts_nothing() {
        let lists = ["ndcg@10, P(rel=2)@5".to_owned(), "ndcg(1=0,2=3)@5,map".to_owned()];
        assert_eq!(split_list(&lists), ["ndcg@10", "P(rel=2)@5", "ndcg(1=0,2=3)@5", "map"]);
    }

    #[test]
    fn measures_of_passages_go_by_the_names_people_know() {
        for (asked, ours) in [
            ("nDCG@3", "ndcg@3"),
            ("context recall@5", "recall@5"),
            ("R@5", "recall@5"),
            ("EM", "exact_match"),
            ("token-f1", "span_f1"),
        ] {
            assert_eq!(passage_measure(asked), ours);
        }
    }

    #[test]
    fn every_number_of_passages_that_is_named_is_scored() {
        let ks = |measures: &[&str]| -> Vec<usize> {
            let measures = measures.iter().map(ToString::to_string).collect();
            let request = ScoreRequest { measures, ..ScoreRequest::default() };
            request.passage_ks().into_iter().map(NonZeroUsize::get).collect()
        };
        assert_eq!(ks(&[]), [10]);
        assert_eq!(ks(&["recall@1", "ndcg@3", "recall@3"]), [1, 3]);
        assert_eq!(ks(&["span_f1", "recall@5"]), [10, 5]);
        let request = ScoreRequest { k: "10,3".parse().unwrap(), ..ScoreRequest::default() };
        let all: Vec<usize> = request.passage_ks().into_iter().map(NonZeroUsize::get).collect();
        assert_eq!(all, [10, 3]);
    }
}
