//! One value, read from where it begins.

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value};

use super::quoted::closing;
use super::{INCOMPLETE, TWICE};
use crate::reply::Repair;

/// Nobody asks for answers nested deeper than this.
const DEPTH_MAX: usize = 64;

/// A bare word longer than this is prose.
const WORD_MAX: usize = 40;

/// This is no value, and not the beginning of one either.
#[derive(Debug)]
pub(super) struct BrokenValue;

/// A walk through one value.
#[derive(Debug)]
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    /// Where the walk is, or where it ended.
    pub(super) index: usize,
    /// What was put right.
    pub(super) repairs: BTreeSet<Repair>,
    depth: usize,
    quoted_keys: usize,
    /// Whether the reply ended before the value did.
    pub(super) over: bool,
}

impl<'a> Parser<'a> {
    /// A walk that begins at an opening bracket.
    pub(super) fn new(text: &'a str, start: usize) -> Self {
        Self { text, index: start, repairs: BTreeSet::new(), depth: 0, quoted_keys: 0, over: false }
    }

    /// Whether it looked like an answer before it failed, not like a brace in prose.
    pub(super) fn is_genuine(&self) -> bool {
        self.quoted_keys > 0
    }

    /// Walks to the end of the value.
    pub(super) fn run(&mut self) -> Result<Value, BrokenValue> {
        let value = self.value()?.ok_or(BrokenValue)?;
        if self.over {
            if self.quoted_keys == 0 {
                return Err(BrokenValue);
            }
            self.repairs.insert(Repair::BrokenOff);
        }
        Ok(value)
    }

    /// After a failure, walks on to where the value would have ended if only its brackets
    /// count, so that no part of it is taken for an answer.
    pub(super) fn skip_to_the_end(&mut self) {
        let bytes = self.text.as_bytes();
        let mut in_string = false;
        while let Some(byte) = bytes.get(self.index) {
            self.index += 1;
            match byte {
                b'\\' if in_string => self.index += 1,
                b'"' => in_string = !in_string,
                b'{' | b'[' if !in_string => self.depth += 1,
                b'}' | b']' if !in_string => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            if self.depth == 0 {
                break;
            }
        }
        self.index = self.index.min(self.text.len());
        while !self.text.is_char_boundary(self.index) {
            self.index += 1;
        }
    }

    /// A value; `None` if the reply ends before it does.
    fn value(&mut self) -> Result<Option<Value>, BrokenValue> {
        self.space();
        match self.peek() {
            None => {
                self.over = true;
                Ok(None)
            }
            Some('{') => self.nested(Self::object).map(Some),
            Some('[') => self.nested(Self::list).map(Some),
            Some(letter) if closing(letter).is_some() => Ok(self.string().map(Value::String)),
            Some(_) => self.word(),
        }
    }

    fn nested(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<Value, BrokenValue>,
    ) -> Result<Value, BrokenValue> {
        if self.depth == DEPTH_MAX {
            return Err(BrokenValue);
        }
        self.depth += 1;
        self.index += 1;
        let value = inner(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn object(&mut self) -> Result<Value, BrokenValue> {
        let mut map = Map::new();
        let mut after_comma = false;
        loop {
            self.space();
            match self.peek() {
                None => break,
                Some('}') => {
                    self.index += 1;
                    if after_comma {
                        self.repairs.insert(Repair::TrailingComma);
                    }
                    return Ok(Value::Object(map));
                }
                Some(_) => {}
            }
            let Some(key) = self.key()? else { break };
            let Some(value) = self.value()? else { break };
            // The last of two equal keys holds, as everywhere; that they differ is noted.
            if map.get(&key).is_some_and(|earlier| *earlier != value) {
                let twice = map.entry(TWICE).or_insert_with(|| Value::Array(Vec::new()));
                twice
                    .as_array_mut()
                    .into_iter()
                    .for_each(|twice| twice.push(Value::from(key.as_str())));
            }
            map.insert(key, value);
            if self.over {
                break;
            }
            after_comma = match self.separator('}')? {
                None => break,
                Some(comma) => comma,
            };
        }
        self.over = true;
        map.insert(INCOMPLETE.to_owned(), Value::Bool(true));
        Ok(Value::Object(map))
    }

    fn list(&mut self) -> Result<Value, BrokenValue> {
        let mut items = Vec::new();
        let mut after_comma = false;
        loop {
            self.space();
            if self.peek() == Some(']') {
                self.index += 1;
                if after_comma {
                    self.repairs.insert(Repair::TrailingComma);
                }
                return Ok(Value::Array(items));
            }
            let Some(item) = self.value()? else { break };
            items.push(item);
            if self.over {
                break;
            }
            after_comma = match self.separator(']')? {
                None => break,
                Some(comma) => comma,
            };
        }
        self.over = true;
        Ok(Value::Array(items))
    }

    /// Takes a comma, or leaves the closing bracket: whether it was a comma. `None` at the end.
    fn separator(&mut self, close: char) -> Result<Option<bool>, BrokenValue> {
        self.space();
        match self.peek() {
            None => Ok(None),
            Some(',') => {
                self.index += 1;
                Ok(Some(true))
            }
            Some(letter) if letter == close => Ok(Some(false)),
            Some(_) => Err(BrokenValue),
        }
    }

    /// A name and its colon; `None` if the reply ends first.
    fn key(&mut self) -> Result<Option<String>, BrokenValue> {
        let quoted = self.peek().is_some_and(|letter| closing(letter).is_some());
        let key = if quoted {
            match self.string() {
                None => return Ok(None),
                Some(key) => key,
            }
        } else {
            let rest = &self.text[self.index..];
            let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
            let end = end.unwrap_or(rest.len());
            if end == 0 || end > WORD_MAX {
                return Err(BrokenValue);
            }
            self.index += end;
            rest[..end].to_owned()
        };
        self.space();
        match self.peek() {
            None => return Ok(None),
            Some(':') => self.index += 1,
            Some(_) => return Err(BrokenValue),
        }
        if quoted {
            self.quoted_keys += 1;
        } else {
            self.repairs.insert(Repair::Unquoted);
        }
        Ok(Some(key.chars().filter(|letter| !letter.is_control()).collect()))
    }

    /// A value without quotes; `None` if it touches the end, since it may go on.
    fn word(&mut self) -> Result<Option<Value>, BrokenValue> {
        let rest = &self.text[self.index..];
        let mut previous = ' ';
        let mut end = None;
        for (offset, letter) in rest.char_indices().take(WORD_MAX + 2) {
            let comment = previous == '/' && matches!(letter, '/' | '*');
            if comment || matches!(letter, ',' | '}' | ']' | '\n' | '{' | '[' | ':' | '"') {
                end = Some(if comment { offset - 1 } else { offset });
                break;
            }
            previous = letter;
        }
        let Some(end) = end else {
            if rest.len() > WORD_MAX {
                return Err(BrokenValue);
            }
            self.index = self.text.len();
            self.over = true;
            return Ok(None);
        };
        let word = rest[..end].trim();
        if word.is_empty() {
            return Err(BrokenValue);
        }
        self.index += end;
        Ok(Some(self.meaning(word)))
    }

    fn meaning(&mut self, word: &str) -> Value {
        if let Ok(whole) = word.parse::<i64>() {
            return Value::Number(whole.into());
        }
        let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
        let repair = match word {
            "true" => return Value::Bool(true),
            "false" => return Value::Bool(false),
            "null" => return Value::Null,
            "True" | "False" | "None" => Repair::PythonWord,
            "NaN" | "nan" | "Infinity" | "-Infinity" | "inf" | "-inf" | "undefined" => {
                Repair::NotANumber
            }
            _ => match number.and_then(Number::from_f64) {
                Some(number) => return Value::Number(number),
                None => Repair::Unquoted,
            },
        };
        self.repairs.insert(repair);
        match word {
            "True" => Value::Bool(true),
            "False" => Value::Bool(false),
            _ if repair == Repair::Unquoted => Value::String(word.to_owned()),
            _ => Value::Null,
        }
    }

    /// Skips white space and comments.
    fn space(&mut self) {
        loop {
            let rest = &self.text[self.index..];
            let blank = rest.len() - rest.trim_start().len();
            self.index += blank;
            let rest = &rest[blank..];
            let length = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                return;
            };
            self.repairs.insert(Repair::Comment);
            self.index += length;
        }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.text[self.index..].chars().next()
    }
}
