//! Which output of a classifier says that a text is stated, denied or left open: by name.

use std::collections::BTreeMap;
use std::path::Path;

use super::functions::softmax;
use crate::reading::Shares;
use crate::{ReaderError, Result};

/// What a label means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Meaning {
    Stated,
    Open,
    Denied,
    /// Open or denied: models with two labels do not tell.
    NotStated,
}

/// The meaning of each output, in the order of the outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Labels(Vec<Meaning>);

impl Labels {
    /// Reads `id2label`; `file` is where it stands.
    pub(super) fn read(
        file: &Path,
        named: &BTreeMap<String, String>,
        outputs: usize,
    ) -> Result<Self> {
        let wrong = |problem: String| ReaderError::wrong(file, problem);
        if !(2..=3).contains(&outputs) || named.len() != outputs {
            let labels = named.len();
            return Err(wrong(format!(
                "{outputs} outputs and {labels} names of labels; an entailment model has 2 or 3 of \
                 both"
            )));
        }
        let meanings = (0..outputs).map(|number| {
            let name = named
                .get(&number.to_string())
                .ok_or_else(|| wrong(format!("the label {number} has no name")))?;
            meaning(name).ok_or_else(|| {
                wrong(format!(
                    "the label `{name}` says neither entailment nor contradiction nor neutral"
                ))
            })
        });
        let meanings = meanings.collect::<Result<Vec<_>, _>>()?;
        let mut sorted = meanings.clone();
        sorted.sort_unstable();
        let whole = sorted == [Meaning::Stated, Meaning::Open, Meaning::Denied]
            || sorted == [Meaning::Stated, Meaning::NotStated];
        if !whole {
            let listed = named.values().map(String::as_str).collect::<Vec<_>>().join(", ");
            return Err(wrong(format!(
                "the labels {listed} are neither entailment, neutral and contradiction nor stated \
                 and not stated"
            )));
        }
        Ok(Self(meanings))
    }

    /// How many outputs there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The shares of the three meanings. What two labels call not stated is left open.
    pub(super) fn shares(&self, logits: &[f32]) -> Shares {
        let mut values = logits.to_vec();
        softmax(&mut values);
        let share = |wanted: &[Meaning]| {
            let found = self.0.iter().zip(&values).filter(|(one, _)| wanted.contains(one));
            found.map(|(_, value)| *value).sum()
        };
        Shares {
            stated: share(&[Meaning::Stated]),
            open: share(&[Meaning::Open, Meaning::NotStated]),
            denied: share(&[Meaning::Denied]),
        }
    }
}

/// What a label's name means, whatever its case and its signs.
fn meaning(name: &str) -> Option<Meaning> {
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    match letters.to_ascii_lowercase().as_str() {
        "entailment" | "entailed" | "entail" | "entails" | "stated" | "supported" | "supports"
        | "support" | "consistent" | "factual" | "aligned" | "grounded" => Some(Meaning::Stated),
        "neutral" | "open" | "unknown" | "notenoughinfo" | "nei" => Some(Meaning::Open),
        "contradiction" | "contradicted" | "contradict" | "contradicts" | "denied" | "refuted"
        | "refutes" => Some(Meaning::Denied),
        "notentailment" | "notentailed" | "notstated" | "unsupported" | "notsupported"
        | "inconsistent" | "notconsistent" | "nonfactual" | "notfactual" | "hallucinated"
        | "hallucination" | "notaligned" | "ungrounded" | "notgrounded" => Some(Meaning::NotStated),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(names: &[&str]) -> Result<Labels, String> {
        let listed = names
            .iter()
            .zip(0..)
            .map(|(name, number): (_, usize)| (number.to_string(), (*name).to_owned()));
        Labels::read(Path::new("config.json"), &listed.collect(), names.len())
            .map_err(|error| error.to_string())
    }

    /// Logits of ln 1, ln 2 and ln 5 are shares of 1/8, 2/8 and 5/8.
    #[test]
    fn labels_are_read_by_name_and_not_by_place() {
        let logits = [0.0, std::f32::consts::LN_2, 1.609_438];
        let near = |found: Shares, expected: [f32; 3]| {
            let found = [found.stated, found.open, found.denied];
            let near = found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-6);
            assert!(near, "{found:?}");
        };
        let three = read(&["contradiction", "entailment", "neutral"]).unwrap();
        near(three.shares(&logits), [0.25, 0.625, 0.125]);
        let other = read(&["ENTAILMENT", "NEUTRAL", "CONTRADICTION"]).unwrap();
        near(other.shares(&logits), [0.125, 0.25, 0.625]);
        let two = read(&["not_entailment", "entailment"]).unwrap();
        near(two.shares(&[0.0, LN_3]), [0.75, 0.25, 0.0]);
    }

    const LN_3: f32 = 1.098_612_3;

    #[test]
    fn labels_that_nobody_can_name_are_refused() {
        let unnamed = read(&["LABEL_0", "LABEL_1"]).unwrap_err();
        assert!(unnamed.contains("the label `LABEL_0` says neither"), "{unnamed}");
        let twice = read(&["entailment", "entailment", "neutral"]).unwrap_err();
        assert!(twice.contains("are neither entailment, neutral and contradiction"), "{twice}");
        let half = read(&["neutral", "contradiction"]).unwrap_err();
        assert!(half.contains("are neither"), "{half}");
        let five = read(&["1 star", "2", "3", "4", "5"]).unwrap_err();
        assert!(five.contains("5 outputs and 5 names of labels"), "{five}");
    }
}
