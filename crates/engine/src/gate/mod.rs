//! The safety gate measured on labelled answers: what it finds, what it misses, and why.

mod evaluation;
mod figures;
mod held_out;
mod model_stage;
mod record;
mod spans;
mod stages;
mod texts;

pub use evaluation::{CategoryFigures, Evaluation, KindFigures, Wrong, check, evaluate, labelled};
pub use figures::{Figures, Share};
pub use held_out::{HeldOut, Part};
pub use model_stage::{Unread, ask_model, estimate_model};
pub use record::{Answer, AnswersError, FIELDS, Label, Span, read, read_by};
pub use spans::{SpanFigures, TypeFigures};
pub use stages::{Point, Stages};
pub use texts::check_texts;
