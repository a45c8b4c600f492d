//! What no door could have made is refused by every door in the same words. The cases stand in
//! `cases/doors/refusals.json`, which Python reads too (`python/tests/test_doors.py`).

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::json;

use super::{Doors, Run, council, options, refusals, summary};
use crate::support::assize;

#[test]
fn a_retrieval_request_that_makes_no_sense() {
    let mut doors = Doors::open(&[], &[]);
    let run = Run::ranked(&doors);
    for (options, words) in refusals("ranked") {
        doors.refused(&words, &run.asking(&options));
    }
}

#[test]
fn a_summary_request_that_makes_no_sense() {
    let mut doors = Doors::open(&[], &[]);
    for (options, words) in refusals("summaries") {
        doors.refused(&words, &summary(&options));
    }
}

#[test]
fn a_council_request_that_makes_no_sense() {
    let mut doors = Doors::open(&[], &[]);
    for (options, words) in refusals("councils") {
        let asking = council::counted_again(&doors, &options);
        doors.refused(&words, &asking);
    }
}

/// A run that shares no document, query or file with its gold: its zeros would measure nothing.
/// `python/tests/test_doors.py` has the same cases.
#[test]
fn a_run_that_shares_nothing_with_its_gold() {
    let mut doors = Doors::open(&[], &[]);
    for (number, case) in options("disjoint").iter().enumerate() {
        let words = case["words"].as_str().unwrap();
        let [predictions, gold] = ["predictions", "gold"].map(|side| case[side].clone());
        let place = doors.folder.path().join(format!("disjoint-{number}"));
        fs::create_dir(&place).unwrap();
        let path = |name: &str| place.join(name).to_str().unwrap().to_owned();
        fs::write(path("run.json"), predictions.to_string()).unwrap();
        fs::write(path("gold.json"), gold.to_string()).unwrap();
        let files = [path("run.json"), path("gold.json")];
        let compare = ["compare", &files[1], &files[0], &files[0]];
        let run = Run { predictions, gold, files: files.clone() };
        doors.refused(words, &run.asking(&json!({})));
        let compared = assize(&compare);
        assert_eq!(compared.code, 2, "{}", compared.stdout);
        assert!(compared.stderr.contains(words), "{}", compared.stderr);
        let config = path("assize.toml");
        let check = "[[check]]\nname = 'run'\nscore = { run = 'run.json', gold = 'gold.json' }\n\
                     require = ['recall@10 >= 0']\n";
        fs::write(&config, check).unwrap();
        let checked = assize(&["check", "--config", &config]);
        assert_eq!(checked.code, 2, "{}", checked.stdout);
        // The table is cut into lines of a terminal.
        let said = checked.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(words), "{said}");
        let proposed = assize(&["init", &folder_for_init(&run, &place)]);
        assert_eq!(proposed.code, 2, "{}", proposed.stdout);
        assert!(proposed.stderr.contains(words), "{}", proposed.stderr);
    }
}

/// A folder with the same run and gold; `init` knows ranked ones as tables.
fn folder_for_init(run: &Run, place: &Path) -> String {
    let folder = place.join("init");
    fs::create_dir(&folder).unwrap();
    let sides = [("run", "score", &run.predictions), ("gold", "relevance", &run.gold)];
    for (name, value, content) in sides {
        let queries = content.as_object().filter(|content| !content.contains_key("tests"));
        let Some(queries) = queries else {
            fs::write(folder.join(name).with_extension("json"), content.to_string()).unwrap();
            continue;
        };
        let mut table = format!("query_id,doc_id,{value}\n");
        for (query, documents) in queries {
            for (document, value) in documents.as_object().unwrap() {
                writeln!(table, "{query},{document},{value}").unwrap();
            }
        }
        fs::write(folder.join(name).with_extension("csv"), table).unwrap();
    }
    folder.to_str().unwrap().to_owned()
}
