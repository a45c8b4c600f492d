//! `retrieval_score`: retrieved passages or documents against their gold standard.
//!
//! What is taken stands in `arguments`, the values in lines in `show`.

mod arguments;
mod show;

use assize_engine::retrieval::request::Inputs;
use assize_wire::text::tree;
use rmcp::model::JsonObject;

pub(crate) use arguments::{Arguments, FORM};

use crate::reply::{Refusal, Reply};

/// Scores one run.
pub(crate) fn score(arguments: JsonObject) -> Result<Reply, Refusal> {
    let Arguments { content, request } = FORM.read(arguments)?;
    request.check_served()?;
    let report = request.score(Inputs::Values(&content.predictions, &content.gold))?;
    let score = report.to_wire(content.per_query);
    Ok(Reply { data: tree(&score), text: show::text(&score), is_failure: false })
}
