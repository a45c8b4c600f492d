//! `assize council review`: answers that are there already, marked and ranked.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use assize_engine::council::{Hearing, Supplied};
use clap::Args;

use super::hold;
use crate::exit::Done;

const NOTES: &str = "\
Answers: JSON or JSON lines with `model` and `text` ({\"question\": …, \"answers\": [{\"model\": …, \"text\": …}]}), an object
{\"name\": \"text\"}, or a folder with one text file per answer and optionally question.txt; `-` reads standard input. A reviewer
whose model has the same name as an answer is treated as its author, and that review does not count unless
--count-own is given.";

/// Have models review and rank existing answers.
#[derive(Debug, Args)]
#[command(after_help = NOTES, mut_arg("members", |flag| flag.hide(true)))]
pub(crate) struct Arguments {
    /// A file of answers, or a folder of text files
    answers: PathBuf,
    /// The question, as text or a file, if it is not included with the answers
    #[arg(long, value_name = "TEXT|FILE")]
    question: Option<String>,
    #[command(flatten)]
    hearing: hold::Arguments,
}

/// Checks what was given, then asks.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    arguments.hearing.request.check_review()?;
    let request = arguments.hearing.request()?;
    let supplied = Supplied::read(&arguments.answers)?;
    let question = match &arguments.question {
        Some(question) => text_or_file(question)?,
        None => supplied
            .question
            .context("the answers do not include the question; give it with --question")?,
    };
    let hearing = Hearing::review(&question, supplied.answers, &request)?;
    hold::run(&hearing, &arguments.hearing)
}

fn text_or_file(question: &str) -> Result<String> {
    let path = Path::new(question);
    if !path.is_file() {
        return Ok(question.to_owned());
    }
    let text = fs::read_to_string(path).with_context(|| format!("could not read {question}"))?;
    Ok(text.trim().to_owned())
}
