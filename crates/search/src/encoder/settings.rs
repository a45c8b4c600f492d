//! What the files beside a model say about it.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::EncoderError;
use super::functions::{Activation, sum};

/// What is read of a text where the folder does not say: what sentence-transformers reads.
const PIECES_MAX: usize = 512;
/// A mark at each end, and at least one piece between them.
const PIECES_MIN: usize = 3;

/// How large a model is, and what is made of its last layer.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) width: usize,
    pub(super) inner: usize,
    pub(super) layers: usize,
    pub(super) heads: usize,
    pub(super) places: usize,
    pub(super) kinds: usize,
    pub(super) vocabulary_size: usize,
    pub(super) epsilon: f32,
    pub(super) activation: Activation,
    pub(super) pooling: Pooling,
    pub(super) to_length_one: bool,
    pub(super) pieces_max: usize,
    pub(super) question_prompt: Option<String>,
}

/// How the vectors of pieces become that of the text.
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
    /// The vector of a text whose pieces have these.
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

/// `config.json`
#[derive(Deserialize)]
struct Config {
    #[serde(default)]
    model_type: String,
    hidden_size: usize,
    intermediate_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    max_position_embeddings: usize,
    #[serde(default = "two")]
    type_vocab_size: usize,
    vocab_size: usize,
    #[serde(default = "tiny")]
    layer_norm_eps: f32,
    hidden_act: String,
    #[serde(default)]
    position_embedding_type: Option<String>,
}

fn two() -> usize {
    2
}

fn tiny() -> f32 {
    1e-12
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
    pub(super) fn read(folder: &Path) -> Result<Self, EncoderError> {
        let file = folder.join("config.json");
        let config: Config = needed(&file)?;
        let kind = config.model_type.as_str();
        if kind != "bert" {
            return Err(EncoderError::other_kind(file, format!("a model of the kind `{kind}`")));
        }
        let positions = config.position_embedding_type.as_deref().unwrap_or("absolute");
        if positions != "absolute" {
            return Err(EncoderError::other_kind(file, format!("`{positions}` positions")));
        }
        let Some(activation) = Activation::named(&config.hidden_act) else {
            return Err(EncoderError::other_kind(file, format!("`{}`", config.hidden_act)));
        };
        let (width, heads) = (config.hidden_size, config.num_attention_heads);
        if width == 0 || heads == 0 || width % heads != 0 || config.type_vocab_size == 0 {
            let problem = format!("{width} numbers cannot be shared among {heads} heads");
            return Err(EncoderError::wrong(file, problem));
        }
        let reading: Option<Reading> = optional(&folder.join("sentence_bert_config.json"))?;
        let asked = reading.and_then(|reading| reading.max_seq_length).unwrap_or(PIECES_MAX);
        let pieces_max = asked.min(config.max_position_embeddings);
        if pieces_max < PIECES_MIN {
            let problem = format!("{pieces_max} word pieces are no text");
            return Err(EncoderError::wrong(file, problem));
        }
        let (pooling, to_length_one) = modules(folder)?;
        let prompts: Option<Prompts> = optional(&folder.join("config_sentence_transformers.json"))?;
        let prompt = prompts.and_then(|mut prompts| prompts.prompts.remove("query"));
        Ok(Self {
            width,
            inner: config.intermediate_size,
            layers: config.num_hidden_layers,
            heads,
            places: config.max_position_embeddings,
            kinds: config.type_vocab_size,
            vocabulary_size: config.vocab_size,
            epsilon: config.layer_norm_eps,
            activation,
            pooling,
            to_length_one,
            pieces_max,
            question_prompt: prompt.filter(|prompt| !prompt.is_empty()),
        })
    }
}

/// What follows the model: sentence-transformers takes the mean where nothing is said.
fn modules(folder: &Path) -> Result<(Pooling, bool), EncoderError> {
    let file = folder.join("modules.json");
    let Some(modules) = optional::<Vec<Module>>(&file)? else { return Ok((Pooling::Mean, false)) };
    let (mut pooling, mut to_length_one) = (Pooling::Mean, false);
    for module in modules {
        match module.kind.rsplit('.').next().unwrap_or_default() {
            "Transformer" => {}
            "Pooling" => pooling = pooling_of(&folder.join(&module.path).join("config.json"))?,
            "Normalize" => to_length_one = true,
            other => {
                return Err(EncoderError::other_kind(file, format!("a module `{other}`")));
            }
        }
    }
    Ok((pooling, to_length_one))
}

fn pooling_of(file: &Path) -> Result<Pooling, EncoderError> {
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
        _ => Err(EncoderError::other_kind(file, format!("pooling by {}", named.join(" and ")))),
    }
}

/// A JSON file that must be there.
pub(super) fn needed<T: DeserializeOwned>(file: &Path) -> Result<T, EncoderError> {
    let missing = || EncoderError::Unreadable {
        file: PathBuf::from(file),
        source: std::io::Error::from(ErrorKind::NotFound),
    };
    optional(file)?.ok_or_else(missing)
}

/// A JSON file that may be missing.
pub(super) fn optional<T: DeserializeOwned>(file: &Path) -> Result<Option<T>, EncoderError> {
    let bytes = match fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(EncoderError::Unreadable { file: file.to_owned(), source }),
    };
    let read = serde_json::from_slice(&bytes);
    read.map(Some).map_err(|error| EncoderError::wrong(file, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_pooled_in_every_way() {
        let rows = [1.0, 8.0, 3.0, 2.0, 2.0, 2.0, 6.0, 0.0];
        assert_eq!(Pooling::Mean.of(&rows, 2), [3.0, 3.0]);
        assert_eq!(Pooling::MeanOfRoot.of(&rows, 2), [6.0, 6.0]);
        assert_eq!(Pooling::First.of(&rows, 2), [1.0, 8.0]);
        assert_eq!(Pooling::Largest.of(&rows, 2), [6.0, 8.0]);
    }
}
