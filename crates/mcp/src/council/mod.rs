//! `council_review`, `council_ask` and `council_rescore`: the same council as the commands hold.
//!
//! What is taken stands in [`arguments`], the three tools as callers see them in `forms`, a
//! sitting in `sitting`, a sitting counted again in `again`, and the result in `verdict`.

mod again;
mod arguments;
mod forms;
mod sitting;
mod verdict;

use assize_engine::council::{Request, RequestError};
use rmcp::model::JsonObject;

pub(crate) use again::rescore;
pub(crate) use arguments::Arguments;
pub(crate) use forms::FORMS;

use crate::house::{Call, House};
use crate::reply::{Refusal, Reply};

/// Answers that are there already.
pub(crate) async fn review(
    house: &House,
    call: &Call,
    arguments: JsonObject,
) -> Result<Reply, Refusal> {
    let arguments: Arguments = forms::REVIEW.read(arguments)?;
    let choices = arguments.choices()?.over(house.choices.clone());
    let question = arguments.question.clone().unwrap_or_default();
    let request = Request::review(&question, arguments.answers()?, &choices).map_err(refused)?;
    sitting::hold_one(house, call, &request, &arguments).await
}

/// Answers of members.
pub(crate) async fn ask(
    house: &House,
    call: &Call,
    arguments: JsonObject,
) -> Result<Reply, Refusal> {
    let arguments: Arguments = forms::ASK.read(arguments)?;
    let choices = arguments.choices()?.over(house.choices.clone());
    let question = arguments.question.clone().unwrap_or_default();
    let request = Request::ask(&question, &choices).map_err(refused)?;
    sitting::hold_one(house, call, &request, &arguments).await
}

fn refused(error: RequestError) -> Refusal {
    match error {
        RequestError::NoReviewers => Refusal::because(
            "nobody reviews: name models in `reviewers`, or in the server's assize.toml",
        ),
        error => error.into(),
    }
}
