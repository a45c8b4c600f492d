//! Document sets and documents as people see them, and files that they hand over.

use std::collections::{BTreeMap, HashMap, HashSet};

use assize_store::{DocSet, DocumentEntry, DocumentId};
use assize_wire::workplace::{
    DocumentRow, DocumentSetRow, DocumentSetView, DocumentView, RefusedFile, UploadReport,
};
use async_recursion::async_recursion as boxed;

use crate::Workspace;
use crate::compliance::documents::{Offsets, ReadDocument};
use crate::compliance::evaluate::NamedFile;
use crate::compliance::material::document_findings;
use crate::compliance::wire::document;
use crate::compliance::{ComplianceError, Result};

/// Documents on a page.
const PAGE: usize = 100;
/// A list of sets names so many documents of each.
const FIRST: usize = 5;
/// How Word calls what it leaves beside a document while that is open.
const LOCK: &str = "~$";
/// So many characters of a document are shown as its beginning.
const BEGINNING: usize = 4_000;

/// Everything that is known of the documents of a set.
struct Holdings {
    /// Every document by name: all versions, the oldest first.
    documents: BTreeMap<String, Vec<DocumentEntry>>,
    findings: HashMap<DocumentId, Vec<String>>,
    uses: Vec<(DocumentId, i64)>,
}

impl Holdings {
    fn rows(&self) -> impl Iterator<Item = DocumentRow> + '_ {
        self.documents.values().filter_map(|versions| self.row(versions))
    }

    fn row(&self, versions: &[DocumentEntry]) -> Option<DocumentRow> {
        let latest = versions.last()?;
        let ids: HashSet<&DocumentId> = versions.iter().map(|version| &version.id).collect();
        let mut runs: Vec<i64> =
            self.uses.iter().filter(|(id, _)| ids.contains(id)).map(|(_, run)| *run).collect();
        runs.dedup();
        Some(DocumentRow {
            findings: self.findings.get(&latest.id).cloned().unwrap_or_default(),
            runs,
            is_archived: latest.archived_at.is_some(),
            entry: document(latest.clone()),
        })
    }

    fn describe(&self, set: &DocSet) -> DocumentSetRow {
        let current: Vec<&DocumentEntry> = self
            .documents
            .values()
            .filter_map(|versions| versions.last())
            .filter(|latest| latest.archived_at.is_none())
            .collect();
        let runs: HashSet<i64> = self.uses.iter().map(|(_, run)| *run).collect();
        let first = current.iter().take(FIRST);
        DocumentSetRow {
            id: set.id.to_string(),
            name: set.name.clone(),
            first: first.map(|entry| (entry.name.clone(), entry.id.to_string())).collect(),
            documents: current.len(),
            runs: runs.len(),
            created_at: set.created_at,
            is_archived: set.archived_at.is_some(),
        }
    }
}

/// Whether a document is among those that are asked for.
fn is_shown(row: &DocumentRow, only: &str) -> bool {
    match only {
        "archived" => row.is_archived,
        _ if row.is_archived => false,
        "findings" => !row.findings.is_empty(),
        "unused" => row.runs.is_empty(),
        _ => true,
    }
}

impl Workspace {
    /// The document sets that are in use, or those that are archived.
    #[boxed]
    pub async fn document_sets_page(&self, is_archived: bool) -> Result<Vec<DocumentSetRow>> {
        let mut rows = Vec::new();
        for set in self.store.doc_sets().list(&self.organisation).await? {
            if set.archived_at.is_some() == is_archived {
                rows.push(self.holdings(&set).await?.describe(&set));
            }
        }
        Ok(rows)
    }

    /// A page of the documents of a set: those whose name contains `search`, of the kind `only`.
    #[boxed]
    pub async fn document_set_view(
        &self,
        id: &str,
        search: &str,
        only: &str,
        from: usize,
    ) -> Result<DocumentSetView> {
        let set = self.document_set(id).await?;
        let held = self.holdings(&set).await?;
        let wanted = search.trim().to_lowercase();
        let rows: Vec<DocumentRow> =
            held.rows().filter(|row| row.entry.name.to_lowercase().contains(&wanted)).collect();
        let count = |kind: &str| rows.iter().filter(|row| is_shown(row, kind)).count();
        let counts = ["all", "findings", "unused", "archived"];
        let counts: Vec<(String, usize)> =
            counts.into_iter().map(|kind| (kind.to_owned(), count(kind))).collect();
        let known = counts.iter().any(|(kind, _)| kind == only);
        let only = if known { only } else { "all" };
        let all = count(only);
        let shown = rows.into_iter().filter(|row| is_shown(row, only)).skip(from).take(PAGE);
        Ok(DocumentSetView {
            set: held.describe(&set),
            documents: shown.collect(),
            search: search.trim().to_owned(),
            only: only.to_owned(),
            counts,
            from,
            next: Some(from.saturating_add(PAGE)).filter(|next| *next < all),
        })
    }

    /// A document of a set with its versions; any of them names it.
    #[boxed]
    pub async fn document_view(&self, set: &str, id: &str) -> Result<DocumentView> {
        let set = self.document_set(set).await?;
        let held = self.holdings(&set).await?;
        let missing = || ComplianceError::missing("document", id);
        let is_it = |version: &DocumentEntry| version.id.as_str() == id;
        let versions =
            held.documents.values().find(|all| all.iter().any(is_it)).ok_or_else(missing)?;
        let row = held.row(versions).ok_or_else(missing)?;
        let latest = versions.last().ok_or_else(missing)?;
        let found = self.document_by_id(&latest.id).await?;
        let pages = Offsets::of(&found).pages.len();
        let text: String = found.content_text.chars().take(BEGINNING).collect();
        let runs = |version: &DocumentEntry| {
            held.uses.iter().filter(|(id, _)| *id == version.id).map(|(_, run)| *run).collect()
        };
        Ok(DocumentView {
            versions: versions
                .iter()
                .rev()
                .map(|version| (document(version.clone()), runs(version)))
                .collect(),
            words: found.content_text.split_whitespace().count(),
            pages: Some(pages).filter(|pages| *pages > 0),
            is_whole: text.len() == found.content_text.len(),
            text,
            row,
            set: (set.id.to_string(), set.name),
        })
    }

    /// Stores every file that can be read, and says of the others why not.
    #[boxed]
    pub async fn upload_documents(
        &self,
        set: &DocSet,
        files: Vec<NamedFile>,
    ) -> Result<UploadReport> {
        let (mut read, mut report) = (Vec::new(), UploadReport::default());
        let mut names = HashSet::new();
        for NamedFile { name, bytes } in files {
            let one = if name.starts_with(LOCK) {
                Err("Word’s note that a document is open, and not the document".to_owned())
            } else if names.insert(name.clone()) {
                ReadDocument::new(&name, bytes).map_err(|error| reason(&error))
            } else {
                Err("another of these files has the same name".to_owned())
            };
            match one {
                Ok(document) => read.push(document),
                Err(reason) => report.refused.push(RefusedFile { name, reason }),
            }
        }
        for added in self.add_documents(set, &read).await? {
            let name = &added.entry.name;
            report.notices.extend(added.notices.iter().map(|notice| format!("{name}: {notice}")));
            if added.was_there {
                report.notices.push(format!("{name}: is there already, unchanged"));
            } else if added.entry.version > 1 {
                let version = added.entry.version;
                report.notices.push(format!("{name}: is now version {version}"));
            }
            report.documents.push(document(added.entry));
        }
        Ok(report)
    }

    /// Stores a file as the next version of a document, whatever the file is called.
    #[boxed]
    pub async fn replace_document(&self, set: &DocSet, name: &str, file: NamedFile) -> Result<()> {
        let read = ReadDocument::new(&file.name, file.bytes)?.renamed(name);
        self.add_document(set, &read).await.map(drop)
    }

    async fn holdings(&self, set: &DocSet) -> Result<Holdings> {
        let store = self.store.documents();
        let mut documents: BTreeMap<String, Vec<DocumentEntry>> = BTreeMap::new();
        for entry in store.list(&self.organisation, &set.id).await? {
            documents.entry(entry.name.clone()).or_default().push(entry);
        }
        let mut findings = HashMap::new();
        for (id, offsets) in store.noticed_in_set(&self.organisation, &set.id).await? {
            let offsets: Offsets = serde_json::from_value(offsets).unwrap_or_default();
            let found = document_findings(&offsets.notices).map(|finding| finding.message);
            findings.insert(id, found.collect());
        }
        let uses = store.uses(&self.organisation, &set.id).await?;
        Ok(Holdings { documents, findings, uses })
    }
}

/// Why a file is no document, without its name.
fn reason(error: &ComplianceError) -> String {
    match error {
        ComplianceError::Document { source, .. } => source.to_string(),
        other => other.to_string(),
    }
}
