//! What a report of a compliance run holds: plain data, given by the caller.
//!
//! Nothing is judged here. Statuses come from the one function that derives
//! them, times come as text, and what has no score stays without one.

use assize_methods::compliance::set_verdicts::CategoryVerdict;
use serde::{Deserialize, Serialize};

/// A compliance run, ready to be written as a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// What stands on top of it.
    pub title: String,
    /// Whose run it is.
    pub organisation: String,
    /// What the documents were held against.
    pub criteria_set: CriteriaSet,
    /// The tiers of the set's rubric, lowest first.
    pub rubric: Vec<Tier>,
    /// Who judged, and by what.
    pub method: Method,
    /// Which run it was.
    pub run: Run,
    /// When the run became what the report shows, RFC 3339: its end, or the last decision,
    /// version or approval since. Never the moment of writing.
    pub exported_at: String,
    /// The documents, each with its hash.
    pub documents: Vec<Document>,
    /// One row for each document and criterion.
    pub rows: Vec<Row>,
    /// How close the judge was to the truth keys, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<Accuracy>,
    /// What holds for the documents taken together. Follows from the rows and the weights, so
    /// the JSON does without it.
    #[serde(skip)]
    pub set: SetVerdicts,
    /// Who approved the run, in words; empty if nobody did.
    #[serde(skip)]
    pub approval: String,
}

/// What holds for the documents taken together: the best document decides a criterion.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SetVerdicts {
    /// One for each criterion.
    pub verdicts: Vec<SetVerdict>,
    /// Their weighted mean; none if none has a score. A mean has no status.
    pub score: Option<f64>,
    /// The same by category.
    pub categories: Vec<CategoryVerdict>,
}

impl SetVerdicts {
    /// `8 of 10 criteria met, 2 open`; a mean over criteria has no tier, which would hide what is
    /// open.
    pub fn met(&self) -> String {
        let all = self.verdicts.len();
        let scored = self.verdicts.iter().filter(|one| one.score.is_some());
        let (met, scored) = (scored.clone().filter(|one| one.is_met).count(), scored.count());
        let noun = if all == 1 { "criterion" } else { "criteria" };
        let counts = [(scored - met, "open"), (all - scored, "without a score")];
        let rest = counts.iter().filter(|(count, _)| *count > 0);
        let rest: Vec<String> = rest.map(|(count, words)| format!(", {count} {words}")).collect();
        let contradicted = self.verdicts.iter().filter(|one| !one.contradicted_by.is_empty());
        let contradicted = match contradicted.count() {
            0 => String::new(),
            count => format!(" ({count} contradicted)"),
        };
        format!("{met} of {all} {noun} met{}{contradicted}", rest.concat())
    }
}

/// A criterion's verdict for the set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SetVerdict {
    /// The criterion.
    pub criteria_id: String,
    /// What it requires.
    pub requirement: String,
    /// Its group; may be empty.
    pub category: String,
    /// How much it counts.
    pub weight: f64,
    /// What holds for the set.
    pub state: State,
    /// The best score.
    pub score: Option<f64>,
    pub status: Option<Status>,
    /// The document that decides; empty without a score.
    pub document: String,
    /// Whether the set meets it.
    pub is_met: bool,
    /// The documents that deny what the best one states; the score is then capped.
    pub contradicted_by: Vec<String>,
}

impl SetVerdict {
    /// `Contradicted by annex.docx`, with the cap; none where no document denies it.
    pub(crate) fn contradiction(&self) -> Option<String> {
        let by = self.contradicted_by.join(", ");
        (!by.is_empty()).then(|| format!("Contradicted by {by}; the set scores 60 or less"))
    }
}

/// The criteria set of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CriteriaSet {
    pub name: String,
    /// What it is about; may be empty.
    pub description: String,
}

/// One tier of a rubric.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tier {
    /// The lowest score in it.
    pub min: u8,
    /// The highest whole score in it.
    pub max: u8,
    /// What a score in it is called.
    pub label: String,
    /// A colour's name (`red`, `lime`…), `#rrggbb` or `hsl(120, 50%, 40%)`.
    pub colour: String,
    /// What it means.
    pub description: String,
}

/// Who judged, and by what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Method {
    /// The judge: `rules`, or a model as `provider/model`.
    pub judge: String,
    /// The method's name and version, e.g. `compliance 1`.
    pub method: String,
    /// The prompt template and its version; empty if there was no prompt.
    pub template_version: String,
}

/// Which run it was. Times are RFC 3339; empty if there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The run's id.
    pub id: String,
    /// When it began.
    pub started_at: String,
    /// When its last item was committed.
    pub finished_at: String,
}

/// A document that was judged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Its name; rows refer to it.
    pub name: String,
    /// The hash of its original bytes.
    pub hash: String,
    pub media_type: String,
    /// What readers must know about it, whoever judged: hidden text, text that speaks to the judge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
}

/// One criterion, held against one document.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The document's name.
    pub document: String,
    /// The criterion's id, e.g. `AC-2`.
    pub criteria_id: String,
    /// What it requires.
    pub requirement: String,
    /// What came of it, by the judge. See [`Row::effective_state`].
    pub state: State,
    /// The judge's score, 0 to 100.
    pub ai_score: Option<f64>,
    /// How sure the judge was, 0 to 100.
    pub ai_confidence: Option<u8>,
    /// What a person put beside the judge's score.
    #[serde(rename = "override")]
    pub current_override: Option<Override>,
    /// Overrides before that one, oldest first; also where the last one was taken back.
    pub override_history: Vec<Override>,
    /// The override's score, or else the judge's. None: no number at all.
    pub effective_score: Option<f64>,
    /// The status of the effective score; none without a score.
    pub status: Option<Status>,
    /// What the judge wrote.
    pub sections: Vec<Section>,
    /// What the judge quoted, looked up in the document.
    pub citations: Vec<Citation>,
    /// How the score was computed.
    pub ledger: Vec<LedgerLine>,
    /// Documents of the run that deny what this one states.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradicted_by: Vec<String>,
}

impl Row {
    /// The override's state, or else the judge's. An override with a score makes it scored.
    pub fn effective_state(&self) -> &State {
        match &self.current_override {
            Some(Override { score: Some(_), .. }) => &State::Scored,
            Some(Override { state: Some(state), .. }) => state,
            _ => &self.state,
        }
    }
}

/// What came of a row.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum State {
    /// There is a score.
    Scored,
    /// The criterion does not apply to the document.
    NotApplicable,
    /// The document does not say enough to judge.
    NeedsInformation,
    /// The judge gave no score that could be read.
    Failed {
        /// Why.
        reason: String,
    },
    /// Not judged yet.
    #[default]
    Pending,
}

impl State {
    /// Its name in files: `scored`, `not_applicable`…
    pub fn name(&self) -> &'static str {
        match self {
            Self::Scored => "scored",
            Self::NotApplicable => "not_applicable",
            Self::NeedsInformation => "needs_information",
            Self::Failed { .. } => "failed",
            Self::Pending => "pending",
        }
    }

    /// Its name for readers.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Scored => "Scored",
            Self::NotApplicable => "Not applicable",
            Self::NeedsInformation => "Needs information",
            Self::Failed { .. } => "Failed",
            Self::Pending => "Pending",
        }
    }

    /// Why it failed; empty otherwise.
    pub fn reason(&self) -> &str {
        if let Self::Failed { reason } = self { reason } else { "" }
    }
}

/// What a person put beside the judge's result.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Override {
    /// Whether it only takes back those before it. Such an entry stands in the history alone.
    #[serde(default)]
    pub is_withdrawal: bool,
    /// Another state, e.g. not applicable; none leaves the judge's.
    #[serde(default)]
    pub state: Option<State>,
    /// The person's score; none if only state or sections were changed.
    pub score: Option<f64>,
    /// The sections they rewrote.
    pub sections: Vec<Section>,
    pub who: String,
    /// When, RFC 3339.
    pub when: String,
    pub why: String,
}

/// The status of a score, from the rubric.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The tier's label.
    pub label: String,
    /// The tier's colour.
    pub colour: String,
    /// The tier's number, from 1, the lowest.
    pub tier: u8,
}

/// One section of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Its name in the response structure.
    pub name: String,
    /// What it says.
    pub value: SectionValue,
}

/// What a section says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SectionValue {
    Number(f64),
    Text(String),
    /// A list of texts.
    List(Vec<String>),
}

/// A quote, looked up in the document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// What was quoted.
    pub quote: String,
    /// Whether it is in the document.
    pub found: bool,
    /// Where it begins in the extracted text.
    pub start: Option<usize>,
    /// Where it ends, not included.
    pub end: Option<usize>,
    /// Its page, from 1.
    pub page: Option<u32>,
    /// How it was matched: `exact`, `normalised`, `fuzzy`, `not found`, or `not looked up` in
    /// results from before citations were.
    pub matched: String,
}

impl Citation {
    /// Whether it was looked for and is not there. Nobody looked for the quotes of old results.
    pub(crate) fn is_missing(&self) -> bool {
        !self.found && self.matched != NOT_LOOKED_UP
    }
}

/// What is said of a quote that nobody looked for.
pub const NOT_LOOKED_UP: &str = "not looked up";

/// One line of how a score was computed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LedgerLine {
    /// How deep it stands, from 0.
    pub depth: u8,
    /// What it says.
    pub text: String,
    /// The number it gives, if it gives one.
    pub value: Option<f64>,
}

/// How close the judge was to the truth keys.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Accuracy {
    /// Rows that have a key and a score.
    pub compared: usize,
    /// Rows that have a key and no score.
    pub uncompared: usize,
    /// Mean of 1 - |score - expected| / 100.
    pub overall: Option<f64>,
    /// Its interval, lower and upper end.
    pub interval: Option<(f64, f64)>,
    /// Share of rows in the tier of their key.
    pub tier_match: Option<f64>,
    /// Mean signed difference to the key, in points.
    pub bias: Option<f64>,
    /// Agreement of tiers, weighted by the square of the distance.
    pub quadratic_kappa: Option<f64>,
    /// Expected calibration error of the confidence.
    pub calibration_error: Option<f64>,
}
