//! What no door could have made is refused by every door in the same words.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::json;

use super::{Doors, Run, options, summary};
use crate::support::assize;

#[test]
fn a_retrieval_request_that_makes_no_sense() {
    let mut doors = Doors::open(&[], &[]);
    let run = Run::ranked(&doors);
    for (options, words) in [
        (json!({"k": 0}), "`0` is not a whole number of 1 or more"),
        (json!({"k": [1, 0]}), "`0` is not a whole number of 1 or more"),
        (json!({"depth": 0}), "depth: `0` is not a whole number of 1 or more"),
        (json!({"confidence": 1.5}), "confidence: 1.5 is not between 0 and 1"),
        (json!({"resamples": 20_000_000}), "resamples: 20000000 is more than the maximum of"),
        (json!({"map": {"text": "t"}}), "map: unknown field `text`; the fields are query"),
        (json!({"measures": ["charm@3"]}), "charm"),
        (json!({"ties": "chance"}), "ascending"),
        (json!({"kk": 1}), "kk"),
    ] {
        doors.refused(words, &run.asking(&options));
    }
}

#[test]
fn a_summary_request_that_makes_no_sense() {
    let mut doors = Doors::open(&[], &[]);
    for (options, words) in [
        (json!({"judge": "nobody"}), "the other judges are `rules`, `rules+PROVIDER/MODEL` and"),
        (json!({"framework": "judge-lock-ultra"}), "judge: judge-lock-ultra needs a panel"),
        (json!({"judge": "panel:local/a,local/b"}), "framework: a panel needs judge-lock-ultra"),
        (json!({"judge": "local/a", "samples": 2}), "samples: several samples need the framework"),
        (json!({"questions": "one"}), "questions: one question needs one model as the judge"),
        (json!({"judge": "local/a", "samples": 0}), "samples: `0` is not a whole number of 1 or"),
        (json!({"overlap": "some"}), "literal"),
        (json!({"weights": "flat"}), "weights"),
    ] {
        doors.refused(words, &summary(&options));
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
