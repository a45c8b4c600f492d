//! What people work with in the browser: lists, a run at a glance, a result with its document,
//! rubrics under change, queues. The same shapes serve a program that shows them elsewhere.

mod evaluation;
mod item;
mod review;
mod rubric;
mod runs;
mod truth;

pub use evaluation::{
    Attention, Counts, Evaluation, Line, Lines, Matrix, MatrixCell, MatrixRow, SetVerdict,
    TierCount,
};
pub use item::{
    Cited, Decided, ExhibitText, ItemView, Measured, Neighbour, ResultView, SectionView, Settled,
};
pub use review::{Agreement, ReviewItem, ReviewQueue};
pub use rubric::{
    CriteriaSetView, LabelChange, RubricDraft, RubricView, SectionDraft, SetRow, StructureView,
    TierDraft,
};
pub use runs::{Figure, ItemsPage, RunPage, RunRow, Tally};
pub use truth::{TruthGrid, TruthRow};
