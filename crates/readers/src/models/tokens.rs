//! Text into the numbers of tokens, as the folder's `tokenizer.json` says.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tokenizers::{Encoding, Tokenizer};

use super::config::{Architecture, Config, bytes_of, optional};
use crate::{ReaderError, Result};

/// The largest that is known, of a quarter of a million pieces in a hundred languages, has 17 MB.
const FILE_BYTES_MAX: u64 = 100_000_000;

/// A tokenizer that names less of a model's table was made for another model. Tables are rounded
/// up and have rows to spare, so that it need not name all.
const NAMED_SHARE_MIN: f64 = 0.9;

/// The tokens of one text, or of two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tokens {
    pub(super) ids: Vec<u32>,
    /// 0 for tokens of the first text, 1 for those of the second.
    pub(super) kinds: Vec<u32>,
}

impl Tokens {
    /// As the reference shortens: what is in between goes, the last mark stays.
    pub(super) fn shorten(&mut self, most: usize) {
        if self.ids.len() > most {
            self.ids.drain(most - 1..self.ids.len() - 1);
            self.kinds.drain(most - 1..self.kinds.len() - 1);
        }
    }
}

/// The tokenizer of a folder.
#[derive(Debug)]
pub(super) struct Vocabulary {
    tokenizer: Tokenizer,
}

/// `tokenizer_config.json`
#[derive(Deserialize)]
struct TokenizerConfig {
    #[serde(default = "yes")]
    do_lower_case: bool,
    model_max_length: Option<f64>,
}

fn yes() -> bool {
    true
}

impl Vocabulary {
    /// Reads `tokenizer.json` of a folder, or `vocab.txt`, and checks that it fits the model.
    pub(super) fn read(folder: &Path, config: &Config) -> Result<Self> {
        let (file, bytes) = described(folder, config)?;
        let mut tokenizer = Tokenizer::from_bytes(bytes)
            .map_err(|error| ReaderError::wrong(&file, error.to_string()))?;
        tokenizer.with_padding(None);
        tokenizer
            .with_truncation(None)
            .map_err(|error| ReaderError::wrong(&file, error.to_string()))?;
        // A mark that a text spells out is read as text.
        tokenizer.set_encode_special_tokens(true);
        let vocabulary = Self { tokenizer };
        match vocabulary.mismatch(config)? {
            Some(problem) => Err(ReaderError::wrong(file, problem)),
            None => Ok(vocabulary),
        }
    }

    /// The tokens of one text, with its marks.
    pub(super) fn single(&self, text: &str) -> Result<Tokens> {
        let encoding = self.tokenizer.encode_fast(text, true);
        encoding.map(|encoding| tokens(&encoding)).map_err(not_cut)
    }

    /// The tokens of two texts, with their marks.
    pub(super) fn pair(&self, first: &str, second: &str) -> Result<Tokens> {
        let encoding = self.tokenizer.encode_fast((first, second), true);
        encoding.map(|encoding| tokens(&encoding)).map_err(not_cut)
    }

    /// What tells that the tokenizer was made for another model.
    fn mismatch(&self, config: &Config) -> Result<Option<String>> {
        let names = self.tokenizer.get_vocab(true);
        let highest = names.values().copied().max().unwrap_or(0) as usize;
        if highest >= config.vocab_size {
            let size = config.vocab_size;
            return Ok(Some(format!("token {highest} is not among the {size} of the model")));
        }
        if (names.len() as f64) < NAMED_SHARE_MIN * config.vocab_size as f64 {
            let (count, size) = (names.len(), config.vocab_size);
            return Ok(Some(format!("it names {count} tokens of the {size} of the model")));
        }
        let of_padding = ["[PAD]", "<pad>"].iter().find_map(|name| names.get(*name));
        if let (Some(found), Some(expected)) = (of_padding, config.pad_token_id)
            && *found != expected
        {
            return Ok(Some(format!("padding is token {found}, for the model token {expected}")));
        }
        let empty = self.single("")?.ids;
        let both = self.pair("", "")?.ids;
        let (Some(first), true) = (empty.first(), empty.len() >= 2 && both.len() >= 3) else {
            return Ok(Some("it puts no marks around texts".to_owned()));
        };
        match config.bos_token_id {
            Some(expected) if config.architecture() == Architecture::Roberta => Ok((*first
                != expected)
                .then(|| format!("texts begin with token {first}, for the model {expected}"))),
            _ => Ok(None),
        }
    }
}

/// How many tokens the tokenizer was said to be for, if that is a number of tokens at all.
pub(super) fn tokens_max_said(folder: &Path) -> Result<Option<usize>> {
    let config: Option<TokenizerConfig> = optional(&folder.join("tokenizer_config.json"))?;
    let said = config.and_then(|config| config.model_max_length);
    // Where nothing is known, the libraries write 10 to the power of 30.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 1 and 100,000"
    )]
    Ok(said.filter(|most| (1.0..=100_000.0).contains(most)).map(|most| most as usize))
}

fn tokens(encoding: &Encoding) -> Tokens {
    Tokens { ids: encoding.get_ids().to_vec(), kinds: encoding.get_type_ids().to_vec() }
}

fn not_cut(error: impl std::fmt::Display) -> ReaderError {
    ReaderError::Tokens(error.to_string())
}

/// The file that describes the tokenizer, and its description: `vocab.txt` alone is what BERT had.
fn described(folder: &Path, config: &Config) -> Result<(PathBuf, Vec<u8>)> {
    let file = folder.join("tokenizer.json");
    if let Some(bytes) = bytes_of(&file, FILE_BYTES_MAX)? {
        return Ok((file, bytes));
    }
    let list = folder.join("vocab.txt");
    let bytes = bytes_of(&list, FILE_BYTES_MAX)?;
    let Some(bytes) = bytes.filter(|_| config.architecture() == Architecture::Bert) else {
        let source = std::io::Error::from(std::io::ErrorKind::NotFound);
        return Err(ReaderError::Unreadable { file, source });
    };
    let text = String::from_utf8(bytes).map_err(|_| ReaderError::wrong(&list, "not UTF-8"))?;
    let said: Option<TokenizerConfig> = optional(&folder.join("tokenizer_config.json"))?;
    let lowercase = said.is_none_or(|config| config.do_lower_case);
    let description = of_list(&text, lowercase)
        .map_err(|mark| ReaderError::wrong(&list, format!("`{mark}` is missing")))?;
    Ok((list, description))
}

/// A description of BERT's tokenizer for a list of pieces; the mark that the list lacks, if any.
fn of_list(list: &str, lowercase: bool) -> Result<Vec<u8>, &'static str> {
    let pieces: BTreeMap<&str, u32> = list.lines().zip(0..).collect();
    let number = |name: &'static str| pieces.get(name).copied().ok_or(name);
    let (begin, end) = (number("[CLS]")?, number("[SEP]")?);
    number("[UNK]")?;
    let vocabulary = serde_json::to_string(&pieces).unwrap_or_default();
    let mark = |name: &str, kind: u8| {
        format!(r#"{{"SpecialToken": {{"id": "{name}", "type_id": {kind}}}}}"#)
    };
    let text = |name: &str| {
        let kind = u8::from(name == "B");
        format!(r#"{{"Sequence": {{"id": "{name}", "type_id": {kind}}}}}"#)
    };
    let numbered = |name: &str, number: u32| {
        format!(r#""{name}": {{"id": "{name}", "ids": [{number}], "tokens": ["{name}"]}}"#)
    };
    let single = [mark("[CLS]", 0), text("A"), mark("[SEP]", 0)].join(", ");
    let pair = format!("{single}, {}, {}", text("B"), mark("[SEP]", 1));
    let (begin, end) = (numbered("[CLS]", begin), numbered("[SEP]", end));
    let description = format!(
        r###"{{"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": {{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": {lowercase}}},
        "pre_tokenizer": {{"type": "BertPreTokenizer"}},
        "post_processor": {{"type": "TemplateProcessing", "single": [{single}], "pair": [{pair}],
            "special_tokens": {{{begin}, {end}}}}},
        "decoder": null,
        "model": {{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": {vocabulary}}}}}"###
    );
    Ok(description.into_bytes())
}
