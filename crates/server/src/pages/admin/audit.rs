//! Who changed what, and whether anybody changed that.

use assize_page::app::Here;
use assize_page::app::admin::audit;
use axum::extract::Query;
use maud::Markup;

use crate::error::{Result, to_app_error};
use crate::pages::context::PageContext;
use crate::pages::forms::{QueryPairs, value};

/// Entries on a page.
const PAGE: i64 = 100;

/// `GET /admin/audit`.
pub(crate) async fn list(caller_view: PageContext, Query(query): QueryPairs) -> Result<Markup> {
    let before = value(&query, "before").parse().ok();
    let page = caller_view.workspace.audit_page(before, PAGE).await?;
    let found = match value(&query, "verify") {
        "yes" => {
            let chain = caller_view.workspace.audit_chain().await;
            Some(chain.map_err(|error| to_app_error(&error))?)
        }
        _ => None,
    };
    Ok(caller_view.page(Here::Audit, "Audit", &audit::content(&page, found.as_ref())))
}
