//! Nothing tells people to install a package that is not ours: on the Python index `assize` is
//! somebody else's, ours is `assize-eval`.

use std::path::Path;

/// What is followed by names of packages.
const INSTALLERS: [&str; 7] = [
    "pip install",
    "pip3 install",
    "pip\" install",
    "pipx install",
    "uv tool install",
    "uvx",
    "wanted=",
];
const FOREIGN: &str = "assize";

/// Every line that installs the foreign name, or gives it to our distribution.
pub(super) fn check(path: &Path, text: &str, breach: &mut impl FnMut(usize, String)) {
    for (index, line) in text.lines().enumerate() {
        let is_ours_misnamed =
            path.ends_with("python/pyproject.toml") && line == "name = \"assize\"";
        if is_ours_misnamed || installs(line) {
            let what = "`assize` on the Python index is not ours: write `assize-eval`";
            breach(index + 1, what.to_owned());
        }
    }
}

fn installs(line: &str) -> bool {
    INSTALLERS.iter().any(|installer| {
        let Some((_, after)) = line.split_once(installer) else { return false };
        let words = after.split(|char: char| char.is_whitespace() || "\"'`;()".contains(char));
        words
            .map(|word| word.split(['=', '<', '>', '[', '~', '!']).next())
            .any(|name| name == Some(FOREIGN))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foreign_name_is_found_however_it_is_written() {
        for line in [
            format!("pip install {FOREIGN}"),
            format!("`pip install {FOREIGN}`, then"),
            format!("python -m pip install --quiet '{FOREIGN}==1.0'"),
            format!("\"$VENV/bin/pip\" install {FOREIGN}[tables]"),
            format!("uvx {FOREIGN} demo"),
            format!("wanted=\"{FOREIGN}==$VERSION\""),
        ] {
            assert!(installs(&line), "{line}");
        }
        for line in [
            "pip install assize-eval",
            "pip install dist/assize_eval-1.0-py3-none-any.whl",
            "pip install maturin, then assize_eval",
            "assize demo",
        ] {
            assert!(!installs(line), "{line}");
        }
        let mut found = 0;
        check(Path::new("python/pyproject.toml"), "name = \"assize\"\n", &mut |_, _| found += 1);
        assert_eq!(found, 1);
    }
}
