//! Where the configuration is found.

use std::path::{Path, PathBuf};

use assize_models::Variables;

/// The name of the file.
pub const FILE: &str = "assize.toml";

/// The file that counts: the one that is named, else the first on the way from the working
/// folder upwards, else the user's own. The first that is there is the only one that is read.
pub fn find(named: Option<&Path>, variables: &Variables) -> Option<PathBuf> {
    named.map(Path::to_owned).or_else(|| upwards(Path::new("."))).or_else(|| of_user(variables))
}

fn upwards(from: &Path) -> Option<PathBuf> {
    let from = from.canonicalize().ok()?;
    from.ancestors().map(|folder| folder.join(FILE)).find(|path| path.is_file())
}

/// In the folder where programs of this system keep what a user has configured.
fn of_user(variables: &Variables) -> Option<PathBuf> {
    let folder = |name: &str, below: &str| Some(PathBuf::from(variables.get(name)?).join(below));
    let folders = [
        folder("XDG_CONFIG_HOME", "assize"),
        folder("HOME", ".config/assize"),
        folder("APPDATA", "assize"),
    ];
    folders.into_iter().flatten().map(|folder| folder.join(FILE)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_nearest_file_above_counts_and_then_the_users_own() {
        let home = tempfile::tempdir().unwrap();
        let project = home.path().join("project");
        let deep = project.join("data/runs");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir_all(home.path().join(".config/assize")).unwrap();
        let own = home.path().join(".config/assize").join(FILE);
        fs::write(&own, "").unwrap();
        let root = home.path().to_str().unwrap().to_owned();
        let variables = Variables::new(move |name| (name == "HOME").then(|| root.clone()));
        assert_eq!(of_user(&variables), Some(own));

        fs::write(project.join(FILE), "").unwrap();
        let found = upwards(&deep).unwrap();
        assert_eq!(found, project.canonicalize().unwrap().join(FILE));
        fs::write(deep.join(FILE), "").unwrap();
        assert!(upwards(&deep).unwrap().ends_with("data/runs/assize.toml"));
    }

    #[test]
    fn a_file_that_is_named_counts_even_if_it_is_not_there() {
        let named = Path::new("elsewhere/mine.toml");
        assert_eq!(find(Some(named), &Variables::default()), Some(named.to_owned()));
    }
}
