//! A test tool: a PostgreSQL server of one's own, gone when the tests are.
//!
//! It is made in a temporary folder from the programs that Debian's `postgresql` installs,
//! listens on a socket in that folder and nowhere else, and is stopped by a janitor that waits
//! for the end of the process that started it, whatever that end may be. Nothing is skipped
//! when the programs are absent: the tests fail and say what to install.

mod programs;
mod template;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::programs::Programs;

/// A server that runs.
#[derive(Debug)]
pub struct Postgres {
    programs: Programs,
    folder: PathBuf,
    /// Reads from us; when we are gone it stops the server and removes the folder.
    janitor: Mutex<Option<Child>>,
    databases: AtomicU32,
    /// Whether a commit waits for the disk.
    is_durable: bool,
}

impl Postgres {
    /// The server of this process: started by whoever asks first.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// A server for a test that wants to do something to it.
    ///
    /// # Panics
    /// If PostgreSQL is not installed or does not start.
    pub fn start() -> Self {
        Self::started(false)
    }

    /// A server whose commits wait for the disk, as those of a real one do: for benches.
    ///
    /// # Panics
    /// If PostgreSQL is not installed or does not start.
    pub fn start_durable() -> Self {
        Self::started(true)
    }

    fn started(is_durable: bool) -> Self {
        let programs = Programs::find();
        let folder = programs.folder();
        let data = folder.join("data");
        run(programs.plain("cp").arg("-a").arg(template::cluster(&programs)).arg(&data));
        let (janitor, databases) = (Mutex::new(None), AtomicU32::new(0));
        let server = Self { programs, folder, janitor, databases, is_durable };
        let janitor = server.engage();
        *server.janitor.lock().unwrap_or_else(PoisonError::into_inner) = Some(janitor);
        server.resume();
        server
    }

    /// A fresh, empty database. Returns its address.
    ///
    /// # Panics
    /// If the server does not answer.
    pub fn database(&self) -> String {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{number}", std::process::id());
        let mut createdb = self.programs.command("createdb");
        run(createdb.args(["--username=assize", "--host"]).arg(&self.folder).arg(&name));
        format!("postgres://assize@localhost/{name}?host={}", self.folder.display())
    }

    /// What a question brings, a line for each row, its columns divided by `|`.
    ///
    /// # Panics
    /// If the server does not answer, or does not understand.
    pub fn ask(&self, database: &str, sql: &str) -> String {
        let mut psql = self.programs.command("psql");
        psql.args(["--no-psqlrc", "--tuples-only", "--no-align", "--command", sql, database]);
        let said = psql.current_dir("/").output();
        let said = said.unwrap_or_else(|error| panic!("could not start psql: {error}"));
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        String::from_utf8_lossy(&said.stdout).into_owned()
    }

    /// Stops it at once, as a power cut would for those connected.
    pub fn stop(&self) {
        run(self.control().args(["-m", "immediate", "stop"]));
    }

    /// Has it answer nobody while connections to it stay open, until what is returned is dropped.
    ///
    /// # Panics
    /// If it does not run, or belongs to somebody else.
    pub fn freeze(&self) -> Frozen {
        let parent = self.parent();
        // First the parent, so that no child is missed that it makes meanwhile.
        signal("-STOP", &[parent]);
        let processes = self.processes();
        signal("-STOP", &processes[1..]);
        Frozen(processes)
    }

    /// Its processes, the one that makes the others first.
    ///
    /// # Panics
    /// If it does not run.
    pub fn processes(&self) -> Vec<u32> {
        let parent = self.parent();
        let children = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
        let children = children.unwrap_or_else(|error| panic!("no list of children: {error}"));
        let children = children.split_whitespace().filter_map(|word| word.parse().ok());
        [parent].into_iter().chain(children).collect()
    }

    fn parent(&self) -> u32 {
        let file = std::fs::read_to_string(self.folder.join("data/postmaster.pid"));
        let file = file.unwrap_or_else(|error| panic!("it does not run: {error}"));
        let parent = file.lines().next().and_then(|line| line.parse().ok());
        parent.unwrap_or_else(|| panic!("no process: {file}"))
    }

    /// Starts it again, unless it came back by itself.
    pub fn resume(&self) {
        let status = self.control().arg("status").current_dir("/").stdout(Stdio::null()).status();
        if status.is_ok_and(|status| status.success()) {
            return;
        }
        // Tests wait for no disk: they kill clients, not machines.
        let options = format!(
            "-c listen_addresses='' -c unix_socket_directories='{}' -c fsync={} \
             -c max_connections=200",
            self.folder.display(),
            if self.is_durable { "on" } else { "off" }
        );
        let log = self.folder.join("log");
        run(self.control().arg("-o").arg(options).arg("-l").arg(log).args(["-w", "start"]));
    }

    fn control(&self) -> Command {
        let mut control = self.programs.command("pg_ctl");
        control.arg("-D").arg(self.folder.join("data"));
        control
    }

    /// A process that outlives us by a moment.
    fn engage(&self) -> Child {
        let mut stop = self.control();
        stop.args(["-m", "immediate", "stop"]);
        let words = std::iter::once(stop.get_program()).chain(stop.get_args());
        let words: Vec<String> = words.map(|word| quoted(&word.to_string_lossy())).collect();
        let folder = quoted(&self.folder.to_string_lossy());
        let script = format!("cat > /dev/null; {}; rm -rf {folder}", words.join(" "));
        let mut janitor = Command::new("sh");
        janitor.arg("-c").arg(script).current_dir("/");
        janitor.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // Whoever interrupts the tests does not interrupt the janitor.
        std::os::unix::process::CommandExt::process_group(&mut janitor, 0);
        janitor.spawn().unwrap_or_else(|error| panic!("could not start sh: {error}"))
    }
}

/// A server that answers nobody.
#[derive(Debug)]
pub struct Frozen(Vec<u32>);

impl Drop for Frozen {
    fn drop(&mut self) {
        signal("-CONT", &self.0);
    }
}

fn signal(name: &str, processes: &[u32]) {
    run(Command::new("kill").arg(name).args(processes.iter().map(u32::to_string)));
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let janitor = self.janitor.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mut janitor) = janitor {
            drop(janitor.stdin.take());
            // It has nobody to report to.
            let _ = janitor.wait();
        }
    }
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Runs a program that must succeed. Its words go to a file: a server that it leaves behind
/// would hold on to a pipe.
fn run(command: &mut Command) {
    let told =
        tempfile::tempfile().and_then(|file| Ok((file.try_clone()?, file.try_clone()?, file)));
    let (stdout, stderr, mut words) =
        told.unwrap_or_else(|error| panic!("could not make a temporary file: {error}"));
    command.stdin(Stdio::null()).stdout(stdout).stderr(stderr).current_dir(Path::new("/"));
    let status = command.status();
    if !status.as_ref().is_ok_and(std::process::ExitStatus::success) {
        let mut text = String::new();
        let _ = std::io::Seek::rewind(&mut words);
        let _ = std::io::Read::read_to_string(&mut words, &mut text);
        panic!("{command:?} ended with {status:?}\n{text}");
    }
}
