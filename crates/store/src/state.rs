//! How far something has come: words that the database keeps as text.

use serde::{Deserialize, Serialize};

use crate::database::Row;
use crate::error::{Result, StoreError};
use crate::record::Column;
use crate::value::Value;

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$word_doc:meta])* $variant:ident = $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
        #[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$word_doc])* $variant,)*
        }

        impl $name {
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// The one a word stands for.
            pub fn from_word(word: &str) -> Result<Self> {
                match word {
                    $($word => Ok(Self::$variant),)*
                    other => Err(StoreError::Refused(format!("unknown state `{other}`"))),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.word())
            }
        }

        impl Column for $name {
            fn read(row: &Row, column: &str) -> Result<Self> {
                Self::from_word(&row.get::<String>(column)?)
            }

            fn value(&self) -> Value<'_> {
                (*self).into()
            }
        }

        impl From<$name> for Value<'_> {
            fn from(state: $name) -> Self {
                Self::from(state.word())
            }
        }
    )*};
}

words! {
    /// How far a run has come.
    RunState {
        /// Planned, but not started.
        Planned = "planned",
        /// In progress.
        Running = "running",
        /// Finished; every item has a result.
        Done = "done",
        /// Stopped; can be resumed.
        Stopped = "stopped",
        /// Failed before it was finished.
        Failed = "failed",
    }
    /// What a run measures.
    Instrument {
        /// A ranked list against a gold standard.
        Retrieval = "retrieval",
        /// A summary against its article.
        Summary = "summary",
        /// A document against criteria.
        Compliance = "compliance",
        /// Answers against each other.
        Council = "council",
    }
    /// How far an item of a run has come.
    ItemState {
        /// Nobody works on it.
        Pending = "pending",
        /// Somebody does, until the lease runs out.
        Leased = "leased",
        /// It has a verdict.
        Done = "done",
    }
    /// What a person may do in an organisation; each may do what those before may.
    Role {
        /// Can view everything.
        Viewer = "viewer",
        /// Can also start runs, decide and import.
        Analyst = "analyst",
        /// Can also manage criteria sets, people and tokens.
        Admin = "admin",
    }
    /// What an API token may be used for; each for what those before may.
    Scope {
        /// View only.
        Read = "read",
        /// Everything an analyst can do.
        Write = "write",
        /// Everything an administrator can do.
        Admin = "admin",
    }
    /// What a person decides about an item.
    DecisionKind {
        /// Another score, outcome or other words for sections; the target is the measure.
        Score = "score",
        /// Another label; the target says which piece of evidence.
        Label = "label",
        /// A remark.
        Comment = "comment",
    }
    /// What came of one document and one criterion. Only `Scored` has a number.
    ResultOutcome {
        /// There is a score.
        Scored = "scored",
        /// The criterion does not apply.
        NotApplicable = "not_applicable",
        /// The document does not say enough to tell.
        NeedsInformation = "needs_information",
        /// The judge gave no answer that could be read; what it said is kept.
        Failed = "failed",
    }
}

impl RunState {
    /// The states from which a run may come here.
    pub(crate) fn comes_from(self) -> &'static [Self] {
        match self {
            Self::Planned => &[],
            // Running again: whoever ran it died without a word.
            Self::Running => &[Self::Planned, Self::Running, Self::Stopped, Self::Failed],
            Self::Done => &[Self::Running, Self::Done],
            Self::Stopped => &[Self::Planned, Self::Running, Self::Stopped],
            Self::Failed => &[Self::Planned, Self::Running, Self::Failed],
        }
    }

    /// Whether it comes to an end, for now or for good.
    pub fn is_end(self) -> bool {
        matches!(self, Self::Done | Self::Stopped | Self::Failed)
    }
}
