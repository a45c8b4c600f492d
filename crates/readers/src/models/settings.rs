//! What the files beside an encoder say about it: what is read of a text, and what is made of it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::config::{Config, needed, optional};
use super::functions::sum;
use crate::{ReaderError, Result};

/// What is read of a text where the folder does not say: what sentence-transformers reads.
const TOKENS_MAX: usize = 512;
/// A mark at each end, and at least one token between them.
const TOKENS_MIN: usize = 3;

/// What is read of a text, and what is made of the last layer.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) pooling: Pooling,
    pub(super) to_length_one: bool,
    pub(super) tokens_max: usize,
    pub(super) question_prompt: Option<String>,
    pub(super) passage_prompt: Option<String>,
}

/// How the vectors of tokens become that of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pooling {
    Mean,
    /// Their sum over the root of their number.
    MeanOfRoot,
    /// That of the mark before the text.
    First,
    /// The largest of each number.
    Largest,
}

impl Pooling {
    /// The vector of a text whose tokens have these.
    pub(super) fn of(self, rows: &[f32], width: usize) -> Vec<f32> {
        let count = (rows.len() / width) as f32;
        let column = |number: usize| rows.iter().skip(number).step_by(width).copied();
        let total = |number: usize| sum(&column(number).collect::<Vec<f32>>());
        match self {
            Self::First => rows[..width].to_vec(),
            Self::Mean => (0..width).map(|number| total(number) / count).collect(),
            Self::MeanOfRoot => (0..width).map(|number| total(number) / count.sqrt()).collect(),
            Self::Largest => {
                (0..width).map(|number| column(number).fold(f32::NEG_INFINITY, f32::max)).collect()
            }
        }
    }
}

/// An entry of `modules.json`
#[derive(Deserialize)]
struct Module {
    path: String,
    #[serde(rename = "type")]
    kind: String,
}

/// `sentence_bert_config.json`
#[derive(Deserialize)]
struct Reading {
    max_seq_length: Option<usize>,
}

/// `config_sentence_transformers.json`
#[derive(Deserialize)]
struct Prompts {
    #[serde(default)]
    prompts: BTreeMap<String, String>,
}

/// `config.json` of the pooling, with a flag for each way or the name of one.
#[derive(Deserialize)]
struct PoolingConfig {
    #[serde(default)]
    pooling_mode: Option<String>,
    #[serde(flatten)]
    others: BTreeMap<String, serde_json::Value>,
}

impl Settings {
    /// Reads the files of a folder.
    pub(super) fn read(folder: &Path, config: &Config) -> Result<Self> {
        let file = folder.join("sentence_bert_config.json");
        let reading: Option<Reading> = optional(&file)?;
        let asked = reading.and_then(|reading| reading.max_seq_length).unwrap_or(TOKENS_MAX);
        let tokens_max = asked.min(config.tokens_max());
        if tokens_max < TOKENS_MIN {
            let problem = format!("{tokens_max} tokens are no text");
            return Err(ReaderError::wrong(folder.join("config.json"), problem));
        }
        let (pooling, to_length_one) = modules(folder)?;
        let prompts: Option<Prompts> = optional(&folder.join("config_sentence_transformers.json"))?;
        let mut prompts = prompts.map(|prompts| prompts.prompts).unwrap_or_default();
        let mut prompt = |names: [&str; 2]| {
            let found = names.iter().find_map(|name| prompts.remove(*name));
            found.filter(|prompt| !prompt.is_empty())
        };
        let question_prompt = prompt(["query", "question"]);
        let passage_prompt = prompt(["passage", "document"]);
        Ok(Self { pooling, to_length_one, tokens_max, question_prompt, passage_prompt })
    }
}

/// What follows the model: sentence-transformers takes the mean where nothing is said.
fn modules(folder: &Path) -> Result<(Pooling, bool)> {
    let file = folder.join("modules.json");
    let Some(modules) = optional::<Vec<Module>>(&file)? else { return Ok((Pooling::Mean, false)) };
    let (mut pooling, mut to_length_one) = (Pooling::Mean, false);
    for module in modules {
        match module.kind.rsplit('.').next().unwrap_or_default() {
            "Transformer" => {}
            "Pooling" => pooling = pooling_of(&folder.join(&module.path).join("config.json"))?,
            "Normalize" => to_length_one = true,
            other => {
                return Err(ReaderError::other_kind(file, format!("a module `{other}`")));
            }
        }
    }
    Ok((pooling, to_length_one))
}

fn pooling_of(file: &Path) -> Result<Pooling> {
    let config: PoolingConfig = needed(file)?;
    let flags = config.others.iter().filter(|(_, on)| **on == serde_json::Value::Bool(true));
    let flagged = flags.filter_map(|(name, _)| name.strip_prefix("pooling_mode_"));
    let named: Vec<&str> = match &config.pooling_mode {
        Some(mode) => vec![mode],
        None => flagged.collect(),
    };
    match named[..] {
        [] | ["mean" | "mean_tokens"] => Ok(Pooling::Mean),
        ["cls" | "cls_token"] => Ok(Pooling::First),
        ["max" | "max_tokens"] => Ok(Pooling::Largest),
        ["mean_sqrt_len_tokens"] => Ok(Pooling::MeanOfRoot),
        _ => Err(ReaderError::other_kind(file, format!("pooling by {}", named.join(" and ")))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_pooled_in_every_way() {
        let rows = [1.0, 8.0, 3.0, 2.0, 2.0, 2.0, 6.0, 0.0];
        assert_eq!(Pooling::Mean.of(&rows, 2), [3.0, 3.0]);
        assert_eq!(Pooling::MeanOfRoot.of(&rows, 2), [6.0, 6.0]);
        assert_eq!(Pooling::First.of(&rows, 2), [1.0, 8.0]);
        assert_eq!(Pooling::Largest.of(&rows, 2), [6.0, 8.0]);
    }
}
