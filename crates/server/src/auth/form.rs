//! Forms of our own pages: they carry what another site cannot know.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::Caller;
use crate::error::AppError;

/// The name of the hidden field.
pub(crate) const FIELD: &str = "csrf";

/// A form whose hidden field `csrf` is that of the caller ([`Caller::csrf`]).
#[derive(Debug)]
pub(crate) struct Form<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Form<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Self, AppError> {
        let (mut parts, body) = request.into_parts();
        let caller = Caller::from_request_parts(&mut parts, state).await?;
        let request = Request::from_parts(parts, body);
        let fields = axum::Form::<Vec<(String, String)>>::from_request(request, state).await?.0;
        let token = fields.iter().find(|(name, _)| name == FIELD).map(|(_, value)| value.as_str());
        if token != Some(&caller.csrf) || caller.csrf.is_empty() {
            let detail = "the form is too old, or not one of ours: load the page again";
            return Err(AppError::new(StatusCode::FORBIDDEN, "cross_site", detail));
        }
        let rest = fields.into_iter().filter(|(name, _)| name != FIELD);
        let rest: Map<String, Value> = rest.map(|(name, value)| (name, value.into())).collect();
        let form = serde_json::from_value(Value::Object(rest));
        form.map(Self).map_err(|error| AppError::bad_input(error.to_string()))
    }
}
