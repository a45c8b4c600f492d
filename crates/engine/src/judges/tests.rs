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
fn a_row_for_each_score_is_a_column_for_each_rater() {
    let folder = tempfile::tempdir().unwrap();
    let wide = "id,good,ann\na,1,2\nb,n/a,1\nc,3,NONE\nd,2,2\n";
    let long =
        "item_id,rater,rating\na,good,1\na,ann,2\nb,ann,1\nb,good,-\nc,good,3\nd,ann,2\nd,good,2\n";
    let read = |name: &str, text: &str| {
        let path = file(&folder, name, text);
        Items::read(&path, &[source("G=col:good")], &[source("A=col:ann")], None, None)
    };
    let items = read("long.csv", long).unwrap();
    assert_eq!(items, read("wide.csv", wide).unwrap());
    assert_eq!(items.judges[0].1, [Some(1.0), None, Some(3.0), Some(2.0)]);
    let twice = read("twice.csv", &format!("{long}a,good,2\n")).unwrap_err();
    assert!(twice.to_string().ends_with("duplicate item id `a of good`"), "{twice}");
    // A judge's name in a column of a file with one row an item is no rater's.
    let named = "id,judge,score,good,ann\na,gpt,1,1,2\nb,gpt,2,2,1\n";
    assert_eq!(read("named.csv", named).unwrap().ids, ["a", "b"]);
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
    // Good says 0 to 40 of 100 and raters 0.5 to 4.5 of 10: it is half a point below everywhere.
    let scale = good.scale.unwrap();
    assert_eq!((scale.judge.high, scale.raters.high), (100.0, 10.0));
    assert!((good.error.unwrap() - 0.5).abs() < 1e-12);
    assert!((good.bias.unwrap() + 0.5).abs() < 1e-12);
    assert_eq!(good.granularity, 5);
    assert!(noise.spearman.value.unwrap().abs() < 0.5);
    assert_ne!(good.letters, noise.letters);
    // Raters differ by one everywhere: the order is the same, the level is not.
    assert_eq!(found.ceiling.one_against_others, Some(1.0));
    assert!(found.ceiling.alpha.unwrap() < 1.0);
    // Every group of every draw is the same: 1 less 0.8.
    let advice = &found.recommendation;
    assert_eq!((advice.judges.as_slice(), advice.items), (&["G".to_owned()][..], 40));
    let lead = advice.lead.as_ref().unwrap();
    assert_eq!(lead.over, "F");
    for end in [lead.rho.value, lead.rho.low, lead.rho.high] {
        assert!((end.unwrap() - 0.2).abs() < 1e-12, "{lead:?}");
    }
    let words = "Use G: ahead of F, the closest other judge, by 0.200 [0.200, 0.200] rho on 40 \
                 rated items.";
    assert_eq!(advice.words, words);
    assert_eq!(found.combinations.len(), 2);
    assert_eq!(found.worst.len(), WORST);
}

#[test]
fn ids_that_do_not_match_are_named_on_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "items.csv", "id,ann\na,1\nb,2\nc,3\n");
    let own =
        file(&folder, "judge.jsonl", "{\"id\":\"a\",\"score\":1}\n{\"id\":\"z\",\"score\":2}\n");
    let judge = Source { name: "mini".to_owned(), place: SourcePlace::File(own) };
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
    assert!(read("g=col:nobody").contains("the columns are id, ann, gpt"));
    assert!(read("ann=col:gpt").contains("two judges or raters are named `ann`"));
    for bad in ["gpt,mini", "g=gpt", "g=live:q", "=col:x"] {
        assert!(bad.parse::<Source>().is_err(), "{bad}");
    }
}

/// Three samples of each item: a judge that says 0 or 10 and once in a while the other.
#[test]
fn samples_in_a_file_are_put_together_and_their_spread_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "items.csv", "id,ann\na,0\nb,10\n");
    let mut text = String::from("id,sample,score\n");
    for (id, scores) in [("a", [0, 0, 0]), ("b", [10, 10, 4])] {
        for (sample, score) in scores.iter().enumerate() {
            let _ = writeln!(text, "{id},{sample},{score}");
        }
    }
    let own = file(&folder, "judge.csv", &text);
    let judge = Source { name: "mini".to_owned(), place: SourcePlace::File(own) };
    let items = Items::read(&path, &[judge], &[source("ann=col:ann")], None, None).unwrap();
    assert_eq!(items.judges[0].1, [Some(0.0), Some(8.0)]);
    let found = bench(&items, &SETTINGS).judges.remove(0).steadiness.unwrap();
    // Both are on a scale from 0 to 10: deviations 0 and √12, that of 10, 10, 4 (n − 1).
    assert!((found.spread - 12_f64.sqrt() / 2.0).abs() < 1e-12, "{}", found.spread);
    assert_eq!((found.samples, found.items), (3, 2));
    assert_eq!(found.always_right, Some(0.5));
}

#[test]
fn rules_judge_live_and_say_what_it_took() {
    let folder = tempfile::tempdir().unwrap();
    let article = "The bridge at Oban opened in 1932. It cost nine million pounds to build.";
    let line = |id: &str, summary: &str, ann: u8| {
        format!(
            "{{\"id\":\"{id}\",\"article\":\"{article}\",\"summary\":\"{summary}\",\"ann\":{ann}}}\n"
        )
    };
    let text = line("a", "The bridge at Oban opened in 1932.", 10)
        + &line("b", "The bridge at Oban opened in 1951.", 2)
        + &line("c", "", 0);
    let path = file(&folder, "items.jsonl", &text);
    let judges = [source("rules=live:twin-lock/hallucination")];
    let raters = [source("ann=col:ann")];
    let SourcePlace::Rules { framework, number } = &judges[0].place else { panic!("rules") };
    let table = ItemTable::read(&path, None, None).unwrap();
    let fields = crate::summary::input::Fields::default();
    let rules =
        Live { path: &path, fields: &fields, ids: table.ids(), framework: *framework, samples: 1 };
    let told = rules.by_rules(*framework, number).unwrap();
    let told = BTreeMap::from([("rules".to_owned(), told)]);
    let found = bench(&table.with(&judges, &raters, told).unwrap(), &SETTINGS);
    let judge = &found.judges[0];
    assert_eq!((judge.count, judge.unscored), (2, 1));
    assert_eq!(judge.because.values().sum::<usize>(), 1);
    // Another year is no support: the summary that says so stands below.
    assert!((judge.spearman.value.unwrap() - 1.0).abs() < 1e-12, "{judge:?}");
    assert!(judge.seconds.is_some_and(|seconds| seconds > 0.0) && judge.dollars == Some(0.0));
}

#[test]
fn a_judge_that_nobody_asked_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "items.csv", "id,ann\na,0\n");
    let judges = [source("last=run:#1")];
    let error = Items::read(&path, &judges, &[source("ann=col:ann")], None, None).unwrap_err();
    assert!(error.to_string().contains("were not loaded"), "{error}");
}

/// A judge that is exactly one above its rater is biased by one, and neither kappa nor tiers see
/// other values than bias does.
#[test]
fn a_judge_one_above_the_rater_has_a_bias_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let text = "id,above,tenths,ann\na,2,0,1\nb,3,5,2\nc,4,5,3\nd,5,10,4\n";
    let path = file(&folder, "items.csv", text);
    let judges = ["above=col:above", "tenths=col:tenths"].map(source);
    let items = Items::read(&path, &judges, &[source("ann=col:ann")], None, None).unwrap();
    let found = bench(&items, &SETTINGS).judges;
    let judge = |name: &str| found.iter().find(|judge| judge.name == name).unwrap();
    let above = judge("above");
    assert_eq!((above.error, above.bias), (Some(1.0), Some(1.0)));
    assert_eq!(above.same_tier, Some(0.0));
    assert!(above.kappa.unwrap() < 1.0);
    assert!(above.scale.unwrap().is_same());
    // 0, 5, 5, 10 of 10 are 1, 3, 3, 5 of 5: 0, 1, 0, 1 above.
    let tenths = judge("tenths");
    assert_eq!((tenths.bias, tenths.same_tier), (Some(0.5), Some(0.5)));
    assert!(!tenths.scale.unwrap().is_same());
}

#[test]
fn decimal_commas_and_fields_within_fields_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let raters = [source("ann=col:human.ann")];
    let said = |path: &PathBuf| {
        let items = Items::read(path, &[source("g=col:g")], &raters, None, None)?;
        Ok::<_, ItemsError>((items.judges[0].1.clone(), items.raters[0].1.clone()))
    };
    let table = "\u{feff}id;g;human.ann\r\na;4,5;2\r\nb;3;1,25\r\n";
    let expected = (vec![Some(4.5), Some(3.0)], vec![Some(2.0), Some(1.25)]);
    assert_eq!(said(&file(&folder, "items.csv", table)).unwrap(), expected);
    let lines = "{\"id\":\"a\",\"g\":4.5,\"human\":{\"ann\":2}}\n{\"id\":\"b\",\"g\":3,\"human\":{\"ann\":1.25}}\n";
    assert_eq!(said(&file(&folder, "items.jsonl", lines)).unwrap(), expected);
    // Between commas a comma within a number says nothing certain.
    let quoted = "id,g,human.ann\na,\"4,5\",2\n";
    let error = said(&file(&folder, "quoted.csv", quoted)).unwrap_err().to_string();
    assert!(error.contains("`g` is `4,5`, not a number"), "{error}");
}

/// Two judges that say the same cannot be told apart; the one with the lower price is named, and
/// none where only one of them has a price.
#[test]
fn of_judges_that_cannot_be_told_apart_the_cheapest_is_named() {
    let values: Vec<Option<f64>> = (0..60).map(|item| Some(f64::from(item % 7))).collect();
    let told = |nanodollars| Scores { values: values.clone(), nanodollars, ..Scores::default() };
    let advice = |prices: [Option<f64>; 2]| {
        let items = Items {
            ids: (0..60).map(|item| item.to_string()).collect(),
            judges: ["dear", "cheap"].map(|name| (name.to_owned(), values.clone())).to_vec(),
            raters: vec![("ann".to_owned(), values.clone())],
            told: prices.map(told).to_vec(),
            ..Items::default()
        };
        bench(&items, &SETTINGS).recommendation
    };
    let found = advice([Some(2e6), Some(1e6)]);
    assert_eq!((found.judges.len(), found.cheapest.as_deref()), (2, Some("cheap")));
    let words = "dear, cheap cannot be told apart with 60 rated items: use the cheapest, cheap, \
                 or rate more items.";
    assert_eq!((found.words.as_str(), &found.lead), (words, &None));
    assert_eq!(advice([Some(2e6), None]).cheapest, None);
}

/// One column under two names is one rater; copied ratings in two columns are said.
#[test]
fn raters_that_are_one_are_refused_or_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "items.csv", &csv());
    let read = |raters: &[Source]| Items::read(&path, &[source("G=col:good")], raters, None, None);
    let error = read(&["a=col:ann", "b=col:ann"].map(source)).unwrap_err().to_string();
    assert!(error.contains("`a` and `b` are the same scores under two names"), "{error}");
    let copied = csv().lines().fold(String::new(), |text, line| {
        let rating = line.rsplit(',').nth(1).unwrap();
        let last = if line.starts_with("id,") { "copy" } else { rating };
        format!("{text}{line},{last}\n")
    });
    let path = file(&folder, "copied.csv", &copied);
    let raters = ["ann=col:ann", "ben=col:ben", "copy=col:copy"].map(source);
    let items = Items::read(&path, &[source("G=col:good")], &raters, None, None).unwrap();
    let raters = ("ann".to_owned(), "copy".to_owned());
    assert_eq!(bench(&items, &SETTINGS).ceiling.identical, [Identical { raters, items: 40 }]);
}

/// Texts count by their characters, numbers as they are, and a column that is not there is named.
#[test]
fn lengths_slices_places_and_authors_are_read_from_columns() {
    let folder = tempfile::tempdir().unwrap();
    let text = "id,g,ann,topic,text,tokens,seat,model\na,2,1,law,höre,7,1,gpt-4o\nb,3,2,tax,,,2,\n";
    let path = file(&folder, "items.csv", text);
    let facets = |columns| {
        let table = ItemTable::read(&path, None, None)?.with_facets(columns)?;
        table.with(&[source("g=col:g")], &[source("ann=col:ann")], BTreeMap::new())
    };
    let columns = FacetColumns {
        slice: Some("topic"),
        length: Some("text"),
        place: Some("seat"),
        author: Some("model"),
    };
    let found = facets(columns).unwrap().facets;
    assert_eq!(found.slices.unwrap(), ["law", "tax"]);
    assert_eq!(found.lengths.unwrap(), [Some(4.0), None]);
    assert_eq!(
        (found.places.unwrap(), found.authors.unwrap()[1].as_str()),
        (vec!["1".to_owned(), "2".to_owned()], "")
    );
    let tokens = facets(FacetColumns { length: Some("tokens"), ..columns }).unwrap();
    assert_eq!(tokens.facets.lengths.unwrap(), [Some(7.0), None]);
    let error = facets(FacetColumns { slice: Some("nothing"), ..columns }).unwrap_err();
    assert!(error.to_string().contains("no column `nothing`"), "{error}");
}
