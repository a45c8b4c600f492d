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

/// Runs in one database, and a server over it.
pub(super) struct Stored {
    pub(super) server: Server,
    pub(super) database: String,
    pub(super) folder: TempDir,
}

/// Other words for the scores of a compliance run.
pub(super) const RUBRIC: &str = r#"{"tiers": [
    {"min": 0, "max": 49, "label": "Not shown", "description": ""},
    {"min": 50, "max": 100, "label": "Shown", "description": ""}]}"#;
/// Stands for a file with that rubric.
const RUBRIC_FILE: &str = "RUBRIC";

/// What was stored: which run, what it measures, the measure that is decided about, and what
/// rescores it.
const RUNS: [(i64, Instrument, &str, &[&str]); 4] = [
    (1, Instrument::Retrieval, "recall@10", &["--k", "3,10"]),
    (2, Instrument::Summary, "coverage", &["--framework", "twin-lock"]),
    (3, Instrument::Compliance, "score", &["--rubric", RUBRIC_FILE]),
    (4, Instrument::Council, "score", &["--profile", "classic"]),
];

impl Stored {
    pub(super) fn in_database(database: Option<String>) -> Self {
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
        Self { server, database, folder }
    }

    fn fine(&self, words: &[&str]) -> String {
        let said = assize(&[words, &["--database", &self.database]].concat());
        assert_eq!(said.code, 0, "{words:?}: {}", said.stderr);
        said.stdout
    }

    /// Says a value of the second item, or takes it back.
    pub(super) fn decide(&self, number: i64, measure: &str, value: Option<f64>) {
        let body = json!({
            "position": 1, "kind": "score", "target": measure, "value": value, "reason": "read",
        });
        let path = format!("/api/v1/runs/{number}/decisions");
        let (status, text) = self.server.ask("POST", &path, &body.to_string());
        assert_eq!(status, 201, "{text}");
    }

    /// Compares everything that two doors show of a run.
    pub(super) fn agrees(
        &self,
        (number, instrument): (i64, Instrument),
        measure: &str,
        state: &str,
    ) {
        let id = number.to_string();
        let what = format!("{instrument} run, {state}");
        let (shown, api) = self.views((number, instrument), measure);
        assert_eq!(shown, api, "{what}");
        let page = self.page(number, &api);
        // The page of a council shows what the council came to, and no person's mark.
        let is_shown = instrument != Instrument::Council || state == "fresh";
        if let Some(missing) = self.page_difference(number, &api, &page).filter(|_| is_shown) {
            panic!("{what}: {missing} in {page}");
        }
        for format in ExportFormat::offered(instrument) {
            let path = format!("/api/v1/runs/{number}/export?format={}", format.name());
            let served = self.server.bytes(&path);
            let words = ["runs", "export", &id, "--format", format.name(), "--database"];
            let written = bytes_of(&[&words[..], &[&self.database]].concat());
            assert!(served.len() > 50, "{what}: {}", format.name());
            assert!(served == written, "{what}: {} differs", format.name());
        }
    }

    /// A run as the command line shows it and as HTTP does, made alike in their order.
    pub(super) fn views(
        &self,
        (number, instrument): (i64, Instrument),
        measure: &str,
    ) -> (Value, Value) {
        let id = number.to_string();
        let mut show = vec!["runs", "show", &id, "--format", "json"];
        // A compliance run is shown as its criteria unless a list is asked for.
        if instrument == Instrument::Compliance {
            show.extend(["--sort", measure]);
        }
        let mut shown: Value = serde_json::from_str(&self.fine(&show)).unwrap();
        let mut api = self.server.json(&format!("/api/v1/runs/{number}"));
        // The API lists items by position and sorts on another route.
        if instrument == Instrument::Compliance {
            let path = format!("/api/v1/runs/{number}/items?sort={measure}&limit=20");
            api["page"] = self.server.json(&path)["items"].take();
        }
        let position = |item: &Value| item["position"].as_i64();
        for view in [&mut shown, &mut api] {
            view["page"].as_array_mut().unwrap().sort_by_key(position);
        }
        (shown, api)
    }

    /// The page of a run.
    pub(super) fn page(&self, number: i64, api: &Value) -> String {
        let path = match api["instrument"].as_str().unwrap() {
            "compliance" => "/eval/",
            "council" => "/councils/",
            _ => "/runs/",
        };
        let (status, page) = self.server.ask("GET", &format!("{path}{number}"), "");
        assert_eq!(status, 200, "{page}");
        page
    }

    /// What a page lacks of what the API has: every mean with its interval, rounded; of a council
    /// the score of each answer, for a mean over the answers of one council says nothing.
    pub(super) fn page_difference(&self, number: i64, api: &Value, page: &str) -> Option<String> {
        let instrument = api["instrument"].as_str().unwrap();
        let mut expected = Vec::new();
        match instrument {
            "compliance" => {
                let number = number.to_string();
                let verdicts = self.fine(&["runs", "verdicts", &number, "--format", "json"]);
                let verdicts: Value = serde_json::from_str(&verdicts).unwrap();
                let (met, all) = (&verdicts["met"], verdicts["verdicts"].as_array().unwrap().len());
                expected.push(format!("{met} of {all} criteria met"));
            }
            "council" => {
                let scores = api["page"].as_array().unwrap().iter();
                let scores = scores.filter_map(|item| item["scores"]["score"].as_f64());
                expected.extend(scores.map(|score| format!("{score:.2}")));
            }
            _ => {}
        }
        if instrument != "council" {
            let means = api["means"].as_array().unwrap().iter();
            expected.extend(means.filter_map(|mean| mean_on_page(instrument, mean)));
        }
        assert!(!expected.is_empty(), "{api}");
        expected.into_iter().find(|words| !page.contains(words))
    }
}

/// A mean with its interval as a page prints it.
pub(super) fn mean_on_page(instrument: &str, mean: &Value) -> Option<String> {
    let value = mean["mean"].as_f64()?;
    let bound = |at: usize| mean["interval"][at].as_f64();
    let largest = [Some(value), bound(0), bound(1)].into_iter().flatten();
    // Summaries are marked out of 10, compliance out of 100; a measure of retrieval has no scale
    // that the page knows, and its values decide.
    let decimals = match (instrument, largest.map(f64::abs).fold(0.0, f64::max)) {
        ("summary", _) => 2,
        ("compliance", _) => 1,
        (_, size) if size <= 1.0 => 3,
        (_, size) if size <= 10.0 => 2,
        _ => 1,
    };
    Some(match (bound(0), bound(1)) {
        (Some(low), Some(high)) => format!(
            "{value:.decimals$} <small title=\"95 % interval of the mean\">\
             [{low:.decimals$}, {high:.decimals$}]</small>"
        ),
        _ => format!("{value:.decimals$}"),
    })
}

fn every_state(database: Option<String>) {
    let stored = Stored::in_database(database);
    let rubric = stored.folder.path().join("rubric.json").to_str().unwrap().to_owned();
    std::fs::write(&rubric, RUBRIC).unwrap();
    for (number, instrument, measure, rescore) in RUNS {
        let run = (number, instrument);
        stored.agrees(run, measure, "fresh");
        stored.decide(number, measure, Some(1.0));
        stored.agrees(run, measure, "decided");
        stored.decide(number, measure, None);
        stored.agrees(run, measure, "taken back");
        stored.decide(number, measure, Some(0.5));
        let number = number.to_string();
        let rescore: Vec<&str> =
            rescore.iter().map(|word| if *word == RUBRIC_FILE { &rubric } else { *word }).collect();
        stored.fine(&[&["runs", "rescore", &number][..], &rescore].concat());
        stored.agrees(run, measure, "decided and rescored");
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
