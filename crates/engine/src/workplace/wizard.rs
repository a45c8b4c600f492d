//! A new evaluation step by step: which column holds what, what it would cost, and its plan.

use assize_documents::{criteria, table};
use assize_methods::compliance::{AssessAsk, AssessTemplate, Criterion, ResponseStructure, Rubric};
use assize_models::ModelName;
use assize_store::{DocumentEntry, Run};
use assize_wire::estimate::Estimate as EstimateShape;
use assize_wire::workplace::{CriteriaPreview, CriterionPreview, RunPreview, UploadReport};
use async_recursion::async_recursion as boxed;

use crate::Workspace;
use crate::asking::{AskSession, Estimate, JudgeName};
use crate::compliance::context::TOKENS_MAX;
use crate::compliance::criteria::{rubric, structure};
use crate::compliance::evaluate::{NamedFile, usable_criteria};
use crate::compliance::intake::{Reading, read_criteria_by};
use crate::compliance::{ComplianceError, ComplianceRequest, Result};

/// Rows that a preview shows.
const ROWS_SHOWN: usize = 3;
/// Questions that are written out for an estimate; of more, so many evenly spread.
const ASKS_WRITTEN_MAX: usize = 200;
/// Bytes of a usual token; the same rule of thumb as for the bill.
const BYTES_A_TOKEN: usize = 4;

/// Where the criteria come from.
#[derive(Debug, Clone)]
pub enum CriteriaSource {
    /// An existing set.
    Set(String),
    /// A file that becomes a set of that name.
    File {
        /// What the set is to be called.
        name: String,
        /// The file.
        file: NamedFile,
        /// Which sheet it is, and which column holds what.
        reading: Reading,
    },
}

/// What somebody wants to have evaluated.
#[derive(Debug, Clone)]
pub struct Intended {
    /// What documents are held against.
    pub criteria: CriteriaSource,
    /// The document set.
    pub documents: String,
    /// Which of its documents, by their ids; empty takes all.
    pub document_ids: Vec<String>,
    /// How they are judged.
    pub request: ComplianceRequest,
    /// What it may cost in its life, in billionths of a dollar.
    pub budget_nanodollars: Option<u64>,
}

/// Looks at a list of criteria before it is imported.
pub fn preview_criteria(file: &NamedFile, reading: &Reading) -> CriteriaPreview {
    let mut preview = CriteriaPreview {
        sheets: table::sheets(&file.bytes),
        sheet: reading.sheet.clone().unwrap_or_default(),
        skips_unusable: reading.skip_unusable,
        ..CriteriaPreview::default()
    };
    let known = criteria::known_names();
    if let Ok(found) = table::read_for(&file.bytes, &file.name, reading, &known)
        && !found.headers.is_empty()
    {
        let stated = |field: &str| reading.mapping.get(field).map(ToOwned::to_owned);
        let fields = criteria::columns_by(&found, &reading.mapping)
            .unwrap_or_else(|_| criteria::FIELDS.map(|field| (field, stated(field))));
        preview.fields =
            fields.into_iter().map(|(field, column)| (field.to_owned(), column)).collect();
        let unused = criteria::FIELDS.into_iter().filter(|field| reading.mapping.is_unused(field));
        preview.unused = unused.map(ToOwned::to_owned).collect();
        preview.sheet = found.sheet.unwrap_or(preview.sheet);
        preview.rows = found.rows.into_iter().take(ROWS_SHOWN).map(|row| row.cells).collect();
        preview.columns = found.headers;
    }
    match read_criteria_by(&file.bytes, &file.name, reading) {
        Ok(read) => {
            (preview.usable, preview.unusable) = (read.items.len(), read.unusable);
            let shown = read.items.into_iter().take(ROWS_SHOWN).map(|item| item.criterion);
            preview.criteria = shown.map(shape).collect();
            (preview.problems, preview.notices) = (read.problems, read.notices);
        }
        Err(error) => preview.refused = Some(error.to_string()),
    }
    preview
}

fn shape(criterion: Criterion) -> CriterionPreview {
    let Criterion { id, requirement, description } = criterion;
    CriterionPreview { id, requirement, description }
}

/// Criteria with what their set says about scores and answers.
type Material = (Vec<Criterion>, Rubric, ResponseStructure);

impl Workspace {
    /// Keeps files as documents of a set, which is made if there is none. Returns their ids, and
    /// what there is to tell; files that cannot be read are told, and refused if none can.
    #[boxed]
    pub async fn keep_documents(
        &self,
        set: &str,
        files: Vec<NamedFile>,
    ) -> Result<(Vec<String>, Vec<String>)> {
        let set = self.make_document_set(set).await?;
        let UploadReport { documents, refused, notices } =
            self.upload_documents(&set, files).await?;
        let refused = refused.into_iter().map(|file| format!("{}: {}", file.name, file.reason));
        if documents.is_empty() {
            return Err(ComplianceError::Refused(refused.collect::<Vec<_>>().join("; ")));
        }
        let told = refused.map(|line| format!("not added: {line}")).chain(notices).collect();
        Ok((documents.into_iter().map(|entry| entry.id).collect(), told))
    }

    /// What an evaluation would judge and take. Nothing is sent in a session that may spend
    /// nothing, and nothing is kept.
    #[boxed]
    pub async fn preview_run(
        &self,
        intended: &Intended,
        session: &AskSession,
    ) -> Result<RunPreview> {
        let material = self.material(&intended.criteria).await?;
        let documents = self.wanted_documents(intended).await?;
        let mut preview = RunPreview {
            criteria: material.0.len(),
            documents: documents.iter().map(|entry| entry.name.clone()).collect(),
            estimate: None,
            is_from_sample: false,
        };
        if let JudgeName::Model(name) = intended.request.judge.clone().unwrap_or_default() {
            let repeats = intended.request.repeat;
            preview.is_from_sample = step(preview.pairs(), repeats) > 1;
            let asked = (&name, repeats);
            preview.estimate = Some(self.estimate(asked, session, &material, &documents).await?);
        }
        Ok(preview)
    }

    async fn material(&self, source: &CriteriaSource) -> Result<Material> {
        match source {
            CriteriaSource::Set(name) => {
                let set = self.criteria_set(name).await?;
                let items = self.criteria(&set).await?;
                let criterion = |item: assize_store::CriteriaItem| {
                    Criterion::new(item.criteria_id, item.requirement, item.description)
                };
                Ok((items.into_iter().map(criterion).collect(), rubric(&set)?, structure(&set)?))
            }
            CriteriaSource::File { name, file, reading } => {
                self.is_free(name).await?;
                let read = usable_criteria(file, reading, &mut |_| {})?;
                let criteria = read.into_iter().map(|item| item.criterion).collect();
                Ok((criteria, Rubric::default(), ResponseStructure::default()))
            }
        }
    }

    /// A list never takes the place of a set that is there: whoever brings it may not know it.
    async fn is_free(&self, name: &str) -> Result<()> {
        if self.find_criteria_set(name).await?.is_none() {
            return Ok(());
        }
        let because = format!(
            "there is a criteria set `{name}` already: select it, or choose another name for the \
             list"
        );
        Err(ComplianceError::Refused(because))
    }

    async fn wanted_documents(&self, intended: &Intended) -> Result<Vec<DocumentEntry>> {
        let set = self.document_set(&intended.documents).await?;
        let mut entries = self.store.documents().list(&self.organisation, &set.id).await?;
        if intended.document_ids.is_empty() {
            entries = self.current_documents(&set).await?;
        } else {
            entries.retain(|entry| intended.document_ids.iter().any(|id| entry.id.as_str() == id));
        }
        if entries.is_empty() {
            let because = format!("the document set `{}` is empty", intended.documents);
            return Err(ComplianceError::Refused(because));
        }
        Ok(entries)
    }

    /// What asking a model would take, so many times about each pair; with many pairs counted for
    /// some of them.
    async fn estimate(
        &self,
        (name, repeats): (&ModelName, u32),
        session: &AskSession,
        (criteria, rubric, structure): &Material,
        documents: &[DocumentEntry],
    ) -> Result<EstimateShape> {
        let mut judge = session.judge(name)?;
        if repeats > 1 {
            judge = judge.sampling();
        }
        let (pairs, template) = (criteria.len() * documents.len(), AssessTemplate::default());
        let step = step(pairs, repeats);
        let (mut estimate, mut written, mut open) = (Estimate::default(), 0_u64, None);
        for pair in (0..pairs).step_by(step) {
            let (place, criterion) = (pair / criteria.len(), &criteria[pair % criteria.len()]);
            if open.as_ref().is_none_or(|(known, _)| *known != place) {
                let document = self.document_by_id(&documents[place].id).await?;
                open = Some((place, beginning(&document.content_text).to_owned()));
            }
            let context = open.as_ref().map_or("", |(_, text)| text.as_str());
            let ask = AssessAsk { template: &template, criterion, context, rubric, structure };
            for repeat in 0..repeats {
                let added = session.add_to(&mut estimate, &judge, &ask, repeat).await;
                added.map_err(|halt| ComplianceError::Refused(halt.to_string()))?;
            }
            written += 1;
        }
        Ok(multiplied(&estimate, (pairs as u64, repeats.into()), written))
    }

    /// Imports what has to be, and writes the plan down. Nothing is judged yet.
    #[boxed]
    pub async fn begin_intended(&self, intended: Intended) -> Result<Run> {
        intended.request.check()?;
        let documents = self.wanted_documents(&intended).await?;
        let set = match &intended.criteria {
            CriteriaSource::Set(name) => self.criteria_set(name).await?,
            CriteriaSource::File { name, file, reading } => {
                self.is_free(name).await?;
                let named = (name.as_str(), "");
                self.import_criteria_file_by(file, reading, named, &mut |_| {}).await?.set
            }
        };
        let document_set = self.document_set(&intended.documents).await?;
        let run = self.plan_request((&set, &document_set, documents), intended.request, 0).await?;
        if let Some(ceiling) = intended.budget_nanodollars {
            self.limit_run(&run.id, ceiling).await?;
        }
        Ok(run)
    }
}

/// As much of a document as a model is shown of one that is too long.
fn beginning(text: &str) -> &str {
    let end = text.floor_char_boundary(TOKENS_MAX * BYTES_A_TOKEN);
    &text[..end]
}

/// Of how many pairs one is written out.
fn step(pairs: usize, repeats: u32) -> usize {
    let asks = pairs.saturating_mul(repeats as usize);
    asks.div_ceil(ASKS_WRITTEN_MAX).clamp(1, pairs.max(1))
}

/// An estimate of some pairs for all of them, each asked about so many times.
fn multiplied(estimate: &Estimate, (pairs, repeats): (u64, u64), written: u64) -> EstimateShape {
    let some = EstimateShape::from(estimate);
    let all = |number: u64| {
        let product = u128::from(number) * u128::from(pairs);
        u64::try_from(product.div_ceil(u128::from(written.max(1)))).unwrap_or(u64::MAX)
    };
    EstimateShape {
        pairs: Some(pairs),
        calls: all(some.calls),
        kept: pairs.saturating_mul(repeats).saturating_sub(all(some.calls)),
        request_tokens: all(some.request_tokens),
        reply_tokens_max: all(some.reply_tokens_max),
        price_nanodollars: all(some.price_nanodollars),
        unpriced: all(some.unpriced),
        ..some
    }
}

#[cfg(test)]
mod tests {
    use assize_store::Place;

    use super::*;
    use crate::asking::Stop;

    fn file(name: &str, text: &str) -> NamedFile {
        NamedFile { name: name.to_owned(), bytes: text.as_bytes().to_vec() }
    }

    #[test]
    fn two_columns_that_may_be_meant_are_asked_about_and_a_choice_settles_it() {
        let list = file(
            "controls.csv",
            "Ref,Control text,Statement,Owner\nA-1,Doors are locked,Locked are doors,IT\n",
        );
        let preview = preview_criteria(&list, &Reading::default());
        assert_eq!(preview.columns, ["Ref", "Control text", "Statement", "Owner"]);
        assert!(preview.refused.as_ref().is_some_and(|why| why.contains("requirement")));
        assert_eq!((preview.usable, preview.rows.len()), (0, 1));
        let mapping = [("requirement".to_owned(), "Statement".to_owned())].into_iter().collect();
        let preview = preview_criteria(&list, &Reading { mapping, ..Reading::default() });
        assert_eq!((preview.usable, preview.refused), (1, None));
        assert_eq!(preview.criteria[0].requirement, "Locked are doors");
        assert!(preview.fields.contains(&("id".to_owned(), Some("Ref".to_owned()))));
    }

    #[test]
    fn an_estimate_of_some_is_multiplied_to_all() {
        let usage =
            assize_models::Usage { input_tokens: 400, output_tokens: 40, ..Default::default() };
        let some = Estimate { kept: 1, calls: 3, usage, unpriced: 3, ..Estimate::default() };
        let all = multiplied(&some, (400, 1), 4);
        assert_eq!((all.calls, all.kept, all.request_tokens), (300, 100, 40_000));
        assert_eq!((all.reply_tokens_max, all.unpriced, all.pairs), (4_000, 300, Some(400)));
    }

    #[tokio::test]
    async fn a_list_is_only_kept_when_the_run_begins_and_never_over_a_set() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::from(&folder.path().join("wizard.db"));
        let workspace = Workspace::open(place).await.unwrap();
        let files = vec![file("one.txt", "Doors are locked."), file("two.txt", "Nothing.")];
        let (ids, _) = workspace.keep_documents("policies", files).await.unwrap();
        let list =
            file("list.csv", "id,requirement\nA-1,Doors are locked.\nA-2,Keys are counted.\n");
        let source = CriteriaSource::File {
            name: "doors".to_owned(),
            file: list,
            reading: Reading::default(),
        };
        let intended = Intended {
            criteria: source,
            documents: "policies".to_owned(),
            document_ids: vec![ids[0].clone()],
            request: ComplianceRequest::default(),
            budget_nanodollars: Some(5),
        };
        let session = workspace.rule_session(Stop::default()).await.unwrap();
        let preview = workspace.preview_run(&intended, &session).await.unwrap();
        assert_eq!((preview.pairs(), preview.documents), (2, vec!["one.txt".to_owned()]));
        assert!(workspace.find_criteria_set("doors").await.unwrap().is_none());
        let run = workspace.begin_intended(intended.clone()).await.unwrap();
        assert_eq!(workspace.find_run(run.id.as_str()).await.unwrap().items, 2);
        let refused = workspace.begin_intended(intended).await.unwrap_err().to_string();
        assert!(refused.contains("already"), "{refused}");
        workspace.close().await;
    }

    #[tokio::test]
    async fn a_list_with_a_row_that_cannot_be_used_begins_nothing_unless_it_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let workspace =
            Workspace::open(Place::from(&folder.path().join("wizard.db"))).await.unwrap();
        let files = vec![file("one.txt", "Doors are locked.")];
        workspace.keep_documents("policies", files).await.unwrap();
        let intended = |reading: Reading| Intended {
            criteria: CriteriaSource::File {
                name: "doors".to_owned(),
                file: file("list.csv", "id,requirement\nA-1,Doors are locked.\n,No id.\n"),
                reading,
            },
            documents: "policies".to_owned(),
            document_ids: Vec::new(),
            request: ComplianceRequest::default(),
            budget_nanodollars: None,
        };
        let session = workspace.rule_session(Stop::default()).await.unwrap();
        let strict = intended(Reading::default());
        let previewed = workspace.preview_run(&strict, &session).await.map(|_| ());
        let begun = workspace.begin_intended(strict).await.map(|_| ());
        for refused in [previewed, begun] {
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains("row 3: the identifier is missing"), "{refused}");
        }
        assert!(workspace.find_criteria_set("doors").await.unwrap().is_none());
        let partial = intended(Reading { skip_unusable: true, ..Reading::default() });
        let run = workspace.begin_intended(partial).await.unwrap();
        assert_eq!(workspace.find_run(run.id.as_str()).await.unwrap().items, 1);
        workspace.close().await;
    }
}
