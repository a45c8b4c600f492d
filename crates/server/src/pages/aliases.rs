//! A name in the address of a page leads to the address with the id, or a run's number, which
//! stays when the name changes.

use assize_engine::Workspace;
use axum::extract::{MatchedPath, Path, Request};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};

use crate::auth::Org;
use crate::error::Result;

/// What an address names first.
enum Named {
    Run,
    DocumentSet,
    CriteriaSet,
}

/// The pages of each, as their routes begin.
const PAGES: [(&str, Named); 5] = [
    ("/runs/{run}", Named::Run),
    ("/eval/{run}", Named::Run),
    ("/councils/{run}", Named::Run),
    ("/documents/{set}", Named::DocumentSet),
    ("/admin/org/eval/criteria-sets/{id}", Named::CriteriaSet),
];

fn named(route: &str) -> Option<&'static Named> {
    PAGES.iter().find(|(begin, _)| route.starts_with(begin)).map(|(_, named)| named)
}

/// Whether the pages of a route can be asked for by a name.
pub(crate) fn has_names(route: &str) -> bool {
    named(route).is_some()
}

/// Sends whoever asks by a name on. What nothing is called is left to the page to refuse.
pub(crate) async fn redirect(
    Org(workspace): Org,
    route: MatchedPath,
    Path(parameters): Path<Vec<(String, String)>>,
    request: Request,
    next: Next,
) -> Result<Response> {
    let route = route.as_str();
    let lasting = match (named(route), parameters.first()) {
        (Some(named), Some((_, given))) => lasting(&workspace, named, given).await,
        _ => None,
    };
    // Another run or set can take the name one day, so that no browser may remember the way.
    match (lasting, route.find('{')) {
        (Some(lasting), Some(begin)) => {
            let given = request.uri().path_and_query().map_or("", |all| all.as_str());
            let rest = given.get(begin..).unwrap_or_default();
            let rest = rest.find(['/', '?']).map_or("", |end| &rest[end..]);
            Ok(Redirect::to(&format!("{}{lasting}{rest}", &route[..begin])).into_response())
        }
        _ => Ok(next.run(request).await),
    }
}

/// What stands in addresses in place of a name; none where it stands there already.
async fn lasting(workspace: &Workspace, named: &Named, given: &str) -> Option<String> {
    let lasting = match named {
        Named::Run if given.parse::<i64>().is_ok() => return None,
        Named::Run => workspace.find_run(given).await.ok()?.number.to_string(),
        Named::DocumentSet => workspace.document_set(given).await.ok()?.id.to_string(),
        Named::CriteriaSet => workspace.criteria_set(given).await.ok()?.id.to_string(),
    };
    (lasting != given).then_some(lasting)
}
