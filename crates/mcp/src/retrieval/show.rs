//! The values in lines.

use std::fmt::Write;

use assize_wire::retrieval::Score;

/// One line a measure, and what the caller should know.
pub(super) fn text(score: &Score) -> String {
    let mut text = String::new();
    for (name, measure) in &score.measures.0 {
        let _ = write!(text, "{name}: {}", measure.shown());
        if let Some((low, high)) = measure.interval() {
            let _ = write!(text, " [{low:.4}, {high:.4}]");
        }
        text.push('\n');
    }
    if let Some(judged) = &score.judged {
        let _ = writeln!(text, "{judged}");
    }
    for notice in &score.notices {
        let _ = writeln!(text, "note: {notice}");
    }
    let _ = write!(text, "{} queries", score.num_examples);
    text
}
