//! `council_review`, `council_ask` and `council_rescore`: the same council as the commands hold.
//!
//! What is taken stands in [`arguments`], the three tools as callers see them in `forms`, a
//! council in `hold`, one counted again in `again`, and the result in `verdict`.

mod again;
mod arguments;
mod compact;
mod forms;
mod hold;
mod verdict;

use assize_engine::council::{Hearing, RequestError};
use rmcp::model::JsonObject;

pub(crate) use again::rescore;
pub(crate) use arguments::Arguments;
use arguments::checked;
pub(crate) use compact::{compare, measure};
pub(crate) use forms::FORMS;

use crate::reply::{Refusal, Reply};
use crate::state::{Call, McpState};

/// Answers that are there already.
pub(crate) async fn review(
    state: &McpState,
    call: &Call,
    arguments: JsonObject,
) -> Result<Reply, Refusal> {
    let Arguments { content, request } = forms::REVIEW.read(arguments)?;
    let request = checked(request)?.under(state.operator.request.clone());
    let question = content.question.clone().unwrap_or_default();
    let hearing = Hearing::review(&question, content.answers()?, &request).map_err(refused)?;
    hold::hold_one(state, call, &hearing, &content).await
}

/// Answers of members.
pub(crate) async fn ask(
    state: &McpState,
    call: &Call,
    arguments: JsonObject,
) -> Result<Reply, Refusal> {
    let Arguments { content, request } = forms::ASK.read(arguments)?;
    let request = checked(request)?.under(state.operator.request.clone());
    let question = content.question.clone().unwrap_or_default();
    let hearing = Hearing::ask(&question, &request).map_err(refused)?;
    hold::hold_one(state, call, &hearing, &content).await
}

fn refused(error: RequestError) -> Refusal {
    match error {
        RequestError::NoReviewers => Refusal::because(
            "no reviewers: give models in `reviewers`, or in the server's assize.toml",
        ),
        error => error.into(),
    }
}
