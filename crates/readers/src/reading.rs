//! What judges see of a reader: statements in, candidates and shares out, with lines for a ledger.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use crate::{Identity, Result};

/// How many statements a judge has read for one part of a requirement, unless it asks for more.
pub const STATEMENTS_PER_PART: usize = 4;

/// A statement of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement<'a> {
    pub text: &'a str,
    /// The heading it stands under, which often names what it is about.
    pub heading: Option<&'a str>,
}

/// Whether `premise` states `hypothesis`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair<'a> {
    /// What the document says.
    pub premise: &'a str,
    /// What it is to be read for.
    pub hypothesis: &'a str,
}

/// How sure a model is of each of three answers; together 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Shares {
    /// The premise states the hypothesis.
    pub stated: f32,
    /// The premise leaves it open. Models with two labels put denials here too.
    pub open: f32,
    /// The premise denies it.
    pub denied: f32,
}

/// A statement that may be about a part, and why it was chosen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Candidate {
    /// Its index among the statements.
    pub statement: usize,
    /// The cosine of its meaning with that of the part; nothing without an encoder.
    pub cosine: Option<f32>,
    /// The share of the part's words that it has, rare words counting more.
    pub words: f32,
    /// Whether it has a figure of the part.
    pub figure: bool,
}

/// What a reader says of one pair.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entailed {
    /// The three shares.
    pub shares: Shares,
    /// What a ledger must say besides: where a text was cut.
    pub notes: Vec<String>,
    /// Whether it was read before and only looked up.
    pub looked_up: bool,
}

/// Something that finds statements and decides entailment.
///
/// The same input gives the same result, whatever stands beside it.
pub trait Reader: Debug + Send + Sync {
    /// The models behind it: part of the version of every method that uses them.
    fn identities(&self) -> Vec<Identity>;

    /// For each part the statements that may be about it, the likeliest first and at most `most`.
    fn shortlist(
        &self,
        parts: &[&str],
        statements: &[Statement<'_>],
        most: usize,
    ) -> Result<Vec<Vec<Candidate>>>;

    /// What each premise says of its hypothesis, in order.
    fn entail(&self, pairs: &[Pair<'_>]) -> Result<Vec<Entailed>>;
}

impl Statement<'_> {
    /// The statement under its heading, as it is read.
    pub fn with_heading(&self) -> String {
        match self.heading.map(str::trim).filter(|heading| !heading.is_empty()) {
            Some(heading) => format!("{heading}: {}", self.text),
            None => self.text.to_owned(),
        }
    }
}

impl Candidate {
    /// A line for a ledger: which statement, and why.
    pub fn line(&self, rank: usize) -> String {
        let words = f64::from(self.words) * 100.0;
        let statement = self.statement + 1;
        let mut line = match self.cosine {
            Some(cosine) => {
                format!("{rank}. statement {statement}: nearness {cosine:.3}, words {words:.0} %")
            }
            None => format!("{rank}. statement {statement}: words {words:.0} %"),
        };
        if self.figure {
            line.push_str(", a figure of the part");
        }
        line
    }
}

impl Entailed {
    /// A line for a ledger: the three shares and what must be said besides.
    pub fn line(&self) -> String {
        let Shares { stated, open, denied } = self.shares;
        let mut line = format!("stated {stated:.3}, open {open:.3}, denied {denied:.3}");
        for note in &self.notes {
            line.push_str("; ");
            line.push_str(note);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ledger_lines_say_what_was_seen_and_why() {
        let candidate = Candidate { statement: 2, cosine: Some(0.61), words: 0.5, figure: true };
        let line = "1. statement 3: nearness 0.610, words 50 %, a figure of the part";
        assert_eq!(candidate.line(1), line);
        let plain = Candidate { cosine: None, figure: false, ..candidate };
        assert_eq!(plain.line(2), "2. statement 3: words 50 %");
        let shares = Shares { stated: 0.9, open: 0.0904, denied: 0.0096 };
        let note = "the premise was cut".to_owned();
        let entailed = Entailed { shares, notes: vec![note], looked_up: false };
        assert_eq!(entailed.line(), "stated 0.900, open 0.090, denied 0.010; the premise was cut");
    }

    #[test]
    fn an_empty_heading_is_no_heading() {
        let of = |heading| Statement { text: "Yes.", heading }.with_heading();
        assert_eq!((of(None).as_str(), of(Some(" ")).as_str()), ("Yes.", "Yes."));
        assert_eq!(of(Some("Backups ")), "Backups: Yes.");
    }
}
