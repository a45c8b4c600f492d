//! Judge-Lock Ultra: a panel labels the same lists, and Judge-Lock counts the vote.

use assize_score::MethodVersion;

/// This method; a change that can move a number is a new version.
pub const METHOD: MethodVersion = MethodVersion::new("judge-lock-ultra", 1);
