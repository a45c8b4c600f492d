//! Answers that are given rather than asked for: a file of records, or a folder of texts.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use assize_methods::council::limits::ANSWERS_MAX;
use assize_methods::gate::is_visible;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::input::standard_input;

/// The file of a folder that holds the question.
pub(crate) const QUESTION_FILE: &str = "question.txt";

/// Fields that may name who wrote an answer, the first that is there.
const NAME_FIELDS: [&str; 5] = ["model", "name", "member", "author", "id"];
/// Fields that may hold the answer's text.
const TEXT_FIELDS: [&str; 5] = ["text", "answer", "response", "content", "output"];
/// Fields that may hold the list of answers beside a question.
const LIST_FIELDS: [&str; 2] = ["answers", "responses"];
/// Texts of a folder that are answers, by the ends of their names.
const TEXT_FILES: [&str; 3] = ["txt", "md", "markdown"];

/// One answer, and who wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuppliedAnswer {
    /// What its writer is called.
    pub name: String,
    /// What it says.
    pub text: String,
}

/// Answers, and the question if it stands with them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Supplied {
    /// What was asked.
    pub question: Option<String>,
    /// What was answered.
    pub answers: Vec<SuppliedAnswer>,
}

/// Why answers were refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SuppliedError {
    /// It could not be read.
    #[error("{} could not be read", .0.display())]
    Unreadable(PathBuf, #[source] io::Error),
    /// It is neither JSON nor lines of JSON.
    #[error("{}, line {line}: not JSON; answers are objects with `model` and `text`", .path.display())]
    Json {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
    /// It is JSON, but not answers.
    #[error("{}: {problem}", .path.display())]
    Shape {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
}

impl Supplied {
    /// Reads a file of answers, a folder of texts, or standard input for `-`.
    pub fn read(path: &Path) -> Result<Self, SuppliedError> {
        let unreadable = |error| SuppliedError::Unreadable(path.to_owned(), error);
        if path.is_dir() {
            return Self::folder(path);
        }
        let text = if path == Path::new("-") {
            let mut text = String::new();
            let read = standard_input().and_then(|mut input| input.read_to_string(&mut text));
            read.map_err(unreadable)?;
            text
        } else {
            fs::read_to_string(path).map_err(unreadable)?
        };
        Self::from_text(path, &text)
    }

    /// Reads the text of a file of answers.
    pub fn from_text(path: &Path, text: &str) -> Result<Self, SuppliedError> {
        let text = text.trim_start_matches('\u{feff}');
        let supplied = match serde_json::from_str::<Value>(text) {
            Ok(whole) => from_value(whole),
            Err(error) => {
                let filled = text.lines().filter(|line| !line.trim().is_empty()).count();
                if filled < 2 {
                    let (path, line) = (path.to_owned(), error.line());
                    return Err(SuppliedError::Json { path, line, source: error });
                }
                from_lines(path, text)?
            }
        };
        let shape = |problem| SuppliedError::Shape { path: path.to_owned(), problem };
        checked(supplied.map_err(shape)?).map_err(shape)
    }

    /// One text, one answer; the file's name is the writer's.
    fn folder(path: &Path) -> Result<Self, SuppliedError> {
        let unreadable = |error| SuppliedError::Unreadable(path.to_owned(), error);
        let mut files: Vec<PathBuf> = fs::read_dir(path)
            .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
            .map_err(unreadable)?;
        files.sort();
        let mut supplied = Self::default();
        for file in files.into_iter().filter(|file| is_text(file)) {
            let text = fs::read_to_string(&file)
                .map_err(|error| SuppliedError::Unreadable(file.clone(), error))?;
            if file.file_name().is_some_and(|name| name == QUESTION_FILE) {
                supplied.question = Some(text.trim().to_owned());
            } else if let Some(name) = file.file_stem().and_then(|name| name.to_str()) {
                supplied.answers.push(SuppliedAnswer { name: name.to_owned(), text });
            }
        }
        checked(supplied).map_err(|problem| SuppliedError::Shape { path: path.to_owned(), problem })
    }
}

fn is_text(file: &Path) -> bool {
    let end = file.extension().and_then(|end| end.to_str());
    file.is_file() && end.is_some_and(|end| TEXT_FILES.contains(&end))
}

fn from_lines(path: &Path, text: &str) -> Result<Result<Supplied, String>, SuppliedError> {
    let mut values = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let value: Value = serde_json::from_str(line).map_err(|source| SuppliedError::Json {
            path: path.to_owned(),
            line: index + 1,
            source,
        })?;
        values.push(value);
    }
    Ok(from_value(Value::Array(values)))
}

fn from_value(value: Value) -> Result<Supplied, String> {
    match value {
        Value::Array(records) => {
            let mut supplied = Supplied::default();
            let mut questions = BTreeSet::new();
            for (index, record) in records.iter().enumerate() {
                let answer =
                    answer(record).map_err(|problem| format!("answer {}: {problem}", index + 1))?;
                supplied.answers.push(answer);
                let question = record.get("question").and_then(Value::as_str);
                questions.extend(question.map(str::trim));
                supplied.question = supplied.question.or_else(|| question.map(str::to_owned));
            }
            // Answers to different questions are no rivals.
            if questions.len() > 1 {
                return Err(format!(
                    "it contains {} questions, and a council answers one: use `assize council \
                     bench`, or put each question in its own file",
                    questions.len()
                ));
            }
            Ok(supplied)
        }
        Value::Object(mut object) => {
            let question = object.remove("question");
            let question = question.as_ref().and_then(Value::as_str).map(str::to_owned);
            let list = LIST_FIELDS.iter().find_map(|field| object.remove(*field));
            let mut supplied = match list {
                Some(list) => from_value(list)?,
                None => named(&object)?,
            };
            supplied.question = question.or(supplied.question);
            Ok(supplied)
        }
        _ => Err("expected a list of answers, each with `model` and `text`".to_owned()),
    }
}

/// `{"model": "what it said", …}`
fn named(object: &Map<String, Value>) -> Result<Supplied, String> {
    let mut answers = Vec::new();
    for (name, text) in object {
        let Value::String(text) = text else {
            return Err(format!("`{name}`: expected the text of an answer"));
        };
        answers.push(SuppliedAnswer { name: name.clone(), text: text.clone() });
    }
    Ok(Supplied { question: None, answers })
}

fn answer(record: &Value) -> Result<SuppliedAnswer, String> {
    let field = |names: &[&str]| {
        let found = names.iter().find_map(|name| record.get(*name)?.as_str());
        found.map(str::to_owned).ok_or_else(|| format!("no field `{}`", names.join("`, `")))
    };
    Ok(SuppliedAnswer { name: field(&NAME_FIELDS)?, text: field(&TEXT_FIELDS)? })
}

/// Names tell answers apart, and an empty answer is none.
fn checked(supplied: Supplied) -> Result<Supplied, String> {
    let mut names = BTreeSet::new();
    for answer in &supplied.answers {
        if !names.insert(answer.name.as_str()) {
            return Err(format!("two answers are by `{}`: give each a unique name", answer.name));
        }
        if names.len() > ANSWERS_MAX {
            return Err(format!("a council takes at most {ANSWERS_MAX} answers"));
        }
        if !is_visible(&answer.text) {
            return Err(format!("the answer of `{}` is empty", answer.name));
        }
    }
    if supplied.answers.is_empty() {
        return Err("it contains no answers".to_owned());
    }
    Ok(supplied)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Supplied, SuppliedError> {
        Supplied::from_text(Path::new("answers.json"), text)
    }

    fn names(supplied: &Supplied) -> Vec<&str> {
        supplied.answers.iter().map(|answer| answer.name.as_str()).collect()
    }

    #[test]
    fn lists_lines_maps_and_questions_are_read() {
        let list = r#"[{"model":"a","text":"one"},{"name":"b","answer":"two"}]"#;
        let lines = "{\"model\":\"a\",\"text\":\"one\"}\n\n{\"id\":\"b\",\"content\":\"two\"}\n";
        let map = r#"{"a":"one","b":"two"}"#;
        for text in [list, lines, map] {
            let supplied = read(text).unwrap();
            assert_eq!(names(&supplied), ["a", "b"], "{text}");
            assert_eq!(supplied.answers[1].text, "two");
            assert_eq!(supplied.question, None);
        }
        let whole = format!(r#"{{"question":"Why?","responses":{list}}}"#);
        assert_eq!(read(&whole).unwrap().question.as_deref(), Some("Why?"));
    }

    #[test]
    fn what_cannot_be_told_apart_or_is_empty_is_refused_by_name() {
        let twice = r#"[{"model":"a","text":"one"},{"model":"a","text":"two"}]"#;
        assert!(read(twice).unwrap_err().to_string().contains("two answers are by `a`"));
        for empty in ["{\"a\":\" \"}", "{\"a\":\"\u{200b}\u{2060}\u{feff}\"}"] {
            assert!(read(empty).unwrap_err().to_string().contains("the answer of `a` is empty"));
        }
        let nameless = r#"[{"text":"one"}]"#;
        assert!(read(nameless).unwrap_err().to_string().contains("answer 1: no field `model`"));
        let rivals = r#"[{"question":"Why?","model":"a","text":"one"},{"question":"How?","model":"b","text":"two"}]"#;
        assert!(read(rivals).unwrap_err().to_string().contains("it contains 2 questions"));
        let broken = "{\"a\": 1}\n{\"b\"";
        assert!(read(broken).unwrap_err().to_string().contains("line 2"));
        assert!(read("[]").is_err());
    }

    #[test]
    fn a_folder_holds_one_text_for_each_answer_and_perhaps_the_question() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in
            [("b.md", "two"), ("a.txt", "one"), (QUESTION_FILE, "Why?\n"), ("notes.json", "{}")]
        {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let supplied = Supplied::read(folder.path()).unwrap();
        assert_eq!(names(&supplied), ["a", "b"]);
        assert_eq!(supplied.question.as_deref(), Some("Why?"));
    }
}
