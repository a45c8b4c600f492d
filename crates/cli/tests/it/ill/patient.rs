//! A server with a run that a scripted model judges, and what must hold of both when its database
//! falls ill.

use std::io::{BufRead, BufReader};
use std::ops::RangeInclusive;
use std::process::{Child, Command, Stdio};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use assize_injector::Script;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::clerk::Clerk;
use crate::faults::REPLY;
use crate::serve::{Server, upload};
use crate::support::assize;

/// How soon the server is well after the cause ended.
const WELL_AFTER: Duration = Duration::from_secs(5);
/// How long a fault lasts.
pub(super) const LASTS: Duration = Duration::from_secs(10);
/// Longer than a probe's answer stands.
pub(super) const A_MOMENT: Duration = Duration::from_millis(1_100);
/// What was leased when the fault began is given to somebody again when its lease runs out.
const FINISHED_AFTER: Duration = Duration::from_mins(2);

const DOCUMENTS: usize = 5;
const CRITERIA: usize = 30;
const ITEMS: u64 = 150;
const CONCURRENCY: u64 = 4;
/// The most items that one worker has under way: as many as it asks about, and as many that it
/// writes down.
const UNDER_WAY: u64 = 2 * CONCURRENCY;
/// So many items are judged before the fault begins.
const BEGUN: u64 = 12;
/// How long the model thinks: no run is over before its fault is.
const THINKS: Duration = Duration::from_millis(300);

/// A process that must not write more gets a signal that would end it, unless it is ignored.
pub(super) const PLAIN: &str = "trap '' XFSZ; exec \"$0\" \"$@\"";

/// A server whose run is being judged.
pub(super) struct Patient {
    pub(super) server: Server,
    pub(super) clerk: Clerk,
    /// Where its database is, as the server names it.
    database: String,
    folder: TempDir,
}

pub(super) fn make_set(server: &Server, name: &str) -> u16 {
    server.ask("POST", "/api/v1/document-sets", &json!({"name": name}).to_string()).0
}

impl Patient {
    /// Starts it by a script, over a database that is named as a command would, and waits until
    /// its run is being judged.
    pub(super) fn admit(folder: TempDir, script: &str, database: &str) -> Self {
        let clerk = Clerk::start(Script::saying(REPLY).after(THINKS));
        let settings = format!("[endpoints.local]\nbase_url = '{}'\n", clerk.url());
        std::fs::write(folder.path().join("assize.toml"), settings).unwrap();
        let concurrency = CONCURRENCY.to_string();
        let more = ["--database", database, "--concurrency", &concurrency];
        let server = Server::start_by(script, folder.path(), &more);
        let database = database.to_owned();
        let patient = Self { server, clerk, database, folder };
        patient.begin_run();
        patient
    }

    fn begin_run(&self) {
        let server = &self.server;
        assert_eq!(make_set(server, "before"), 201);
        let criterion = |number: usize| {
            json!({"criteria_id": format!("AC-{number}"),
                "requirement": format!("Accounts of kind {number} are reviewed every year.")})
        };
        let criteria: Vec<Value> = (0..CRITERIA).map(criterion).collect();
        let set = json!({"name": "many", "criteria": criteria}).to_string();
        assert_eq!(server.ask("POST", "/api/v1/criteria-sets", &set).0, 201);
        assert_eq!(make_set(server, "long"), 201);
        for number in 0..DOCUMENTS {
            let text = format!("Policy {number}. Accounts are reviewed every year by their owner.");
            upload(server, "long", &format!("policy-{number}.txt"), &text);
        }
        let run = json!({"instrument": "compliance", "criteria_set": "many",
            "document_set": "long", "judge": "local/tiny"});
        let (status, body) = server.ask("POST", "/api/v1/runs", &run.to_string());
        assert_eq!(status, 201, "{body}");
        let begun = Instant::now();
        while self.clerk.server.seen() < BEGUN {
            assert!(begun.elapsed() < Duration::from_mins(1), "nothing is asked");
            sleep(Duration::from_millis(20));
        }
        assert_eq!(self.run()["state"], "running");
        assert_eq!(server.ask("GET", "/readyz", "").0, 200);
        sleep(A_MOMENT);
    }

    fn run(&self) -> Value {
        self.server.json("/api/v1/runs/1")
    }

    pub(super) fn path(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// As long as a fault lasts nothing is written, and the server says so; reading goes on or not.
    pub(super) fn is_ill(&self, reads: RangeInclusive<u16>) {
        let (server, begun) = (&self.server, Instant::now());
        for number in 0.. {
            let status = make_set(server, &format!("lost {number}"));
            assert!(status >= 500, "lost {number}: {status}");
            assert_eq!(server.ask("GET", "/readyz", "").0, 503);
            assert_eq!(server.ask("GET", "/healthz", "").0, 200);
            let status = server.ask("GET", "/api/v1/document-sets", "").0;
            assert!(reads.contains(&status), "{status}");
            if begun.elapsed() >= LASTS {
                return;
            }
            sleep(A_MOMENT);
        }
    }

    /// As long as a fault lasts the database answers nobody, and the server says so. Whoever wrote
    /// meanwhile is told the truth when the cause has ended, which is dropped.
    pub(super) fn is_frozen(&self, cause: impl Sized) {
        let server = &self.server;
        scope(|scope| {
            let meanwhile = scope.spawn(|| make_set(server, "meanwhile"));
            let begun = Instant::now();
            while begun.elapsed() < LASTS {
                assert_eq!(server.ask("GET", "/readyz", "").0, 503);
                assert_eq!(server.ask("GET", "/healthz", "").0, 200);
                sleep(A_MOMENT);
            }
            drop(cause);
            self.gets_well();
            let is_made = meanwhile.join().unwrap() == 201;
            let sets = server.json("/api/v1/document-sets").to_string();
            assert_eq!(sets.matches("meanwhile").count(), usize::from(is_made), "{sets}");
        });
    }

    /// What was told is true: what was kept is there once, what was refused is not.
    pub(super) fn gets_well(&self) {
        let (server, ended) = (&self.server, Instant::now());
        while server.ask("GET", "/readyz", "").0 != 200 {
            let waited = ended.elapsed();
            assert!(waited < WELL_AFTER, "not ready {waited:?} after the cause");
            sleep(Duration::from_millis(100));
        }
        assert_eq!(make_set(server, "after"), 201);
        let sets = server.json("/api/v1/document-sets").to_string();
        for name in ["before", "after"] {
            let quoted = format!("\"name\":\"{name}\"");
            assert_eq!(sets.matches(&quoted).count(), 1, "{name}: {sets}");
        }
        assert!(!sets.contains("lost"), "{sets}");
    }

    /// The run ends with one verdict for each item, and nothing panicked on the way.
    pub(super) fn has_finished(&self) {
        let begun = Instant::now();
        let run = loop {
            let run = self.run();
            if run["state"] == "done" {
                break run;
            }
            assert_eq!(run["state"], "running", "{run}");
            assert!(begun.elapsed() < FINISHED_AFTER, "{} asked: {run}", self.clerk.server.seen());
            sleep(Duration::from_millis(200));
        };
        let figures = ["items", "done", "unscored"].map(|name| run[name].as_u64());
        assert_eq!(figures, [Some(ITEMS), Some(ITEMS), Some(0)], "{run}");
        let database = self.readable_database();
        let mut positions = judged_positions(&database);
        positions.sort_unstable();
        assert_eq!(positions, (0..ITEMS).collect::<Vec<_>>());
        let said = assize(&["db", "check", "--database", &database]);
        assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
        // What was answered and could not be written down is asked again, and nothing else.
        let again = self.clerk.server.seen() - ITEMS;
        assert!(again <= UNDER_WAY, "{again} asked again");
        let figures = self.server.ask("GET", "/metrics", "").1;
        assert!(figures.contains("assize_panics_total 0\n"), "{figures}");
    }

    /// Where commands of ours read what is stored. A file is copied while the server holds still:
    /// it may be on a disk that nobody else sees.
    fn readable_database(&self) -> String {
        if self.database.contains("://") {
            return self.database.clone();
        }
        let from = format!("/proc/{}/cwd/{}", self.server.id(), self.database);
        let to = self.path().join("copy.db").to_str().unwrap().to_owned();
        self.server.signal("-STOP");
        let copied =
            ["", "-wal"].map(|end| std::fs::copy(format!("{from}{end}"), format!("{to}{end}")));
        self.server.signal("-CONT");
        assert!(copied.iter().all(Result::is_ok), "{copied:?}");
        to
    }

    /// How many writes failed, as the server counts them.
    pub(super) fn failed_writes(&self) -> u64 {
        let figures = self.server.ask("GET", "/metrics", "").1;
        let failures =
            figures.lines().find_map(|line| line.strip_prefix("assize_write_failures_total "));
        failures.unwrap().parse().unwrap()
    }
}

/// The item of every verdict that is stored.
fn judged_positions(database: &str) -> Vec<u64> {
    let said = assize(&["db", "export", "-", "--database", database]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let lines = said.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let verdicts = lines.filter(|line| line["table"] == "verdicts");
    verdicts.map(|line| line["row"]["position"].as_u64().unwrap()).collect()
}

/// Several faults, each with a server of its own. Most of their time is waiting, so they wait
/// together.
pub(super) fn side_by_side(faults: &[(&str, fn())]) {
    scope(|scope| {
        let all: Vec<_> = faults.iter().map(|(name, fault)| (*name, scope.spawn(fault))).collect();
        let failed = all.into_iter().filter_map(|(name, one)| one.join().is_err().then_some(name));
        let failed: Vec<&str> = failed.collect();
        assert!(failed.is_empty(), "{failed:?}: see above");
    });
}

/// Something that makes system calls of other processes fail, until it is dropped.
pub(super) struct FailingCalls(Child);

impl FailingCalls {
    /// Has these processes' writes fail with an error; of files with these names, if any are given.
    ///
    /// The calls are refused by `strace`, so that no program is made for it and no disk is broken.
    pub(super) fn start(processes: &[u32], error: &str, files: &[String]) -> Self {
        let calls = "write,pwrite64,pwritev,ftruncate,fallocate,fsync,fdatasync";
        let mut strace = Command::new("strace");
        strace.args(["-f", "-o", "/dev/null", "-e", &format!("trace={calls}")]);
        strace.args(["-e", &format!("inject={calls}:error={error}")]);
        strace.args(files.iter().flat_map(|file| ["-P", file]));
        strace.args(processes.iter().flat_map(|id| ["-p".to_owned(), id.to_string()]));
        let mut strace = strace.stderr(Stdio::piped()).spawn().unwrap_or_else(|error| {
            panic!(
                "no call can be made to fail, and these tests are not skipped: \
                `apt-get install -y strace`: {error}"
            )
        });
        let mut lines = BufReader::new(strace.stderr.take().unwrap()).lines();
        for id in processes {
            let line = lines.next().and_then(Result::ok).unwrap_or_default();
            // Where only parents may look into a process, the machine has to be told otherwise.
            let help = "`sysctl kernel.yama.ptrace_scope=0`, or run the tests as root";
            assert!(line.contains("attached"), "process {id}: {line}: {help}");
        }
        // What it says later must not keep it waiting.
        std::thread::spawn(move || lines.for_each(drop));
        Self(strace)
    }
}

impl Drop for FailingCalls {
    fn drop(&mut self) {
        // Told to end, it lets go of what it holds; killed, it might not.
        let _ = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status();
        let _ = self.0.wait();
    }
}
