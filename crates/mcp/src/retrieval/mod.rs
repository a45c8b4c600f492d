//! `retrieval_score`: retrieved passages or documents against their gold standard.
//!
//! What is taken stands in `arguments`, from there to a scoreboard in `scoring`, and the result
//! in `show`.

mod arguments;
mod scoring;
mod show;

use assize_engine::retrieval::report::summarize;
use rmcp::model::JsonObject;

pub(crate) use arguments::{Arguments, FORM};

use crate::reply::{Refusal, Reply};

/// Scores one run.
pub(crate) fn score(arguments: JsonObject) -> Result<Reply, Refusal> {
    let arguments: Arguments = FORM.read(arguments)?;
    let sureness = arguments.sureness()?;
    let board = scoring::score(&arguments)?;
    let summaries = summarize(&board, &sureness);
    let mut data = show::data(&summaries, &board, &sureness);
    if arguments.per_query.unwrap_or(false) {
        data["queries"] = show::queries(&board);
    }
    Ok(Reply { data, text: show::text(&summaries, &board), is_failure: false })
}
