//! From word pieces to the vector of a text, through every layer of the model.

use std::path::Path;

use super::EncoderError;
use super::attention::attention;
use super::functions::{Activation, sum};
use super::linear::Linear;
use super::settings::{Pooling, Settings};
use super::weights::Weights;
use crate::dense::vectors::to_length_one;

/// The numbers of a model, ready to be used.
#[derive(Debug)]
pub(super) struct Model {
    width: usize,
    heads: usize,
    activation: Activation,
    pooling: Pooling,
    to_length_one: bool,
    pieces: Vec<f32>,
    /// For each place in a text, with what every text of one part has added to it.
    places: Vec<f32>,
    first: Normal,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    /// Query, key and value in one product.
    looks: Linear,
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

impl Model {
    /// Reads the numbers of a folder and checks that there are as many as the settings say.
    pub(super) fn read(folder: &Path, settings: &Settings) -> Result<Self, EncoderError> {
        let bytes = super::weights::bytes(folder)?;
        let weights = Weights::of(folder, &bytes)?;
        let width = settings.width;
        let normal = |name: &str| -> Result<Normal, EncoderError> {
            Ok(Normal {
                scale: weights.values(&format!("{name}.weight"), &[width])?,
                added: weights.values(&format!("{name}.bias"), &[width])?,
                epsilon: settings.epsilon,
            })
        };
        let table = |name: &str, rows: usize| {
            weights.values(&format!("embeddings.{name}_embeddings.weight"), &[rows, width])
        };
        let mut places = table("position", settings.places)?;
        let kinds = table("token_type", settings.kinds)?;
        for row in places.chunks_exact_mut(width) {
            row.iter_mut().zip(&kinds).for_each(|(place, kind)| *place += kind);
        }
        let layers = (0..settings.layers).map(|number| Layer::read(&weights, settings, number));
        Ok(Self {
            width,
            heads: settings.heads,
            activation: settings.activation,
            pooling: settings.pooling,
            to_length_one: settings.to_length_one,
            pieces: table("word", settings.vocabulary_size)?,
            places,
            first: normal("embeddings.LayerNorm")?,
            layers: layers.collect::<Result<_, _>>()?,
        })
    }

    /// One vector for each text of word pieces.
    pub(super) fn vectors(&self, texts: &[Vec<u32>]) -> Vec<Vec<f32>> {
        let mut rows = self.embedded(texts);
        for layer in &self.layers {
            rows = self.through(layer, &rows, texts);
        }
        let mut from = 0;
        let mut pooled = |text: &Vec<u32>| {
            let to = from + text.len() * self.width;
            let mut vector = self.pooling.of(&rows[from..to], self.width);
            from = to;
            if self.to_length_one {
                to_length_one(&mut vector);
            }
            vector
        };
        texts.iter().map(&mut pooled).collect()
    }

    fn embedded(&self, texts: &[Vec<u32>]) -> Vec<f32> {
        let count: usize = texts.iter().map(Vec::len).sum();
        let mut rows = Vec::with_capacity(count * self.width);
        for text in texts {
            for (piece, place) in text.iter().zip(self.places.chunks_exact(self.width)) {
                let from = *piece as usize * self.width;
                let piece = &self.pieces[from..from + self.width];
                rows.extend(piece.iter().zip(place).map(|(piece, place)| piece + place));
            }
        }
        self.first.apply(&mut rows);
        rows
    }

    fn through(&self, layer: &Layer, rows: &[f32], texts: &[Vec<u32>]) -> Vec<f32> {
        let looks = layer.looks.of(rows);
        let mut taken = Vec::with_capacity(rows.len());
        let mut rest = looks.as_slice();
        for text in texts {
            let (own, others) = rest.split_at(text.len() * 3 * self.width);
            taken.extend(attention(own, self.width, self.heads));
            rest = others;
        }
        let mut middle = layer.taken.of(&taken);
        add(&mut middle, rows);
        layer.after_taken.apply(&mut middle);
        let mut wide = layer.wide.of(&middle);
        self.activation.apply(&mut wide);
        let mut narrow = layer.narrow.of(&wide);
        add(&mut narrow, &middle);
        layer.after_narrow.apply(&mut narrow);
        narrow
    }
}

impl Layer {
    fn read(
        weights: &Weights<'_>,
        settings: &Settings,
        number: usize,
    ) -> Result<Self, EncoderError> {
        let (width, inner) = (settings.width, settings.inner);
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        let linear = |parts: &[&str], shape: [usize; 2]| -> Result<Linear, EncoderError> {
            let (mut factors, mut added) = (Vec::new(), Vec::new());
            for part in parts {
                factors.extend(weights.values(&format!("{}.weight", name(part)), &shape)?);
                added.extend(weights.values(&format!("{}.bias", name(part)), &shape[..1])?);
            }
            Ok(Linear::new(&factors, added))
        };
        let normal = |part: &str| -> Result<Normal, EncoderError> {
            Ok(Normal {
                scale: weights.values(&format!("{}.weight", name(part)), &[width])?,
                added: weights.values(&format!("{}.bias", name(part)), &[width])?,
                epsilon: settings.epsilon,
            })
        };
        let looks = ["attention.self.query", "attention.self.key", "attention.self.value"];
        Ok(Self {
            looks: linear(&looks, [width, width])?,
            taken: linear(&["attention.output.dense"], [width, width])?,
            after_taken: normal("attention.output.LayerNorm")?,
            wide: linear(&["intermediate.dense"], [inner, width])?,
            narrow: linear(&["output.dense"], [width, inner])?,
            after_narrow: normal("output.LayerNorm")?,
        })
    }
}

impl Normal {
    fn apply(&self, rows: &mut [f32]) {
        let width = self.scale.len();
        let mut squares = vec![0.0; width];
        for row in rows.chunks_exact_mut(width) {
            let mean = sum(row) / width as f32;
            for (value, square) in row.iter_mut().zip(&mut squares) {
                *value -= mean;
                *square = *value * *value;
            }
            let factor = 1.0 / (sum(&squares) / width as f32 + self.epsilon).sqrt();
            for ((value, scale), added) in row.iter_mut().zip(&self.scale).zip(&self.added) {
                *value = *value * factor * scale + added;
            }
        }
    }
}

fn add(rows: &mut [f32], others: &[f32]) {
    rows.iter_mut().zip(others).for_each(|(row, other)| *row += other);
}
