//! Files, rubrics and databases that are not what they should be: a clear word each.

use std::time::Duration;

use assize_injector::Script;
use assize_testbed::Postgres;
use rust_xlsxwriter::{Format, Formula, Workbook};
use serde_json::{Value, json};

use crate::bed::{Bed, Judge, answer, example};

#[test]
fn documents_that_cannot_be_read_are_named_and_nothing_is_evaluated() {
    let bed = Bed::sqlite();
    let scan = "%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj";
    // The head of Microsoft's container with the name of an encrypted package in it.
    let mut locked = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    locked.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    for (name, bytes, word) in [
        ("cut.pdf", scan.as_bytes().to_vec(), "PDF"),
        ("cut.docx", b"PK\x03\x04\x14\x00\x00\x00".to_vec(), "DOCX"),
        ("locked.docx", locked, "encrypted"),
        ("empty.txt", Vec::new(), "empty"),
        ("picture.txt", b"\x89PNG\r\n".to_vec(), "picture"),
        ("folder", Vec::new(), "folder"),
    ] {
        let path = bed.path(name);
        if name == "folder" {
            std::fs::create_dir(&path).unwrap();
        } else {
            std::fs::write(&path, bytes).unwrap();
        }
        let said = bed.assize(&["evaluate", &path, "--criteria", &example("criteria.csv")]);
        assert_eq!(said.code, 2, "{name}: {said:?}");
        assert!(
            said.stderr.contains(name) && said.stderr.contains(word),
            "{name}: {}",
            said.stderr
        );
        assert!(said.stdout.is_empty());
    }
    assert!(
        bed.assize(&["runs", "list", "--format", "json"])
            .fine()
            .json()
            .as_array()
            .unwrap()
            .is_empty()
    );
}

#[test]
fn a_small_archive_that_would_fill_the_disk_is_refused() {
    let bed = Bed::sqlite();
    let path = bed.file("bomb.docx", bomb(300 << 20));
    let said = bed.assize(&["documents", "add", &path, "--set", "s"]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("too large"), "{}", said.stderr);
}

/// A DOCX whose text is one long row of spaces.
fn bomb(bytes: usize) -> Vec<u8> {
    let mut file = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for name in ["[Content_Types].xml", "word/document.xml"] {
        file.start_file(name, options).unwrap();
        let block = vec![b' '; 1 << 20];
        let blocks = if name.starts_with("word") { bytes >> 20 } else { 0 };
        for _ in 0..blocks {
            std::io::Write::write_all(&mut file, &block).unwrap();
        }
    }
    file.finish().unwrap().into_inner()
}

#[test]
fn a_workbook_with_a_row_that_cannot_be_used_is_refused_unless_it_is_left_out() {
    let bed = Bed::sqlite();
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    let plain = Format::new();
    sheet.merge_range(0, 0, 0, 1, "Criteria of the year", &plain).unwrap();
    for (column, name) in ["criteria_id", "requirement"].into_iter().enumerate() {
        sheet.write(1, u16::try_from(column).unwrap(), name).unwrap();
    }
    sheet.write(2, 0, "A-1").unwrap();
    let formula = Formula::new("=CONCATENATE(\"Lock \",\"doors.\")").set_result("Lock doors.");
    sheet.write_formula(2, 1, formula).unwrap();
    sheet.write(3, 1, "No id.").unwrap();
    let path = bed.file("criteria.xlsx", workbook.save_to_buffer().unwrap());
    let policy = example("access-policy.md");
    let import = ["criteria", "import", &path, "--name", "x"];
    let evaluate = ["evaluate", &policy, "--criteria", &path];
    for arguments in [&evaluate[..], &import] {
        let said = bed.assize(arguments);
        assert_eq!(said.code, 2, "{arguments:?}: {said:?}");
        for words in ["row 4: the identifier is missing", "1 row cannot be used", "--skip-unusable"]
        {
            assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
        }
        assert_eq!(bed.assize(&["criteria", "show", "x"]).code, 2, "nothing is kept");
        let said = bed.assize(&[arguments, &["--skip-unusable"]].concat()).fine();
        assert!(said.stderr.contains("row 4: the identifier is missing"), "{}", said.stderr);
    }
    let shown = bed.assize(&["criteria", "show", "x", "--format", "json"]).fine().json();
    assert_eq!(shown["criteria"][0]["requirement"], "Lock doors.");
    assert_eq!(shown["criteria"].as_array().unwrap().len(), 1);
}

#[test]
fn a_check_fails_for_criteria_that_would_be_left_out_unless_it_says_so() {
    let bed = Bed::sqlite();
    let criteria = std::fs::read_to_string(example("criteria.csv")).unwrap();
    let rows = criteria.lines().count();
    bed.file("criteria.csv", format!("{}\n,No id.,,\n", criteria.trim_end()));
    std::fs::copy(example("access-policy.md"), bed.path("policy.md")).unwrap();
    let config = |more: &str| {
        let text = format!(
            "[[check]]\nname = \"policy\"\nrequire = [\"score >= 0\", \"unscored <= 100%\"]\nevaluate = {{ criteria = \
             \"criteria.csv\", documents = [\"policy.md\"]{more} }}\n"
        );
        bed.file("assize.toml", text)
    };
    let said = bed.assize(&["check", "--config", &config("")]);
    assert_eq!(said.code, 2, "{said:?}");
    let all = format!("{}{}", said.stdout, said.stderr);
    let words = format!("row {}: the identifier is missing", rows + 1);
    assert!(all.contains(&words), "{all}");
    bed.assize(&["check", "--config", &config(", skip_unusable = true")]).fine();
}

#[test]
fn a_rubric_with_a_gap_or_an_overlap_is_refused_with_the_tier() {
    let bed = Bed::sqlite();
    bed.assize(&["criteria", "import", &example("criteria.csv"), "--name", "library"]).fine();
    let tiers = |first_max: u8, second_min: u8| {
        json!({"tiers": [
            {"min": 0, "max": first_max, "label": "Open", "description": ""},
            {"min": second_min, "max": 100, "label": "Closed", "description": ""},
        ]})
    };
    for (name, json) in [("gap", tiers(40, 50)), ("overlap", tiers(60, 50))] {
        let path = bed.file(&format!("{name}.json"), json.to_string());
        let said = bed.assize(&["criteria", "rubric", "set", "library", &path]);
        assert_eq!(said.code, 2, "{name}");
        assert!(
            said.stderr.contains("tier 2") && said.stderr.contains("Closed"),
            "{}",
            said.stderr
        );
    }
    let shown = bed.assize(&["criteria", "rubric", "show", "library"]).fine().stdout;
    assert!(shown.contains("Fully Compliant"), "what was there stays: {shown}");
}

#[test]
fn truth_keys_that_cannot_be_used_are_named_with_their_rows() {
    let bed = Bed::sqlite();
    crate::walk::evaluated(&bed);
    let rows = "document,criteria_id,expected_score\naccess-policy.md,LIB-1,73%\n\
                access-policy.md,LIB-2,1e9\naccess-policy.md,LIB-99,5\nother.md,LIB-1,5\n\
                access-policy.md,LIB-3,N/A\naccess-policy.md,LIB-4,\n";
    let path = bed.file("truth.csv", rows);
    let sets = ["--documents", "policies", "--criteria", "library"];
    let import = [&["truth", "import", &path], &sets[..]].concat();
    let said = bed.assize(&import);
    assert_eq!(said.code, 2, "{said:?}");
    assert!(said.stderr.contains("3 rows cannot be used"), "{}", said.stderr);
    let listed = [&["truth", "list", "--format", "json"], &sets[..]].concat();
    assert_eq!(bed.assize(&listed).fine().json(), json!([]), "nothing is kept");
    let said = bed.assize(&[&import[..], &["--skip-unusable"]].concat()).fine();
    assert_eq!(said.stdout, "1 truth keys imported\n");
    for words in ["row 3", "LIB-99", "other.md", "1 keys are N/A"] {
        assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
    }
}

#[test]
fn two_processes_that_open_a_fresh_database_at_once_both_succeed() {
    for bed in Bed::both() {
        let criteria = example("criteria.csv");
        let import = |number: usize| {
            let name = format!("set {number}");
            bed.command(&["criteria", "import", &criteria, "--name", &name]).spawn().unwrap()
        };
        for child in (0..4).map(import).collect::<Vec<_>>() {
            let ended = child.wait_with_output().unwrap();
            assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
        }
    }
}

#[test]
fn a_database_that_goes_away_ends_the_run_with_a_word_and_nothing_is_lost() {
    let server = Postgres::start();
    let bed = Bed { folder: tempfile::tempdir().unwrap(), database: server.database() };
    let script = Script::answering(|_| answer(json!(50), "Passwords must have"))
        .after(Duration::from_millis(120));
    let judge = Judge::start(script);
    let (url, child) = (judge.url(), bed.judging(&judge, 4));
    server.stop();
    let ended = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("runs resume"), "{stderr}");
    let said = bed.assize(&["runs", "list"]);
    assert_eq!(said.code, 3, "{said:?}");
    server.resume();
    bed.assize(&["runs", "resume", "latest", "--endpoint", &url]).fine();
    let run: Value = bed.assize(&["runs", "show", "latest", "--format", "json"]).fine().json();
    assert_eq!((&run["scored"], &run["state"]), (&json!(10), &json!("done")));
    // One question may have been under way when the database went.
    assert!(judge.server.seen() <= 11, "{}", judge.server.seen());
}

#[test]
fn what_is_missing_is_named_with_a_way_to_find_it() {
    let bed = Bed::sqlite();
    for (arguments, words) in [
        (
            &["evaluate", "--documents", "x", "--criteria", "y"][..],
            "no criteria set and no file `y`",
        ),
        (&["evaluate", "x.md"], "--criteria"),
        (&["runs", "show", "latest"], "assize runs list"),
        (&["documents", "list", "--set", "none"], "assize documents list"),
        (&["criteria", "show", "none"], "assize criteria list"),
        (&["export", "latest"], "--format"),
    ] {
        let said = bed.assize(arguments);
        assert_eq!(said.code, 2, "{arguments:?} {said:?}");
        assert!(said.stderr.contains(words), "{arguments:?}: {}", said.stderr);
    }
}
