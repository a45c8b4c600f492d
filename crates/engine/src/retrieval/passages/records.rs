//! Records of a JSON list or of JSON lines, read one after the other, whatever their keys are.
//!
//! Nothing but the fields that are asked for is kept, and of a mapped file no more than a part is
//! held at a time: memory does not grow with the texts.

use std::borrow::Cow;
use std::fmt;

use assize_methods::retrieval::passages::input::{Passage, Text};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::shapes;
use crate::input::Source;

/// So much of a file is read before it is given back.
const HELD_BYTES_MAX: usize = 16 << 20;

/// What a record may call the list that is asked for, ours first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record(pub(super) &'static [&'static str]);

/// What a record says, as it stands in the file.
#[derive(Debug, Default)]
pub(super) struct Fields<'a> {
    pub(super) query: Option<&'a RawValue>,
    pub(super) listed: Option<PassageList<'a>>,
    pub(super) answer: Option<&'a RawValue>,
}

/// Passages that are still JSON.
#[derive(Debug, Clone, Copy)]
pub(super) struct PassageList<'a> {
    pub(super) raw: &'a RawValue,
    /// Whether they stand under our own key, and so in our own shape.
    is_ours: bool,
}

/// Whether a content is one object after another.
pub(super) fn is_lines(content: &[u8]) -> bool {
    if !content.trim_ascii_start().starts_with(b"{") {
        return false;
    }
    let mut objects = serde_json::Deserializer::from_slice(content).into_iter::<IgnoredAny>();
    objects.next().is_some_and(|first| first.is_ok())
        && content[objects.byte_offset()..].trim_ascii_start().starts_with(b"{")
}

/// Makes something of every record of a list or of lines; the parts that were read are given back.
pub(super) fn each_record<'a, T>(
    source: &'a Source,
    record: Record,
    turn: impl FnMut(Fields<'a>) -> Result<T, serde_json::Error>,
) -> Result<Vec<T>, serde_json::Error> {
    let content = source.content();
    let mut deserializer = serde_json::Deserializer::from_slice(content);
    let mut reading = Reading { source, record, turn, all: Vec::new(), held: 0 };
    if is_lines(content) {
        // Each by itself: asking one reader after each record whether it is at the end makes an error
        // that counts lines from the beginning.
        for line in deserializer.into_iter::<&RawValue>() {
            let mut line = serde_json::Deserializer::from_str(line?.get());
            reading.add(record.deserialize(&mut line)?)?;
        }
    } else {
        deserializer.deserialize_seq(&mut reading)?;
        deserializer.end()?;
    }
    source.bytes.release(reading.held..content.len());
    Ok(reading.all)
}

/// Records on their way.
struct Reading<'a, T, F> {
    source: &'a Source,
    record: Record,
    turn: F,
    all: Vec<T>,
    /// Up to where the content was given back.
    held: usize,
}

impl<'a, T, F: FnMut(Fields<'a>) -> Result<T, serde_json::Error>> Reading<'a, T, F> {
    fn add(&mut self, fields: Fields<'a>) -> Result<(), serde_json::Error> {
        let content = self.source.content();
        let last = fields.listed.map(|listed| listed.raw).or(fields.query);
        self.all.push((self.turn)(fields)?);
        let end = last.map_or(0, |raw| {
            raw.get().as_ptr() as usize + raw.get().len() - content.as_ptr() as usize
        });
        if end >= self.held + HELD_BYTES_MAX {
            self.source.bytes.release(self.held..end);
            self.held = end;
        }
        Ok(())
    }
}

impl<'de, T, F> Visitor<'de> for &mut Reading<'de, T, F>
where
    F: FnMut(Fields<'de>) -> Result<T, serde_json::Error>,
{
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of records")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(fields) = list.next_element_seed(self.record)? {
            self.add(fields).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Record {
    type Value = Fields<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Record {
    type Value = Fields<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "an object with `query` and `{}`", self.0[0])
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let [mut query, mut listed, mut answer] = [None; 3];
        while let Some(key) = map.next_key::<Text<'de>>()? {
            let place = |names: &[&str]| names.iter().position(|name| **name == *key);
            let (names, best) = if let Some(place) = place(&shapes::QUERY) {
                ((&shapes::QUERY[..], place), &mut query)
            } else if let Some(place) = place(self.0) {
                ((self.0, place), &mut listed)
            } else if let Some(place) = place(&shapes::ANSWER) {
                ((&shapes::ANSWER[..], place), &mut answer)
            } else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            keep_better(&mut map, names, best)?;
        }
        let is_ours = |(place, raw)| PassageList { raw, is_ours: place == 0 };
        let raw = |(_, raw)| raw;
        Ok(Fields { query: query.map(raw), listed: listed.map(is_ours), answer: answer.map(raw) })
    }
}

/// Keeps the value of a key unless a better one was read; the same key twice is a mistake.
fn keep_better<'de, A: MapAccess<'de>>(
    map: &mut A,
    (names, place): (&'static [&'static str], usize),
    best: &mut Option<(usize, &'de RawValue)>,
) -> Result<(), A::Error> {
    let value = map.next_value()?;
    match best {
        Some((known, _)) if *known == place => return Err(A::Error::duplicate_field(names[place])),
        Some((known, _)) if *known < place => {}
        _ => *best = Some((place, value)),
    }
    Ok(())
}

impl<'a> PassageList<'a> {
    /// The passages: a list, or one alone where the key is not ours.
    pub(super) fn passages(&self) -> Result<Vec<Passage<'a>>, serde_json::Error> {
        let text = self.raw.get();
        if self.is_ours {
            return serde_json::from_str(text);
        }
        match text {
            "null" => Ok(Vec::new()),
            _ if text.starts_with('[') => {
                let listed: Vec<&RawValue> = serde_json::from_str(text)?;
                listed.into_iter().map(one).collect()
            }
            _ => Ok(vec![one(self.raw)?]),
        }
    }
}

/// A passage in whichever shape.
fn one(raw: &RawValue) -> Result<Passage<'_>, serde_json::Error> {
    if raw.get().starts_with('"') {
        let text: Text<'_> = serde_json::from_str(raw.get())?;
        return Ok(Passage { text: Some(text), details: None });
    }
    let value: Value = serde_json::from_str(raw.get())?;
    let unknown = || serde_json::Error::custom("is neither a text nor an object with one");
    Passage::deserialize(shapes::passage(&value).ok_or_else(unknown)?)
}

/// A passage that does not borrow from its file.
pub(super) fn owned(passage: Passage<'_>) -> Passage<'static> {
    let text = passage.text.map(|text| Text(Cow::Owned(text.0.into_owned())));
    Passage { text, details: passage.details.map(|details| Box::new(details.into_owned())) }
}
