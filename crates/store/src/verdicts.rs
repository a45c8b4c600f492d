//! Verdicts: what came of the items of a run, in as many versions as it was computed.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::audited;
use crate::database::{Row, Transaction};
use crate::decisions::{self, Decision};
use crate::error::{Result, StoreError};
use crate::ids::{PromptTemplateId, RunId};
use crate::packed::{pack, pack_some, unpack};
use crate::record::{handle, record};
use crate::state::ResultOutcome;
use crate::value::{Value, values};

/// A verdict to write.
#[derive(Debug, Clone, PartialEq)]
pub struct NewVerdict {
    /// Whether there is a score.
    pub outcome: ResultOutcome,
    /// Why there is none.
    pub reason: Option<String>,
    /// The value of each measure; none where it has none.
    pub scores: Vec<(String, Option<f64>)>,
    /// How the scores were computed.
    pub ledger: Option<Json>,
    /// What they were computed from; none where it is that of the version before.
    pub evidence: Option<Json>,
    /// The exchanges with models, by key.
    pub exchange_keys: Option<Json>,
    /// What a judge of documents writes besides; other judges write none.
    pub assessment: Option<Box<Assessment>>,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// What a judge writes about a document and a criterion.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Assessment {
    /// Who judged: `rules`, `model`.
    pub judge: Option<String>,
    pub model: Option<String>,
    pub prompt_template_id: Option<PromptTemplateId>,
    /// How sure the judge says it is, 0 to 100.
    pub confidence: Option<i64>,
    /// What the judge wrote, section by section.
    pub sections: Option<Json>,
    /// The judge's quotes with their places.
    pub citations: Option<Json>,
    /// Quotes that were looked up, and those of them that stand in the document.
    pub quotes: (i64, i64),
    /// Whether the judge noted that the document denies what is required.
    pub is_denial: bool,
    /// The judge's raw answer, where it could not be read.
    pub raw_answer: Option<String>,
    /// Only in results that were adopted: the status that the judge picked.
    pub status_id: Option<String>,
}

impl NewVerdict {
    /// A verdict without a score, and why.
    pub fn failed(because: &str) -> Self {
        Self {
            outcome: ResultOutcome::Failed,
            reason: Some(because.to_owned()),
            scores: Vec::new(),
            ledger: None,
            evidence: None,
            exchange_keys: None,
            assessment: None,
            created_at: Utc::now(),
        }
    }
}

/// A verdict in full.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The item's place in the run, from 0.
    pub position: i64,
    pub version: i64,
    /// Whether there is a score.
    pub outcome: ResultOutcome,
    /// Why there is none.
    pub reason: Option<String>,
    /// How the scores were computed.
    pub ledger: Option<Json>,
    /// What they were computed from.
    pub evidence: Option<Json>,
    /// The exchanges with models, by key.
    pub exchange_keys: Option<Json>,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// A verdict as it is kept: ledger and evidence are not unpacked yet.
#[derive(Debug, Clone)]
pub struct PackedVerdict {
    verdict: Verdict,
    ledger: Option<Vec<u8>>,
    evidence: Option<Vec<u8>>,
}

impl PackedVerdict {
    /// The item's place in the run, from 0.
    pub fn position(&self) -> i64 {
        self.verdict.position
    }

    /// All of it.
    pub(crate) fn in_full(self) -> Result<Verdict> {
        let ledger = self.ledger.as_deref().map(unpack).transpose()?;
        let evidence = self.evidence.as_deref().map(unpack).transpose()?;
        Ok(Verdict { ledger, evidence, ..self.verdict })
    }

    /// What it is scored from: where there is evidence the ledger is not unpacked.
    pub fn for_rescoring(self) -> Result<Verdict> {
        let ledger = if self.evidence.is_some() { None } else { self.ledger };
        Self { ledger, ..self }.in_full()
    }
}

record! {
    /// A version of a run's verdicts that a rescore made.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct RunVersion {
        /// Which one; from 2 on.
        pub version: i64,
        /// What decided it.
        pub configuration: Option<Json>,
        /// Which method computed it.
        pub method_version: Option<String>,
        /// What was changed, in words.
        pub reason: String,
        /// By whom.
        pub who: String,
        /// When.
        pub created_at: DateTime<Utc>,
    }
}

handle!(Verdicts, verdicts, "The verdicts of a store.");

/// Verdicts of a version from a place on, with the latest evidence up to that version.
const PAGE: &str = "SELECT position, version, outcome, reason, ledger, exchange_keys, created_at, \
    (SELECT earlier.evidence FROM verdicts AS earlier WHERE earlier.run_id = $1 \
     AND earlier.position = verdicts.position AND earlier.version <= $2 \
     AND earlier.evidence IS NOT NULL ORDER BY earlier.version DESC LIMIT 1) AS evidence \
    FROM verdicts WHERE run_id = $1 AND version = $2 AND position >= $3 \
    ORDER BY position LIMIT $4";

impl Verdicts<'_> {
    /// The verdicts of a version from a place on, up to so many. The evidence is the latest up
    /// to that version.
    #[boxed]
    pub async fn page(
        &self,
        run: &RunId,
        version: i64,
        from: i64,
        limit: i64,
    ) -> Result<Vec<Verdict>> {
        let packed = self.page_to_rescore(run, version, from, limit).await?;
        packed.into_iter().map(PackedVerdict::in_full).collect()
    }

    /// The same to be scored another way, as they are kept: whoever scores them unpacks them, on
    /// as many cores as there are.
    #[boxed]
    pub async fn page_to_rescore(
        &self,
        run: &RunId,
        version: i64,
        from: i64,
        limit: i64,
    ) -> Result<Vec<PackedVerdict>> {
        let rows = self.0.database.fetch(PAGE, &values![run, version, from, limit]).await?;
        rows.iter().map(read).collect()
    }

    /// Writes the next version of a run's verdicts, and makes it the one that counts. All or
    /// nothing; the versions before it stay. Returns its number.
    #[boxed]
    pub async fn add_version(
        &self,
        run: &RunId,
        version: &RunVersion,
        verdicts: &[(i64, NewVerdict)],
        material: Option<&Json>,
    ) -> Result<i64> {
        let mut writing = self.begin_version(run, version).await?;
        if let Some(material) = material {
            writing.replace_material(material).await?;
        }
        writing.add(verdicts).await?;
        writing.finish().await
    }

    /// Begins the next version of a run's verdicts, which are then added piece by piece: more of
    /// them than memory holds. Until it is finished nobody sees it, and nobody else writes to a
    /// SQLite file.
    #[boxed]
    pub async fn begin_version(&self, run: &RunId, version: &RunVersion) -> Result<VersionWriter> {
        let mut transaction = self.0.database.begin().await?;
        // The row of the run is locked from here on: two rescores get two versions.
        let sql = "UPDATE runs SET version = 1 + (SELECT COALESCE(MAX(version), 1) \
            FROM run_versions WHERE run_id = $1) WHERE id = $1 RETURNING version";
        let row = transaction.fetch_optional(sql, &values![run]).await?;
        let Some(row) = row else {
            return Err(StoreError::Missing { what: "run", id: run.to_string() });
        };
        let number: i64 = row.get("version")?;
        let RunVersion { configuration, method_version, reason, who, created_at, .. } = version;
        let row = values![run, number, configuration, method_version, reason, who, *created_at];
        let columns =
            ["run_id", "version", "configuration", "method_version", "reason", "who", "created_at"];
        transaction.insert("run_versions", &columns, &[row], "").await?;
        let version = RunVersion { version: number, configuration: None, ..version.clone() };
        Ok(VersionWriter { transaction, run: run.clone(), version })
    }

    /// The versions that rescores made, the first first.
    #[boxed]
    pub async fn versions(&self, run: &RunId) -> Result<Vec<RunVersion>> {
        let sql = "SELECT * FROM run_versions WHERE run_id = $1 ORDER BY version";
        self.0.database.list(sql, &values![run]).await
    }

    /// The mean of every measure by name, with how many values it is of. The database computes
    /// it from an index: a hundred thousand items must not be fetched to show a page of twenty.
    #[boxed]
    pub async fn means(
        &self,
        run: &RunId,
        version: i64,
    ) -> Result<BTreeMap<String, (u64, Option<f64>)>> {
        let sql = "SELECT measure, COUNT(value) AS scored, AVG(value) AS mean FROM scores \
            WHERE run_id = $1 AND version = $2 GROUP BY measure";
        let rows = self.0.database.fetch(sql, &values![run, version]).await?;
        let mean = |row: &Row| Ok((row.get("measure")?, (row.count("scored")?, row.get("mean")?)));
        rows.iter().map(mean).collect()
    }
}

/// A version of a run's verdicts that is being written; dropped, it never was.
#[derive(Debug)]
pub struct VersionWriter {
    transaction: Transaction,
    run: RunId,
    version: RunVersion,
}

impl VersionWriter {
    pub fn number(&self) -> i64 {
        self.version.version
    }

    /// Adds verdicts by their positions.
    #[boxed]
    pub async fn add(&mut self, verdicts: &[(i64, NewVerdict)]) -> Result<()> {
        for (_, new) in verdicts {
            check(new)?;
        }
        let row = |(position, new)| (&self.run, position, new);
        let rows: Vec<_> = verdicts.iter().map(|(position, new)| row((*position, new))).collect();
        insert(&mut self.transaction, self.version.version, &rows).await
    }

    /// Replaces what belongs to the run as a whole: later versions follow from this one.
    #[boxed]
    async fn replace_material(&mut self, material: &Json) -> Result<()> {
        let sql = "UPDATE runs SET material = $2 WHERE id = $1";
        self.transaction.execute(sql, &values![&self.run, pack(material)?.as_slice()]).await?;
        Ok(())
    }

    /// Takes over what the judge said in an earlier version, as it is.
    #[boxed]
    pub async fn carry(&mut self, from: i64) -> Result<()> {
        let sql = "INSERT INTO verdicts (run_id, position, version, judged_outcome, outcome, \
            reason, ledger, evidence, exchange_keys, judge, model, prompt_template_id, \
            confidence, sections, citations, quotes, quotes_found, is_denial, raw_answer, \
            status_id, created_at) SELECT run_id, position, $3, judged_outcome, judged_outcome, \
            reason, ledger, NULL, exchange_keys, judge, model, prompt_template_id, confidence, \
            sections, citations, quotes, quotes_found, is_denial, raw_answer, status_id, \
            created_at FROM verdicts WHERE run_id = $1 AND version = $2";
        let values = values![&self.run, from, self.version.version];
        self.transaction.execute(sql, &values).await?;
        let sql = "INSERT INTO scores (run_id, position, version, measure, judged, value) \
            SELECT run_id, position, $3, measure, judged, judged FROM scores \
            WHERE run_id = $1 AND version = $2";
        self.transaction.execute(sql, &values).await?;
        Ok(())
    }

    /// Adds what people decided that led to it.
    #[boxed]
    pub async fn decide(&mut self, decisions: &[Decision]) -> Result<()> {
        decisions::insert(&mut self.transaction, &self.run, decisions).await
    }

    /// Makes it the version that counts. Returns its number.
    pub async fn finish(mut self) -> Result<i64> {
        // What people decided about scores holds for whatever the judge comes to.
        decisions::apply_all(&mut self.transaction, &self.run).await?;
        audited::rescored(&mut self.transaction, &self.run, &self.version).await?;
        self.transaction.commit().await?;
        Ok(self.version.version)
    }
}

/// A number belongs to a score and to nothing else, and is one.
pub(crate) fn check(new: &NewVerdict) -> Result<()> {
    let mut values = new.scores.iter().filter_map(|(measure, value)| Some((measure, (*value)?)));
    if new.outcome != ResultOutcome::Scored && values.clone().next().is_some() {
        return Err(StoreError::Refused("a verdict without a score has a number".to_owned()));
    }
    if new.assessment.is_some() {
        let is_scored = new.outcome == ResultOutcome::Scored;
        if is_scored && !values.clone().any(|(_, value)| (0.0..=100.0).contains(&value)) {
            let because = "an assessment that is scored has a score from 0 to 100";
            return Err(StoreError::Refused(because.to_owned()));
        }
    }
    match values.find(|(_, value)| !value.is_finite()) {
        Some((measure, value)) => Err(StoreError::Refused(format!("{measure} is {value}"))),
        None => Ok(()),
    }
}

/// Writes verdicts with their scores.
pub(crate) async fn insert(
    transaction: &mut Transaction,
    version: i64,
    verdicts: &[(&RunId, i64, &NewVerdict)],
) -> Result<()> {
    let (mut rows, mut scores) = (Vec::with_capacity(verdicts.len()), Vec::new());
    let none = Assessment::default();
    // Half of the columns only judges of documents fill.
    let is_plain = verdicts.iter().all(|(.., new)| new.assessment.is_none());
    for (run, position, new) in verdicts {
        let packed = [pack_some(new.ledger.as_ref())?, pack_some(new.evidence.as_ref())?].map(blob);
        let [ledger, evidence] = packed;
        let key = values![*run, *position, version];
        let said = values![new.outcome, new.outcome, &new.reason, &new.exchange_keys];
        let mut row = key.to_vec();
        row.extend(said);
        row.extend([ledger, evidence]);
        row.extend(values![new.created_at]);
        if !is_plain {
            row.extend(assessed(new.assessment.as_deref().unwrap_or(&none)));
        }
        rows.push(row);
        for (measure, value) in &new.scores {
            let mut row = key.to_vec();
            row.extend(values![measure, *value, *value]);
            scores.push(row);
        }
    }
    let columns = if is_plain { &COLUMNS[..PLAIN] } else { &COLUMNS[..] };
    transaction.insert("verdicts", columns, &rows, "").await?;
    let columns = ["run_id", "position", "version", "measure", "judged", "value"];
    transaction.insert("scores", &columns, &scores, "").await?;
    Ok(())
}

/// How many columns every verdict has.
const PLAIN: usize = 10;

const COLUMNS: [&str; 21] = [
    "run_id",
    "position",
    "version",
    "judged_outcome",
    "outcome",
    "reason",
    "exchange_keys",
    "ledger",
    "evidence",
    "created_at",
    "judge",
    "model",
    "prompt_template_id",
    "confidence",
    "sections",
    "citations",
    "quotes",
    "quotes_found",
    "is_denial",
    "raw_answer",
    "status_id",
];

fn assessed(assessment: &Assessment) -> [Value<'_>; 11] {
    let Assessment { judge, model, prompt_template_id, confidence, sections, .. } = assessment;
    let Assessment { citations, quotes, is_denial, raw_answer, status_id, .. } = assessment;
    values![
        judge,
        model,
        prompt_template_id,
        *confidence,
        sections,
        citations,
        quotes.0,
        quotes.1,
        *is_denial,
        raw_answer,
        status_id,
    ]
}

fn blob<'a>(bytes: Option<Vec<u8>>) -> Value<'a> {
    Value::Blob(bytes.map(Into::into))
}

fn read(row: &Row) -> Result<PackedVerdict> {
    Ok(PackedVerdict {
        verdict: Verdict {
            position: row.get("position")?,
            version: row.get("version")?,
            outcome: ResultOutcome::from_word(&row.get::<String>("outcome")?)?,
            reason: row.get("reason")?,
            ledger: None,
            evidence: None,
            exchange_keys: row.json("exchange_keys")?,
            created_at: row.get("created_at")?,
        },
        ledger: row.get("ledger")?,
        evidence: row.get("evidence")?,
    })
}
