//! From tokens to a row of numbers for each of them, through every layer of a model.

use std::borrow::Cow;

use super::attention::{Heads, Looks, Relative, attention};
use super::config::{Architecture, Config};
use super::functions::{Activation, add, normalize};
use super::linear::Linear;
use super::places::Distances;
use super::tokens::Tokens;
use super::weights::{Numbers, Weights};
use crate::{ReaderError, Result};

/// The numbers of a model, ready to be used.
#[derive(Debug)]
pub(super) struct Body {
    heads: Heads,
    activation: Activation,
    words: Numbers,
    places: Option<Numbers>,
    first_place: usize,
    /// One row for tokens of the first text, one for those of the second.
    kinds: Vec<f32>,
    first: Normal,
    /// What distances add, where it is the same for every layer.
    relative: Relative,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    /// What distances add, where each layer has its own.
    relative: Option<Relative>,
    taken: Linear,
    after_taken: Normal,
    wide: Linear,
    narrow: Linear,
    after_narrow: Normal,
}

/// Numbers of a row brought to mean 0 and deviation 1, then scaled and moved as learnt.
#[derive(Debug)]
struct Normal {
    scale: Vec<f32>,
    added: Vec<f32>,
    epsilon: f32,
}

impl Body {
    /// Reads the numbers of a folder and checks that there are as many as the configuration says.
    pub(super) fn read(weights: &Weights, config: &Config) -> Result<Self> {
        let width = config.hidden_size;
        let table = |name: &str, rows: usize| {
            weights.numbers(&format!("embeddings.{name}_embeddings.weight"), &[rows, width])
        };
        let places = if config.has_places() {
            Some(table("position", config.max_position_embeddings)?)
        } else {
            None
        };
        let kinds = match config.kinds() {
            0 => Vec::new(),
            kinds => table("token_type", kinds)?.to_vec(),
        };
        let words = table("word", config.vocab_size)?;
        let first = Normal::read(weights, "embeddings.LayerNorm", config)?;
        let distances = rows_for_distances(weights, config)?;
        let layers = (0..config.num_hidden_layers)
            .map(|number| Layer::read(weights, config, number, distances.as_deref()));
        Ok(Self {
            heads: Heads { width, count: config.num_attention_heads },
            activation: config.activation(),
            words,
            places,
            first_place: config.first_place(),
            kinds,
            first,
            relative: shared_relative(weights, config)?,
            layers: layers.collect::<Result<_, _>>()?,
        })
    }

    /// The rows of all tokens of all texts, one after the other.
    pub(super) fn rows(&self, texts: &[&Tokens]) -> Vec<f32> {
        let mut rows = self.embedded(texts);
        for layer in &self.layers {
            rows = self.through(layer, &rows, (texts, TokenChoice::All));
        }
        rows
    }

    /// The row of the first token of each text: the last layer computes no other.
    pub(super) fn first_rows(&self, texts: &[&Tokens]) -> Vec<f32> {
        let mut rows = self.embedded(texts);
        for (number, layer) in self.layers.iter().enumerate() {
            let last = number + 1 == self.layers.len();
            let asked = if last { TokenChoice::First } else { TokenChoice::All };
            rows = self.through(layer, &rows, (texts, asked));
        }
        rows
    }

    /// How many numbers a row has.
    pub(super) fn width(&self) -> usize {
        self.heads.width
    }

    fn embedded(&self, texts: &[&Tokens]) -> Vec<f32> {
        let width = self.heads.width;
        let count: usize = texts.iter().map(|text| text.ids.len()).sum();
        let mut rows = Vec::with_capacity(count * width);
        for text in texts {
            for (index, (word, kind)) in text.ids.iter().zip(&text.kinds).enumerate() {
                let from = rows.len();
                rows.extend_from_slice(row(&self.words, *word as usize, width));
                if let Some(places) = &self.places {
                    add(&mut rows[from..], row(places, self.first_place + index, width));
                }
                // A model that tells no kinds apart has one row, or none.
                let kinds = self.kinds.len() / width;
                if kinds > 0 {
                    let kind = (*kind as usize).min(kinds - 1);
                    add(&mut rows[from..], row(&self.kinds, kind, width));
                }
            }
        }
        self.first.apply(&mut rows);
        rows
    }

    fn through(
        &self,
        layer: &Layer,
        rows: &[f32],
        (texts, asked): (&[&Tokens], TokenChoice),
    ) -> Vec<f32> {
        let width = self.heads.width;
        let kept = asked.rows(rows, texts, width);
        let queries = layer.query.of(&kept);
        let (keys, values) = (layer.key.of(rows), layer.value.of(rows));
        let relative = layer.relative.as_ref().unwrap_or(&self.relative);
        let mut taken = Vec::with_capacity(kept.len());
        let mut from = 0;
        for text in texts {
            let own = from..from + text.ids.len() * width;
            from = own.end;
            let asked = taken.len()..taken.len() + asked.count(text) * width;
            let looks =
                Looks { queries: &queries[asked], keys: &keys[own.clone()], values: &values[own] };
            taken.extend(attention(looks, self.heads, relative));
        }
        let mut middle = layer.taken.of(&taken);
        add(&mut middle, &kept);
        layer.after_taken.apply(&mut middle);
        let mut wide = layer.wide.of(&middle);
        self.activation.apply(&mut wide);
        let mut narrow = layer.narrow.of(&wide);
        add(&mut narrow, &middle);
        layer.after_narrow.apply(&mut narrow);
        narrow
    }
}

/// Which tokens of each text a layer computes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TokenChoice {
    All,
    First,
}

impl TokenChoice {
    fn count(self, text: &Tokens) -> usize {
        match self {
            Self::All => text.ids.len(),
            Self::First => 1,
        }
    }

    fn rows<'r>(self, rows: &'r [f32], texts: &[&Tokens], width: usize) -> Cow<'r, [f32]> {
        if self == Self::All {
            return Cow::Borrowed(rows);
        }
        let mut kept = Vec::with_capacity(texts.len() * width);
        let mut from = 0;
        for text in texts {
            kept.extend_from_slice(&rows[from..from + width]);
            from += text.ids.len() * width;
        }
        Cow::Owned(kept)
    }
}

/// What a layer's parts are called.
struct Names {
    looks: [&'static str; 3],
    taken: &'static str,
    after_taken: &'static str,
}

impl Names {
    fn of(architecture: Architecture) -> Self {
        match architecture {
            Architecture::Bert | Architecture::Roberta => Self {
                looks: ["attention.self.query", "attention.self.key", "attention.self.value"],
                taken: "attention.output.dense",
                after_taken: "attention.output.LayerNorm",
            },
            Architecture::Mpnet => Self {
                looks: ["attention.attn.q", "attention.attn.k", "attention.attn.v"],
                taken: "attention.attn.o",
                after_taken: "attention.LayerNorm",
            },
            Architecture::DebertaV2 => Self {
                looks: [
                    "attention.self.query_proj",
                    "attention.self.key_proj",
                    "attention.self.value_proj",
                ],
                taken: "attention.output.dense",
                after_taken: "attention.output.LayerNorm",
            },
        }
    }
}

impl Layer {
    fn read(
        weights: &Weights,
        config: &Config,
        number: usize,
        distances: Option<&[f32]>,
    ) -> Result<Self> {
        let (width, inner) = (config.hidden_size, config.intermediate_size);
        let names = Names::of(config.architecture());
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        let linear =
            |part: &str, inputs, outputs| Linear::read(weights, &name(part), inputs, outputs);
        let [query, key, value] = names.looks;
        let query = linear(query, width, width)?;
        let key = linear(key, width, width)?;
        let own = |part: &str| -> Result<Option<Linear>> {
            let missing = distances.is_none() || config.share_att_key;
            if missing { Ok(None) } else { linear(part, width, width).map(Some) }
        };
        let relative = match distances {
            None => None,
            Some(rows) => {
                let compared = |term: &str, part: &str, shared: &Linear| {
                    let compares = config.compares(term);
                    let own = if compares { own(part)? } else { None };
                    let of = own.as_ref().unwrap_or(shared);
                    Ok::<_, ReaderError>(compares.then(|| of.of(rows)))
                };
                Some(Relative::Compared {
                    distances: Distances::Around {
                        span: config.span(),
                        farthest: config.bucketed_farthest(),
                    },
                    keys: compared("c2p", "attention.self.pos_key_proj", &key)?,
                    queries: compared("p2c", "attention.self.pos_query_proj", &query)?,
                })
            }
        };
        Ok(Self {
            query,
            key,
            value: linear(value, width, width)?,
            relative,
            taken: linear(names.taken, width, width)?,
            after_taken: Normal::read(weights, &name(names.after_taken), config)?,
            wide: linear("intermediate.dense", width, inner)?,
            narrow: linear("output.dense", inner, width)?,
            after_narrow: Normal::read(weights, &name("output.LayerNorm"), config)?,
        })
    }
}

/// DeBERTa's rows for distances, from which each layer makes its own.
fn rows_for_distances(weights: &Weights, config: &Config) -> Result<Option<Vec<f32>>> {
    if config.architecture() != Architecture::DebertaV2 {
        return Ok(None);
    }
    let shape = [2 * config.span(), config.hidden_size];
    let mut rows = weights.values("encoder.rel_embeddings.weight", &shape)?;
    if config.normalizes_distances() {
        Normal::read(weights, "encoder.LayerNorm", config)?.apply(&mut rows);
    }
    Ok(Some(rows))
}

/// MPNet's table for distances, which all layers share.
fn shared_relative(weights: &Weights, config: &Config) -> Result<Relative> {
    if config.architecture() != Architecture::Mpnet {
        return Ok(Relative::Nothing);
    }
    let rows = config.relative_attention_num_buckets;
    let shape = [rows, config.num_attention_heads];
    let table = weights.values("encoder.relative_attention_bias.weight", &shape)?;
    Ok(Relative::Added { distances: Distances::Halves { rows }, table })
}

impl Normal {
    /// Reads a pair of tensors under their names or under those of older files.
    fn read(weights: &Weights, name: &str, config: &Config) -> Result<Self> {
        let values = |new: &str, old: &str| {
            let (new, old) = (format!("{name}.{new}"), format!("{name}.{old}"));
            let found = if !weights.has(&new) && weights.has(&old) { old } else { new };
            weights.values(&found, &[config.hidden_size])
        };
        Ok(Self {
            scale: values("weight", "gamma")?,
            added: values("bias", "beta")?,
            epsilon: config.layer_norm_eps,
        })
    }

    fn apply(&self, rows: &mut [f32]) {
        normalize(rows, &self.scale, &self.added, self.epsilon);
    }
}

fn row(table: &[f32], number: usize, width: usize) -> &[f32] {
    &table[number * width..(number + 1) * width]
}
