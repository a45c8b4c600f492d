//! What happens while a council is held, for those who watch.

/// What a participant is busy with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// A member answers the question.
    Answer,
    /// A reviewer marks the answers.
    Review,
    /// The chair writes the final answer.
    Chair,
}

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
