//! Runs and judgements in tables with a header, told apart by their columns.

use std::path::Path;

use super::Kind;
use crate::retrieval::ranked::{HeaderOf, header_of};

/// How many rows are looked at where the header alone does not tell.
const ROWS: usize = 50;
/// Judgements have few levels; a score is seldom a small whole number.
const LEVEL_MAX: f64 = 10.0;

/// What a table holds, by its text and its name.
pub(super) fn of(path: &Path, text: &str) -> Option<Kind> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    match header_of(lines.next()?)? {
        HeaderOf::Judgements => Some(Kind::Gold),
        HeaderOf::Run => Some(Kind::Run),
        HeaderOf::Either { column, separator } => {
            let name = path.file_name()?.to_string_lossy().to_lowercase();
            if name.contains("qrel") || name.contains("gold") {
                return Some(Kind::Gold);
            }
            if name.contains("run") {
                return Some(Kind::Run);
            }
            let cell = |line: &str| line.split(separator).nth(column).map(str::trim)?.parse().ok();
            // The last line of a head may be cut.
            let values: Vec<f64> = lines.take(ROWS).filter_map(cell).collect();
            let is_level = |value: &f64| value.fract() == 0.0 && *value <= LEVEL_MAX;
            (!values.is_empty())
                .then(|| if values.iter().all(is_level) { Kind::Gold } else { Kind::Run })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_tell_a_run_from_judgements() {
        let kind = |name: &str, text: &str| of(Path::new(name), text);
        assert_eq!(kind("a.csv", "query_id,doc_id,rank\nq,d,1\n"), Some(Kind::Run));
        assert_eq!(kind("a.csv", "query_id;doc_id;relevance\nq;d;1\n"), Some(Kind::Gold));
        assert_eq!(kind("a.csv", "qid,docid,score\nq,d,0.93\nq,e,1\n"), Some(Kind::Run));
        assert_eq!(kind("a.csv", "qid,docid,score\nq,d,2\nq,e,0\n"), Some(Kind::Gold));
        assert_eq!(kind("run.csv", "qid,docid,score\nq,d,2\nq,e,1\n"), Some(Kind::Run));
        assert_eq!(kind("a.csv", "id,text\n1,x\n"), None);
    }
}
