//! A verdict for programs.

use assize_engine::council::CouncilRun;
use assize_methods::council::CouncilVerdict;
use serde_json::{Value, json};

/// The verdict with what it is about; its fields stand at the top.
pub(super) fn verdict(sitting: &CouncilRun, verdict: &CouncilVerdict) -> Value {
    let mut object = json!(verdict);
    object["id"] = json!(sitting.id());
    object["question"] = json!(sitting.record.question);
    object["seats"] = json!(sitting.participants);
    object["seed"] = json!(sitting.record.seed);
    if let Some(chair) = &sitting.chair {
        object["chair"] = json!(chair);
    }
    object
}
