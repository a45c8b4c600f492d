//! A stored run is shown alike by the command line, HTTP and its page, on both databases: fresh,
//! decided by a person, taken back, rescored and partly failed.
//!
//! What two doors show is compared as a whole, so that a field which one of them lacks is a
//! difference.

use assize_engine::runs::export::ExportFormat;
use assize_engine::store::Instrument;
use assize_testbed::Postgres;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::serve::Server;
use crate::support::{assize, bytes_of};

/// Exports that name the moment at which they were written.
const DATED: [ExportFormat; 5] = [
    ExportFormat::Xlsx,
    ExportFormat::Pdf,
    ExportFormat::PdfFull,
    ExportFormat::Oscal,
    ExportFormat::Poam,
];

/// A run of each instrument in one database, and a server over it.
struct Stored {
    server: Server,
    database: String,
    _folder: TempDir,
}

/// What was stored: which run, what it measures, the measure that is decided about, and what
/// rescores it.
const RUNS: [(i64, Instrument, &str, &[&str]); 4] = [
    (1, Instrument::Retrieval, "recall@10", &["--k", "3,10"]),
    (2, Instrument::Summary, "coverage", &["--framework", "twin-lock"]),
    (3, Instrument::Compliance, "score", &[]),
    (4, Instrument::Council, "score", &["--profile", "classic"]),
];

impl Stored {
    fn in_database(database: Option<String>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("assize.db").to_str().unwrap().to_owned();
        let database = database.unwrap_or(file);
        let pairs = folder.path().join("pairs.jsonl");
        // The third has no summary: a run that failed in part.
        let text = "{\"article\": \"It rained on Mull. It was cold.\", \"summary\": \"It rained.\"}\n\
            {\"article\": \"The bridge opened in 1932.\", \"summary\": \"It opened in 1933.\"}\n\
            {\"article\": \"Nothing was said of it.\"}\n";
        std::fs::write(&pairs, text).unwrap();
        let input = pairs.to_str().unwrap();
        let save = ["--save", "--database", &database];
        for words in [
            &["score", "retrieval/keyword.json", "retrieval/gold.json"][..],
            &[
                "summary",
                "score",
                "--input",
                input,
                "--allow-unscored",
                "--framework",
                "judge-lock",
            ][..],
        ] {
            let said = assize(&[words, &save].concat());
            assert_eq!(said.code, 0, "{words:?}: {}", said.stderr);
        }
        let evaluate = ["evaluate", "compliance/access-policy.md", "--criteria"];
        let more = ["compliance/criteria.csv", "--database", &database];
        assert_eq!(assize(&[&evaluate[..], &more].concat()).code, 0);
        let server = Server::start(folder.path(), &["--database", &database]);
        let record = super::read(&crate::support::examples().join("council/run.json"));
        let body = json!({"instrument": "council", "record": record}).to_string();
        let (status, text) = server.ask("POST", "/api/v1/runs", &body);
        assert_eq!(status, 201, "{text}");
        Self { server, database, _folder: folder }
    }

    fn fine(&self, words: &[&str]) -> String {
        let said = assize(&[words, &["--database", &self.database]].concat());
        assert_eq!(said.code, 0, "{words:?}: {}", said.stderr);
        said.stdout
    }

    /// Says a value of the second item, or takes it back.
    fn decide(&self, number: i64, measure: &str, value: Option<f64>) {
        let body = json!({
            "position": 1, "kind": "score", "target": measure, "value": value, "reason": "read",
        });
        let path = format!("/api/v1/runs/{number}/decisions");
        let (status, text) = self.server.ask("POST", &path, &body.to_string());
        assert_eq!(status, 201, "{text}");
    }

    /// Compares everything that two doors show of a run.
    fn agrees(&self, (number, instrument): (i64, Instrument), measure: &str, state: &str) {
        let id = number.to_string();
        let what = format!("{instrument} run, {state}");
        let mut show = vec!["runs", "show", &id, "--format", "json"];
        // A compliance run is shown as its criteria unless a list is asked for.
        if instrument == Instrument::Compliance {
            show.extend(["--sort", measure]);
        }
        let shown = self.fine(&show);
        let mut shown: Value = serde_json::from_str(&shown).unwrap();
        let mut api = self.server.json(&format!("/api/v1/runs/{number}"));
        // A list that is sorted by a measure leaves out what has none.
        if instrument == Instrument::Compliance {
            let items = api["page"].as_array_mut().unwrap();
            items.retain(|item| item["scores"][measure].is_number());
        }
        // The API lists items by position and sorts on another route.
        let position = |item: &Value| item["position"].as_i64();
        shown["page"].as_array_mut().unwrap().sort_by_key(position);
        assert_eq!(shown, api, "{what}");
        self.page_agrees(number, &api, &what);
        for format in ExportFormat::offered(instrument) {
            let path = format!("/api/v1/runs/{number}/export?format={}", format.name());
            let served = self.server.bytes(&path);
            let words = ["runs", "export", &id, "--format", format.name(), "--database"];
            let written = bytes_of(&[&words[..], &[&self.database]].concat());
            let [served, written] = [served, written].map(without_moment);
            if DATED.contains(&format) {
                assert!(served.len() > 500 && written.len() > 500, "{what}: {}", format.name());
            } else {
                assert!(served == written, "{what}: {} differs", format.name());
            }
        }
    }

    /// The page prints the means and intervals that the API has, rounded.
    fn page_agrees(&self, number: i64, api: &Value, what: &str) {
        let (instrument, place) = (api["instrument"].as_str().unwrap(), number.to_string());
        let path = match instrument {
            "compliance" => "/eval/",
            // A mean over the answers of one council says nothing, and its page shows none.
            "council" => return,
            _ => "/runs/",
        };
        let page = self.server.ask("GET", &format!("{path}{place}"), "").1;
        if instrument == "compliance" {
            let verdicts = self.fine(&["runs", "verdicts", &place, "--format", "json"]);
            let verdicts: Value = serde_json::from_str(&verdicts).unwrap();
            let (met, all) = (&verdicts["met"], verdicts["verdicts"].as_array().unwrap().len());
            let words = format!("{met} of {all} criteria met");
            assert!(page.contains(&words), "{what}: {words} in {page}");
        }
        let mut compared = 0;
        for mean in api["means"].as_array().unwrap() {
            let Some(value) = mean["mean"].as_f64() else { continue };
            let bound = |at: usize| mean["interval"][at].as_f64();
            let largest = [Some(value), bound(0), bound(1)].into_iter().flatten();
            // Summaries are marked out of 10, compliance out of 100; a measure of retrieval has no
            // scale that the page knows, and its values decide.
            let decimals = match (instrument, largest.map(f64::abs).fold(0.0, f64::max)) {
                ("summary", _) => 2,
                ("compliance", _) => 1,
                (_, size) if size <= 1.0 => 3,
                (_, size) if size <= 10.0 => 2,
                _ => 1,
            };
            let printed = match (bound(0), bound(1)) {
                (Some(low), Some(high)) => format!(
                    "{value:.decimals$} <small title=\"95 % interval of the mean\">\
                     [{low:.decimals$}, {high:.decimals$}]</small>"
                ),
                _ => format!("{value:.decimals$}"),
            };
            assert!(page.contains(&printed), "{what}: {} {printed} in {page}", mean["measure"]);
            compared += 1;
        }
        assert!(compared > 0, "{what}: {api}");
    }
}

/// An export without the line that names the moment at which it was written.
fn without_moment(bytes: Vec<u8>) -> Vec<u8> {
    let Ok(text) = String::from_utf8(bytes.clone()) else { return bytes };
    text.split_inclusive('\n')
        .filter(|line| !line.contains("\"exported_at\""))
        .collect::<String>()
        .into()
}

fn every_state(database: Option<String>) {
    let stored = Stored::in_database(database);
    for (number, instrument, measure, rescore) in RUNS {
        let run = (number, instrument);
        stored.agrees(run, measure, "fresh");
        stored.decide(number, measure, Some(1.0));
        stored.agrees(run, measure, "decided");
        stored.decide(number, measure, None);
        stored.agrees(run, measure, "taken back");
        if !rescore.is_empty() {
            stored.decide(number, measure, Some(0.5));
            stored.fine(&[&["runs", "rescore", &number.to_string()], rescore].concat());
            stored.agrees(run, measure, "decided and rescored");
        }
    }
}

#[test]
fn every_state_of_every_instrument_on_sqlite() {
    every_state(None);
}

#[test]
fn every_state_of_every_instrument_on_postgresql() {
    let server = Postgres::start();
    every_state(Some(server.database()));
}
