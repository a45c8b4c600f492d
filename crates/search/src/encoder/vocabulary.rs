//! The word pieces of a model, from `tokenizer.json` or `vocab.txt`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use assize_text::word_pieces::{Reading, WordPieces};
use serde::Deserialize;

use super::EncoderError;
use super::settings::optional;

/// Marks that every text is given; one that a text spells out is read as text.
const MARKS: [&str; 3] = ["[CLS]", "[SEP]", "[UNK]"];

/// Text into the numbers of word pieces, with a mark at each end.
#[derive(Debug)]
pub(super) struct Vocabulary {
    pieces: WordPieces,
    begin: u32,
    end: u32,
    unknown: u32,
    pieces_max: usize,
}

/// `tokenizer.json`
#[derive(Deserialize)]
struct Tokenizer {
    #[serde(default)]
    normalizer: Option<Normalizer>,
    model: TokenizerModel,
}

#[derive(Deserialize)]
struct Normalizer {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default = "yes")]
    lowercase: bool,
    #[serde(default)]
    strip_accents: Option<bool>,
    #[serde(default = "yes")]
    handle_chinese_chars: bool,
}

#[derive(Deserialize)]
struct TokenizerModel {
    #[serde(rename = "type", default)]
    kind: Option<String>,
    #[serde(default)]
    continuing_subword_prefix: Option<String>,
    vocab: serde_json::Value,
}

/// `tokenizer_config.json`
#[derive(Deserialize)]
struct TokenizerConfig {
    #[serde(default = "yes")]
    do_lower_case: bool,
}

fn yes() -> bool {
    true
}

impl Vocabulary {
    /// Reads the word pieces of a folder.
    pub(super) fn read(
        folder: &Path,
        pieces_max: usize,
        size: usize,
    ) -> Result<Self, EncoderError> {
        let file = folder.join("tokenizer.json");
        let (file, numbers, reading) = if let Some(tokenizer) = optional::<Tokenizer>(&file)? {
            let (numbers, reading) = of_tokenizer(&file, tokenizer)?;
            (file, numbers, reading)
        } else {
            let file = folder.join("vocab.txt");
            let text = fs::read_to_string(&file)
                .map_err(|source| EncoderError::Unreadable { file: file.clone(), source })?;
            let numbers = text.lines().map(str::to_owned).zip(0..).collect();
            let config: Option<TokenizerConfig> = optional(&folder.join("tokenizer_config.json"))?;
            let lower = config.is_none_or(|config| config.do_lower_case);
            (file, numbers, Reading { lower, strip_accents: lower, ideographs_apart: true })
        };
        if let Some((piece, _)) = numbers.iter().find(|(_, number)| **number as usize >= size) {
            let problem = format!("`{piece}` has a number that the model does not know");
            return Err(EncoderError::wrong(file, problem));
        }
        let mark = |mark: &str| {
            let missing = || EncoderError::wrong(&file, format!("`{mark}` is missing"));
            numbers.get(mark).copied().ok_or_else(missing)
        };
        let [begin, end, unknown] = [mark(MARKS[0])?, mark(MARKS[1])?, mark(MARKS[2])?];
        let listed = numbers.into_iter().map(|(piece, number)| (Cow::Owned(piece), number));
        let pieces = WordPieces::new(listed, reading);
        Ok(Self { pieces, begin, end, unknown, pieces_max })
    }

    /// The numbers of a text's pieces between the two marks, as many as the model reads.
    pub(super) fn pieces(&self, text: &str) -> Vec<u32> {
        let mut pieces = vec![self.begin];
        self.pieces.each_or(text, Some(self.unknown), &mut |piece| {
            if pieces.len() + 1 < self.pieces_max {
                pieces.push(piece);
            }
        });
        pieces.push(self.end);
        pieces
    }
}

fn of_tokenizer(
    file: &Path,
    tokenizer: Tokenizer,
) -> Result<(BTreeMap<String, u32>, Reading), EncoderError> {
    let TokenizerModel { kind, continuing_subword_prefix, vocab } = tokenizer.model;
    let is_pieces = kind.as_deref().unwrap_or("WordPiece") == "WordPiece"
        && continuing_subword_prefix.as_deref().unwrap_or("##") == "##";
    if !is_pieces {
        let kind = kind.unwrap_or_default();
        return Err(EncoderError::other_kind(file, format!("a tokenizer of the kind `{kind}`")));
    }
    let numbers = serde_json::from_value(vocab)
        .map_err(|error| EncoderError::wrong(file, format!("the vocabulary: {error}")))?;
    let reading = match tokenizer.normalizer {
        Some(normalizer) if normalizer.kind == "BertNormalizer" => Reading {
            lower: normalizer.lowercase,
            strip_accents: normalizer.strip_accents.unwrap_or(normalizer.lowercase),
            ideographs_apart: normalizer.handle_chinese_chars,
        },
        other => {
            let kind = other.map_or_else(|| "none".to_owned(), |other| other.kind);
            return Err(EncoderError::other_kind(file, format!("a normalizer `{kind}`")));
        }
    };
    Ok((numbers, reading))
}
