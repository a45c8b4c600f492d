//! What asking took, by stage and model.

use assize_engine::asking::Money;
use assize_engine::council::Stage;
use assize_wire::council::StageUsage;

use crate::output::table::{numbers, table as aligned, words};
use crate::output::terminal::{one_line, quiet, strong};

const NAME_CHARACTERS_MAX: usize = 40;

/// A line for each stage and model, and their sum; empty where nobody was asked.
pub(super) fn table(usage: &[StageUsage]) -> String {
    if usage.is_empty() {
        return String::new();
    }
    let headings = ["requests", "tokens in", "tokens out", "price"].map(numbers);
    let headings = [words("stage"), words("model")].into_iter().chain(headings);
    let mut rows: Vec<Vec<String>> = usage.iter().map(row).collect();
    rows.push(sum(usage));
    let mut text = format!("\n{}\n", strong("What asking took"));
    text.push_str(&aligned(&headings.collect::<Vec<_>>(), rows));
    let repeated: u64 = usage.iter().map(|line| line.repeated).sum();
    let mut notes = Vec::new();
    if repeated > 0 {
        notes.push(format!("{repeated} requests repeated because the reply could not be read"));
    }
    if usage.iter().any(|line| !line.counted) {
        notes.push("some tokens are estimated, since the provider did not count them".to_owned());
    }
    if !notes.is_empty() {
        text.push_str(&quiet(&notes.join("; ")));
        text.push('\n');
    }
    text
}

fn row(line: &StageUsage) -> Vec<String> {
    let stage = match line.stage {
        Stage::Answer => "answers",
        Stage::Review => "reviews",
        Stage::Revise => "second round",
        Stage::Chair => "chair",
    };
    vec![
        stage.to_owned(),
        one_line(&line.model, NAME_CHARACTERS_MAX),
        line.requests.to_string(),
        line.input_tokens.to_string(),
        line.output_tokens.to_string(),
        line.price_nanodollars.map_or("unknown".to_owned(), money),
    ]
}

fn sum(usage: &[StageUsage]) -> Vec<String> {
    let sum = |of: fn(&StageUsage) -> u64| usage.iter().map(of).sum::<u64>().to_string();
    let prices: Option<u64> = usage.iter().map(|line| line.price_nanodollars).sum();
    vec![
        "all".to_owned(),
        String::new(),
        sum(|line| line.requests),
        sum(|line| line.input_tokens),
        sum(|line| line.output_tokens),
        prices.map_or("unknown".to_owned(), money),
    ]
}

fn money(nanodollars: u64) -> String {
    Money { nanodollars }.to_string()
}
