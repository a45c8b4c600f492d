//! What happens while a council is held, for those who watch.

pub use assize_wire::council::Stage;

/// How far it has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// It was asked.
    Begun,
    /// It is done.
    Done,
    /// It gave nothing that can be used, and why.
    Failed(String),
}

/// One participant took one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The part of the council that it works for.
    pub stage: Stage,
    /// Who, by its name in the council.
    pub participant: String,
    /// Begun, done, or failed with a reason.
    pub progress: Progress,
}

/// Someone who watches; it must not block.
pub type Watch<'a> = &'a (dyn Fn(&Step) + Sync);

/// Nobody watches.
pub fn unwatched(_: &Step) {}
