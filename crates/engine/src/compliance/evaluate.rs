//! One evaluation from what a caller hands over to a planned run: files are imported on the way.

use std::collections::BTreeSet;

use assize_store::{CriteriaSet, DocSet, DocumentEntry, Run};
use async_recursion::async_recursion as boxed;

use super::criteria::{ImportEnded, Imported};
use super::documents::ReadDocument;
use super::error::{ComplianceError, Result};
use super::intake::{Reading, read_criteria_by};
use super::plan::Plan;
use super::request::ComplianceRequest;
use crate::Workspace;
use crate::asking::JudgeName;

/// A file that is handed over: its name decides how it is read and what it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFile {
    /// The last part of its path.
    pub name: String,
    /// All of its content.
    pub bytes: Vec<u8>,
}

impl NamedFile {
    /// Its name without the ending.
    pub fn stem(&self) -> &str {
        self.name.rsplit_once('.').map_or(self.name.as_str(), |(stem, _)| stem)
    }
}

/// What is to be evaluated, and how.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// A criteria set by its name.
    pub criteria: String,
    /// Criteria to import if there is no set of that name.
    pub criteria_file: Option<NamedFile>,
    /// The document set: one that is there, or the one that the files go to.
    pub documents: String,
    /// Documents to import; empty evaluates all of a set that is there.
    pub document_files: Vec<NamedFile>,
    /// How they are judged.
    pub request: ComplianceRequest,
}

/// What a caller may want to tell while files are imported.
#[derive(Debug)]
#[non_exhaustive]
pub enum IntakeEvent<'a> {
    /// The reader of a file noticed something; all of the file is used.
    Noticed(&'a str, String),
    /// Rows of a file cannot be used, each with its number and the reason.
    Unusable(&'a str, &'a [String]),
    /// A criteria set was made, or follows its file again.
    Imported(&'a ImportEnded),
}

/// Takes events as they happen.
pub type Tell<'a> = &'a mut (dyn FnMut(IntakeEvent<'_>) + Send);

impl Workspace {
    /// Imports what has to be, and writes the plan down. Nothing is judged yet. `attempt` says
    /// which of several replies to the same question counts.
    pub async fn begin(&self, evaluation: Evaluation, attempt: u32, tell: Tell<'_>) -> Result<Run> {
        self.begin_changed(evaluation, attempt, None, tell).await
    }

    /// The same for what changed since an earlier run: documents of which it judged another
    /// version or none. If criteria changed, all documents did.
    pub async fn begin_changed(
        &self,
        evaluation: Evaluation,
        attempt: u32,
        since: Option<&Run>,
        tell: Tell<'_>,
    ) -> Result<Run> {
        // Checked and read before anything is kept: what is refused leaves nothing behind.
        evaluation.request.check()?;
        let read = read_files(&evaluation.document_files)?;
        let criteria_set = &self.criteria_of(&evaluation, tell).await?;
        let (document_set, mut documents) =
            self.documents_of(&evaluation.documents, &read, tell).await?;
        if let Some(since) = since {
            self.keep_changed(criteria_set, &mut documents, since).await?;
        }
        let material = (criteria_set, &document_set, documents);
        self.plan_request(material, evaluation.request, attempt).await
    }

    /// Writes down what a request asks for; a judge that it does not name is the set's own.
    pub(crate) async fn plan_request(
        &self,
        (criteria_set, document_set, documents): (&CriteriaSet, &DocSet, Vec<DocumentEntry>),
        request: ComplianceRequest,
        attempt: u32,
    ) -> Result<Run> {
        let ComplianceRequest { judge, template, context_tokens, mask_identifiers, repeat } =
            request;
        let judge = match judge {
            Some(judge) => judge,
            None => self.default_judge(&criteria_set.name).await?,
        };
        let template = match judge {
            JudgeName::Rules => None,
            _ => Some(self.template_for(criteria_set, template.as_deref()).await?),
        };
        self.plan(Plan {
            criteria_set,
            document_set,
            documents,
            judge,
            template,
            rubric: None,
            context_tokens,
            masks_identifiers: mask_identifiers,
            repeat,
            attempt,
        })
        .await
    }

    async fn keep_changed(
        &self,
        criteria_set: &CriteriaSet,
        documents: &mut Vec<DocumentEntry>,
        since: &Run,
    ) -> Result<()> {
        let words =
            |id: String, requirement: String, description: String| (id, requirement, description);
        let now = self.criteria(criteria_set).await?.into_iter();
        let now: BTreeSet<_> =
            now.map(|item| words(item.criteria_id, item.requirement, item.description)).collect();
        let then = self.store.plans().criteria(&self.organisation, &since.id).await?.into_iter();
        let then: BTreeSet<_> =
            then.map(|item| words(item.criteria_id, item.requirement, item.description)).collect();
        if now != then {
            return Ok(());
        }
        let judged = self.store.plans().documents(&self.organisation, &since.id).await?;
        documents.retain(|entry| !judged.contains(&entry.id));
        if documents.is_empty() {
            let because = format!("nothing has changed since run #{}", since.number);
            return Err(ComplianceError::Refused(because));
        }
        Ok(())
    }

    /// Who judges a set unless somebody else is named: what a search promoted, or the rules.
    #[boxed]
    pub async fn default_judge(&self, criteria: &str) -> Result<JudgeName> {
        let set = self.find_criteria_set(criteria).await?;
        let Some(name) = set.and_then(|set| set.default_judge) else {
            return Ok(JudgeName::Rules);
        };
        name.parse().map_err(|_| ComplianceError::Refused(format!("`{name}` is not a judge")))
    }

    async fn criteria_of(&self, evaluation: &Evaluation, tell: Tell<'_>) -> Result<CriteriaSet> {
        let Evaluation { criteria, criteria_file, .. } = evaluation;
        if let Some(set) = self.find_criteria_set(criteria).await? {
            return Ok(set);
        }
        let Some(file) = criteria_file else {
            return Err(ComplianceError::missing("criteria set and no file", criteria));
        };
        let ended = self.import_criteria_file(file, file.stem(), "", tell).await?;
        tell(IntakeEvent::Imported(&ended));
        Ok(ended.set)
    }

    pub(crate) async fn documents_of(
        &self,
        name: &str,
        files: &[ReadDocument],
        tell: Tell<'_>,
    ) -> Result<(DocSet, Vec<DocumentEntry>)> {
        if files.is_empty() {
            let set = self.document_set(name).await?;
            let documents = self.current_documents(&set).await?;
            return Ok((set, documents));
        }
        let set = self.make_document_set(name).await?;
        let mut documents = Vec::with_capacity(files.len());
        for (file, added) in files.iter().zip(self.add_documents(&set, files).await?) {
            for notice in added.notices {
                tell(IntakeEvent::Noticed(file.name(), notice.to_string()));
            }
            if !added.was_there && added.entry.version > 1 {
                let version = format!("this is version {} of that document", added.entry.version);
                tell(IntakeEvent::Noticed(file.name(), version));
            }
            documents.push(added.entry);
        }
        Ok((set, documents))
    }

    /// Imports a file of criteria into a set of that name. A file with rows that cannot be used is
    /// refused.
    pub async fn import_criteria_file(
        &self,
        file: &NamedFile,
        name: &str,
        description: &str,
        tell: Tell<'_>,
    ) -> Result<ImportEnded> {
        let set = (name, description);
        self.import_criteria_file_by(file, &Reading::default(), set, tell).await
    }

    /// The same where the user says which sheet it is, which column holds what, and whether rows
    /// that cannot be used are left out.
    pub async fn import_criteria_file_by(
        &self,
        file: &NamedFile,
        reading: &Reading,
        (name, description): (&str, &str),
        tell: Tell<'_>,
    ) -> Result<ImportEnded> {
        let criteria = usable_criteria(file, reading, tell)?;
        self.import_criteria(name, description, &criteria).await
    }
}

/// The criteria of a file. Rows that cannot be used are told, and the file is refused unless they
/// may be left out.
pub(crate) fn usable_criteria(
    file: &NamedFile,
    reading: &Reading,
    tell: Tell<'_>,
) -> Result<Vec<Imported>> {
    let read = read_criteria_by(&file.bytes, &file.name, reading)
        .map_err(|source| ComplianceError::Intake { name: file.name.clone(), source })?;
    for notice in read.notices {
        tell(IntakeEvent::Noticed(&file.name, notice));
    }
    tell(IntakeEvent::Unusable(&file.name, &read.problems));
    if read.items.is_empty() {
        let because = format!("{} contains no usable criteria", file.name);
        return Err(ComplianceError::Refused(because));
    }
    if !reading.skip_unusable {
        ComplianceError::refuse_unusable(&file.name, read.unusable, &read.problems)?;
    }
    Ok(read.items)
}

/// Files as documents; two of one name, and whatever cannot be read, are refused.
pub(crate) fn read_files(files: &[NamedFile]) -> Result<Vec<ReadDocument>> {
    let mut names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    names.sort_unstable();
    if let Some([name, _]) = names.array_windows().find(|[one, next]| one == next) {
        return Err(ComplianceError::Refused(format!(
            "two of the files are named {name}; give their folder, or add them to separate sets"
        )));
    }
    files.iter().map(|file| ReadDocument::new(&file.name, file.bytes.clone())).collect()
}
