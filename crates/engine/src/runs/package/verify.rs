//! A package checked with nothing but its file.

use std::collections::{BTreeMap, BTreeSet};

use assize_models::key;
use assize_store::Instrument;
use assize_store::run_rows::{EXCHANGES, JsonRow};
use assize_wire::package::{Numbers, PackageFinding, PackageReport, PackageResult};
use async_recursion::async_recursion as boxed;
use serde_json::Value as Json;

use super::decided::{number, text};
use super::manifest::{Material, hash, hex};
use super::recount::Values;
use super::rejudge::{Rejudged, named};
use super::{HASH_ONLY, MARK, Package, file_name};
use crate::runs::error::Result;

/// The format of the report.
const FORMAT: u32 = 1;

/// How a number came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Computed again from what is in the package.
    Recomputed,
    /// As it was written down.
    Recorded,
    /// Decided by a person.
    Decided,
}

impl Mark {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Recomputed => "recomputed",
            Self::Recorded => "recorded",
            Self::Decided => "decided",
        }
    }
}

/// What checking found.
#[derive(Default)]
struct Found {
    findings: Vec<PackageFinding>,
    unchecked: Vec<String>,
    judged_again: BTreeSet<i64>,
    /// Verdicts that come out differently than with the program that the package names.
    judged_differently: usize,
    recounted: Option<BTreeMap<i64, Values>>,
}

impl Found {
    fn note(&mut self, part: impl Into<String>, problem: impl Into<String>) {
        self.findings.push(PackageFinding { part: part.into(), problem: problem.into() });
    }
}

/// Checks a package: its hashes, then everything that can be computed, judged and located again.
#[boxed]
pub async fn verify(bytes: &[u8]) -> Result<PackageReport> {
    let package = Package::open(bytes)?;
    let (report, marks) = package.check().await?;
    let mut report = report;
    for row in package.of_version("scores", package.manifest.run.version) {
        let (position, measure) = (number(row, "position"), text(row, "measure"));
        let found = marks.get(&(position, measure.clone())).copied().unwrap_or(Mark::Recorded);
        let stated = row.get(MARK).and_then(Json::as_str).unwrap_or("not marked");
        if stated != found.word() {
            let item = named(&package, position);
            let problem = format!("{item}: {measure} is {stated}, and it is {}", found.word());
            report.findings.push(PackageFinding { part: file_name("scores"), problem });
        }
    }
    if report.numbers != package.manifest.numbers {
        let problem = "its numbers came about in another way than it says".to_owned();
        report.findings.push(PackageFinding { part: "manifest.json".to_owned(), problem });
    }
    report.result = result(&report.findings, report.judged_differently);
    Ok(report)
}

fn result(findings: &[PackageFinding], judged_differently: usize) -> PackageResult {
    match (findings.is_empty(), judged_differently) {
        (true, 0) => PackageResult::Sound,
        (true, _) => PackageResult::Unconfirmed,
        (false, _) => PackageResult::Refused,
    }
}

/// What each number of the version that counts is.
pub(super) type Marks = BTreeMap<(i64, String), Mark>;

impl Package {
    /// Checks the content. Whether the marks are right is not looked at.
    #[boxed]
    pub(super) async fn check(&self) -> Result<(PackageReport, Marks)> {
        let instrument = Instrument::from_word(&self.manifest.run.instrument)?;
        let mut found = Found::default();
        self.check_exchanges(&mut found);
        self.check_originals(&mut found);
        self.check_decided(&mut found.findings);
        let mut quotes = super::quotes::Counted::default();
        if self.manifest.material == Material::Hashes {
            let left = "the material was left out: quotes cannot be located, and nothing can be \
                        judged again";
            found.unchecked.push(left.to_owned());
        } else {
            quotes = self.check_quotes(instrument, &mut found.findings);
            self.check_judged(instrument, &mut found).await?;
        }
        self.check_numbers(instrument, &mut found).await?;
        let earlier = self.manifest.run.version - 1;
        if earlier > 0 {
            found.unchecked.push(format!("numbers of {earlier} earlier versions are as recorded"));
        }
        let marks = self.marks(instrument, &found);
        Ok((self.report(found, &marks, quotes), marks))
    }

    fn report(&self, found: Found, marks: &Marks, quotes: super::quotes::Counted) -> PackageReport {
        let count = |mark: Mark| marks.values().filter(|one| **one == mark).count();
        let (manifest, run) = (&self.manifest, &self.manifest.run);
        let name = run.name.as_ref().map(|name| format!(" “{name}”")).unwrap_or_default();
        PackageReport {
            format: FORMAT,
            result: result(&found.findings, found.judged_differently),
            run: format!("{} run #{}{name}, {}", run.instrument, run.number, run.method),
            items: run.items,
            written: format!(
                "{} at {} by {}",
                manifest.program, manifest.packed_at, manifest.packed_by
            ),
            head: manifest.head.clone(),
            signed_by: manifest.signature.as_ref().map(|signature| signature.public_key.clone()),
            numbers: Numbers {
                recomputed: count(Mark::Recomputed),
                recorded: count(Mark::Recorded),
                decided: count(Mark::Decided),
            },
            quotes_located: quotes.located,
            quotes_not_found: quotes.not_found,
            judged_again: found.judged_again.len(),
            judged_differently: found.judged_differently,
            findings: found.findings,
            unchecked: found.unchecked,
        }
    }

    /// Every request must be the one that its key names.
    fn check_exchanges(&self, found: &mut Found) {
        for row in self.rows(EXCHANGES) {
            let Some(request) = row.get("request").and_then(Json::as_str) else { continue };
            let stated = text(row, "key");
            if key::of_request(request).to_string() != stated {
                found.note(file_name(EXCHANGES), format!("{stated}: another request was asked"));
            }
        }
    }

    /// Every original must be the one that its document was read from.
    fn check_originals(&self, found: &mut Found) {
        use base64::Engine as _;
        use base64::engine::general_purpose::STANDARD;
        let hashes: BTreeMap<String, String> = self
            .rows("eval_documents")
            .iter()
            .map(|row| (text(row, "id"), text(row, "content_hash")))
            .collect();
        for row in self.rows("eval_document_originals") {
            let Some(bytes) = row.get("bytes").and_then(Json::as_str) else { continue };
            let bytes = STANDARD.decode(bytes).unwrap_or_default();
            let id = text(row, "document_id");
            let made = blake3::hash(&bytes).to_hex().to_string();
            if hashes.get(&id).is_some_and(|stated| !stated.is_empty() && *stated != made) {
                found.note(file_name("eval_document_originals"), format!("{id}: another file"));
            }
        }
    }

    async fn check_judged(&self, instrument: Instrument, found: &mut Found) -> Result<()> {
        if !matches!(instrument, Instrument::Summary | Instrument::Compliance) {
            return Ok(());
        }
        match self.rejudge().await {
            Ok(Rejudged::Judged { positions, differences }) => {
                found.judged_again = positions;
                let is_ours = self.manifest.program == super::pack::program();
                for (position, problem) in &differences {
                    found.judged_again.remove(position);
                    if is_ours {
                        let item = named(self, *position);
                        found.note(file_name("verdicts"), format!("{item}: {problem}"));
                    }
                }
                if !is_ours && !differences.is_empty() {
                    found.judged_differently = differences.len();
                    let (position, problem) = &differences[0];
                    found.unchecked.push(format!(
                        "{} verdicts come out differently with {}, and the package names {}: {}: \
                         {problem}",
                        differences.len(),
                        super::pack::program(),
                        self.manifest.program,
                        named(self, *position)
                    ));
                }
            }
            Ok(Rejudged::Unable(because)) => {
                found.unchecked.push(format!("nothing was judged again: {because}"));
            }
            Err(error) => found.note("rows", error.to_string()),
        }
        Ok(())
    }

    /// Scores everything again from its evidence.
    async fn check_numbers(&self, instrument: Instrument, found: &mut Found) -> Result<()> {
        let unpacked = match self.unpack(&|_| ()).await {
            Ok(unpacked) => unpacked,
            Err(error) => {
                found.note("rows", error.to_string());
                return Ok(());
            }
        };
        let is_without = self.manifest.material == Material::Hashes
            && matches!(instrument, Instrument::Retrieval | Instrument::Council);
        if is_without || (instrument == Instrument::Retrieval && self.stores_no_files()) {
            let because = "the numbers are as recorded: what they were computed from is not here";
            found.unchecked.push(because.to_owned());
            return Ok(());
        }
        let again = match unpacked.workspace.recount(&unpacked.run).await {
            Ok(again) => again,
            Err(error) => {
                found.note(file_name("runs"), format!("it cannot be scored again: {error}"));
                return Ok(());
            }
        };
        let mut stated: BTreeMap<i64, Values> = BTreeMap::new();
        for row in self.of_version("scores", self.manifest.run.version) {
            let values = stated.entry(number(row, "position")).or_default();
            values.insert(text(row, "measure"), row.get("judged").and_then(Json::as_f64));
        }
        let nothing = Values::new();
        for position in again.keys().chain(stated.keys()).collect::<BTreeSet<_>>() {
            let now = again.get(position).unwrap_or(&nothing);
            let then = stated.get(position).unwrap_or(&nothing);
            let measures: BTreeSet<&String> = now.keys().chain(then.keys()).collect();
            for measure in measures.into_iter().filter(|one| !same(now, then, one)) {
                let shown = |values: &Values| match values.get(measure) {
                    None => "missing".to_owned(),
                    Some(None) => "without a value".to_owned(),
                    Some(Some(value)) => value.to_string(),
                };
                let item = named(self, *position);
                let problem =
                    format!("{item}: {measure} is {}, and comes to {}", shown(then), shown(now));
                found.note(file_name("scores"), problem);
            }
        }
        found.recounted = Some(again);
        Ok(())
    }

    fn stores_no_files(&self) -> bool {
        self.rows("runs").first().is_none_or(|run| run.get("material").is_none_or(Json::is_null))
    }

    /// How each number of the version that counts came about.
    fn marks(&self, instrument: Instrument, found: &Found) -> Marks {
        let decided = self.decided();
        let mut marks = Marks::new();
        for row in self.of_version("scores", self.manifest.run.version) {
            let key = (number(row, "position"), text(row, "measure"));
            let stated = row.get("judged").and_then(Json::as_f64);
            let again = found.recounted.as_ref().and_then(|all| all.get(&key.0)?.get(&key.1));
            let is_same =
                again.is_some_and(|again| again.map(f64::to_bits) == stated.map(f64::to_bits));
            // What a compliance ledger ends with was judged: only judging again computes it.
            let is_judged =
                instrument != Instrument::Compliance || found.judged_again.contains(&key.0);
            let mark = if decided.contains_key(&key) {
                Mark::Decided
            } else if is_same && is_judged {
                Mark::Recomputed
            } else {
                Mark::Recorded
            };
            marks.insert(key, mark);
        }
        marks
    }
}

/// Whether two give a measure the same value, to the bit, or both none, or neither has it.
fn same(one: &Values, other: &Values, measure: &str) -> bool {
    let bits = |values: &Values| values.get(measure).map(|value| value.map(f64::to_bits));
    bits(one) == bits(other)
}

/// What stands in the place of a value that does not leave.
pub(super) fn left_out(value: &Json) -> Json {
    let text = match value {
        Json::String(text) => text.clone(),
        other => super::manifest::canonical(other),
    };
    let mut row = JsonRow::new();
    row.insert(HASH_ONLY.to_owned(), hex(&hash(&[text.as_bytes()])).into());
    Json::Object(row)
}
