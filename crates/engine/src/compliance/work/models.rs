//! A model at work: many questions at once, each answer kept as soon as it is read.

use assize_methods::compliance::citations::locate_all;
use assize_methods::compliance::{AssessAsk, AssessTemplate, Context, judged};
use assize_store::{Claimed, NewVerdict, Pair};
use assize_text::CodePoints;
use assize_text::quote::Source;
use assize_wire::compliance::Seen;

use super::document_cache::{DocumentCache, Open};
use super::{Work, pair};
use crate::asking::{AskSession, Halt, Judge, NoAnswer};
use crate::compliance::findings::{Case, Found};
use crate::runs::leased::{Left, Share};

impl Work {
    /// Asks about every pair that is ours.
    pub(super) async fn by_model(
        &self,
        session: &AskSession,
        judge: &Judge,
        share: &Share<'_>,
        count: &mut (impl FnMut(u64) + Send),
    ) -> Result<Left, Halt> {
        let template = match &self.configuration.template {
            Some(template) => template.body.clone(),
            None => AssessTemplate::default(),
        };
        let (opened, template) = (DocumentCache::default(), &template);
        let judge_pair = |claimed: Claimed| {
            let opened = &opened;
            async move {
                let pair = pair(&claimed)?;
                let open = opened.get(self, &pair.document_id).await?;
                self.ask(session, judge, template, (&open, &pair)).await
            }
        };
        share.work(judge_pair, || count(1)).await
    }

    async fn ask(
        &self,
        session: &AskSession,
        judge: &Judge,
        template: &AssessTemplate,
        (open, pair): (&Open, &Pair),
    ) -> Result<NewVerdict, Halt> {
        let exhibit = &open.exhibit;
        let code_points = CodePoints::of(&exhibit.text);
        let (configuration, item) = (&self.configuration, &pair.criteria_item_id);
        let case = Case { configuration, exhibit, code_points: &code_points };
        let criterion = self.criteria.position(item).map(|at| &self.criteria.criteria[at]);
        let Some(criterion) = criterion else {
            let id = item.to_string();
            return Err(assize_store::StoreError::Missing { what: "criterion", id }.into());
        };
        let context = open.reader.context(&exhibit.text, criterion);
        let (rubric, structure) = (&configuration.rubric, &configuration.structure);
        let ask = AssessAsk { template, criterion, context: &context.text, rubric, structure };
        let answered = match session.ask(judge, &ask, configuration.attempt).await {
            Ok(answered) => answered,
            Err(NoAnswer::Unscored(unscored)) => return Ok(case.failed(unscored)),
            Err(NoAnswer::Halt(halt)) => return Err(halt),
        };
        let mut assessment = answered.answer;
        assessment.findings.extend(answered.findings);
        let citations = locate_all(&Source::new(&exhibit.text), &assessment.citations);
        let judged = judged(&assessment, &citations, rubric);
        Ok(case.verdict(Found {
            assessment,
            citations,
            judged,
            context: shown(&exhibit.text, &context),
            raw_answer: None,
            exchanges: answered.exchanges.iter().map(ToString::to_string).collect(),
        }))
    }
}

/// Which part of the document the model saw.
fn shown(text: &str, context: &Context<'_>) -> Seen {
    if context.is_whole {
        return Seen::Whole { whole: true };
    }
    Seen::Part {
        whole: false,
        passages_bytes: context.shown.iter().map(|range| (range.start, range.end)).collect(),
        bytes: context.shown.iter().map(ExactSizeIterator::len).sum(),
        of_bytes: text.len(),
    }
}
