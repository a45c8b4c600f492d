//! Queries of a benchmark of ours, of BEIR (`queries.jsonl`) or of MS MARCO (`id<TAB>text`).

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::input::{InputError, Source};

/// A benchmark as it is read, and what its queries are called.
#[derive(Debug)]
pub struct Benchmark {
    /// JSON with tests, as the scorer reads it.
    pub source: Source,
    /// The identifiers of the queries, where the file has them.
    pub ids: Option<Vec<String>>,
}

/// A query for which no gold is known, as the scorer reads it.
#[derive(Serialize)]
struct OpenQuery<'a> {
    query: &'a str,
    snippets: [&'static str; 0],
}

const ID: [&str; 4] = ["_id", "id", "query_id", "qid"];
const TEXT: [&str; 3] = ["text", "query", "question"];

/// What BEIR calls its queries.
const BEIR_QUERIES: &str = "queries.jsonl";

/// The file of queries in a folder of BEIR; any other path as it is.
pub fn queries_in(path: &Path) -> PathBuf {
    let inside = path.join(BEIR_QUERIES);
    if inside.is_file() { inside } else { path.to_owned() }
}

/// Turns a list of queries into a benchmark without gold; one of ours is left alone.
pub fn read_benchmark(source: Source) -> Result<Benchmark, InputError> {
    let found = listed(source.text()?);
    Ok(match found {
        None => Benchmark { source, ids: None },
        Some(queries) => {
            let (ids, asked): (Vec<String>, Vec<String>) = queries.into_iter().unzip();
            let tests: Vec<OpenQuery> =
                asked.iter().map(|query| OpenQuery { query, snippets: [] }).collect();
            let bytes = serde_json::to_vec(&tests).expect("JSON is written to memory");
            Benchmark { source: Source::in_memory(source.name, bytes), ids: Some(ids) }
        }
    })
}

/// Queries with their identifiers, one on each line.
fn listed(text: &str) -> Option<Vec<(String, String)>> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let queries: Option<Vec<(String, String)>> = lines
        .map(|line| {
            if line.starts_with(['{', '[']) {
                let record: Map<String, Value> = serde_json::from_str(line).ok()?;
                let field = |names: &[&str]| names.iter().find_map(|name| record.get(*name));
                let id = match field(&ID)? {
                    Value::String(id) => id.clone(),
                    Value::Number(id) => id.to_string(),
                    _ => return None,
                };
                Some((id, field(&TEXT)?.as_str()?.to_owned()))
            } else {
                let (id, text) = line.split_once('\t')?;
                Some((id.trim().to_owned(), text.trim().to_owned()))
            }
        })
        .collect();
    queries.filter(|queries| !queries.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_of_beir_and_ms_marco_become_tests_and_ours_stay() {
        let read = |text: &str| read_benchmark(Source::in_memory("q", text)).unwrap();
        let beir = read("{\"_id\": \"7\", \"text\": \"who?\", \"metadata\": {}}\r\n");
        assert_eq!(beir.ids, Some(vec!["7".to_owned()]));
        assert_eq!(beir.source.text().unwrap(), r#"[{"query":"who?","snippets":[]}]"#);
        assert_eq!(read("12\twho pays?\n").ids, Some(vec!["12".to_owned()]));
        assert!(read("{\"tests\": []}").ids.is_none());
        assert!(read("{\n\"tests\": [\n]}").ids.is_none());
    }
}
