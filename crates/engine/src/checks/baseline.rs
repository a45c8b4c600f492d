//! Where a check's results are kept, and in which form.

use std::path::{Path, PathBuf};
use std::{fs, io};

use assize_wire::retrieval::{Measure, QueryValues, Score};
use assize_wire::text::pretty;

use crate::thresholds::Figures;

/// The folder of kept results, beside the file of checks.
const FOLDER: &str = ".assize/baselines";

/// Where the results of a check of this name are kept.
pub fn place(folder: &Path, name: &str) -> PathBuf {
    let plain = |letter: char| if letter.is_alphanumeric() { letter } else { '-' };
    let file: String = name.chars().flat_map(char::to_lowercase).map(plain).collect();
    folder.join(FOLDER).join(format!("{file}.json"))
}

/// Keeps results for later checks, and why they were accepted if they are worse than what they
/// replace; a file appears only when it is complete.
pub fn keep(path: &Path, figures: &Figures, reason: Option<&str>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let file = tempfile::NamedTempFile::new_in(folder)?;
    fs::write(file.path(), written(figures, reason))?;
    // Others read it too, from a cache or a checkout; temporary files are their owner's alone.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o644))?;
    }
    file.persist(path).map_err(|error| error.error).map(drop)
}

/// Results as a later check reads them: means, count, and every item for paired tests. It is
/// the form in which retrieval results are written, so a file of `score` serves as well.
fn written(figures: &Figures, reason: Option<&str>) -> String {
    let means = figures.means.iter().filter_map(|(name, mean)| Some((name, (*mean)?)));
    let measure = |value| Measure { value, low: None, high: None, is_count: false };
    let item = |(name, values): &(String, Vec<Option<f64>>)| QueryValues {
        query: name.clone(),
        values: figures
            .means
            .iter()
            .zip(values)
            .filter_map(|((measure, _), value)| Some((measure.clone(), (*value)?)))
            .collect(),
    };
    pretty(&Score {
        judged: None,
        measures: means.map(|(name, mean)| (name.clone(), measure(mean))).collect(),
        num_examples: figures.count,
        confidence: 0.95,
        notices: reason.iter().map(|reason| format!("accepted: {reason}")).collect(),
        groups: assize_wire::Entries::default(),
        queries: Some(figures.items.iter().map(item).collect()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thresholds::Baseline;

    #[test]
    fn what_is_kept_is_read_again_with_every_item() {
        let folder = tempfile::tempdir().unwrap();
        let path = place(folder.path(), "Retrieval: contracts");
        assert!(path.ends_with("retrieval--contracts.json"), "{}", path.display());
        let figures = Figures {
            means: vec![("recall@10".to_owned(), Some(0.5)), ("map".to_owned(), None)],
            items: vec![
                ("a".to_owned(), vec![Some(1.0), None]),
                ("b".to_owned(), vec![Some(0.0), None]),
            ],
            count: 2,
            unscored: 0,
        };
        keep(&path, &figures, Some("a smaller index")).unwrap();
        assert!(fs::read_to_string(&path).unwrap().contains("accepted: a smaller index"));
        let baseline = Baseline::read(&path).unwrap();
        assert_eq!((baseline.mean("recall@10"), baseline.count), (Some(0.5), Some(2)));
        assert_eq!(baseline.mean("map"), None);
        assert_eq!(baseline.item("recall@10", "b", 0), Some(0.0));
    }
}
