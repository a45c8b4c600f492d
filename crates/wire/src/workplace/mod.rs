//! What people work with in the browser: lists, a run at a glance, a result with its document,
//! rubrics under change, queues. The same shapes serve a program that shows them elsewhere.

mod again;
mod compared;
mod criterion;
mod dispute;
mod documents;
mod evaluation;
mod item;
mod prompts;
mod query;
mod review;
mod rubric;
mod runs;
mod search;
mod series;
mod truth;
mod wizard;

pub use again::{ClaimLabel, LabelsView, MetricByLabels, RescoreView, RetrievalSettings};
pub use compared::{ComparedItem, ComparedMeasure, ComparedText};
pub use criterion::{CriterionDraft, CriterionRow, CriterionView, SetsPage};
pub use dispute::{DisputeView, Side, TruthOfResult};
pub use documents::{
    DocumentRow, DocumentSetRow, DocumentSetView, DocumentView, RefusedFile, UploadReport,
};
pub use evaluation::{
    Attention, Contradiction, Counts, DocumentFinding, Evaluation, Line, Lines, Matrix, MatrixCell,
    MatrixRow, SetAtAGlance, TierCount,
};
pub use item::{
    Cited, Decided, ExhibitText, ItemView, Measured, Neighbour, ResultView, SectionView, Settled,
};
pub use prompts::{DiffLine, PromptVersion, PromptsView};
pub use query::{PassageText, QueryTexts};
pub use review::{Agreement, AssignedRun, ReviewItem, ReviewQueue};
pub use rubric::{
    CriteriaSetView, DraftView, EditEntry, LabelChange, RubricDraft, RubricView, SectionDraft,
    SetRow, StructureView, TierDraft,
};
pub use runs::{Figure, ItemsPage, RunPage, RunRow, Tally};
pub use search::{CandidateView, OnKeys, SearchChoices, SearchPage, SearchRow};
pub use series::{SeriesPoint, SeriesRow, SeriesView, SetupChange, SinceBaseline};
pub use truth::{KeysLeftOut, TruthGrid, TruthRow};
pub use wizard::{CriteriaPreview, CriterionPreview, PairPreview, PairsPreview, RunPreview};
