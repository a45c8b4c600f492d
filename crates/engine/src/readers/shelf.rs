//! Where readers stand on this machine: one folder each, whole or not at all.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use assize_models::Variables;
use assize_readers::identity::sha256_of;
use assize_readers::models::{Kind, kind_of};
use assize_readers::{Encoder, Entailment, Identity, Record};
use assize_wire::models::LocalModel;
use serde::Serialize;

use super::ReadersError;
use crate::configuration::Written;

/// What every first installation recorded, beside the readers, so that a second one is compared
/// with it even if the reader was removed in between.
const KNOWN_FILE: &str = "recorded.json";

/// What an installation under way ends with.
const UNFINISHED: &str = ".part";

/// The folder of readers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelf {
    folder: PathBuf,
}

/// A reader that is installed, or something in its place that is none.
#[derive(Debug, Clone, Serialize)]
pub struct Installed {
    pub name: String,
    /// Where it stands.
    pub folder: PathBuf,
    /// `encoder` or `entailment`; nothing where it cannot be read.
    pub kind: Option<Kind>,
    /// The size of its numbers.
    pub megabytes: u64,
    /// What its installation recorded.
    pub record: Option<Record>,
    /// What is wrong with it.
    pub problem: Option<String>,
}

impl Shelf {
    /// In this folder.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Where the variable says, else the configuration, else where this user's data is.
    pub fn find(written: &Written, variables: &Variables) -> Result<Self, ReadersError> {
        written.readers_folder(variables).map(Self::at).ok_or(ReadersError::NoFolder)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where a reader of this name stands or would stand.
    pub fn place(&self, name: &str) -> Result<PathBuf, ReadersError> {
        let fits = |one: char| one.is_ascii_alphanumeric() || "-_.".contains(one);
        let is_name = !name.is_empty()
            && name.chars().all(fits)
            && !name.starts_with('.')
            && !name.ends_with(UNFINISHED);
        if is_name { Ok(self.folder.join(name)) } else { Err(ReadersError::Name(name.to_owned())) }
    }

    /// Where an installation of this name collects its files.
    pub(super) fn unfinished(&self, name: &str) -> Result<PathBuf, ReadersError> {
        let name = self.place(name)?.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(self.folder.join(format!("{name}{UNFINISHED}")))
    }

    /// The folder of a reader: a name that is installed, or a path.
    pub fn folder_of(&self, name: &str) -> Result<PathBuf, ReadersError> {
        if name.contains(['/', '\\']) {
            return Ok(PathBuf::from(name));
        }
        let place = self.place(name)?;
        if place.is_dir() {
            return Ok(place);
        }
        Err(ReadersError::NotInstalled { name: name.to_owned(), folder: self.folder.clone() })
    }

    /// Every reader that is installed, by name. None is read but for its headers.
    pub fn list(&self) -> Result<Vec<Installed>, ReadersError> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(ReadersError::File(self.folder.clone(), error)),
        };
        let mut names: Vec<String> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let name = entry.file_name().into_string().ok()?;
                (entry.path().is_dir() && self.place(&name).is_ok()).then_some(name)
            })
            .collect();
        names.sort();
        names.iter().map(|name| Ok(Installed::of(name, &self.place(name)?))).collect()
    }

    /// What programs and pages see of every reader.
    pub fn to_wire(&self) -> Vec<LocalModel> {
        let installed = self.list().unwrap_or_default();
        installed.into_iter().map(Installed::into_wire).collect()
    }

    /// Reads every byte of a reader, opens it, and says what it is.
    pub fn check(&self, name: &str) -> Result<Identity, ReadersError> {
        let folder = self.folder_of(name)?;
        match kind_of(&folder)? {
            Kind::Encoder => Ok(Encoder::open(&folder)?.identity().clone()),
            Kind::Entailment => Ok(Entailment::open(&folder)?.identity().clone()),
        }
    }

    /// Removes a reader, and what is left of an installation under way.
    pub fn remove(&self, name: &str) -> Result<(), ReadersError> {
        let (place, unfinished) = (self.place(name)?, self.unfinished(name)?);
        if !place.is_dir() && !unfinished.is_dir() {
            let (name, folder) = (name.to_owned(), self.folder.clone());
            return Err(ReadersError::NotInstalled { name, folder });
        }
        for folder in [place, unfinished].into_iter().filter(|folder| folder.is_dir()) {
            fs::remove_dir_all(&folder).map_err(|error| ReadersError::File(folder, error))?;
        }
        Ok(())
    }

    /// The hashes that the first installation of a name recorded.
    pub(super) fn recorded(&self, name: &str) -> BTreeMap<String, String> {
        self.all_recorded().remove(name).unwrap_or_default()
    }

    /// Records the hashes of a first installation.
    pub(super) fn record(
        &self,
        name: &str,
        files: &BTreeMap<String, String>,
    ) -> Result<(), ReadersError> {
        let mut all = self.all_recorded();
        all.insert(name.to_owned(), files.clone());
        let path = self.folder.join(KNOWN_FILE);
        let text = serde_json::to_string_pretty(&all).unwrap_or_default();
        fs::write(&path, text).map_err(|error| ReadersError::writing(&path, error))
    }

    fn all_recorded(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        let bytes = fs::read(self.folder.join(KNOWN_FILE)).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }
}

impl Installed {
    fn of(name: &str, folder: &Path) -> Self {
        let kind = kind_of(folder);
        let problem = kind.as_ref().err().map(ToString::to_string);
        let bytes = fs::metadata(folder.join("model.safetensors")).map_or(0, |file| file.len());
        Self {
            name: name.to_owned(),
            folder: folder.to_owned(),
            kind: kind.ok(),
            megabytes: bytes / 1_000_000,
            record: Record::read(folder).ok().flatten(),
            problem,
        }
    }

    /// The hash is the recorded one: a page does not read every byte.
    fn into_wire(self) -> LocalModel {
        let record = self.record;
        let recorded = record.as_ref().and_then(|record| record.files.get("model.safetensors"));
        LocalModel {
            kind: self.kind.map(|kind| kind.to_string()),
            megabytes: self.megabytes,
            sha256: recorded.cloned(),
            licence: record.as_ref().and_then(|record| record.licence.clone()),
            revision: record.and_then(|record| record.revision),
            name: self.name,
            problem: self.problem,
        }
    }

    /// The hash of its numbers, as recorded or as they are.
    pub fn sha256(&self) -> Option<String> {
        const NUMBERS: &str = "model.safetensors";
        let recorded = self.record.as_ref().and_then(|record| record.files.get(NUMBERS).cloned());
        recorded.or_else(|| sha256_of(&self.folder.join(NUMBERS)).ok().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_lead_out_of_the_folder() {
        let shelf = Shelf::at(PathBuf::from("/readers"));
        for name in ["", "..", ".hidden", "a/b", "a\\b", "minilm.part"] {
            assert!(shelf.place(name).is_err(), "{name}");
        }
        assert_eq!(shelf.place("nli-x_1.5").unwrap(), Path::new("/readers/nli-x_1.5"));
    }

    #[test]
    fn the_variable_goes_before_the_configuration_and_that_before_the_users_data() {
        let mut written = Written::default();
        let find = |written: &Written, set: &'static [(&str, &str)]| {
            let of = move |name: &str| {
                let found = set.iter().find(|(set, _)| *set == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            Shelf::find(written, &Variables::new(of)).map(|shelf| shelf.folder)
        };
        assert_eq!(
            find(&written, &[("HOME", "/h")]).unwrap(),
            Path::new("/h/.local/share/assize/readers")
        );
        written.readers.folder = Some(PathBuf::from("/own"));
        assert_eq!(find(&written, &[("HOME", "/h")]).unwrap(), Path::new("/own"));
        assert_eq!(find(&written, &[("ASSIZE_READERS", "/set")]).unwrap(), Path::new("/set"));
        assert!(find(&Written::default(), &[("ASSIZE_READERS", "")]).is_err());
    }
}
