//! `assize readers`: installing from a server, a folder and through a proxy, with everything that goes
//! wrong on the way.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::thread;

use tempfile::TempDir;

/// A tiny model of random numbers that the tests of the readers compare with `transformers`.
fn tiny(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../readers/tests/models").join(name)
}

struct Said {
    code: i32,
    stdout: String,
    stderr: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let code = output.status.code().unwrap_or(-1);
        Self { code, stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

fn command(readers: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assize"));
    command.arg("readers").args(arguments).env("ASSIZE_READERS", readers).current_dir(readers);
    for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"]
    {
        command.env_remove(name);
    }
    command
}

fn readers(folder: &Path, arguments: &[&str]) -> Said {
    command(folder, arguments).output().unwrap().into()
}

fn entries(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// What a server was asked: the first line of each request, and its range.
type Asked = Arc<Mutex<Vec<(String, Option<String>)>>>;

/// Serves the files of a folder with ranges. The first answer with the large file ends in the middle
/// where `breaks` says so, until `mended`.
struct Server {
    address: String,
    asked: Asked,
    breaks: Arc<Mutex<bool>>,
}

impl Server {
    fn of(folder: PathBuf, breaks: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (asked, breaks) = (Asked::default(), Arc::new(Mutex::new(breaks)));
        let (heard, broken) = (Arc::clone(&asked), Arc::clone(&breaks));
        thread::spawn(move || {
            for stream in listener.incoming() {
                answer(stream.unwrap(), &folder, &heard, *broken.lock().unwrap());
            }
        });
        Self { address, asked, breaks }
    }
}

fn answer(mut stream: TcpStream, folder: &Path, asked: &Asked, breaks: bool) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    let headers: BTreeMap<String, String> = lines
        .take_while(|line| !line.is_empty())
        .filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        })
        .collect();
    let range = headers.get("range").cloned();
    asked.lock().unwrap().push((first.clone(), range.clone()));
    let mut words = first.split(' ');
    let (method, target) = (words.next().unwrap(), words.next().unwrap());
    // A proxy is asked with the whole address.
    let path =
        target.strip_prefix("http://").map_or(target, |rest| &rest[rest.find('/').unwrap()..]);
    let Ok(bytes) = fs::read(folder.join(path.trim_start_matches('/'))) else {
        let _ = stream
            .write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        return;
    };
    let from: usize = range
        .and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok())
        .unwrap_or(0);
    let (status, part) =
        if from > 0 { ("206 Partial Content", &bytes[from..]) } else { ("200 OK", &bytes[..]) };
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-length: {}\r\ncontent-range: bytes {from}-{}/{}\r\netag: \"v1\"\r\n\
         x-repo-commit: abc123\r\nconnection: close\r\n\r\n",
        part.len(),
        bytes.len() - 1,
        bytes.len()
    );
    let _ = stream.write_all(head.as_bytes());
    if method == "HEAD" {
        return;
    }
    let sent =
        if breaks && path.ends_with("safetensors") { &part[..part.len().min(5_000)] } else { part };
    let _ = stream.write_all(sent);
}

#[test]
fn a_reader_is_installed_from_a_server_listed_checked_measured_and_removed() {
    let shelf = TempDir::new().unwrap();
    let at = shelf.path();
    let server = Server::of(tiny("deberta-v3-entailment"), false);
    let said = readers(at, &["install", "own", "--from", &server.address]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.starts_with("own@abc123 (sha256 "), "{}", said.stdout);
    assert!(
        said.stderr.contains("own: 1 MB, licence not stated, from http://127"),
        "{}",
        said.stderr
    );
    assert!(said.stderr.contains("model.safetensors: recorded "), "{}", said.stderr);
    assert_eq!(entries(at), ["own", "recorded.json"]);
    let listed = readers(at, &["list"]);
    assert!(listed.stdout.contains("entailment") && listed.stdout.contains("nli-multilingual"));
    assert_eq!(readers(at, &["check"]).code, 0);
    let benched = readers(at, &["bench", "own"]);
    assert!(benched.stdout.contains("25 read in"), "{}{}", benched.stdout, benched.stderr);
    let again = readers(at, &["install", "own", "--from", &server.address]);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("already installed"), "{}", again.stderr);
    // A byte that changes afterwards is seen.
    let numbers = at.join("own/model.safetensors");
    let mut bytes = fs::read(&numbers).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&numbers, bytes).unwrap();
    let changed = readers(at, &["check", "own"]);
    assert_eq!(changed.code, 2);
    assert!(changed.stderr.contains("has changed since it was installed"), "{}", changed.stderr);
    assert_eq!(readers(at, &["remove", "own"]).code, 0);
    assert_eq!(readers(at, &["remove", "own"]).code, 2);
    assert_eq!(entries(at), ["recorded.json"]);
}

#[test]
fn an_interrupted_download_goes_on_where_it_ended() {
    let shelf = TempDir::new().unwrap();
    let at = shelf.path();
    let server = Server::of(tiny("bert-entailment"), true);
    let first = readers(at, &["install", "own", "--from", &server.address]);
    assert_eq!(first.code, 3, "{}", first.stderr);
    assert!(first.stderr.contains("what has arrived is kept"), "{}", first.stderr);
    assert_eq!(entries(at), ["own.part"]);
    assert!(readers(at, &["list"]).stdout.lines().all(|line| !line.starts_with("own")));
    *server.breaks.lock().unwrap() = false;
    let arrived = fs::metadata(at.join("own.part/model.safetensors.partial")).unwrap().len();
    assert_eq!(arrived, 15_000, "three attempts of 5,000 bytes");
    server.asked.lock().unwrap().clear();
    let second = readers(at, &["install", "own", "--from", &server.address]);
    assert_eq!(second.code, 0, "{}", second.stderr);
    let asked = server.asked.lock().unwrap();
    let ranges: Vec<&String> = asked.iter().filter_map(|(_, range)| range.as_ref()).collect();
    assert_eq!(ranges, ["bytes=15000-"]);
    assert_eq!(
        fs::read(at.join("own/model.safetensors")).unwrap(),
        fs::read(tiny("bert-entailment").join("model.safetensors")).unwrap()
    );
}

#[test]
fn a_wrong_byte_is_refused_by_a_pin_and_by_what_was_recorded() {
    let shelf = TempDir::new().unwrap();
    let at = shelf.path();
    let folder = tiny("xlmr-encoder");
    let from = folder.to_str().unwrap();
    let wrong = readers(at, &["install", "own", "--from", from, "--sha256", &"ab".repeat(32)]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("pinned by hand"), "{}", wrong.stderr);
    assert!(!at.join("own").exists());
    assert_eq!(readers(at, &["install", "own", "--from", from]).code, 0);
    assert_eq!(readers(at, &["remove", "own"]).code, 0);
    // Another model under the same name is not what was recorded.
    let other = tiny("mpnet-encoder");
    let said = readers(at, &["install", "own", "--from", other.to_str().unwrap()]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("recorded by the first installation"), "{}", said.stderr);
    // The manifest pins the numbers of this one.
    let known = readers(at, &["install", "minilm-l6", "--from", from]);
    assert!(known.stderr.contains("pinned by the manifest"), "{}", known.stderr);
}

#[test]
fn a_full_disk_leaves_nothing_behind() {
    let shelf = TempDir::new().unwrap();
    let at = shelf.path();
    let server = Server::of(tiny("bert-entailment"), false);
    // No file may grow beyond 20 blocks of 1,024 bytes; the signal is ignored, so that writing fails.
    let script = format!(
        "trap '' XFSZ; ulimit -f 20; exec {} readers install own --from {}",
        env!("CARGO_BIN_EXE_assize"),
        server.address
    );
    let mut bash = Command::new("bash");
    bash.arg("-c").arg(script).env("ASSIZE_READERS", at).current_dir(at);
    let said: Said = bash.output().unwrap().into();
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(said.stderr.contains("no space is left"), "{}", said.stderr);
    assert!(entries(at).is_empty(), "{:?}", entries(at));
}

#[test]
fn a_proxy_of_the_environment_is_used() {
    let shelf = TempDir::new().unwrap();
    let proxy = Server::of(tiny("bert-entailment"), false);
    let mut command = command(shelf.path(), &["install", "own", "--from", "http://models.invalid"]);
    let said: Said = command.env("http_proxy", &proxy.address).output().unwrap().into();
    assert_eq!(said.code, 0, "{}", said.stderr);
    let asked = proxy.asked.lock().unwrap();
    assert!(asked.iter().all(|(line, _)| line.contains(" http://models.invalid/")), "{asked:?}");
}

#[test]
fn what_is_no_reader_is_not_installed() {
    let shelf = TempDir::new().unwrap();
    let at = shelf.path();
    let unknown = readers(at, &["install", "nobody"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("name one of minilm-l6"), "{}", unknown.stderr);
    let name = readers(at, &["install", "../up", "--from", "x"]);
    assert!(name.stderr.contains("is no name for a reader"), "{}", name.stderr);
    let empty = TempDir::new().unwrap();
    let nothing = readers(at, &["install", "own", "--from", empty.path().to_str().unwrap()]);
    assert_eq!(nothing.code, 2);
    assert!(nothing.stderr.contains("config.json: there is no such file"), "{}", nothing.stderr);
    assert!(!at.join("own").exists());
    let bench = readers(at, &["bench", "own"]);
    assert!(bench.stderr.contains("no reader `own` is installed"), "{}", bench.stderr);
}
