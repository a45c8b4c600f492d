//! Names that tell runs apart.

use std::path::PathBuf;

/// The file's name without its ending, the whole path where two would be the same, with its
/// place where even that is.
pub(crate) fn run_names(runs: &[PathBuf]) -> Vec<String> {
    let short = |run: &PathBuf| {
        run.file_stem()
            .map_or_else(|| run.display().to_string(), |stem| stem.to_string_lossy().into())
    };
    let stems: Vec<String> = runs.iter().map(short).collect();
    if all_differ(&stems) {
        return stems;
    }
    let paths: Vec<String> = runs.iter().map(|run| run.display().to_string()).collect();
    if all_differ(&paths) {
        return paths;
    }
    paths.iter().enumerate().map(|(index, path)| format!("{path} ({})", index + 1)).collect()
}

fn all_differ(names: &[String]) -> bool {
    names.iter().enumerate().all(|(index, name)| !names[..index].contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(runs: &[&str]) -> Vec<String> {
        run_names(&runs.iter().map(PathBuf::from).collect::<Vec<_>>())
    }

    #[test]
    fn runs_are_called_by_as_little_as_tells_them_apart() {
        assert_eq!(named(&["a/bm25.json", "b/dense.json"]), ["bm25", "dense"]);
        assert_eq!(named(&["a/run.json", "b/run.json"]), ["a/run.json", "b/run.json"]);
        assert_eq!(named(&["run.json", "run.json"]), ["run.json (1)", "run.json (2)"]);
    }
}
