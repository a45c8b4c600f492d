//! A small file with three judges and two raters: one judge follows the raters, one nearly, one
//! not at all.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use super::*;

const SETTINGS: Settings = Settings { resamples: 300, level: 0.95, seed: 1 };

/// Forty items in eight groups. Raters: the item's number within its group and one more; `good`
/// says the same on another scale, `fair` swaps two neighbours, `noise` has nothing to do with it.
fn csv() -> String {
    let mut text = String::from("id,doc,good,fair,noise,ann,ben\n");
    for item in 0..40 {
        let (group, place) = (item / 5, item % 5);
        let fair = [1, 0, 2, 4, 3][place];
        let noise = (item * 7 + 3) % 5;
        let (good, ben) = (place * 10, place + 1);
        let _ = writeln!(text, "i{item},d{group},{good},{fair},{noise},{place},{ben}");
    }
    text
}

fn source(text: &str) -> Source {
    text.parse().unwrap()
}

fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn judges_keep_their_names_and_the_better_one_stands_above() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "items.csv", &csv());
    let judges = ["G=col:good", "F=col:fair", "N=col:noise"].map(source);
    let raters = ["ann=col:ann", "ben=col:ben"].map(source);
    let items = Items::read(&path, &judges, &raters, None, Some("doc")).unwrap();
    let found = bench(&items, &SETTINGS);
    let names: Vec<&str> = found.judges.iter().map(|judge| judge.name.as_str()).collect();
    assert_eq!(names, ["G", "F", "N"]);
    assert_eq!((found.items, found.groups), (40, 8));
    let [good, fair, noise] = &found.judges[..] else { panic!("three judges") };
    assert!((good.spearman.value.unwrap() - 1.0).abs() < 1e-12);
    // Ranks 2 1 3 5 4 against 1 2 3 4 5: 1 - 6·4 / (5·24) = 0.8 in every group.
    assert!((fair.within_groups.unwrap().value.unwrap() - 0.8).abs() < 1e-12);
    // Laid onto the raters' range, good is exact.
    assert!(good.error.unwrap() < 1e-12);
    assert_eq!(good.granularity, 5);
    assert!(noise.spearman.value.unwrap().abs() < 0.5);
    assert_ne!(good.letters, noise.letters);
    // Raters differ by one everywhere: the order is the same, the level is not.
    assert_eq!(found.ceiling.one_against_others, Some(1.0));
    assert!(found.ceiling.alpha.unwrap() < 1.0);
    assert_eq!(found.combinations.len(), 2);
    assert_eq!(found.worst.len(), WORST);
}

#[test]
fn ids_that_do_not_match_are_named_on_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "items.csv", "id,ann\na,1\nb,2\nc,3\n");
    let own =
        file(&folder, "judge.jsonl", "{\"id\":\"a\",\"score\":1}\n{\"id\":\"z\",\"score\":2}\n");
    let judge = Source { name: "mini".to_owned(), place: items::SourcePlace::File(own) };
    let raters = [source("ann=col:ann")];
    let error = Items::read(&path, &[judge], &raters, None, None).unwrap_err().to_string();
    assert!(error.contains("2 items have no score (b, c)"), "{error}");
    assert!(error.contains("1 scores have no item (z)"), "{error}");
}

#[test]
fn what_is_missing_or_no_number_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "items.csv", "id,ann,gpt\na,1,good\n");
    let read = |judge: &str| {
        Items::read(&path, &[source(judge)], &[source("ann=col:ann")], None, None)
            .unwrap_err()
            .to_string()
    };
    assert!(read("g=col:gpt").contains("item a: `gpt` is `good`, not a number"));
    assert!(read("g=col:nobody").contains("it has id, ann, gpt"));
    assert!(read("ann=col:gpt").contains("two are called `ann`"));
    for bad in ["gpt", "g=gpt", "g=live:local/q", "=col:x"] {
        assert!(bad.parse::<Source>().is_err(), "{bad}");
    }
}
