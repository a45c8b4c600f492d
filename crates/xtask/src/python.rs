//! `cargo xtask test python|integrations|engines` and `bench python`: the wheel, built into
//! virtual environments of their own.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::checks::{as_typed, install, is_on_path, root};
use crate::{dist, say};

/// What the plain tests need besides the wheel: the packages that ours is compared with, a type
/// checker, what runs notebooks, and the hash that council records are named by.
const TESTED_WITH: [&str; 12] = [
    "pytest>=8",
    "pytest-xdist",
    "mypy>=1.15",
    "pyright",
    "pyarrow",
    "pandas",
    "polars",
    "pytrec-eval-terrier",
    "ir-measures",
    "ranx",
    "nbclient",
    "blake3",
];
/// Runs notebooks' cells; apart, because nbclient does not bring it.
const KERNEL: &str = "ipykernel";

/// Packages that ours plugs into, each in an environment of its own: they pin what others need
/// otherwise.
const INTEGRATIONS: [(&str, &[&str]); 6] = [
    ("deepeval", &["deepeval"]),
    // ragas 0.4.3 imports a module that later ones of langchain-community have not.
    ("ragas", &["ragas", "langchain-community<0.4"]),
    ("inspect", &["inspect-ai"]),
    ("llamaindex", &["llama-index-core"]),
    ("openevals", &["openevals"]),
    ("promptfoo", &[]),
];

/// What is shipped, and what tests build: with the crates that the other tests have built already.
const SHIPPED: &str = "wheel";
const TESTED: &str = "dev";

/// What the wheel may weigh; the workflow of a tag has the same bound.
const WHEEL_MEGABYTES_MAX: f64 = 25.0;

/// The oldest Python that the wheel is for, and the oldest Java that Spark runs on.
const PYTHON: (u32, u32) = (3, 10);
const JAVA: u32 = 17;

/// Everything that needs only Python: functions, compat classes, types, notebooks.
pub(crate) fn test() -> Result<()> {
    let wheel = wheel(TESTED)?;
    let python = Environment::fresh("test", &[&TESTED_WITH[..], &[KERNEL]].concat(), &wheel)?;
    python.pytest("tests", &[])
}

/// The adapters, each with the real package.
pub(crate) fn integrations() -> Result<()> {
    node()?;
    let wheel = wheel(TESTED)?;
    for (name, packages) in INTEGRATIONS {
        let packages = [&["pytest>=8"], packages].concat();
        let python = Environment::fresh(name, &packages, &wheel)?;
        python.pytest(&format!("integrations/test_{name}.py"), &[])?;
    }
    Ok(())
}

/// promptfoo is a package of Node; its test brings a newer one, but starts with an `npx`.
fn node() -> Result<()> {
    if !is_on_path("npx") {
        install("npm")?;
    }
    if is_on_path("npx") {
        return Ok(());
    }
    bail!("promptfoo needs `npx`: apt-get install nodejs npm")
}

/// Spark on two cores, and Ray, against the command line.
pub(crate) fn engines(words: &[&str]) -> Result<()> {
    java()?;
    let wheel = wheel(SHIPPED)?;
    let packages = ["pytest>=8", "pyarrow", "pandas", "pyspark==4.3.0", "ray[data]==2.60.0"];
    let python = Environment::fresh("engines", &packages, &wheel)?;
    // The tests print throughput, which pytest would keep to itself.
    python.pytest("engines", &[&["-s"], words].concat())
}

/// Says what is missing before minutes are spent on a wheel.
fn java() -> Result<()> {
    let home = std::env::var_os("JAVA_HOME").map(|home| PathBuf::from(home).join("bin/java"));
    let found = Command::new(home.unwrap_or_else(|| "java".into())).arg("-version").output();
    let wanted = format!(
        "Spark needs Java {JAVA} or newer: apt-get install openjdk-{JAVA}-jre-headless, or JAVA_HOME"
    );
    let found = found.ok().filter(|found| found.status.success()).context(wanted.clone())?;
    let said = String::from_utf8_lossy(&found.stderr).into_owned();
    match java_version(&said) {
        Some(version) if version < JAVA => bail!("{wanted}; this is Java {version}"),
        _ => Ok(()),
    }
}

/// `openjdk version "17.0.17" 2025-10-21` is 17, `java version "1.8.0_402"` is 8.
fn java_version(said: &str) -> Option<u32> {
    let number = said.split('"').nth(1)?;
    let number = number.strip_prefix("1.").unwrap_or(number);
    number.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
}

/// Says what is missing before anything is built: a Python that is new enough, and can make
/// environments.
fn python() -> Result<()> {
    let (major, minor) = PYTHON;
    let code =
        format!("import sys, venv, ensurepip; sys.exit(sys.version_info < ({major}, {minor}))");
    let status = Command::new("python3").args(["-c", &code]).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => bail!(
            "Python {major}.{minor} or newer is needed as `python3`, with its module venv: \
             apt-get install python3 python3-venv"
        ),
    }
}

/// Our time beside that of the packages people use today, from Python and from files.
pub(crate) fn bench() -> Result<()> {
    let wheel = wheel(SHIPPED)?;
    let packages = ["pyarrow", "pytrec-eval-terrier", "ir-measures", "ranx"];
    let python = Environment::fresh("bench", &packages, &wheel)?;
    say(&format!("wheel {:.1} MB", check_size(&wheel)?));
    python.run("bench", &["bench.py"], Path::new("bench"))?;
    first_result(&wheel)
}

/// What somebody does first, timed: an empty environment, the wheel, `assize demo`, and the first
/// lines of Python in the guide.
fn first_result(wheel: &Path) -> Result<()> {
    let folder = root().join("target/python/first");
    let _ = std::fs::remove_dir_all(&folder);
    let guide = std::fs::read_to_string(root().join("docs/guide/python.md"))?;
    let script = guide
        .split_once("```python\n")
        .and_then(|(_, rest)| rest.split_once("```"))
        .map(|(script, _)| script.to_owned())
        .context("docs/guide/python.md has no lines of Python")?;
    let started = Instant::now();
    let environment = Environment::made("first", &[])?;
    environment.install(wheel)?;
    // Not from the folder `python`, where the sources would stand in for the wheel.
    environment.run("assize demo", &["-m", "assize", "demo"], Path::new("bench"))?;
    let lines = script.lines().count();
    environment.run(&format!("{lines} lines"), &["-c", &script], Path::new("bench"))?;
    let seconds = started.elapsed().as_secs_f64();
    say(&format!("from an empty environment to a result: {seconds:.1} s"));
    Ok(())
}

/// The wheel as a release has it, linked against the oldest glibc, put into a folder.
pub(crate) fn release_wheel(folder: &Path, profile: &str) -> Result<PathBuf> {
    let target = dist::host()?;
    let mut more = Vec::new();
    if target.ends_with("linux-gnu") {
        more.extend(["--compatibility".to_owned(), "manylinux_2_28".to_owned(), "--".to_owned()]);
        more.extend(["-C".to_owned(), format!("linker={}", dist::linker(&target)?.display())]);
    }
    // The profile of the binary's release is not the wheel's.
    let profile = if profile == "dist" { SHIPPED } else { profile };
    let made = built(profile, &more)?;
    let path = folder.join(made.file_name().context("the wheel has no name")?);
    std::fs::copy(&made, &path).context("could not copy the wheel")?;
    // Other profiles are for trying, and not optimised for size.
    if profile == SHIPPED {
        check_size(&path)?;
    }
    Ok(path)
}

/// The size of a wheel in megabytes; one that is too large is refused.
fn check_size(wheel: &Path) -> Result<f64> {
    let megabytes = std::fs::metadata(wheel)?.len() as f64 / 1e6;
    ensure!(
        megabytes <= WHEEL_MEGABYTES_MAX,
        "{} has {megabytes:.1} MB, and at most {WHEEL_MEGABYTES_MAX} MB are handed out",
        wheel.display()
    );
    Ok(megabytes)
}

/// A wheel for this machine.
fn wheel(profile: &str) -> Result<PathBuf> {
    built(profile, &[])
}

/// Builds a wheel with maturin, in an environment that holds nothing else.
fn built(profile: &str, more: &[String]) -> Result<PathBuf> {
    python()?;
    let maturin = Environment::made("build", &["maturin>=1.16,<2"])?;
    let folder = root().join("target/wheels").join(profile);
    // What an earlier version left must not be the one that is tested.
    let _ = std::fs::remove_dir_all(&folder);
    let out = folder.display().to_string();
    let mut words = vec!["-m", "maturin", "build", "--profile", profile, "--out", &out];
    words.extend(more.iter().map(String::as_str));
    maturin.run(&format!("wheel, profile {profile}"), &words, Path::new("."))?;
    let found = std::fs::read_dir(&folder).context("maturin made no folder of wheels")?;
    let mut wheels = found.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let is_wheel = |path: &PathBuf| path.extension() == Some(OsStr::new("whl"));
    wheels.find(is_wheel).context("maturin made no wheel")
}

/// A virtual environment of this repository.
pub(crate) struct Environment {
    program: PathBuf,
}

impl Environment {
    /// An environment with packages; kept from one run to the next.
    pub(crate) fn made(name: &str, packages: &[&str]) -> Result<Self> {
        let folder = root().join("target/python").join(name);
        let program = folder.join("bin/python");
        if !program.exists() {
            let words = ["-m", "venv"].map(OsStr::new);
            let words: Vec<&OsStr> = words.into_iter().chain([folder.as_os_str()]).collect();
            step(&format!("environment {name}"), Command::new("python3").args(words))?;
        }
        let environment = Self { program };
        if packages.is_empty() {
            return Ok(environment);
        }
        let mut words = vec!["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        words.extend(packages);
        environment.run(&format!("install {}", packages.join(" ")), &words, Path::new("."))?;
        Ok(environment)
    }

    /// The same from nothing, with the wheel.
    fn fresh(name: &str, packages: &[&str], wheel: &Path) -> Result<Self> {
        let folder = root().join("target/python").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        let environment = Self::made(name, packages)?;
        environment.install(wheel)?;
        Ok(environment)
    }

    /// Where its programs are.
    pub(crate) fn bin(&self) -> PathBuf {
        self.program.parent().map(Path::to_path_buf).unwrap_or_default()
    }

    fn install(&self, wheel: &Path) -> Result<()> {
        let wheel = wheel.display().to_string();
        let words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", &wheel];
        self.run("install the wheel", &words, Path::new("."))
    }

    fn pytest(&self, tests: &str, more: &[&str]) -> Result<()> {
        // From the folder of tests: `python/assize` must not stand in for the wheel.
        let path = Path::new(tests);
        let is_file = path.extension().is_some();
        let folder = if is_file { path.parent().unwrap_or(path) } else { path };
        let file = path.file_name().filter(|_| is_file).and_then(OsStr::to_str).unwrap_or(".");
        let mut words = vec!["-m", "pytest", "-q", "-p", "no:cacheprovider", file];
        words.extend(more);
        self.run(&format!("pytest {tests}"), &words, folder)
    }

    /// Runs Python below the folder `python`.
    pub(crate) fn run(&self, what: &str, words: &[&str], folder: &Path) -> Result<()> {
        let mut command = as_typed(Command::new(&self.program));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let paths = [self.bin()].into_iter().chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(paths).context("PATH cannot be written")?);
        // Spark starts its workers with another Python otherwise.
        command.env("PYSPARK_PYTHON", &self.program);
        step(what, command.args(words).current_dir(root().join("python").join(folder)))
    }
}

fn step(what: &str, command: &mut Command) -> Result<()> {
    say(&format!("== python: {what}"));
    let started = Instant::now();
    let status = command.status().with_context(|| format!("could not start Python for {what}"))?;
    if !status.success() {
        bail!("python: {what} failed");
    }
    say(&format!("== python: {what}: {:.0} s", started.elapsed().as_secs_f64()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_that_is_too_large_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let wheel = folder.path().join("assize_eval.whl");
        let file = std::fs::File::create(&wheel).unwrap();
        file.set_len(25_000_000).unwrap();
        assert_eq!(check_size(&wheel).unwrap(), 25.0);
        file.set_len(25_000_001).unwrap();
        let error = check_size(&wheel).unwrap_err().to_string();
        assert!(error.contains("assize_eval.whl") && error.contains("at most 25 MB"), "{error}");
    }

    #[test]
    fn the_version_of_java_is_read_from_what_it_says() {
        assert_eq!(java_version("openjdk version \"17.0.17\" 2025-10-21"), Some(17));
        assert_eq!(java_version("openjdk version \"25\" 2025-09-16"), Some(25));
        assert_eq!(java_version("java version \"1.8.0_402\""), Some(8));
        assert_eq!(java_version("Unable to locate a Java Runtime"), None);
    }
}
