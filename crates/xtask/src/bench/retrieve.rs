//! Retrieval against the BM25 packages people use today, and growth with the corpus.
//!
//! `cargo xtask bench retrieve [--corpus DIR --benchmark FILE] [--growth-to MEGABYTES] [--beside
//! BINARY]`: another build's binary runs in turn with that of this tree. Without a corpus of yours: contractnli below `ASSIZE_DATA`, or texts made here.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::generate::Numbers;
use super::measure::{best_of, best_of_each};
use super::peers::Python;
use super::{Build, builds, folder};
use crate::say;

const METHODS: [&str; 4] = ["bm25", "tfidf", "dense", "hybrid"];
const BM25S: &[&str] = &["bm25s", "PyStemmer"];
const PEERS: [(&str, &[&str]); 2] = [("rank_bm25", &["rank_bm25"]), ("bm25s", BM25S)];
/// Where growth starts and, unless the user wants more, ends.
const GROWTH_MEGABYTES: [usize; 2] = [5, 40];
const FILE_BYTES: usize = 50_000;
const QUERIES: usize = 977;
/// Different words of the made-up language.
const WORDS: usize = 200_000;

/// A folder of texts and the queries asked of it.
struct Task {
    corpus: PathBuf,
    benchmark: PathBuf,
}

/// Every method, the peers, then sizes.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let (mut corpus, mut benchmark, mut beside) = (None, None, None);
    let mut growth_to = GROWTH_MEGABYTES[1];
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("{word} needs a value"))?;
        match *word {
            "--corpus" => corpus = Some(PathBuf::from(value)),
            "--benchmark" => benchmark = Some(PathBuf::from(value)),
            "--growth-to" => growth_to = value.parse().context("--growth-to takes megabytes")?,
            "--beside" => beside = Some(PathBuf::from(value)),
            other => {
                bail!("there is no {other}; there are --corpus, --benchmark, --growth-to, --beside")
            }
        }
    }
    let (builds, folder) = (builds(beside)?, folder()?);
    let task = match (corpus, benchmark) {
        (Some(corpus), Some(benchmark)) => Task { corpus, benchmark },
        (None, None) => match shared() {
            Some(task) => task,
            None => made(&folder, GROWTH_MEGABYTES[0])?,
        },
        _ => bail!("--corpus and --benchmark come together"),
    };
    if let Some(python) = &Python::with(&folder, BM25S) {
        say("\n## The default method against bm25s with PyStemmer: index and all queries, k = 10");
        say("  (ours is always the whole process, with reading and writing)");
        hybrid(&builds, python, &task)?;
        hybrid(&builds, python, &abstracts(&folder)?)?;
    }
    peers(&builds, &folder, &task)?;
    growth(&builds[0], &folder, growth_to)
}

/// contractnli, where the reference data is at hand.
fn shared() -> Option<Task> {
    let folder = Path::new(&std::env::var_os("ASSIZE_DATA")?).join("retrieval/contractnli");
    let task = Task { corpus: folder.join("corpus"), benchmark: folder.join("benchmark.json") };
    task.benchmark.exists().then_some(task)
}

fn retrieve(build: &Build, task: &Task, method: &str) -> Command {
    let mut command = Command::new(&build.binary);
    command.arg("retrieve").arg(&task.benchmark).arg("--corpus").arg(&task.corpus);
    command.args(["--method", method]);
    command
}

fn peers(builds: &[Build], folder: &Path, task: &Task) -> Result<()> {
    say(&format!(
        "\n## {}: 500-word passages at half overlap, index and all queries, k = 10",
        task.corpus.display()
    ));
    let mut ours = f64::INFINITY;
    for method in METHODS {
        let costs = best_of_each(5, builds, |build| retrieve(build, task, method))?;
        for (build, cost) in builds.iter().zip(&costs) {
            say(&format!(
                "  {:<6} {method:<10} wall {:>8.1} ms   cpu {:>8.1} ms   peak {:>6.1} MB",
                build.name,
                cost.wall_seconds * 1e3,
                cost.cpu_seconds * 1e3,
                cost.peak_megabytes
            ));
        }
        if method == "bm25" {
            ours = costs.first().map_or(f64::INFINITY, |own| own.cpu_seconds);
        }
    }
    say(
        "\n  BM25 against peers, processor time (their imports, reading and cutting left out; our whole process,",
    );
    say(
        "  with NLTK's tokens and every passage written out; theirs are words by one regular expression)",
    );
    for (peer, packages) in PEERS {
        let Some(python) = Python::with(folder, packages) else { continue };
        let arguments = [Path::new(peer), &task.corpus, &task.benchmark];
        let theirs = python.seconds("bm25_peers.py", &arguments)?;
        say(&format!(
            "  {peer:<16} {:>9.1} ms   assize {:>7.1} ms   ratio {:>6.1}x",
            theirs * 1e3,
            ours * 1e3,
            theirs / ours
        ));
    }
    Ok(())
}

/// The default method against the peer's whole process, and against its index and queries alone.
fn hybrid(builds: &[Build], python: &Python, task: &Task) -> Result<()> {
    let ours = best_of_each(5, builds, |build| retrieve(build, task, "hybrid"))?;
    let whole = best_of(5, || {
        let mut command = python.script("bm25_peers.py");
        command.arg("bm25s").arg(&task.corpus).arg(&task.benchmark).arg("once");
        command
    })?;
    let alone =
        python.seconds("bm25_peers.py", &[Path::new("bm25s"), &task.corpus, &task.benchmark])?;
    for (build, ours) in builds.iter().zip(&ours) {
        say(&format!(
            "  {}: {} hybrid cpu {:.0} ms, peak {:.0} MB",
            task.corpus.display(),
            build.name,
            ours.cpu_seconds * 1e3,
            ours.peak_megabytes
        ));
        for (what, theirs) in [
            ("bm25s, its whole process", whole.cpu_seconds),
            ("bm25s, index and queries alone", alone),
        ] {
            let ratio = theirs / ours.cpu_seconds;
            say(&format!("    {what:<32} cpu {:>7.0} ms   ratio {ratio:.2}x", theirs * 1e3));
        }
    }
    Ok(())
}

fn growth(build: &Build, folder: &Path, largest: usize) -> Result<()> {
    say("\n## Growth: texts made here, 977 queries, BM25");
    let mut megabytes = GROWTH_MEGABYTES[0];
    while megabytes <= largest {
        let task = made(folder, megabytes)?;
        let cost = best_of(if megabytes > 100 { 1 } else { 3 }, || retrieve(build, &task, "bm25"))?;
        say(&format!(
            "  {megabytes:>5} MB   wall {:>7.2} s   cpu {:>7.2} s   {:>6.1} ms a MB   peak {:>6.0} MB",
            cost.wall_seconds,
            cost.cpu_seconds,
            cost.wall_seconds * 1e3 / megabytes as f64,
            cost.peak_megabytes
        ));
        megabytes *= 2;
    }
    Ok(())
}

/// So many megabytes of made-up text in files of a contract's size, and its queries.
fn made(folder: &Path, megabytes: usize) -> Result<Task> {
    let files = Sizes { count: megabytes * 1_000_000 / FILE_BYTES, bytes: FILE_BYTES };
    let queries = Sizes { count: QUERIES, bytes: 100 };
    generated(folder, &format!("corpus-{megabytes}"), [&files, &queries], text)
}

/// 6,000 abstracts, and questions as long as one.
fn abstracts(folder: &Path) -> Result<Task> {
    let files = Sizes { count: 6_000, bytes: 1_000 };
    generated(folder, "abstracts-2", [&files, &Sizes { count: 35, bytes: 700 }], prose)
}

/// How many texts, and how long each.
struct Sizes {
    count: usize,
    bytes: usize,
}

fn generated(
    folder: &Path,
    name: &str,
    [files, queries]: [&Sizes; 2],
    text: fn(&mut Numbers, usize) -> String,
) -> Result<Task> {
    let corpus = folder.join(name);
    let task = Task { benchmark: folder.join(format!("{name}.json")), corpus };
    if task.benchmark.exists() {
        return Ok(task);
    }
    fs::create_dir_all(&task.corpus).context("could not make the folder of the corpus")?;
    let mut numbers = Numbers::from(13);
    for index in 0..files.count {
        let text = text(&mut numbers, files.bytes);
        fs::write(task.corpus.join(format!("{index:06}.txt")), text)
            .context("could not write the corpus")?;
    }
    let mut tests = String::from("{\"tests\": [");
    for query in 0..queries.count {
        let separator = if query == 0 { "" } else { "," };
        let query = text(&mut numbers, queries.bytes);
        write!(tests, "{separator}\n{{\"query\": {:?}, \"snippets\": []}}", query.trim())?;
    }
    tests.push_str("\n]}\n");
    fs::write(&task.benchmark, tests).context("could not write the benchmark")?;
    Ok(task)
}

/// Text whose words are as unevenly frequent as real ones: each halving of the vocabulary
/// is as likely as the next.
fn text(numbers: &mut Numbers, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 16);
    while text.len() < bytes {
        let range = WORDS >> numbers.below(17);
        let number = numbers.below(range);
        let letters = (0..6).map(|place| (number >> (3 * place)) & 7);
        text.extend(letters.map(|letter| char::from(b"etaoinsr"[letter])));
        text.push_str(if numbers.below(15) == 0 { ". " } else { " " });
    }
    text
}

/// The words that make up half of every English text, most frequent first.
const FUNCTION_WORDS: [&str; 48] = [
    "the", "of", "and", "in", "to", "a", "is", "for", "that", "with", "as", "by", "are", "on",
    "be", "this", "an", "from", "which", "or", "was", "at", "it", "were", "has", "have", "not",
    "can", "been", "these", "between", "their", "its", "also", "but", "than", "more", "used",
    "other", "such", "both", "into", "may", "some", "when", "two", "only", "they",
];
const SYLLABLES: [&str; 32] = [
    "al", "an", "ar", "ba", "con", "de", "der", "di", "en", "er", "fer", "gen", "in", "ka", "lo",
    "ma", "men", "mo", "na", "or", "per", "po", "re", "ri", "sta", "su", "ta", "tem", "tion",
    "tra", "ver", "vi",
];
const ENDINGS: [&str; 6] = ["", "", "s", "ed", "ing", "ation"];

/// Prose as in abstracts: by Zipf's law, with function words in front, words that get longer the
/// rarer they are, and endings for a stemmer to take off.
fn prose(numbers: &mut Numbers, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 16);
    let mut begins = true;
    while text.len() < bytes {
        let narrowing = numbers.below(17);
        let rank = numbers.below(WORDS >> narrowing);
        let word = match FUNCTION_WORDS.get(rank) {
            Some(word) => (*word).to_owned(),
            None => content_word(rank) + ENDINGS[numbers.below(ENDINGS.len())],
        };
        if begins {
            text.extend(word.chars().take(1).flat_map(char::to_uppercase));
            text.extend(word.chars().skip(1));
        } else {
            text.push_str(&word);
        }
        begins = numbers.below(20) == 0;
        text.push_str(if begins { ". " } else { " " });
    }
    text
}

/// The syllables of a rank, two or more.
fn content_word(mut rank: usize) -> String {
    let mut word = String::new();
    while rank > 0 || word.len() < 4 {
        word.push_str(SYLLABLES[rank % SYLLABLES.len()]);
        rank /= SYLLABLES.len();
    }
    word
}
