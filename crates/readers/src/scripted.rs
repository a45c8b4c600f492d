//! A reader for tests of judges: it says what it was told to, and finds statements by words.

use crate::reading::{Candidate, Entailed, Pair, Reader, Shares, Statement};
use crate::shortlist::StatementWords;
use crate::{Identity, RUNTIME_VERSION, Result};

/// A reader without a model. What it was not told is left open.
#[derive(Debug, Default, Clone)]
pub struct ScriptedReader {
    said: Vec<ScriptedAnswer>,
}

#[derive(Debug, Clone)]
struct ScriptedAnswer {
    premise: String,
    hypothesis: String,
    shares: Shares,
}

/// What is said of a pair that nothing was told of.
const OPEN: Shares = Shares { stated: 0.0, open: 1.0, denied: 0.0 };

impl ScriptedReader {
    /// A reader that leaves everything open.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says these shares (stated, open, denied) of every pair whose texts contain these; what was
    /// told first counts.
    #[must_use]
    pub fn says(mut self, premise: &str, hypothesis: &str, shares: [f32; 3]) -> Self {
        let [stated, open, denied] = shares;
        let (premise, hypothesis) = (premise.to_owned(), hypothesis.to_owned());
        self.said.push(ScriptedAnswer {
            premise,
            hypothesis,
            shares: Shares { stated, open, denied },
        });
        self
    }

    fn shares(&self, pair: &Pair<'_>) -> Shares {
        let told = self.said.iter().find(|said| {
            pair.premise.contains(&said.premise) && pair.hypothesis.contains(&said.hypothesis)
        });
        told.map_or(OPEN, |said| said.shares)
    }
}

impl Reader for ScriptedReader {
    fn identities(&self) -> Vec<Identity> {
        let (name, runtime) = ("scripted".to_owned(), RUNTIME_VERSION.to_owned());
        vec![Identity { name, revision: None, sha256: "0".repeat(64), runtime }]
    }

    fn shortlist(
        &self,
        parts: &[&str],
        statements: &[Statement<'_>],
        most: usize,
    ) -> Result<Vec<Vec<Candidate>>> {
        let words = StatementWords::new(statements);
        let ranked = parts.iter().map(|part| {
            let mut ranking = words.ranking(part, most);
            (0..statements.len()).for_each(|statement| ranking.offer(statement, None));
            ranking.candidates()
        });
        Ok(ranked.collect())
    }

    fn entail(&self, pairs: &[Pair<'_>]) -> Result<Vec<Entailed>> {
        let read =
            |pair| Entailed { shares: self.shares(pair), notes: Vec::new(), looked_up: false };
        Ok(pairs.iter().map(read).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_told_is_left_open() {
        let reader = ScriptedReader::new().says("never", "", [0.0, 0.0, 1.0]).says(
            "",
            "tested",
            [1.0, 0.0, 0.0],
        );
        let shares = |premise, hypothesis| {
            let read = reader.entail(&[Pair { premise, hypothesis }]).unwrap();
            (read[0].shares.stated, read[0].shares.denied)
        };
        assert_eq!(shares("They are never tested.", "They are tested."), (0.0, 1.0));
        assert_eq!(shares("Every year.", "They are tested."), (1.0, 0.0));
        assert_eq!(shares("Every year.", "They are kept."), (0.0, 0.0));
    }
}
