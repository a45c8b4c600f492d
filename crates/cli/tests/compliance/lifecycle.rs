//! Sets and documents: folders, versions, what changed, renamed, archived, deleted; verdicts for
//! a set with weights and categories.

use serde_json::{Value, json};

use crate::bed::{Bed, example};
use crate::walk::evaluated;

fn names(bed: &Bed, arguments: &[&str]) -> Vec<String> {
    let listed = bed.assize(&[arguments, &["--format", "json"]].concat()).fine().json();
    let name = |one: &Value| one["name"].as_str().unwrap().to_owned();
    listed.as_array().unwrap().iter().map(name).collect()
}

/// A folder with two policies of the same name in different folders, a report of ours and more.
fn folder(bed: &Bed) -> String {
    let policy = std::fs::read(example("access-policy.md")).unwrap();
    for folder in ["policies/north", "policies/south", "policies/.git"] {
        std::fs::create_dir_all(bed.folder.path().join(folder)).unwrap();
    }
    bed.file("policies/north/policy.md", &policy);
    bed.file("policies/south/policy.md", "# Other\n\nDoors are locked at night.");
    bed.file("policies/.git/hidden.md", "not a document");
    bed.file("policies/numbers.csv", "a,b\n1,2\n");
    bed.path("policies")
}

#[test]
fn a_folder_is_a_set_of_documents_and_our_own_reports_are_none() {
    for bed in Bed::both() {
        let (folder, criteria) = (folder(&bed), example("criteria.csv"));
        let evaluate = ["evaluate", &folder, "--criteria", &criteria, "--format", "json"];
        bed.assize(&evaluate).fine();
        let documents = ["documents", "list", "--set", "policies"];
        let both = ["north/policy.md", "south/policy.md"];
        assert_eq!(names(&bed, &documents), both);
        bed.assize(&["export", "latest", "-o", &bed.path("policies/report.pdf")]).fine();
        let again = bed.assize(&evaluate).fine();
        assert!(
            again.stderr.contains("report.pdf: skipped, it is a report written by Assize"),
            "{}",
            again.stderr
        );
        assert_eq!(names(&bed, &documents), both);
        std::fs::create_dir_all(bed.folder.path().join("empty")).unwrap();
        let empty = bed.assize(&["evaluate", &bed.path("empty"), "--criteria", &criteria]);
        assert!(empty.code == 2 && empty.stderr.contains("contains no documents"), "{empty:?}");
    }
}

#[test]
fn only_what_changed_since_a_run_is_judged_again() {
    for bed in Bed::both() {
        let (folder, criteria) = (folder(&bed), example("criteria.csv"));
        let evaluate = ["evaluate", &folder, "--criteria", &criteria, "--format", "json"];
        bed.assize(&evaluate).fine();
        let since = || bed.assize(&[&evaluate[..], &["--changed-since", "1"]].concat());
        let same = since();
        assert!(
            same.code == 2 && same.stderr.contains("nothing has changed since run #1"),
            "{same:?}"
        );
        bed.file("policies/south/policy.md", "# Other\n\nDoors are locked at night and by day.");
        let run = since().fine().json();
        let judged: std::collections::BTreeSet<&str> = run["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["document"].as_str().unwrap())
            .collect();
        assert_eq!(judged, ["south/policy.md"].into());
        let all = ["documents", "list", "--set", "policies", "--all"];
        assert_eq!(names(&bed, &all), ["north/policy.md", "south/policy.md", "south/policy.md"]);
        // Other criteria change everything.
        let text = std::fs::read_to_string(example("criteria.csv")).unwrap();
        let changed = bed.file("criteria.csv", text.replacen("LIB-1,", "LIB-1,Also: ", 1));
        bed.assize(&["criteria", "import", &changed, "--name", "criteria"]).fine();
        let run = since().fine().json();
        assert_eq!(run["planned"].as_u64().unwrap() % 2, 0);
        let compared = bed.assize(&["runs", "compare", "1", "3", "--format", "json"]).fine().json();
        assert!(compared.is_object(), "{compared}");
    }
}

#[test]
fn what_runs_used_is_archived_and_what_nobody_used_is_deleted() {
    for bed in Bed::both() {
        evaluated(&bed);
        let refused = bed.assize(&["criteria", "delete", "library", "--yes"]);
        assert!(refused.code == 2 && refused.stderr.contains("archive it"), "{refused:?}");
        let refused = bed.assize(&["documents", "delete", "policies", "access-policy.md", "--yes"]);
        assert!(refused.code == 2 && refused.stderr.contains("archive it"), "{refused:?}");
        bed.assize(&["criteria", "rename", "library", "--to", "lending"]).fine();
        bed.assize(&["documents", "rename", "policies", "--to", "papers"]).fine();
        let rename = ["documents", "rename", "papers", "access-policy.md", "--to", "access.md"];
        bed.assize(&rename).fine();
        assert_eq!(names(&bed, &["criteria", "list"]), ["lending"]);
        assert_eq!(names(&bed, &["documents", "list"]), ["papers"]);
        let shown = bed.assize(&["runs", "list"]).fine().stdout;
        assert!(shown.contains("papers × lending"), "{shown}");
        let taken = ["documents", "rename", "papers", "access.md", "--to", "continuity-plan.md"];
        assert_eq!(bed.assize(&taken).code, 2);

        bed.assize(&["documents", "archive", "papers", "access.md"]).fine();
        let listed = ["documents", "list", "--set", "papers"];
        assert_eq!(names(&bed, &listed), ["continuity-plan.md"]);
        bed.assize(&["documents", "archive", "papers", "access.md", "--restore"]).fine();
        assert_eq!(names(&bed, &listed).len(), 2);
        bed.assize(&["criteria", "archive", "lending"]).fine();
        assert!(names(&bed, &["criteria", "list"]).is_empty());
        bed.assize(&["documents", "archive", "papers"]).fine();
        assert!(names(&bed, &["documents", "list"]).is_empty());
        assert_eq!(names(&bed, &["documents", "list", "--all"]), ["papers"]);

        bed.assize(&["runs", "delete", "latest", "--yes"]).fine();
        bed.assize(&["documents", "delete", "papers", "access.md", "--yes"]).fine();
        assert_eq!(bed.assize(&["documents", "delete", "papers"]).code, 2);
        bed.assize(&["documents", "delete", "papers", "--yes"]).fine();
        bed.assize(&["criteria", "delete", "lending", "--yes"]).fine();
        assert!(names(&bed, &["documents", "list", "--all"]).is_empty());
    }
}

/// By hand: the set's verdict of a criterion is its best document, and the whole is their
/// weighted mean.
#[test]
fn a_set_has_a_verdict_for_each_criterion_by_weight_and_category() {
    for bed in Bed::both() {
        let rows = "criteria_id,requirement,category,weight\n\
            LIB-1,Doors are locked at night,Building,3\nLIB-2,Passwords are changed,Access,1\n";
        let criteria = bed.file("weighted.csv", rows);
        let folder = folder(&bed);
        bed.assize(&["evaluate", &folder, "--criteria", &criteria]).fine();
        let run = bed.assize(&["runs", "show", "latest", "--format", "json"]).fine().json();
        let best = |id: &str| {
            let scores = run["results"].as_array().unwrap().iter();
            let own = scores.filter(|one| one["criteria_id"] == id);
            own.filter_map(|one| one["score"].as_f64()).fold(0.0, f64::max)
        };
        let found = bed.assize(&["runs", "verdicts", "latest", "--format", "json"]).fine().json();
        let mean = (3.0 * best("LIB-1") + best("LIB-2")) / 4.0;
        assert!((found["score"].as_f64().unwrap() - mean).abs() < 1e-9, "{found}");
        assert_eq!(found["verdicts"][0]["weight"], json!(3.0));
        let categories: Vec<&str> = found["categories"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["category"].as_str().unwrap())
            .collect();
        assert_eq!(categories, ["Access", "Building"]);
        let shown = bed.assize(&["runs", "verdicts", "latest"]).fine().stdout;
        assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
        let table = bed.path("again.csv");
        bed.assize(&["criteria", "export", "weighted", "-o", &table]).fine();
        let again = std::fs::read_to_string(table).unwrap();
        assert!(again.lines().next().unwrap().ends_with("category,weight"), "{again}");
    }
}
