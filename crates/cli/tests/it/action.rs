//! The steps of the GitHub Action as they stand in `action.yml`, run by a shell.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::examples;

/// The script of a step.
fn script(step: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../action.yml");
    let action = fs::read_to_string(file).unwrap();
    let (_, rest) = action.split_once(&format!("- name: {step}\n")).expect("the step is there");
    let step = rest.split("\n    - name: ").next().unwrap();
    let (_, run) = step.split_once("\n      run: ").expect("the step runs a script");
    match run.strip_prefix("|\n") {
        Some(lines) => {
            let own =
                lines.lines().take_while(|line| line.is_empty() || line.starts_with("        "));
            own.map(|line| line.get(8..).unwrap_or_default()).collect::<Vec<_>>().join("\n")
        }
        None => run.lines().next().unwrap().to_owned(),
    }
}

/// A repository whose checks the action runs; what the cache keeps stays in its folder.
struct Repository(tempfile::TempDir);

/// What a job came to.
struct Job {
    code: i32,
    summary: String,
    html: String,
    sarif: String,
    /// What the step of the checks printed beside its table.
    marks: String,
}

impl Repository {
    fn new(require: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["keyword.json", "gold.json"] {
            fs::copy(examples().join("retrieval").join(name), folder.path().join(name)).unwrap();
        }
        let config = format!(
            "[[check]]\nname = \"contracts\"\nscore = {{ run = \"keyword.json\", gold = \"gold.json\" }}\n\
             require = [{require}]\n"
        );
        fs::write(folder.path().join("assize.toml"), config).unwrap();
        Self(folder)
    }

    /// A job on the default branch or on another, up to the step that ends it.
    fn job(&self, is_default_branch: bool) -> Job {
        let runner = tempfile::tempdir().unwrap();
        let place = |name: &str| runner.path().join(name);
        let bash = |script: &str, more: &[(&str, &str)]| {
            let done = Command::new("bash")
                .args(["-e", "-o", "pipefail", "-c", script])
                .current_dir(self.0.path())
                .env("RUNNER_TEMP", runner.path())
                .env("GITHUB_OUTPUT", place("output"))
                .env("GITHUB_STEP_SUMMARY", place("summary"))
                .env("GITHUB_ACTIONS", "true")
                .envs(more.iter().copied())
                .output();
            let done = done.unwrap();
            (done.status.code().unwrap(), String::from_utf8(done.stderr).unwrap())
        };
        let of_check = [
            ("CONFIG", "assize.toml"),
            ("BINARY", env!("CARGO_BIN_EXE_assize")),
            ("ARGUMENTS", ""),
            ("UPDATE", ""),
            ("IS_DEFAULT_BRANCH", if is_default_branch { "true" } else { "false" }),
        ];
        let (code, marks) = bash(&script("Run the checks"), &of_check);
        assert_eq!(code, 0, "a later step ends the job: {marks}");
        let output = fs::read_to_string(place("output")).unwrap();
        let value = |key: &str| {
            let found = output.lines().find_map(|line| line.strip_prefix(&format!("{key}=")));
            found.unwrap_or_else(|| panic!("no {key} in {output}")).to_owned()
        };
        let code = value("code");
        assert_eq!(value("passed"), if code == "0" { "true" } else { "false" });
        let ended = if code == "0" {
            0
        } else {
            bash(&script("End as the checks did"), &[("CODE", code.as_str())]).0
        };
        let html = Path::new(&value("reports")).join("checks.html");
        Job {
            code: ended,
            summary: fs::read_to_string(place("summary")).unwrap_or_default(),
            html: fs::read_to_string(html).unwrap_or_default(),
            sarif: fs::read_to_string(value("sarif")).unwrap_or_default(),
            marks,
        }
    }

    fn baseline(&self) -> Option<String> {
        fs::read_to_string(self.0.path().join(".assize/baselines/contracts.json")).ok()
    }

    /// Makes the run lose the passages of its first query.
    fn regress(&self) {
        let run = self.0.path().join("keyword.json");
        let mut predictions: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(&run).unwrap()).unwrap();
        predictions[0]["retrieved_passages"] = serde_json::json!(["Nothing of the kind."]);
        fs::write(run, predictions.to_string()).unwrap();
    }
}

#[test]
fn a_job_is_green_where_every_requirement_holds_and_red_where_one_does_not() {
    let green = Repository::new("\"recall@10 >= 0.5\"").job(false);
    assert_eq!(green.code, 0);
    assert!(green.summary.starts_with("### assize check: PASS (1 of 1)"), "{}", green.summary);
    let red = Repository::new("\"recall@10 >= 0.99\"").job(false);
    assert_eq!(red.code, 1);
    assert!(red.summary.contains("FAIL"), "{}", red.summary);
    assert!(!green.marks.contains("::error"), "{}", green.marks);
    let mark = "::error file=assize.toml,line=2,title=contracts::FAIL recall@10 ";
    assert!(red.marks.lines().any(|line| line.starts_with(mark)), "{}", red.marks);
    assert!(red.sarif.contains("\"startLine\": 2"), "{}", red.sarif);
}

/// Runs the step that comments, where the repository's comments are these and a token may or may
/// not write: its code, what it printed, and what `gh` was asked for.
fn comment(found: &str, is_writable: bool) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    fs::write(place("summary.md"), "### assize check: PASS (1 of 1)\n").unwrap();
    // Lists the comments that were found; keeps the words and the body of what writes.
    let write = if is_writable { "exit 0" } else { "exit 1" };
    let gh = format!(
        "#!/bin/sh\necho \"$*\" >> \"$REPORTS/asked\"\ncase \"$*\" in\n*--method*) cat \
         \"$REPORTS/comment.md\" >> \"$REPORTS/asked\"; {write} ;;\n*) printf '{found}' ;;\nesac\n"
    );
    let bin = place("bin");
    fs::create_dir(&bin).unwrap();
    fs::write(bin.join("gh"), gh).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let script = format!(
        "chmod +x '{}'\n{}",
        bin.join("gh").display(),
        script("Comment on the pull request")
    );
    let done = Command::new("bash")
        .args(["-e", "-o", "pipefail", "-c", &script])
        .env("PATH", path)
        .env("REPORTS", folder.path())
        .envs([("REPOSITORY", "ann/contracts"), ("NUMBER", "7"), ("GH_TOKEN", "none")])
        .output()
        .unwrap();
    let asked = fs::read_to_string(place("asked")).unwrap_or_default();
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr)
    );
    (done.status.code().unwrap(), said, asked)
}

#[cfg(unix)]
#[test]
fn a_pull_request_has_one_comment_which_is_edited() {
    let (code, said, asked) = comment("", true);
    assert_eq!((code, said.as_str()), (0, ""));
    let words: Vec<&str> = asked.lines().collect();
    assert!(
        words[0].starts_with("api --paginate repos/ann/contracts/issues/7/comments"),
        "{asked}"
    );
    assert!(
        words[1].starts_with("api --method POST repos/ann/contracts/issues/7/comments -F body=@"),
        "{asked}"
    );
    assert_eq!(words[2..], ["<!-- assize check -->", "### assize check: PASS (1 of 1)"]);
    let (code, _, asked) = comment("41\\n42\\n", true);
    assert_eq!(code, 0);
    let second = asked.lines().nth(1).unwrap();
    assert!(
        second.starts_with("api --method PATCH repos/ann/contracts/issues/comments/41 "),
        "the oldest is edited: {asked}"
    );
    for found in ["", "41\\n"] {
        let (code, said, _) = comment(found, false);
        assert_eq!((code, said.as_str()), (0, "::notice::the comment could not be written\n"));
    }
}

#[test]
fn a_regression_on_the_default_branch_is_red_and_leaves_the_baseline() {
    let repository =
        Repository::new("\"recall@10 >= 0.1\", \"recall@10 no worse than baseline by 0.02\"");
    assert_eq!(repository.job(true).code, 0, "the first job keeps a baseline");
    let before = repository.baseline().expect("a baseline is kept");
    assert_eq!(repository.job(true).code, 0);
    repository.regress();
    let red = repository.job(true);
    assert_eq!(red.code, 1);
    assert_eq!(repository.baseline().as_deref(), Some(before.as_str()));
    let gold: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(repository.0.path().join("gold.json")).unwrap())
            .unwrap();
    let lost = gold["tests"][0]["snippets"][0]["answer"].as_str().unwrap();
    let beginning: String = lost.chars().take(40).collect();
    for report in [&red.summary, &red.html] {
        assert!(report.contains(&beginning), "{beginning} is not in {report}");
    }
    assert_eq!(repository.job(false).code, 1, "and so is a branch that has it");
}

/// Runs the step that installs, with releases in a folder; what it printed, and its code.
fn install(releases: &Path, version: &str, sha256: &str) -> (i32, String, tempfile::TempDir) {
    let runner = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let done = Command::new("bash")
        .args(["-e", "-o", "pipefail", "-c", &script("Install assize")])
        .env("RUNNER_TEMP", runner.path())
        .env("GITHUB_PATH", runner.path().join("path"))
        .env("RELEASES", format!("file://{}", releases.display()))
        .env("SOURCES", root)
        .envs([("VERSION", version), ("SHA256", sha256)])
        .output()
        .unwrap();
    (done.status.code().unwrap(), String::from_utf8_lossy(&done.stdout).into_owned(), runner)
}

#[cfg(target_os = "linux")]
#[test]
fn a_release_is_installed_by_its_checksum_and_by_no_other() {
    let version = env!("CARGO_PKG_VERSION");
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let name = format!("assize-{version}-{target}");
    let releases = tempfile::tempdir().unwrap();
    let folder = releases.path().join(format!("v{version}"));
    fs::create_dir_all(folder.join(&name)).unwrap();
    fs::write(folder.join(&name).join("assize"), "#!/bin/sh\necho installed\n").unwrap();
    let bash = |words: &str| {
        let done = Command::new("bash").args(["-ec", words]).current_dir(&folder).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    bash(&format!("chmod +x {name}/assize && tar -czf {name}.tar.gz {name}"));
    let sums = bash(&format!("sha256sum {name}.tar.gz"));
    fs::write(folder.join(format!("{name}.sha256")), &sums).unwrap();
    // Without a version it is that of the sources beside the action.
    for wanted in ["", version] {
        let (code, said, runner) = install(releases.path(), wanted, "");
        assert_eq!(code, 0, "{said}");
        let folder = fs::read_to_string(runner.path().join("path")).unwrap();
        let program = Command::new(Path::new(folder.trim()).join("assize")).output().unwrap();
        assert_eq!(program.stdout, b"installed\n");
    }
    let sum = sums.split_whitespace().next().unwrap();
    assert_eq!(install(releases.path(), version, sum).0, 0);
    let (code, said, runner) = install(releases.path(), version, &"0".repeat(64));
    assert_eq!(code, 1);
    assert!(said.contains("::error::the checksum of"), "{said}");
    assert!(!runner.path().join("assize/bin/assize").exists());
    // A release whose archive was changed afterwards.
    fs::write(folder.join(format!("{name}.tar.gz")), "something else").unwrap();
    assert_eq!(install(releases.path(), version, "").0, 1);
}
