//! `cargo xtask release`: what the workflow of a tag hands out, made and tried here as far as this
//! machine can, each where a stranger would try it: an empty Debian 12 with nothing but Python.

mod container;
mod debian;

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use self::debian::Debian;
use crate::checks::root;
use crate::dist::Made;
use crate::{dist, say};

/// What no Linux of this architecture can show; the workflow of the tag makes it.
const ELSEWHERE: [&str; 5] = [
    "the binaries and wheels for macOS and Windows, and those for ARM",
    "the binary and the wheel for musl, which are not made here; `cargo xtask dist --target …-musl` \
     makes the binary and starts it in an empty root, where musl-tools and that target are installed",
    "the image on its own base: here its last stage is laid upon Debian",
    "`brew install` of the formula",
    "provenance and the upload to the Python index, which only the workflow may sign for",
];

/// The archives that the formula offers, by what Homebrew calls the system.
const BOTTLES: [(&str, &str, &str); 4] = [
    ("on_macos", "on_arm", "aarch64-apple-darwin"),
    ("on_macos", "on_intel", "x86_64-apple-darwin"),
    ("on_linux", "on_arm", "aarch64-unknown-linux-gnu"),
    ("on_linux", "on_intel", "x86_64-unknown-linux-gnu"),
];

/// Installs a file in a root; the program that is then there.
type Install = fn(&Debian, &Path) -> Result<&'static str>;

/// Accepts that something could not be tried here.
const ALLOW_UNTRIED: &str = "--allow-untried";

/// What somebody has to get to a first result.
const SECONDS_MAX: f64 = 60.0;

/// One of the things that a release needs.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    match words {
        ["--dry-run", rest @ ..] => {
            let (untried, rest): (Vec<&str>, Vec<&str>) =
                rest.iter().partition(|word| **word == ALLOW_UNTRIED);
            let made = dist::run(&[&["--wheel"], &rest[..]].concat())?;
            tried(&made, !untried.is_empty())
        }
        ["--try"] => tried(&dist::made()?, false),
        ["--try", ALLOW_UNTRIED] => tried(&dist::made()?, true),
        ["tag", tag] => check_tag(tag),
        ["formula", folder] => {
            let repository = std::env::var("GITHUB_REPOSITORY")
                .context("GITHUB_REPOSITORY says whose release the formula is of")?;
            let path = Path::new(folder).join("assize.rb");
            let text = formula(Path::new(folder), &repository)?;
            fs::write(path, text).context("could not write the formula")
        }
        ["notes"] => {
            say(notes(&fs::read_to_string(root().join("CHANGELOG.md"))?)?);
            Ok(())
        }
        _ => bail!(
            "release takes --dry-run [--profile P] or --try, each with {ALLOW_UNTRIED}; tag TAG, \
             formula FOLDER, or notes"
        ),
    }
}

/// A tag is `v` and the version: archives carry the one in their names, addresses the other.
fn check_tag(tag: &str) -> Result<()> {
    let wanted = concat!("v", env!("CARGO_PKG_VERSION"));
    ensure!(tag == wanted, "the tag is {tag}, and Cargo.toml has the version of {wanted}");
    Ok(())
}

/// Tries everything that was made. What could not be tried fails, unless that is allowed: a
/// release that nobody started must not look like one that works.
fn tried(made: &Made, is_untried_allowed: bool) -> Result<()> {
    let mut untried = Vec::new();
    let text = formula(&made.folder, "OWNER/assize")?;
    fs::write(made.folder.join("assize.rb"), &text).context("could not write the formula")?;
    say(&format!(
        "== release: the formula offers {} of {} archives",
        text.matches("sha256").count(),
        BOTTLES.len()
    ));
    notes(&fs::read_to_string(root().join("CHANGELOG.md"))?)?;
    match Debian::unpacked() {
        Ok(debian) => {
            let tries: [(&str, &str, Install); 3] = [
                ("archive", ".tar.gz", |root, file| {
                    root.unpack(file, "opt")?;
                    Ok("/opt/assize")
                }),
                ("Debian package", ".deb", |root, file| {
                    root.run(&["/usr/bin/dpkg", "--install", &root.take(file)?])?;
                    Ok("/usr/bin/assize")
                }),
                ("wheel", ".whl", |root, file| {
                    root.run(&["/usr/bin/python3", "-m", "venv", "/opt/venv"])?;
                    let wheel = root.take(file)?;
                    root.run(&["/opt/venv/bin/pip", "install", "--no-index", &wheel])?;
                    Ok("/opt/venv/bin/assize")
                }),
            ];
            for (what, ending, install) in tries {
                match made.file(ending) {
                    Ok(file) => timed(what, &debian.copied(what)?, file, install)?,
                    Err(error) => untried.push(format!("{what}: {error}")),
                }
            }
            container::check(&debian.copied("image")?, &made.binary)?;
        }
        Err(error) => untried.push(format!("everything in an empty Debian: {error:#}")),
    }
    say("== release: only another system can show:");
    for what in ELSEWHERE {
        say(&format!("   {what}"));
    }
    check_untried(&untried, is_untried_allowed)
}

/// Says what was not tried, and fails unless that is allowed.
fn check_untried(untried: &[String], is_allowed: bool) -> Result<()> {
    for what in untried {
        say(&format!("== release: NOT TRIED: {what}"));
    }
    ensure!(
        untried.is_empty() || is_allowed,
        "{} could not be tried; {ALLOW_UNTRIED} accepts that",
        untried.join("; ")
    );
    Ok(())
}

/// From the file to a first result, as somebody who has nothing yet.
fn timed(what: &str, root: &Debian, file: &Path, install: Install) -> Result<()> {
    let started = Instant::now();
    let program = install(root, file)?;
    let lines = root.run(&[program, "demo"])?.lines().count();
    let seconds = started.elapsed().as_secs_f64();
    if lines == 0 || seconds > SECONDS_MAX {
        bail!("{what}: `assize demo` printed {lines} lines after {seconds:.0} s");
    }
    say(&format!(
        "== release: {what}: installed, `assize demo` printed {lines} lines, {seconds:.1} s"
    ));
    Ok(())
}

/// The formula of Homebrew, from the checksums in a folder; what is not there is not offered.
fn formula(folder: &Path, repository: &str) -> Result<String> {
    let version = env!("CARGO_PKG_VERSION");
    let mut offers = String::new();
    for system in ["on_macos", "on_linux"] {
        let mut inner = String::new();
        for (_, processor, target) in BOTTLES.iter().filter(|(on, ..)| *on == system) {
            let name = format!("assize-{version}-{target}");
            let Ok(sums) = fs::read_to_string(folder.join(format!("{name}.sha256"))) else {
                continue;
            };
            let archive = format!("{name}.tar.gz");
            let sum = sums.lines().find_map(|line| {
                let (sum, file) = line.split_once(char::is_whitespace)?;
                (file.trim_start_matches([' ', '*']) == archive).then_some(sum)
            });
            let sum = sum.with_context(|| format!("{name}.sha256 does not name {archive}"))?;
            let place = format!("https://github.com/{repository}/releases/download/v{version}");
            let _ = writeln!(inner, "    {processor} do\n      url \"{place}/{archive}\"");
            let _ = writeln!(inner, "      sha256 \"{sum}\"\n    end");
        }
        if !inner.is_empty() {
            let _ = writeln!(offers, "  {system} do\n{inner}  end");
        }
    }
    Ok(format!(
        "class Assize < Formula\n  desc \"Measures what AI systems produce, and shows how\"\n  \
         homepage \"https://github.com/{repository}\"\n  version \"{version}\"\n  \
         license any_of: [\"MIT\", \"Apache-2.0\"]\n{offers}\n  def install\n    bin.install \"assize\"\n    \
         bash_completion.install \"completions/assize.bash\" => \"assize\"\n    \
         zsh_completion.install \"completions/_assize\"\n    fish_completion.install \"completions/assize.fish\"\n    \
         man1.install Dir[\"man/*.1\"]\n  end\n\n  test do\n    \
         assert_match version.to_s, shell_output(\"#{{bin}}/assize --version\")\n  end\nend\n"
    ))
}

/// What the change log says of this version.
fn notes(log: &str) -> Result<&str> {
    let heading = format!("## {}", env!("CARGO_PKG_VERSION"));
    let (_, after) =
        log.split_once(&heading).with_context(|| format!("no `{heading}` in CHANGELOG.md"))?;
    let (_, body) = after.split_once('\n').unwrap_or_default();
    Ok(body.split("\n## ").next().unwrap_or(body).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_offers_the_archives_whose_checksums_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let name = format!("assize-{}-aarch64-apple-darwin", env!("CARGO_PKG_VERSION"));
        let sums =
            format!("{}  {name}.tar.gz\n{}  {name}.cdx.json\n", "a".repeat(64), "b".repeat(64));
        fs::write(folder.path().join(format!("{name}.sha256")), sums).unwrap();
        let text = formula(folder.path(), "owner/assize").unwrap();
        assert_eq!(text.matches("sha256").count(), 1);
        assert!(text.contains(&format!("sha256 \"{}\"", "a".repeat(64))), "{text}");
        assert!(text.contains(&format!(
            "owner/assize/releases/download/v{}/{name}.tar.gz",
            env!("CARGO_PKG_VERSION")
        )));
        assert!(!text.contains("on_linux"), "{text}");
        fs::write(folder.path().join(format!("{name}.sha256")), "c  other.tar.gz\n").unwrap();
        assert!(formula(folder.path(), "owner/assize").is_err());
    }

    #[test]
    fn what_could_not_be_tried_fails_unless_that_is_allowed() {
        check_untried(&[], false).unwrap();
        let untried = ["wheel: no .whl was made".to_owned()];
        let error = check_untried(&untried, false).unwrap_err().to_string();
        assert!(error.contains("wheel") && error.contains(ALLOW_UNTRIED), "{error}");
        check_untried(&untried, true).unwrap();
    }

    #[test]
    fn a_tag_of_another_version_is_refused() {
        check_tag(concat!("v", env!("CARGO_PKG_VERSION"))).unwrap();
        for other in [env!("CARGO_PKG_VERSION"), "v9.9.9"] {
            assert!(check_tag(other).unwrap_err().to_string().contains(other));
        }
    }

    #[test]
    fn notes_are_those_of_this_version_alone() {
        let version = env!("CARGO_PKG_VERSION");
        let log = format!(
            "# Changelog\n\n## {version} (soon)\n\n### Retrieval\n\nfast\n\n## 0.0.1\n\nold\n"
        );
        assert_eq!(notes(&log).unwrap(), "### Retrieval\n\nfast");
        assert!(notes("# Changelog\n").is_err());
    }
}
