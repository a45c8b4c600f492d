//! What `config.json` says of a model: its architecture and how large its parts are.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::functions::Activation;
use crate::{ReaderError, Result};

/// A JSON file beside a model; `tokenizer.json` has its own limit.
const JSON_BYTES_MAX: u64 = 16_000_000;

/// The architectures that can be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Architecture {
    Bert,
    /// RoBERTa, and XLM-R, which differs in its tokens only.
    Roberta,
    Mpnet,
    DebertaV2,
}

/// The parts of `config.json` that have a say in a result.
#[derive(Debug, Deserialize)]
pub(super) struct Config {
    #[serde(default)]
    model_type: String,
    pub(super) hidden_size: usize,
    pub(super) intermediate_size: usize,
    pub(super) num_hidden_layers: usize,
    pub(super) num_attention_heads: usize,
    pub(super) max_position_embeddings: usize,
    type_vocab_size: Option<usize>,
    pub(super) vocab_size: usize,
    #[serde(default = "tiny")]
    pub(super) layer_norm_eps: f32,
    #[serde(default = "gelu")]
    hidden_act: String,
    position_embedding_type: Option<String>,
    pub(super) pad_token_id: Option<u32>,
    pub(super) bos_token_id: Option<u32>,
    #[serde(default)]
    pub(super) id2label: BTreeMap<String, String>,
    pooler_hidden_act: Option<String>,
    #[serde(default = "buckets")]
    pub(super) relative_attention_num_buckets: usize,
    embedding_size: Option<usize>,
    #[serde(default)]
    relative_attention: bool,
    #[serde(default = "unlimited")]
    max_relative_positions: i64,
    #[serde(default = "unlimited")]
    position_buckets: i64,
    #[serde(default)]
    norm_rel_ebd: String,
    #[serde(default)]
    pub(super) share_att_key: bool,
    #[serde(default)]
    pos_att_type: Terms,
    #[serde(default = "yes")]
    position_biased_input: bool,
    conv_kernel_size: Option<usize>,
}

/// DeBERTa's list of terms, written as a list or as `p2c|c2p`.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Terms {
    Listed(Vec<String>),
    Joined(String),
}

impl Default for Terms {
    fn default() -> Self {
        Self::Listed(Vec::new())
    }
}

fn tiny() -> f32 {
    1e-12
}

fn gelu() -> String {
    "gelu".to_owned()
}

fn buckets() -> usize {
    32
}

fn unlimited() -> i64 {
    -1
}

fn yes() -> bool {
    true
}

impl Config {
    /// Reads and checks the file of a folder.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let file = folder.join("config.json");
        let config: Self = needed(&file)?;
        let other = |what: String| Err(ReaderError::other_kind(&file, what));
        let Some(architecture) = Architecture::named(&config.model_type) else {
            return other(format!("a model of the kind `{}`", config.model_type));
        };
        let positions = config.position_embedding_type.as_deref().unwrap_or("absolute");
        if positions != "absolute" {
            return other(format!("`{positions}` positions"));
        }
        for name in [&config.hidden_act].into_iter().chain(&config.pooler_hidden_act) {
            if Activation::named(name).is_none() {
                return other(format!("the activation `{name}`"));
            }
        }
        if architecture == Architecture::DebertaV2 {
            if !config.relative_attention {
                return other("a DeBERTa without relative attention".to_owned());
            }
            if config.conv_kernel_size.unwrap_or(0) > 0 {
                return other("a DeBERTa with a convolution".to_owned());
            }
        }
        if config.embedding_size.is_some_and(|size| size != config.hidden_size) {
            return other("embeddings of another width than the layers".to_owned());
        }
        config.check_sizes(&file)?;
        Ok(config)
    }

    fn check_sizes(&self, file: &Path) -> Result<()> {
        let (width, heads) = (self.hidden_size, self.num_attention_heads);
        if width == 0 || heads == 0 || !width.is_multiple_of(heads) {
            let problem = format!("{width} numbers cannot be shared among {heads} heads");
            return Err(ReaderError::wrong(file, problem));
        }
        if self.vocab_size == 0 || self.intermediate_size == 0 {
            return Err(ReaderError::wrong(file, "a size is 0"));
        }
        if self.relative_attention && self.span() == 0 {
            return Err(ReaderError::wrong(file, "relative positions have a span of 0"));
        }
        if self.relative_attention_num_buckets < 4 {
            return Err(ReaderError::wrong(file, "fewer than 4 buckets for distances"));
        }
        Ok(())
    }

    pub(super) fn architecture(&self) -> Architecture {
        Architecture::named(&self.model_type).expect("it was checked when it was read")
    }

    pub(super) fn activation(&self) -> Activation {
        Activation::named(&self.hidden_act).expect("it was checked when it was read")
    }

    /// What stands between the two products of the classifier.
    pub(super) fn classifier_activation(&self) -> Activation {
        let named = self.pooler_hidden_act.as_deref().and_then(Activation::named);
        match self.architecture() {
            Architecture::DebertaV2 => named.unwrap_or(Activation::Gelu),
            _ => Activation::Tanh,
        }
    }

    /// Kinds of tokens that have a vector: the first text and the second, or none.
    pub(super) fn kinds(&self) -> usize {
        match self.architecture() {
            Architecture::Mpnet => 0,
            Architecture::DebertaV2 => self.type_vocab_size.unwrap_or(0),
            Architecture::Bert | Architecture::Roberta => self.type_vocab_size.unwrap_or(2),
        }
    }

    /// Whether the place of a token in its text has a vector.
    pub(super) fn has_places(&self) -> bool {
        self.architecture() != Architecture::DebertaV2 || self.position_biased_input
    }

    /// The place of a text's first token: RoBERTa and MPNet count from behind the padding.
    pub(super) fn first_place(&self) -> usize {
        match self.architecture() {
            Architecture::Roberta | Architecture::Mpnet => {
                self.pad_token_id.unwrap_or(1) as usize + 1
            }
            Architecture::Bert | Architecture::DebertaV2 => 0,
        }
    }

    /// How many tokens the model can place.
    pub(super) fn tokens_max(&self) -> usize {
        self.max_position_embeddings.saturating_sub(self.first_place())
    }

    /// Half of the rows that DeBERTa has for distances.
    pub(super) fn span(&self) -> usize {
        usize::try_from(self.position_buckets)
            .ok()
            .filter(|buckets| *buckets > 0)
            .unwrap_or_else(|| self.farthest())
    }

    /// The largest distance that DeBERTa's buckets stand for; none where it has no buckets.
    pub(super) fn bucketed_farthest(&self) -> Option<usize> {
        (self.position_buckets > 0).then(|| self.farthest())
    }

    fn farthest(&self) -> usize {
        let said = usize::try_from(self.max_relative_positions).ok().filter(|most| *most > 0);
        said.unwrap_or(self.max_position_embeddings)
    }

    /// Whether DeBERTa's rows for distances are brought to mean 0 and deviation 1.
    pub(super) fn normalizes_distances(&self) -> bool {
        self.norm_rel_ebd.contains("layer_norm")
    }

    /// Whether DeBERTa compares in this way: `c2p` or `p2c`.
    pub(super) fn compares(&self, term: &str) -> bool {
        match &self.pos_att_type {
            Terms::Listed(listed) => listed.iter().any(|one| one == term),
            Terms::Joined(joined) => joined.split('|').any(|one| one.trim() == term),
        }
    }
}

impl Architecture {
    fn named(name: &str) -> Option<Self> {
        match name {
            "bert" => Some(Self::Bert),
            "roberta" | "xlm-roberta" | "camembert" => Some(Self::Roberta),
            "mpnet" => Some(Self::Mpnet),
            "deberta-v2" => Some(Self::DebertaV2),
            _ => None,
        }
    }
}

/// A JSON file that must be there.
pub(super) fn needed<T: DeserializeOwned>(file: &Path) -> Result<T> {
    let missing = || ReaderError::Unreadable {
        file: file.to_owned(),
        source: std::io::Error::from(ErrorKind::NotFound),
    };
    optional(file)?.ok_or_else(missing)
}

/// A JSON file that may be missing.
pub(super) fn optional<T: DeserializeOwned>(file: &Path) -> Result<Option<T>> {
    let Some(bytes) = bytes_of(file, JSON_BYTES_MAX)? else { return Ok(None) };
    let read = serde_json::from_slice(&bytes);
    read.map(Some).map_err(|error| ReaderError::wrong(file, error.to_string()))
}

/// The bytes of a file that may be missing, if it is not too large to be what it should be.
pub(super) fn bytes_of(file: &Path, bytes_max: u64) -> Result<Option<Vec<u8>>> {
    let unreadable = |source| ReaderError::Unreadable { file: file.to_owned(), source };
    match fs::metadata(file) {
        Ok(found) if found.len() > bytes_max => {
            let problem = format!("more than {} MB", bytes_max / 1_000_000);
            return Err(ReaderError::wrong(file, problem));
        }
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(unreadable(source)),
    }
    fs::read(file).map(Some).map_err(unreadable)
}
