//! Evidence packages of all four instruments: what was not touched verifies, and two hundred ways
//! of touching one are each found.

#![expect(clippy::unwrap_used, reason = "a test may end here")]

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};

use assize_engine::Workspace;
use assize_engine::runs::decide::DecisionRequest;
use assize_engine::runs::package::Package;
use assize_engine::runs::package::manifest::PackageKey;
use assize_engine::runs::package::pack::{PackRequest, Packed};
use assize_engine::runs::package::verify::verify;
use assize_engine::store::{Instrument, Order, Run};
use assize_wire::package::PackageResult;
use ring::digest::{SHA256, digest};
use serde_json::{Value as Json, json};
use tempfile::TempDir;

const INSTRUMENTS: [Instrument; 4] =
    [Instrument::Retrieval, Instrument::Summary, Instrument::Compliance, Instrument::Council];
const SECRET: &str = "a secret of the operator";

async fn workspace() -> (TempDir, Workspace) {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::open(&folder.path().join("a.db")).await.unwrap();
    (folder, workspace)
}

/// A sample of the instrument with one number that a person decided.
async fn sample(workspace: &Workspace, instrument: Instrument) -> Run {
    let run = workspace.make_sample(instrument).await.unwrap();
    let request = DecisionRequest {
        score: Some(if instrument == Instrument::Compliance { 55.0 } else { 0.5 }),
        measure: measure(workspace, &run).await,
        reason: "looked at it".to_owned(),
        seen: Some(0),
        ..DecisionRequest::default()
    };
    workspace.decide(&run, 0, &request).await.unwrap();
    workspace.find_run(run.id.as_str()).await.unwrap()
}

async fn measure(workspace: &Workspace, run: &Run) -> Option<String> {
    let order = Order::ByPosition { after: None };
    let items = workspace.run_items(run, None, &order, 1).await.unwrap();
    items[0].scores.keys().next().cloned()
}

async fn packed(workspace: &Workspace, run: &Run) -> Packed {
    workspace.pack(run, &PackRequest::default()).await.unwrap()
}

/// The values of a run, to the bit.
async fn numbers(workspace: &Workspace, run: &Run) -> Vec<(i64, String, Option<u64>, Option<u64>)> {
    let order = Order::ByPosition { after: None };
    let items = workspace.run_items(run, None, &order, 1000).await.unwrap();
    let bits = |value: Option<f64>| value.map(f64::to_bits);
    let mut all = Vec::new();
    for item in items {
        for (measure, value) in &item.scores {
            let judged = item.judged.get(measure).copied().flatten();
            all.push((item.position, measure.clone(), bits(*value), bits(judged)));
        }
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn an_untouched_package_of_each_instrument_verifies() {
    let (_folder, workspace) = workspace().await;
    let (_other_folder, other) = self::workspace().await;
    for instrument in INSTRUMENTS {
        let run = sample(&workspace, instrument).await;
        let packed = packed(&workspace, &run).await;
        let report = verify(&packed.bytes).await.unwrap();
        assert_eq!(report.result, PackageResult::Sound, "{instrument}: {:#?}", report.findings);
        assert_eq!(report.unchecked, [""; 0], "{instrument}");
        assert_eq!((report.numbers.decided, report.numbers.recorded), (1, 0), "{instrument}");
        assert!(report.numbers.recomputed > 0, "{instrument}");
        let is_judged = matches!(instrument, Instrument::Summary | Instrument::Compliance);
        assert_eq!(report.judged_again > 0, is_judged, "{instrument}");
        assert_eq!(report.quotes_located > 0, is_judged, "{instrument}");
        let there = other.import_package(&Package::open(&packed.bytes).unwrap()).await.unwrap();
        assert_eq!(numbers(&other, &there).await, numbers(&workspace, &run).await);
        let again = other.import_package(&Package::open(&packed.bytes).unwrap()).await.unwrap_err();
        assert!(again.to_string().contains("here already"), "{again}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn material_that_stays_is_left_out_and_said_so() {
    let (_folder, workspace) = workspace().await;
    for instrument in INSTRUMENTS {
        let run = sample(&workspace, instrument).await;
        let request = PackRequest { without_material: true, key: None };
        let packed = workspace.pack(&run, &request).await.unwrap();
        let report = verify(&packed.bytes).await.unwrap();
        assert_eq!(report.result, PackageResult::Sound, "{instrument}: {:#?}", report.findings);
        assert!(!report.unchecked.is_empty(), "{instrument}");
        // Summaries are scored again from their evidence, which is not material.
        assert_eq!(report.numbers.recomputed > 0, instrument == Instrument::Summary);
        let parts = files(&packed.bytes);
        let all: String = parts.values().map(|part| String::from_utf8_lossy(part)).collect();
        let stays = match instrument {
            Instrument::Retrieval => "\"predictions\":",
            Instrument::Summary => "\"article\":",
            Instrument::Compliance => "## ",
            Instrument::Council => "\"heard\":",
        };
        assert!(!all.contains(stays), "{instrument}");
        let refused = workspace.import_package(&Package::open(&packed.bytes).unwrap()).await;
        assert!(refused.unwrap_err().to_string().contains("only the hashes"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signature_names_the_key_and_binds_the_head() {
    let (_folder, workspace) = workspace().await;
    let run = sample(&workspace, Instrument::Retrieval).await;
    let key = PackageKey::new(SECRET).unwrap();
    let request = PackRequest { without_material: false, key: Some(&key) };
    let packed = workspace.pack(&run, &request).await.unwrap();
    let report = verify(&packed.bytes).await.unwrap();
    assert_eq!(report.signed_by, Some(key.public()));
    // Another head under the old signature is refused.
    let changed = rewritten(&packed.bytes, true, &|parts| {
        edit(parts, "manifest.json", &|json| json["packed_by"] = "somebody else".into());
    });
    let error = verify(&changed).await.unwrap_err().to_string();
    assert!(error.contains("signature"), "{error}");
    assert!(PackageKey::new("too short").is_none());
}

/// The parts of a package by name.
type Parts = BTreeMap<String, Vec<u8>>;
/// What somebody does to the parts.
type Change<'a> = &'a dyn Fn(&mut Parts);

fn files(bytes: &[u8]) -> Parts {
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    (0..zip.len())
        .map(|index| {
            let mut file = zip.by_index(index).unwrap();
            let mut content = Vec::new();
            file.read_to_end(&mut content).unwrap();
            (file.name().unwrap().into_owned(), content)
        })
        .collect()
}

fn sha256(pieces: &[&[u8]]) -> Vec<u8> {
    digest(&SHA256, &pieces.concat()).as_ref().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

/// Zipped and sealed as `runs pack` does, written here once more from its documentation.
fn sealed(parts: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    let comment = format!("assize evidence package 1, sha256 {}", "0".repeat(64));
    writer.set_comment(comment).unwrap();
    let mut bytes = writer.finish().unwrap().into_inner();
    let end = bytes.len() - 64;
    let seal = hex(&sha256(&[&bytes[..end]]));
    bytes[end..].copy_from_slice(seal.as_bytes());
    bytes
}

/// A package after a change. `rehash` makes every hash, the chain and the head again, as somebody
/// would who knows the format and has no key.
fn rewritten(bytes: &[u8], rehash: bool, change: Change<'_>) -> Vec<u8> {
    let mut parts = files(bytes);
    change(&mut parts);
    let mut manifest: Json =
        serde_json::from_slice(parts.get("manifest.json").map_or(&b"{}"[..], |text| text)).unwrap();
    let mut names: Vec<String> = manifest["parts"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|part| part["name"].as_str().unwrap().to_owned())
        .collect();
    if rehash && parts.contains_key("manifest.json") {
        let mut chain = vec![0; 32];
        for (index, name) in names.iter().enumerate() {
            let content = parts.get(name).cloned().unwrap_or_default();
            let own = sha256(&[&content]);
            chain = sha256(&[&chain, name.as_bytes(), &[0], &own]);
            manifest["parts"][index] = json!({
                "name": name, "bytes": content.len(), "sha256": hex(&own), "chain": hex(&chain),
            });
        }
        let signature = manifest.as_object_mut().unwrap().remove("signature");
        manifest["head"] = "".into();
        let head = hex(&sha256(&[&chain, canonical(&manifest).as_bytes()]));
        manifest["head"] = head.into();
        if let Some(signature) = signature {
            manifest["signature"] = signature;
        }
        parts.insert("manifest.json".to_owned(), canonical(&manifest).into_bytes());
    }
    names.insert(0, "manifest.json".to_owned());
    let others: Vec<String> = parts.keys().filter(|name| !names.contains(name)).cloned().collect();
    names.extend(others);
    let ordered = names.into_iter().filter_map(|name| parts.remove_entry(&name));
    sealed(&ordered.collect::<Vec<_>>())
}

/// `serde_json` with its keys sorted, which is what canonical means here.
fn canonical(json: &Json) -> String {
    match json {
        Json::Object(fields) => {
            let sorted: BTreeMap<&String, &Json> = fields.iter().collect();
            let fields = sorted
                .into_iter()
                .map(|(name, value)| format!("{}:{}", Json::from(name.as_str()), canonical(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
        }
        Json::Array(items) => {
            format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(","))
        }
        plain => plain.to_string(),
    }
}

/// Edits a JSON file, or the first row of a part that has rows.
fn edit(parts: &mut Parts, name: &str, change: &dyn Fn(&mut Json)) {
    let text = String::from_utf8(parts[name].clone()).unwrap();
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let mut json: Json = serde_json::from_str(first).unwrap();
    let before = json.clone();
    change(&mut json);
    assert_ne!(json, before, "{name}: nothing was changed");
    let ending = if text.contains('\n') { "\n" } else { "" };
    parts.insert(name.to_owned(), format!("{}{ending}{rest}", canonical(&json)).into_bytes());
}

/// Why a package is refused: an error, or findings; none if it is taken.
async fn refusal(bytes: &[u8]) -> Option<String> {
    match verify(bytes).await {
        Err(error) => Some(error.to_string()),
        Ok(report) if report.result == PackageResult::Sound => None,
        Ok(report) => {
            let words = report.findings.iter();
            Some(
                words
                    .map(|one| format!("{}: {}", one.part, one.problem))
                    .collect::<Vec<_>>()
                    .join("\n"),
            )
        }
    }
}

/// One byte anywhere, whatever it is: the seal does not hold.
#[tokio::test(flavor = "multi_thread")]
async fn one_byte_changed_or_missing_anywhere_is_found() {
    let (_folder, workspace) = workspace().await;
    let run = sample(&workspace, Instrument::Retrieval).await;
    let bytes = packed(&workspace, &run).await.bytes;
    for step in 0..60 {
        let at = (step * 7919 + step * step * 31) % bytes.len();
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (step % 8);
        assert!(refusal(&changed).await.is_some(), "byte {at} of {}", bytes.len());
        let cut = &bytes[..at];
        assert!(refusal(cut).await.is_some(), "cut at {at}");
    }
}

/// The table of changes: name, word, part, place, value.
const MUTATIONS: &str = include_str!("../../../cases/packages/mutations.json");
/// A change: what it is called, what the refusal must say, the part, the place in it, the value.
type Mutation = (String, String, String, Option<String>, Json);

fn mutations(instrument: Instrument) -> Vec<Mutation> {
    let table: Json = serde_json::from_str(MUTATIONS).unwrap();
    let of = |name: &str| -> Vec<Mutation> { serde_json::from_value(table[name].clone()).unwrap() };
    [of("every"), of(instrument.word())].concat()
}

/// Makes a change of the table.
fn mutate(parts: &mut Parts, part: &str, place: Option<&str>, value: &Json) {
    let Some(place) = place else {
        let before = parts[part].clone();
        let after = match value[0].as_str() {
            Some(text) => text.as_bytes().to_vec(),
            None => [before.clone(), before].concat(),
        };
        parts.insert(part.to_owned(), after);
        return;
    };
    edit(parts, part, &|json| {
        let (parent, name) = place.rsplit_once('/').unwrap();
        json.pointer_mut(parent).unwrap()[name] = value.clone();
    });
}

/// With the bytes above more than 200: every change to every instrument, with all hashes made
/// again and without.
#[tokio::test(flavor = "multi_thread")]
async fn every_change_is_named() {
    let (_folder, workspace) = workspace().await;
    let (mut count, mut wrong) = (0, Vec::new());
    for instrument in INSTRUMENTS {
        let run = sample(&workspace, instrument).await;
        let bytes = packed(&workspace, &run).await.bytes;
        let untouched = rewritten(&bytes, true, &|_| ());
        assert_eq!(
            refusal(&untouched).await,
            None,
            "{instrument}: the test seals as the engine does"
        );
        for (name, word, part, place, value) in mutations(instrument) {
            let change = |parts: &mut Parts| mutate(parts, &part, place.as_deref(), &value);
            let refused = refusal(&rewritten(&bytes, true, &change)).await;
            if refused.as_ref().is_none_or(|refused| !refused.contains(&word)) {
                wrong.push(format!("{instrument}: {name} ({word}): {refused:?}"));
            }
            let refused = refusal(&rewritten(&bytes, false, &change)).await;
            assert!(refused.is_some(), "{instrument}: {name}");
            count += 2;
        }
        for name in files(&bytes).keys() {
            let refused =
                refusal(&rewritten(&bytes, true, &|parts| drop(parts.remove(name)))).await;
            let refused = refused.unwrap_or_else(|| panic!("{instrument}: without {name}"));
            assert!(refused.contains("missing"), "{instrument}: {name}: {refused}");
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 200, "{count}");
}

/// Whoever makes every hash again can also name another program. That excuses nothing: verdicts
/// that come out differently are counted, and the package is not called sound.
#[tokio::test(flavor = "multi_thread")]
async fn another_program_named_does_not_make_a_changed_verdict_sound() {
    let (_folder, workspace) = workspace().await;
    let run = sample(&workspace, Instrument::Summary).await;
    let bytes = packed(&workspace, &run).await.bytes;
    let renamed = |parts: &mut Parts| {
        edit(parts, "manifest.json", &|json| json["program"] = "assize 0.0.9".into());
    };
    let report = verify(&rewritten(&bytes, true, &renamed)).await.unwrap();
    assert_eq!(report.result, PackageResult::Sound, "only the name is another");
    let invented = |parts: &mut Parts| {
        renamed(parts);
        edit(parts, "verdicts.jsonl", &|json| json["reason"] = "invented".into());
    };
    let report = verify(&rewritten(&bytes, true, &invented)).await.unwrap();
    assert_eq!((report.result, report.judged_differently), (PackageResult::Unconfirmed, 1));
    let said = report.unchecked.join("\n");
    assert!(said.contains("assize 0.0.9") && said.contains("its reason is another"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn bombs_paths_outside_and_other_orders_are_refused() {
    let (_folder, workspace) = workspace().await;
    let run = sample(&workspace, Instrument::Retrieval).await;
    let bytes = packed(&workspace, &run).await.bytes;
    for name in
        ["../outside.jsonl", "/etc/passwd", "a/../../b", "runs.jsonl/", "C:\\x", "RUNS.JSONL"]
    {
        let with =
            rewritten(&bytes, true, &|parts| drop(parts.insert(name.to_owned(), Vec::new())));
        let refused = refusal(&with).await.unwrap();
        assert!(refused.contains("no part of a package"), "{name}: {refused}");
    }
    // Half a gigabyte of spaces, where the manifest says 10 bytes; and where it says the truth.
    let spaces = vec![b' '; 64 << 20];
    let bomb = rewritten(&bytes, false, &|parts| {
        drop(parts.insert("labels.jsonl".to_owned(), spaces.clone()));
    });
    let refused = refusal(&bomb).await.unwrap();
    assert!(refused.contains("unpacks to more than"), "{refused}");
    let huge = rewritten(&bytes, false, &|parts| {
        edit(parts, "manifest.json", &|json| json["parts"][0]["bytes"] = (1_u64 << 40).into());
    });
    assert!(refusal(&huge).await.unwrap().contains("hold more than"));
    let swapped = rewritten(&bytes, false, &|parts| {
        edit(parts, "manifest.json", &|json| json["parts"].as_array_mut().unwrap().swap(2, 3));
    });
    assert!(refusal(&swapped).await.unwrap().contains("order"), "parts swapped");
    let rechained = rewritten(&bytes, false, &|parts| {
        edit(parts, "manifest.json", &|json| {
            json["parts"][3]["chain"] = json["parts"][2]["chain"].clone();
        });
    });
    assert!(refusal(&rechained).await.unwrap().contains("chain"), "chain");
    assert!(refusal(b"").await.is_some());
    assert!(refusal(&sealed(&[])).await.unwrap().contains("missing"));
}
