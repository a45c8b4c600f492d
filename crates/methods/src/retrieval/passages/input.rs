//! Predictions and gold as they stand in their files, borrowed wherever possible.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::retrieval::spans::location::{Location, Span};

/// A whole file of predictions: a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictions<'a>(pub Vec<Prediction<'a>>);

/// What was retrieved for one query, best first.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Prediction<'a> {
    /// The query's text.
    #[serde(borrow)]
    pub query: Text<'a>,
    /// The passages, best first.
    pub retrieved_passages: Vec<Passage<'a>>,
}

/// A whole file of gold: an object with `tests`, or the list alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Gold<'a>(pub Vec<Test<'a>>);

/// What should have been retrieved for one query.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Test<'a> {
    /// The query's text.
    #[serde(borrow)]
    pub query: Text<'a>,
    /// The gold snippets, in no particular order.
    pub snippets: Vec<Passage<'a>>,
}

/// A piece of text, retrieved or gold: a bare string, or an object that may say where
/// the text stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage<'a> {
    /// The text; an object may lack it and only name its place.
    pub text: Option<Text<'a>>,
    /// What only an object can say; boxed, because most passages are bare strings.
    pub details: Option<Box<Details<'a>>>,
}

/// What an object says about its passage besides the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Details<'a> {
    /// Where it stands, if both file and span are given.
    pub location: Option<Location<'a>>,
    /// The retriever's score, if given.
    pub score: Option<f64>,
}

impl Details<'_> {
    /// The same without borrowing from a file.
    pub fn into_owned(self) -> Details<'static> {
        let location = self.location.map(|Location { file_path, span }| Location {
            file_path: Cow::Owned(file_path.into_owned()),
            span,
        });
        Details { location, score: self.score }
    }
}

impl<'a> Passage<'a> {
    /// A passage that is only text.
    pub fn of_text(text: impl Into<Cow<'a, str>>) -> Self {
        Self { text: Some(Text(text.into())), details: None }
    }

    /// The text, empty where there is none.
    pub fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// Where the passage stands, if it says so.
    pub fn location(&self) -> Option<&Location<'a>> {
        self.details.as_ref().and_then(|details| details.location.as_ref())
    }

    /// The retriever's score, if the passage carries one.
    pub fn score(&self) -> Option<f64> {
        self.details.as_ref().and_then(|details| details.score)
    }
}

/// A string that borrows from the file unless it holds an escape.
///
/// `Cow` alone borrows only as a direct field, not inside a list or an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<'a>(pub Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Passage<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PassageVisitor)
    }
}

/// The object form of a passage as it stands in the file.
#[derive(Deserialize)]
struct PassageObject<'a> {
    #[serde(borrow, alias = "answer", alias = "page_content")]
    text: Option<Text<'a>>,
    file_path: Option<Text<'a>>,
    span: Option<Span>,
    score: Option<f64>,
}

struct PassageVisitor;

impl<'de> Visitor<'de> for PassageVisitor {
    type Value = Passage<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string, or an object with `text`, `answer` or `page_content`")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Passage::of_text(text))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Passage::of_text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let object = PassageObject::deserialize(MapAccessDeserializer::new(map))?;
        let location = match (object.file_path, object.span) {
            (Some(file_path), Some(span)) => Some(Location { file_path: file_path.0, span }),
            _ => None,
        };
        let says_more = location.is_some() || object.score.is_some();
        let details = says_more.then(|| Box::new(Details { location, score: object.score }));
        Ok(Passage { text: object.text, details })
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Predictions<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PredictionsVisitor)
    }
}

struct PredictionsVisitor;

impl<'de> Visitor<'de> for PredictionsVisitor {
    type Value = Predictions<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of objects with `query` and `retrieved_passages`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        collect(list).map(Predictions)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Gold<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(GoldVisitor)
    }
}

struct GoldVisitor;

impl<'de> Visitor<'de> for GoldVisitor {
    type Value = Gold<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object with `tests`: a list of objects with `query` and `snippets`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        collect(list).map(Gold)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut tests = None;
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            match (&*key, &tests) {
                ("tests", None) => tests = Some(map.next_value()?),
                ("tests", Some(_)) => return Err(A::Error::duplicate_field("tests")),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        tests.map(Gold).ok_or_else(|| A::Error::missing_field("tests"))
    }
}

fn collect<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(mut list: A) -> Result<Vec<T>, A::Error> {
    let mut all = Vec::new();
    while let Some(one) = list.next_element()? {
        all.push(one);
    }
    Ok(all)
}
