//! A model at work: many questions at once, each answer kept as soon as it is read.

use assize_methods::compliance::{AssessAsk, AssessTemplate};
use assize_store::{Claimed, NewVerdict, Pair};
use assize_text::CodePoints;

use super::document_cache::{DocumentCache, Open};
use super::{Work, pair};
use crate::asking::{AskSession, Halt, Judge};
use crate::compliance::findings::Case;
use crate::compliance::repeated::judge_repeatedly;
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
        let asked = (session, judge, configuration.attempt);
        let repeats = configuration.repeat;
        let (found, said) = judge_repeatedly(asked, repeats, &ask, (exhibit, &context)).await?;
        Ok(match found {
            Ok(found) => case.verdict(found, &said),
            Err(unscored) => case.failed(unscored, &said),
        })
    }
}
