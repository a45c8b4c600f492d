//! Decisions: what a person says about an item beside the judge. All are kept; the last one of a
//! kind and target counts.
//!
//! A decision about a score is written together with what follows from it: the value that counts
//! ([`scores.value`](crate::run_items)), the outcome that counts, the rater's label and the entry
//! of the audit. Nobody else changes what counts, so that every reader sees the same.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::audit::AuditEntry;
use crate::audit_chain::append;
use crate::database::{Row, Transaction};
use crate::error::StoreError;
use crate::ids::{DecisionId, RunId};
use crate::labels::{self, Label};
use crate::record::handle;
use crate::state::{DecisionKind, ResultOutcome};
use crate::value::values;

/// What a person decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The item's place in the run, from 0.
    pub position: i64,
    /// Which of the decisions about the item, from 1; given when it is added.
    pub sequence: i64,
    /// What kind.
    pub kind: DecisionKind,
    /// About what: a measure, a piece of evidence.
    pub target: String,
    /// What is said; nothing when an earlier one is withdrawn.
    pub change: Change,
    /// Whether it is the one that counts; given when it is added.
    pub is_current: bool,
    /// Who.
    pub author: String,
    /// Why.
    pub reason: String,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// What somebody says about an item.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Change {
    /// The judge was right after all: earlier entries count no longer.
    pub is_withdrawal: bool,
    /// Another outcome; `None` leaves the judge's.
    pub outcome: Option<ResultOutcome>,
    /// Another score; makes the outcome `Scored`.
    pub score: Option<f64>,
    /// Other words for some sections, other evidence, or the words of a comment.
    pub value: Option<Json>,
}

/// What is written with a decision, in the same transaction.
#[derive(Debug, Default)]
pub struct Consequences {
    /// The rating that the decision is at the same time.
    pub label: Option<Label>,
    /// The entry of the audit.
    pub audit: Option<AuditEntry>,
    /// How many decisions about the item their author had seen; more by now is a conflict.
    pub seen: Option<i64>,
    /// Whose label goes with a withdrawal, and about which measure.
    pub withdrawn_label: Option<(String, String)>,
}

handle!(Decisions, decisions, "The decisions of a store.");

impl Decisions<'_> {
    /// Adds a decision with all that follows from it, or nothing.
    #[boxed]
    pub async fn add(
        &self,
        run: &RunId,
        decision: &Decision,
        with: Consequences,
    ) -> Result<(), StoreError> {
        check(decision)?;
        let mut transaction = self.0.database.begin().await?;
        // Whoever adds at the same time waits here, so that no two get the same place.
        let sql = "UPDATE runs SET revision = revision + $2 WHERE id = $1";
        // No figure follows from a comment.
        let grows = i64::from(decision.kind != DecisionKind::Comment);
        if transaction.execute(sql, &values![run, grows]).await? == 0 {
            return Err(crate::runs::missing(run));
        }
        let position = decision.position;
        if let Some(seen) = with.seen {
            let sql = "SELECT COUNT(*) AS made FROM decisions WHERE run_id = $1 AND position = $2";
            let row = transaction.fetch_optional(sql, &values![run, position]).await?;
            if row.map_or(Ok(0), |row| row.get::<i64>("made"))? != seen {
                let because = "somebody else has decided about this item meanwhile: look again";
                return Err(StoreError::Refused(because.to_owned()));
            }
        }
        insert(&mut transaction, run, std::slice::from_ref(decision)).await?;
        if decision.kind == DecisionKind::Score {
            apply(&mut transaction, run, position, &decision.target, &decision.change).await?;
            count_unscored(&mut transaction, run).await?;
        }
        if let Some((rater, measure)) = with.withdrawn_label {
            let sql = "DELETE FROM labels WHERE run_id = $1 AND position = $2 AND rater = $3 \
                AND measure = $4";
            transaction.execute(sql, &values![run, position, &rater, &measure]).await?;
        }
        if let Some(label) = with.label {
            labels::write(&mut transaction, run, &[label]).await?;
        }
        if let Some(entry) = &with.audit {
            append(&mut transaction, entry).await?;
        }
        transaction.commit().await
    }

    /// All of a run, item by item in the order in which they were made.
    #[boxed]
    pub async fn list(&self, run: &RunId) -> Result<Vec<Decision>, StoreError> {
        let sql = "SELECT * FROM decisions WHERE run_id = $1 ORDER BY position, sequence";
        self.0.database.fetch(sql, &values![run]).await?.iter().map(read).collect()
    }

    /// Those about one item, in the order in which they were made.
    #[boxed]
    pub async fn about(&self, run: &RunId, position: i64) -> Result<Vec<Decision>, StoreError> {
        let sql = "SELECT * FROM decisions WHERE run_id = $1 AND position = $2 ORDER BY sequence";
        let rows = self.0.database.fetch(sql, &values![run, position]).await?;
        rows.iter().map(read).collect()
    }
}

/// A decision about a score says something that can be so.
fn check(decision: &Decision) -> Result<(), StoreError> {
    if decision.kind != DecisionKind::Score {
        return Ok(());
    }
    let Change { is_withdrawal, outcome, score, value } = &decision.change;
    let says_nothing = outcome.is_none() && score.is_none() && value.is_none();
    let because = if decision.reason.trim().is_empty() {
        "a decision needs a reason"
    } else if decision.author.trim().is_empty() {
        "a decision needs an author"
    } else if *is_withdrawal != says_nothing {
        "a decision must change something or withdraw an earlier one"
    } else if score.is_some_and(|score| !score.is_finite()) {
        "a score must be a finite number"
    } else if score.is_some() && outcome.is_some_and(|outcome| outcome != ResultOutcome::Scored) {
        "a score belongs to the outcome `scored`"
    } else if *outcome == Some(ResultOutcome::Failed) {
        "a decision cannot have the outcome `failed`"
    } else {
        return Ok(());
    };
    Err(StoreError::Refused(because.to_owned()))
}

/// Writes decisions, each after those that are there. Whoever calls it holds the row of the run.
pub(crate) async fn insert(
    transaction: &mut Transaction,
    run: &RunId,
    decisions: &[Decision],
) -> Result<(), StoreError> {
    let before = "UPDATE decisions SET is_current = FALSE WHERE run_id = $1 AND position = $2 \
        AND kind = $3 AND target = $4 AND is_current";
    let made = "SELECT COUNT(decision.id) AS made FROM run_items AS item \
        LEFT JOIN decisions AS decision ON decision.run_id = item.run_id \
        AND decision.position = item.position \
        WHERE item.run_id = $1 AND item.position = $2 GROUP BY item.position";
    let columns = [
        "id",
        "run_id",
        "position",
        "sequence",
        "kind",
        "target",
        "outcome",
        "score",
        "value",
        "is_withdrawal",
        "is_current",
        "author",
        "reason",
        "created_at",
    ];
    for decision in decisions {
        let Decision { position, kind, target, change, author, reason, created_at, .. } = decision;
        let Change { is_withdrawal, outcome, score, value } = change;
        let row = transaction.fetch_optional(made, &values![run, *position]).await?;
        let Some(row) = row else {
            return Err(StoreError::Missing { what: "item", id: position.to_string() });
        };
        let sequence = row.get::<i64>("made")? + 1;
        transaction.execute(before, &values![run, *position, *kind, target]).await?;
        let id = DecisionId::of(&[run.as_str(), &position.to_string(), &sequence.to_string()]);
        let mut values = values![&id, run, *position, sequence, *kind, target].to_vec();
        values.extend(values![outcome.map(ResultOutcome::word), *score, value]);
        values.extend(values![*is_withdrawal, !is_withdrawal, author, reason, *created_at]);
        transaction.insert("decisions", &columns, &[values], "").await?;
    }
    Ok(())
}

/// Makes the value of a measure the one that a decision says, in every version of its verdict.
async fn apply(
    transaction: &mut Transaction,
    run: &RunId,
    position: i64,
    measure: &str,
    change: &Change,
) -> Result<(), StoreError> {
    let other = change.outcome.filter(|outcome| *outcome != ResultOutcome::Scored);
    // An item without a score has no row for the measure yet.
    let sql = "INSERT INTO scores (run_id, position, version, measure, judged, value) \
        SELECT run_id, position, version, $3, NULL, NULL FROM verdicts \
        WHERE run_id = $1 AND position = $2 ON CONFLICT DO NOTHING";
    transaction.execute(sql, &values![run, position, measure]).await?;
    let (value, score) = match (change.score, other) {
        (Some(score), _) => ("$4", Some(score)),
        (None, Some(_)) => ("$4", None),
        (None, None) => ("COALESCE(judged, $4)", None),
    };
    let sql = format!(
        "UPDATE scores SET value = {value} WHERE run_id = $1 AND position = $2 AND measure = $3"
    );
    transaction.execute(&sql, &values![run, position, measure, score]).await?;
    // One measure with a value makes an item scored; without any, it is what a person says.
    let sql = "UPDATE verdicts SET outcome = CASE WHEN EXISTS (SELECT 1 FROM scores \
        WHERE scores.run_id = verdicts.run_id AND scores.position = verdicts.position \
        AND scores.version = verdicts.version AND scores.value IS NOT NULL) THEN 'scored' \
        ELSE COALESCE($3, judged_outcome) END WHERE run_id = $1 AND position = $2";
    transaction.execute(sql, &values![run, position, other.map(ResultOutcome::word)]).await?;
    Ok(())
}

/// Applies every decision about a score that counts: for verdicts that were computed again.
pub(crate) async fn apply_all(
    transaction: &mut Transaction,
    run: &RunId,
) -> Result<(), StoreError> {
    let sql = "SELECT * FROM decisions WHERE run_id = $1 AND kind = 'score' AND is_current \
        ORDER BY position, sequence";
    for row in transaction.fetch(sql, &values![run]).await? {
        let Decision { position, target, change, .. } = read(&row)?;
        apply(transaction, run, position, &target, &change).await?;
    }
    count_unscored(transaction, run).await
}

/// Counts anew how many items of a run have no score, in the version that counts.
async fn count_unscored(transaction: &mut Transaction, run: &RunId) -> Result<(), StoreError> {
    let sql = "UPDATE runs SET items_unscored = (SELECT COUNT(*) FROM verdicts \
        WHERE verdicts.run_id = runs.id AND verdicts.version = runs.version \
        AND verdicts.outcome <> 'scored') WHERE id = $1";
    transaction.execute(sql, &values![run]).await?;
    Ok(())
}

fn read(row: &Row) -> Result<Decision, StoreError> {
    let outcome: Option<String> = row.get("outcome")?;
    Ok(Decision {
        position: row.get("position")?,
        sequence: row.get("sequence")?,
        kind: DecisionKind::from_word(&row.get::<String>("kind")?)?,
        target: row.get("target")?,
        change: Change {
            is_withdrawal: row.get("is_withdrawal")?,
            outcome: outcome.as_deref().map(ResultOutcome::from_word).transpose()?,
            score: row.get("score")?,
            value: row.json("value")?,
        },
        is_current: row.get("is_current")?,
        author: row.get("author")?,
        reason: row.get("reason")?,
        created_at: row.get("created_at")?,
    })
}
