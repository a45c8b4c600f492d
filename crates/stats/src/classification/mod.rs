//! How well a score or a label tells classes apart, and whether confidence is deserved.

pub mod confusion;
pub mod isotonic;
pub mod reliability;
pub mod roc;

pub use confusion::Confusion;
pub use isotonic::Isotonic;
pub use reliability::{Reliability, ReliabilityBin, brier_score, reliability};
pub use roc::{RecallPoint, Threshold, best_threshold, precision_recall, roc_auc};
