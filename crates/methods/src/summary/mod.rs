//! Summaries: does a summary say what its article says?
