//! Runs of three instruments, made through the API.

use std::fmt::Write;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::Size;
use super::client::Client;

/// One run in so many is a compliance run, and one a run of summaries.
pub(super) const CYCLE: usize = 20;
/// Documents of the compliance runs; their criteria follow from the number of items.
const DOCUMENTS: usize = 5;

/// What a run of that number measures; numbers count from 1.
pub(super) fn is_compliance(number: usize) -> bool {
    number.is_multiple_of(CYCLE)
}

pub(super) fn is_summary(number: usize) -> bool {
    number % CYCLE == CYCLE / 2
}

/// Makes all runs, one after the other so that their numbers are known, and waits for those that
/// the server works on by itself.
pub(super) fn fill(address: &str, size: &Size) -> Result<()> {
    let mut client = Client::connect(address)?;
    sets(&mut client, size)?;
    for number in 1..=size.runs {
        let body = if is_compliance(number) {
            r#"{"instrument":"compliance","criteria_set":"controls","document_set":"policies"}"#
                .to_owned()
        } else if is_summary(number) {
            summaries(number, size.items)
        } else {
            retrieval(number, size.items)
        };
        client.post("/api/v1/runs", &body)?;
    }
    for state in ["planned", "running"] {
        let path = format!("/api/v1/runs?limit=1&state={state}");
        for _ in 0..6_000 {
            let answer = client.ask("GET", &path, "application/json", "")?;
            if answer.body.starts_with(br#"{"items":[]"#) {
                break;
            }
            thread::sleep(Duration::from_millis(100));
        }
    }
    Ok(())
}

/// Makes two large retrieval runs that differ, behind all others.
pub(super) fn fill_large(address: &str, size: &Size) -> Result<()> {
    if size.large == 0 {
        return Ok(());
    }
    let mut client = Client::connect(address)?;
    for number in size.runs + 1..=size.runs + 2 {
        client.post("/api/v1/runs", &retrieval(number, size.large))?;
    }
    Ok(())
}

/// A run that asks a model which never answers. Returns its number.
pub(super) fn begin_endless(address: &str) -> Result<u64> {
    let mut client = Client::connect(address)?;
    let body = r#"{"instrument":"summary","judge":"silent/none","pairs":[{"article":"It rained.","summary":"It rained."}]}"#;
    let answer = client.post("/api/v1/runs", body)?;
    let text = String::from_utf8_lossy(&answer.body);
    let number = text.split("\"number\":").nth(1).and_then(|rest| rest.split([',', '}']).next());
    Ok(number.context("the run has no number")?.trim().parse()?)
}

fn sets(client: &mut Client, size: &Size) -> Result<()> {
    let criteria: Vec<String> = (0..(size.items / DOCUMENTS).max(1))
        .map(|one| {
            format!("{{\"criteria_id\":\"C-{one}\",\"requirement\":\"Records of kind {one} are kept for {one} years.\"}}")
        })
        .collect();
    let body = format!("{{\"name\":\"controls\",\"criteria\":[{}]}}", criteria.join(","));
    client.post("/api/v1/criteria-sets", &body)?;
    client.post("/api/v1/document-sets", r#"{"name":"policies"}"#)?;
    let mut form = String::new();
    for document in 0..DOCUMENTS {
        let _ = write!(
            form,
            "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"policy-{document}.txt\"\r\n\r\n\
             Records of kind {document} are kept for {document} years. {}\r\n",
            "Other records are destroyed when nobody needs them. ".repeat(40)
        );
    }
    form += "--x--\r\n";
    let path = "/api/v1/document-sets/policies/documents";
    let answer = client.ask("POST", path, "multipart/form-data; boundary=x", &form)?;
    ensure!(answer.status == 201, "documents were answered with {}", answer.status);
    Ok(())
}

/// Ranks differ from run to run, so that runs have something to compare.
fn retrieval(number: usize, items: usize) -> String {
    let query = |item: usize| {
        let scores =
            (0..5).map(|place| format!("\"d{place}\":{}", (place * 7 + item + number) % 11));
        format!("\"q{item}\":{{{}}}", scores.collect::<Vec<_>>().join(","))
    };
    let predictions: Vec<String> = (0..items).map(query).collect();
    let gold: Vec<String> = (0..items).map(|item| format!("\"q{item}\":{{\"d1\":1}}")).collect();
    format!(
        "{{\"instrument\":\"retrieval\",\"name\":\"nightly {number}\",\"input\":{{\"predictions\":{{{}}},\"gold\":{{{}}},\
         \"settings\":{{\"measures\":[\"mrr\",\"recall@3\",\"ndcg@10\"],\"resamples\":0}}}}}}",
        predictions.join(","),
        gold.join(",")
    )
}

fn summaries(number: usize, items: usize) -> String {
    let pair = |item: usize| {
        format!(
            "{{\"id\":\"s{item}\",\"article\":\"The bridge opened in {}. It cost nine million pounds. {}\",\
             \"summary\":\"The bridge opened in {}.\"}}",
            1900 + item,
            "People crossed it on foot and by tram. ".repeat(5),
            1900 + (item + number / CYCLE % 2)
        )
    };
    let pairs: Vec<String> = (0..items).map(pair).collect();
    format!("{{\"instrument\":\"summary\",\"pairs\":[{}]}}", pairs.join(","))
}
