//! Where tests run: a folder and a database of their own, and a scripted judge.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use assize_injector::{Injector, Request, Script};
use assize_testbed::Postgres;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// A folder with a database, which may also be elsewhere.
pub(crate) struct Bed {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) database: String,
}

/// What the binary said and how it ended.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Said {
    /// It ended well.
    #[track_caller]
    pub(crate) fn fine(self) -> Self {
        assert_eq!(self.code, 0, "{}\n{}", self.stdout, self.stderr);
        self
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|_| panic!("{self:?}"))
    }
}

impl Bed {
    /// A file.
    pub(crate) fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("kept.db").to_str().unwrap().to_owned();
        Self { folder, database }
    }

    /// A server.
    pub(crate) fn postgres() -> Self {
        let database = Postgres::shared().database();
        Self { folder: tempfile::tempdir().unwrap(), database }
    }

    /// One of each.
    pub(crate) fn both() -> [Self; 2] {
        [Self::sqlite(), Self::postgres()]
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file.
    pub(crate) fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        std::fs::write(self.folder.path().join(name), text).unwrap();
        self.path(name)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_assize"));
        command.args(arguments).current_dir(self.folder.path());
        command.env("ASSIZE_DATABASE_URL", &self.database).env("USER", "tester");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn assize(&self, arguments: &[&str]) -> Said {
        let output = self.command(arguments).output().unwrap();
        Said {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Begins to judge the sample, one criterion at a time, and waits for some questions.
    pub(crate) fn judging(&self, judge: &Judge, questions: u64) -> Child {
        let (policy, criteria, url) =
            (example("access-policy.md"), example("criteria.csv"), judge.url());
        let all = ["evaluate", &policy, "--criteria", &criteria, "--judge", "local/clerk"];
        let more = ["--endpoint", &url, "--concurrency", "1"];
        let child = self.command(&[&all[..], &more].concat()).spawn().unwrap();
        while judge.server.seen() < questions {
            std::thread::sleep(Duration::from_millis(10));
        }
        child
    }

    pub(crate) fn spawn(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }
}

/// The samples that come with the project.
pub(crate) fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/compliance");
    folder.join(name).canonicalize().unwrap().to_str().unwrap().to_owned()
}

/// A scripted judge with its runtime.
pub(crate) struct Judge {
    /// Keeps the server going.
    _runtime: Runtime,
    pub(crate) server: Injector,
}

impl Judge {
    pub(crate) fn start(script: Script) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let server = runtime.block_on(Injector::start(script)).unwrap();
        Self { _runtime: runtime, server }
    }

    pub(crate) fn url(&self) -> String {
        self.server.base_url()
    }
}

/// The id of the criterion that a request is about.
pub(crate) fn criterion(request: &Request) -> String {
    let question = request.body["messages"][1]["content"].as_str().unwrap();
    question.split_once("\nID: ").unwrap().1.lines().next().unwrap().to_owned()
}

/// A readable answer.
#[expect(clippy::needless_pass_by_value, reason = "a test writes json!(73)")]
pub(crate) fn answer(score: Value, quote: &str) -> String {
    json!({"score": score, "confidence": 80, "explanation": "Because.", "citations": [quote]})
        .to_string()
}
