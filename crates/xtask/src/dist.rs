//! `cargo xtask dist`: what a release hands out, in `target/dist`.
//!
//! An archive with the binary, completions and manual pages; a Debian package; a bill of materials;
//! checksums. The wheel is `cargo xtask dist --wheel`.
//!
//! A binary for `linux-gnu` is linked against the oldest glibc that we promise, one for musl needs none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::checks::{cargo_program, is_on_path, root};
use crate::{python, say};

mod empty_root;
mod glibc;

pub(crate) use glibc::linker;

/// The shells that `assize completions` knows, with the name that each looks for.
const COMPLETIONS: [(&str, &str); 4] = [
    ("bash", "assize.bash"),
    ("zsh", "_assize"),
    ("fish", "assize.fish"),
    ("powershell", "assize.ps1"),
];

/// What stands beside the binary.
const BESIDE: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// What to make.
struct Wanted {
    target: String,
    without_materials: bool,
    profile: String,
    wheel: bool,
}

/// What was made for one target, and where.
pub(crate) struct Made {
    pub(crate) folder: PathBuf,
    pub(crate) binary: PathBuf,
    pub(crate) files: Vec<PathBuf>,
}

impl Made {
    /// The file with an ending.
    pub(crate) fn file(&self, ending: &str) -> Result<&Path> {
        let found = self.files.iter().find(|path| path.to_string_lossy().ends_with(ending));
        found.map(PathBuf::as_path).with_context(|| format!("no {ending} was made"))
    }
}

/// Makes everything for one target.
pub(crate) fn run(words: &[&str]) -> Result<Made> {
    let wanted = Wanted::read(words)?;
    let folder = root().join("target/dist");
    fs::create_dir_all(&folder).context("could not make target/dist")?;
    let binary = build(&wanted)?;
    let name = format!("assize-{}-{}", env!("CARGO_PKG_VERSION"), wanted.target);
    let staged = folder.join(&name);
    stage(&staged, &binary)?;
    let mut made = vec![archive(&folder, &name)?];
    if wanted.target.contains("linux") {
        if wanted.is_glibc() {
            glibc::check(&binary)?;
            made.extend(debian(&folder, &staged, &wanted.target)?);
        } else {
            empty_root::check(&binary)?;
        }
    }
    if !wanted.without_materials {
        made.push(materials(&folder, &name)?);
    }
    if wanted.wheel {
        made.push(python::release_wheel(&folder, &wanted.profile)?);
    }
    checksums(&folder, &name, &made)?;
    for path in &made {
        let megabytes = fs::metadata(path)?.len() as f64 / 1e6;
        say(&format!("{megabytes:>6.1} MB  {}", path.display()));
    }
    Ok(Made { folder, binary, files: made })
}

/// What an earlier run made for this machine.
pub(crate) fn made() -> Result<Made> {
    let (folder, host) = (root().join("target/dist"), host()?);
    let binary = folder.join(format!("assize-{}-{host}/assize", env!("CARGO_PKG_VERSION")));
    let entries = fs::read_dir(&folder).context("nothing is in target/dist: `cargo xtask dist`")?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files
        .retain(|path| path.file_name().is_some_and(|name| is_for(&host, &name.to_string_lossy())));
    files.sort();
    Ok(Made { folder, binary, files })
}

/// Whether a file of `target/dist` is of this version and for this target: those for others may
/// stand beside it.
fn is_for(target: &str, name: &str) -> bool {
    let version = env!("CARGO_PKG_VERSION");
    let is_musl = name.contains("musllinux");
    name.starts_with(&format!("assize-{version}-{target}."))
        || name == debian_name(target)
        || (name.starts_with(&format!("assize_eval-{version}-"))
            && Path::new(name).extension().is_some_and(|ending| ending == "whl")
            && is_musl == target.ends_with("musl"))
}

/// What the Debian package for a target is called.
fn debian_name(target: &str) -> String {
    format!("assize_{}_{}.deb", env!("CARGO_PKG_VERSION"), debian_architecture(target))
}

fn debian_architecture(target: &str) -> &'static str {
    if target.starts_with("aarch64") { "arm64" } else { "amd64" }
}

impl Wanted {
    fn is_glibc(&self) -> bool {
        self.target.ends_with("linux-gnu")
    }

    fn read(words: &[&str]) -> Result<Self> {
        let mut wanted = Self {
            target: host()?,
            without_materials: false,
            profile: "dist".to_owned(),
            wheel: false,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word} needs a value"));
            match *word {
                "--target" => (*value()?).clone_into(&mut wanted.target),
                "--profile" => (*value()?).clone_into(&mut wanted.profile),
                "--wheel" => wanted.wheel = true,
                "--without-materials" => wanted.without_materials = true,
                other => bail!(
                    "dist takes --target, --profile, --wheel and --without-materials, not {other}"
                ),
            }
        }
        Ok(wanted)
    }
}

/// The machine's own target.
pub(crate) fn host() -> Result<String> {
    let text = output(Command::new("rustc").arg("-vV"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).context("rustc names no host")
}

/// The binary with everything in it. Only the last step differs on Linux, so that nothing else is
/// compiled again.
fn build(wanted: &Wanted) -> Result<PathBuf> {
    let mut command = cargo_program();
    command.args(["rustc", "--locked", "--package", "assize", "--bin", "assize"]);
    command.args(["--features", "everything", "--profile", &wanted.profile]);
    let is_host = wanted.target == host()?;
    if !is_host {
        command.args(["--target", &wanted.target]);
    }
    command.args(["--message-format", "json-render-diagnostics"]);
    if wanted.is_glibc() {
        command.args(["--", "-C", &format!("linker={}", linker(&wanted.target)?.display())]);
    }
    say(&format!("== dist: binary for {}, profile {}", wanted.target, wanted.profile));
    command.stderr(std::process::Stdio::inherit());
    let messages = output(command.current_dir(root()))?;
    // The last artifact that can be run is the binary; cargo says where it put it.
    let paths = messages.lines().rev().filter_map(|line| {
        let (_, rest) = line.split_once("\"executable\":\"")?;
        rest.split_once('"').map(|(path, _)| PathBuf::from(path.replace("\\\\", "\\")))
    });
    paths.into_iter().next().context("cargo made no binary")
}

/// The folder that the archive holds.
fn stage(folder: &Path, binary: &Path) -> Result<()> {
    let _ = fs::remove_dir_all(folder);
    let completions = folder.join("completions");
    fs::create_dir_all(&completions).context("could not make a folder for the archive")?;
    let name = binary.file_name().context("the binary has no name")?;
    fs::copy(binary, folder.join(name)).context("could not copy the binary")?;
    for name in BESIDE {
        fs::copy(root().join(name), folder.join(name)).with_context(|| name.to_owned())?;
    }
    for (shell, file) in COMPLETIONS {
        let script = output(Command::new(binary).args(["completions", shell]))?;
        fs::write(completions.join(file), script)?;
    }
    output(Command::new(binary).arg("man").arg(folder.join("man")))?;
    Ok(())
}

/// One compressed archive, the same bytes from the same files where tar can do that.
fn archive(folder: &Path, name: &str) -> Result<PathBuf> {
    let path = folder.join(format!("{name}.tar.gz"));
    let mut command = Command::new("tar");
    if cfg!(target_os = "linux") {
        let time =
            output(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root()))
                .unwrap_or_else(|_| "0".to_owned());
        command.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
        command.arg(format!("--mtime=@{}", time.trim()));
    }
    output(command.arg("-czf").arg(&path).arg(name).current_dir(folder))?;
    Ok(path)
}

/// A package for Debian and what comes from it, where its tool is there to make one.
fn debian(folder: &Path, staged: &Path, target: &str) -> Result<Option<PathBuf>> {
    if !is_on_path("dpkg-deb") {
        say("== dist: no Debian package, as dpkg-deb is not here");
        return Ok(None);
    }
    let architecture = debian_architecture(target);
    let version = env!("CARGO_PKG_VERSION");
    let package = folder.join("debian");
    let _ = fs::remove_dir_all(&package);
    let completions = staged.join("completions");
    let places = [
        (staged.join("assize"), "usr/bin/assize"),
        (completions.join("assize.bash"), "usr/share/bash-completion/completions/assize"),
        (completions.join("_assize"), "usr/share/zsh/vendor-completions/_assize"),
        (completions.join("assize.fish"), "usr/share/fish/vendor_completions.d/assize.fish"),
        (staged.join("LICENSE-MIT"), "usr/share/doc/assize/copyright"),
    ];
    for (from, to) in places {
        let to = package.join(to);
        fs::create_dir_all(to.parent().context("every place has a folder")?)?;
        fs::copy(&from, &to).with_context(|| from.display().to_string())?;
    }
    let manual = package.join("usr/share/man/man1");
    fs::create_dir_all(&manual)?;
    for page in fs::read_dir(staged.join("man"))? {
        let page = page?;
        fs::copy(page.path(), manual.join(page.file_name()))?;
    }
    let control = format!(
        "Package: assize\nVersion: {version}\nArchitecture: {architecture}\n\
         Maintainer: The Assize developers <assize@invalid>\nSection: utils\nPriority: optional\n\
         Depends: libc6 (>= {}), ca-certificates\n\
         Description: measures what AI systems produce\n \
         Retrieval runs, summaries, compliance documents and councils of models, with the\n \
         workings behind every number.\n",
        glibc::OLDEST
    );
    fs::create_dir_all(package.join("DEBIAN"))?;
    fs::write(package.join("DEBIAN/control"), control)?;
    let path = folder.join(debian_name(target));
    output(
        Command::new("dpkg-deb")
            .args(["--root-owner-group", "-Zxz", "-z3", "--build"])
            .arg(&package)
            .arg(&path),
    )?;
    fs::remove_dir_all(&package)?;
    Ok(Some(path))
}

/// The bill of materials (`CycloneDX`), by the tool that knows the format.
fn materials(folder: &Path, name: &str) -> Result<PathBuf> {
    let tools = root().join("target/tools");
    let tool = tools.join("bin/cargo-cyclonedx");
    if !tool.exists() {
        say("== dist: cargo install cargo-cyclonedx");
        let mut install = cargo_program();
        install.args(["install", "--locked", "--quiet", "cargo-cyclonedx", "--version", "0.5.9"]);
        output(install.arg("--root").arg(&tools))?;
    }
    let mut command = Command::new(&tool);
    command.args(["cyclonedx", "--format", "json", "--features", "everything"]);
    command.args(["--manifest-path", "crates/cli/Cargo.toml", "--override-filename", "bom"]);
    output(command.current_dir(root()))?;
    let path = folder.join(format!("{name}.cdx.json"));
    fs::rename(root().join("crates/cli/bom.json"), &path).context("no bill of materials")?;
    // The tool writes one beside every member of the workspace.
    for entry in fs::read_dir(root().join("crates"))? {
        let _ = fs::remove_file(entry?.path().join("bom.json"));
    }
    Ok(path)
}

/// A line for each file, as `sha256sum --check` reads it.
fn checksums(folder: &Path, name: &str, made: &[PathBuf]) -> Result<()> {
    let program =
        if is_on_path("sha256sum") { vec!["sha256sum"] } else { vec!["shasum", "-a", "256"] };
    let mut command = Command::new(program[0]);
    command.args(&program[1..]).current_dir(folder);
    command.args(made.iter().filter_map(|path| path.file_name()));
    fs::write(folder.join(format!("{name}.sha256")), output(&mut command)?)?;
    Ok(())
}

/// What a command prints; an error with what it said when it fails.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command.output().with_context(|| format!("could not start {name}"))?;
    if !done.status.success() {
        bail!("{name} failed: {}", String::from_utf8_lossy(&done.stderr));
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLIBC: &str = "x86_64-unknown-linux-gnu";

    #[test]
    fn the_workflow_hands_over_every_file_and_no_folder() {
        let workflow = fs::read_to_string(root().join(".github/workflows/release.yml")).unwrap();
        let globs: Vec<&str> = workflow
            .lines()
            .filter_map(|line| {
                line.trim().trim_start_matches("path: ").strip_prefix("target/dist/*")
            })
            .collect();
        let name = format!("assize-{}-{GLIBC}", env!("CARGO_PKG_VERSION"));
        let files = ["tar.gz", "cdx.json", "sha256"].map(|ending| format!("{name}.{ending}"));
        for file in files.iter().chain([&debian_name(GLIBC)]) {
            assert!(globs.iter().any(|ending| file.ends_with(ending)), "{file}: {globs:?}");
        }
        // A star stands for anything, so that `*.*` would take the folder too.
        let takes_folder = |ending: &&str| ending.contains('*') || name.ends_with(ending);
        assert!(!globs.iter().any(takes_folder), "{globs:?}");
    }

    #[test]
    fn what_is_tried_is_of_this_version_and_for_this_machine() {
        let version = env!("CARGO_PKG_VERSION");
        let musl = "x86_64-unknown-linux-musl";
        let archive = |target: &str| format!("assize-{version}-{target}.tar.gz");
        assert!(is_for(GLIBC, &archive(GLIBC)) && is_for(musl, &archive(musl)));
        assert!(!is_for(GLIBC, &archive(musl)) && !is_for(musl, &archive(GLIBC)));
        assert!(!is_for(GLIBC, &format!("assize-{version}-{GLIBC}")), "the folder is no file");
        assert!(!is_for(GLIBC, &format!("assize-0.0.0-{GLIBC}.tar.gz")));
        assert!(is_for(GLIBC, &format!("assize_{version}_amd64.deb")));
        assert!(!is_for(GLIBC, &format!("assize_{version}_arm64.deb")));
        let wheel = |system: &str| format!("assize_eval-{version}-cp310-abi3-{system}_x86_64.whl");
        assert!(is_for(GLIBC, &wheel("manylinux_2_28")));
        assert!(!is_for(GLIBC, &wheel("musllinux_1_2")));
    }
}
