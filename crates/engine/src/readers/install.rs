//! From a hub, a server or a folder to a reader of this machine: whole, checked, or not at all.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assize_readers::identity::{FILES, RECORD_FILE, sha256_of};
use assize_readers::{Identity, Record};
use reqwest::Client;

use super::ReadersError;
use super::fetch::{client, fetch, size};
use super::manifest::{Known, shipped};
use super::shelf::Shelf;

/// Without these a folder is no reader.
const NEEDED: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];
const NUMBERS: &str = "model.safetensors";
const PROMPTS: &str = "config_sentence_transformers.json";

/// What is to be installed.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The name it is used by.
    pub name: String,
    /// A folder, or an address that file names are added to; else the hub.
    pub from: Option<String>,
    /// The hub, in place of the one that ships.
    pub hub: Option<String>,
    /// What the numbers must have, pinned by hand.
    pub sha256: Option<String>,
}

/// What happens meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happening {
    /// What will be fetched, before anything is.
    Planned {
        /// From where.
        source: String,
        /// The licence, where one is known.
        licence: Option<String>,
        /// The size of the numbers, where the source says it.
        megabytes: Option<u64>,
    },
    /// So many bytes of a file are here.
    Arrived(&'static str, u64),
    /// A file whose hash nobody pinned, with what it has.
    Recorded(&'static str, String),
}

/// Someone who hears what happens.
pub type Hearing<'a> = &'a (dyn Fn(Happening) + Sync);

/// Installs a reader and says what it is. A failure leaves what has arrived for the next attempt;
/// a full disk leaves nothing.
pub async fn install(
    shelf: &Shelf,
    wanted: &Wanted,
    hear: Hearing<'_>,
) -> Result<Identity, ReadersError> {
    let place = shelf.place(&wanted.name)?;
    if place.is_dir() {
        return Err(ReadersError::Installed(wanted.name.clone()));
    }
    let unfinished = shelf.unfinished(&wanted.name)?;
    let installed = collect(shelf, wanted, (&unfinished, &place), hear).await;
    if let Err(ReadersError::NoSpace(_)) = installed {
        let _ = fs::remove_dir_all(&unfinished);
    }
    installed
}

async fn collect(
    shelf: &Shelf,
    wanted: &Wanted,
    (unfinished, place): (&Path, &Path),
    hear: Hearing<'_>,
) -> Result<Identity, ReadersError> {
    let known = shipped().into_iter().find(|one| one.name == wanted.name);
    let source = Source::of(wanted, known.as_ref())?;
    hear(Happening::Planned {
        source: source.shown(),
        licence: known.as_ref().map(|known| known.licence.clone()),
        megabytes: source.bytes().await.map(|bytes| bytes.div_ceil(1_000_000)),
    });
    let pooling = unfinished.join("1_Pooling");
    fs::create_dir_all(&pooling).map_err(|error| ReadersError::writing(&pooling, error))?;
    let mut revision = known.as_ref().and_then(|known| known.revision.clone());
    for name in FILES {
        let target = unfinished.join(name);
        if target.is_file() {
            continue;
        }
        match source.get(name, &target, hear).await {
            Ok(named) => revision = revision.or(named),
            Err(ReadersError::NotThere(_)) if !NEEDED.contains(&name) => {}
            Err(error) => return Err(error),
        }
    }
    write_prompts(known.as_ref(), unfinished)?;
    let pins = Pins { known: known.as_ref(), by_hand: wanted.sha256.as_deref() };
    let files = verified(unfinished, &pins, &shelf.recorded(&wanted.name), hear)?;
    let _ = fs::remove_dir(&pooling);
    let record = Record {
        name: wanted.name.clone(),
        revision,
        source: source.shown(),
        licence: known.map(|known| known.licence),
        files,
    };
    let path = unfinished.join(RECORD_FILE);
    let text = serde_json::to_string_pretty(&record).unwrap_or_default();
    fs::write(&path, text).map_err(|error| ReadersError::writing(&path, error))?;
    // A folder that cannot be opened is not installed.
    let identity = Shelf::at(unfinished.parent().unwrap_or(unfinished).to_owned())
        .check(&unfinished.display().to_string())?;
    shelf.record(&wanted.name, &record.files)?;
    fs::rename(unfinished, place).map_err(|error| ReadersError::writing(place, error))?;
    Ok(identity)
}

/// What a card asks for and the folder does not state.
fn write_prompts(known: Option<&Known>, folder: &Path) -> Result<(), ReadersError> {
    let prompts = known.map(|known| (&known.question_prompt, &known.passage_prompt));
    let (Some((Some(question), Some(passage))), path) = (prompts, folder.join(PROMPTS)) else {
        return Ok(());
    };
    if path.is_file() {
        return Ok(());
    }
    let prompts = BTreeMap::from([("query", question), ("passage", passage)]);
    let text = serde_json::to_string(&BTreeMap::from([("prompts", prompts)])).unwrap_or_default();
    fs::write(&path, text).map_err(|error| ReadersError::writing(&path, error))
}

/// Who says which hash a file must have.
struct Pins<'a> {
    known: Option<&'a Known>,
    by_hand: Option<&'a str>,
}

impl Pins<'_> {
    fn of(&self, name: &str) -> Option<(String, &'static str)> {
        if let Some(hash) = self.by_hand.filter(|_| name == NUMBERS) {
            return Some((hash.to_ascii_lowercase(), "pinned by hand"));
        }
        let hash = self.known?.sha256.get(name)?;
        Some((hash.clone(), "pinned by the manifest"))
    }
}

/// The hashes of all files; one that is not as pinned or as recorded before is removed.
fn verified(
    folder: &Path,
    pins: &Pins<'_>,
    recorded: &BTreeMap<String, String>,
    hear: Hearing<'_>,
) -> Result<BTreeMap<String, String>, ReadersError> {
    let mut files = BTreeMap::new();
    for name in FILES {
        let path = folder.join(name);
        let Some(found) = sha256_of(&path)? else { continue };
        let before = || Some((recorded.get(name)?.clone(), "recorded by the first installation"));
        match pins.of(name).or_else(before) {
            Some((expected, because)) if expected != found => {
                let _ = fs::remove_file(&path);
                let file = name.to_owned();
                return Err(ReadersError::OtherBytes { file, found, expected, because });
            }
            Some(_) => {}
            None => hear(Happening::Recorded(name, found.clone())),
        }
        files.insert(name.to_owned(), found);
    }
    Ok(files)
}

/// Where files come from.
enum Source {
    Folder(PathBuf),
    Server(Client, String),
}

impl Source {
    fn of(wanted: &Wanted, known: Option<&Known>) -> Result<Self, ReadersError> {
        let hub = wanted.hub.as_deref().unwrap_or(super::manifest::HUB);
        match (&wanted.from, known) {
            (Some(from), _) if from.starts_with("http://") || from.starts_with("https://") => {
                Ok(Self::Server(client(), from.trim_end_matches('/').to_owned()))
            }
            (Some(from), _) => Ok(Self::Folder(PathBuf::from(from))),
            (None, Some(known)) => Ok(Self::Server(client(), known.address(hub))),
            (None, None) => {
                let names: Vec<String> = shipped().into_iter().map(|one| one.name).collect();
                Err(ReadersError::Unknown(wanted.name.clone(), names.join(", ")))
            }
        }
    }

    fn shown(&self) -> String {
        match self {
            Self::Folder(folder) => folder.display().to_string(),
            // A password in an address is nobody's business.
            Self::Server(_, address) => match (address.split_once("://"), address.rfind('@')) {
                (Some((scheme, _)), Some(at)) => format!("{scheme}://{}", &address[at + 1..]),
                _ => address.clone(),
            },
        }
    }

    async fn bytes(&self) -> Option<u64> {
        match self {
            Self::Folder(folder) => fs::metadata(folder.join(NUMBERS)).ok().map(|file| file.len()),
            Self::Server(client, address) => size(client, &format!("{address}/{NUMBERS}")).await,
        }
    }

    async fn get(
        &self,
        name: &'static str,
        target: &Path,
        hear: Hearing<'_>,
    ) -> Result<Option<String>, ReadersError> {
        match self {
            Self::Server(client, address) => {
                let arrived = |bytes| hear(Happening::Arrived(name, bytes));
                fetch(client, &format!("{address}/{name}"), target, &arrived).await
            }
            Self::Folder(folder) => {
                let from = folder.join(name);
                if !from.is_file() {
                    return Err(ReadersError::NotThere(from.display().to_string()));
                }
                let copied = fs::copy(&from, target);
                if copied.is_err() {
                    let _ = fs::remove_file(target);
                }
                let bytes = copied.map_err(|error| ReadersError::writing(target, error))?;
                hear(Happening::Arrived(name, bytes));
                Ok(None)
            }
        }
    }
}
