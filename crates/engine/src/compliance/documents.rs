//! Documents: read from files, kept with their originals, found by set and name.

use std::collections::BTreeMap;

use assize_documents::{Document as Read, Limits, Notice, Page, Paragraph};
use assize_methods::schema::fields;
use assize_store::{DocSet, DocSetId, Document, DocumentEntry, DocumentId};
use async_recursion::async_recursion as boxed;
use chrono::Utc;
use serde::{Deserialize, Serialize};

use super::error::{ComplianceError, Result};
use super::evaluate::{IntakeEvent, Tell};
use super::mask::Identifiers;
use super::material::Exhibit;
use crate::Workspace;

/// Of many documents that are added at once, so many are named in the audit.
const NAMES_MAX: usize = 20;

/// Where pages and paragraphs lie in a text, in code points.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Offsets {
    /// The pages; empty when the format has none.
    #[serde(default)]
    pub pages: Vec<Page>,
    #[serde(default)]
    pub paragraphs: Vec<Paragraph>,
    /// What the reader wanted known.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

impl Offsets {
    /// Those of a stored document; old rows have none.
    pub fn of(document: &Document) -> Self {
        let json = document.text_offsets.clone();
        json.and_then(|json| serde_json::from_value(json).ok()).unwrap_or_default()
    }
}

/// A document that was added.
#[derive(Debug, Clone)]
pub struct Added {
    /// What a list shows of it.
    pub entry: DocumentEntry,
    /// Whether the set held just this already.
    pub was_there: bool,
    /// What its reader wants known.
    pub notices: Vec<Notice>,
}

/// A file that could be read, and is not kept yet: what is refused leaves nothing behind.
#[derive(Debug, Clone)]
pub struct ReadDocument {
    name: String,
    bytes: Vec<u8>,
    read: Read,
}

impl ReadDocument {
    /// Reads a file.
    pub fn new(name: &str, bytes: Vec<u8>) -> Result<Self> {
        let read = assize_documents::read(&bytes, name, &Limits::default());
        let read = read.map_err(|source| ComplianceError::document(name, source))?;
        Ok(Self { name: name.to_owned(), bytes, read })
    }

    /// The same content under another name: a version of the document of that name.
    #[must_use]
    pub(crate) fn renamed(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The document as a judge sees it, without having been stored.
    pub(super) fn exhibit(&self, id: DocumentId, hidden: Option<&Identifiers>) -> Exhibit {
        let Read { text, pages, paragraphs, notices, .. } = self.read.clone();
        let text = hidden.map(|identifiers| identifiers.hide(&text)).unwrap_or(text);
        let offsets = Offsets { pages, paragraphs, notices };
        Exhibit { id, name: self.name.clone(), text, offsets }
    }

    /// Tells what its reader wants known.
    pub(crate) fn tell_notices(&self, tell: Tell<'_>) {
        for notice in &self.read.notices {
            tell(IntakeEvent::Noticed(&self.name, notice.to_string()));
        }
    }
}

impl Workspace {
    /// The document set with that id, which stays, or of that name, which may change.
    #[boxed]
    pub async fn document_set(&self, name: &str) -> Result<DocSet> {
        let sets = self.store.doc_sets();
        if let Some(set) = sets.get(&self.organisation, &DocSetId::from(name)).await? {
            return Ok(set);
        }
        let found = sets.find(&self.organisation, name).await?;
        found.ok_or_else(|| ComplianceError::missing("document set", name))
    }

    /// The document set of that name; made if there is none.
    #[boxed]
    pub async fn make_document_set(&self, name: &str) -> Result<DocSet> {
        let set = DocSet::new(&self.organisation, name, Utc::now());
        let (set, is_new) = self.store.doc_sets().make(&set).await?;
        if is_new {
            let what = ["insert", "document set", set.id.as_str()];
            self.note(what, (None, Some(name.into()))).await?;
        }
        Ok(set)
    }

    /// Adds a document to a set. One of a used name is a new version of that document; earlier
    /// runs keep the version they judged.
    #[boxed]
    pub async fn add_document(&self, set: &DocSet, document: &ReadDocument) -> Result<Added> {
        let added = self.kept_document(set, document).await?;
        self.audit_upload(set, std::slice::from_ref(&added)).await?;
        Ok(added)
    }

    /// The same for several, which are one entry of the audit.
    #[boxed]
    pub(crate) async fn add_documents(
        &self,
        set: &DocSet,
        documents: &[ReadDocument],
    ) -> Result<Vec<Added>> {
        let mut added = Vec::with_capacity(documents.len());
        for document in documents {
            match self.kept_document(set, document).await {
                Ok(one) => added.push(one),
                Err(error) => {
                    // Those before it are kept, and the audit says so.
                    self.audit_upload(set, &added).await?;
                    return Err(error);
                }
            }
        }
        self.audit_upload(set, &added).await?;
        Ok(added)
    }

    async fn audit_upload(&self, set: &DocSet, added: &[Added]) -> Result<()> {
        let new: Vec<&Added> = added.iter().filter(|one| !one.was_there).collect();
        let (what, after) = match *new {
            [] => return Ok(()),
            [one] => {
                let DocumentEntry { id, name, version, .. } = &one.entry;
                let after = [("name", name.as_str().into()), ("version", (*version).into())];
                (["upload", "document", id.as_str()], fields(after))
            }
            _ => {
                let names = new.iter().take(NAMES_MAX).map(|one| one.entry.name.as_str());
                let names = names.collect::<Vec<_>>();
                let after = [("documents", new.len().into()), ("names", names.into())];
                (["upload", "document set", set.id.as_str()], fields(after))
            }
        };
        Ok(self.note(what, (None, Some(after))).await?)
    }

    async fn kept_document(&self, set: &DocSet, document: &ReadDocument) -> Result<Added> {
        let ReadDocument { name, bytes, read } = document;
        let row = to_store(set, name, bytes.len(), read)?;
        let documents = self.store.documents();
        let (entry, was_there) = documents.put(&self.organisation, &row, bytes).await?;
        Ok(Added { entry, was_there, notices: read.notices.clone() })
    }

    /// The documents of a set, by name; of several with the same name the latest.
    #[boxed]
    pub async fn current_documents(&self, set: &DocSet) -> Result<Vec<DocumentEntry>> {
        let mut latest: BTreeMap<String, DocumentEntry> = BTreeMap::new();
        for entry in self.store.documents().list(&self.organisation, &set.id).await? {
            if entry.archived_at.is_some() {
                continue;
            }
            match latest.get(&entry.name) {
                Some(known) if known.version >= entry.version => {}
                _ => drop(latest.insert(entry.name.clone(), entry)),
            }
        }
        Ok(latest.into_values().collect())
    }

    /// The document of that name in a set.
    #[boxed]
    pub async fn document(&self, set: &DocSet, name: &str) -> Result<Document> {
        let mut entries = self.current_documents(set).await?;
        entries.retain(|entry| entry.name == name);
        match entries.first() {
            Some(entry) => self.document_by_id(&entry.id).await,
            None => Err(ComplianceError::missing("document", name)),
        }
    }

    #[boxed]
    pub async fn document_by_id(&self, id: &DocumentId) -> Result<Document> {
        let found = self.store.documents().get(&self.organisation, id).await?;
        found.ok_or_else(|| ComplianceError::missing("document", id.as_str()))
    }
}

/// The text of a file, as a judge would see it.
pub fn text(name: &str, bytes: &[u8]) -> Result<String> {
    let read = assize_documents::read(bytes, name, &Limits::default());
    Ok(read.map_err(|source| ComplianceError::document(name, source))?.text)
}

fn to_store(set: &DocSet, name: &str, byte_count: usize, read: &Read) -> Result<Document> {
    let now = Utc::now();
    let Read { media_type, hash, text, pages, paragraphs, notices } = read.clone();
    let offsets = Offsets { pages, paragraphs, notices };
    Ok(Document {
        entry: DocumentEntry {
            id: DocumentId::of(&[set.id.as_str(), name, &hash, &now.to_rfc3339()]),
            doc_set_id: set.id.clone(),
            name: name.to_owned(),
            media_type: media_type.as_str().to_owned(),
            content_hash: Some(hash),
            byte_count: i64::try_from(byte_count).ok(),
            created_at: now,
            version: 1,
            archived_at: None,
        },
        content_text: text,
        text_offsets: ComplianceError::json("the places of a document", &offsets)?,
    })
}
