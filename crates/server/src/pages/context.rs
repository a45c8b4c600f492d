//! What every page needs: the database as the caller sees it, and the shell around the page.

use std::sync::Arc;

use assize_engine::compliance::Registry;
use assize_engine::store::Role;
use assize_page::app::{Here, Shell, page};
use axum::extract::FromRequestParts;
use axum::http::header::COOKIE;
use axum::http::request::Parts;
use maud::Markup;

use crate::auth::Caller;
use crate::error::AppError;
use crate::state::AppState;

/// The cookie that holds the chosen theme.
pub(super) const THEME: &str = "theme";

/// What is told after a change, by the word in the address: a page that is sent on has no other
/// way to say it without a script or a session.
const TOLD: [(&str, &str, &str); 35] = [
    ("decided", "good", "Decision saved beside the judge’s score."),
    ("reverted", "good", "The judge’s score counts again; the history keeps the decision."),
    ("truth", "good", "Saved as a truth key."),
    ("saved", "good", "Saved. New runs use it; finished runs keep what they were judged with."),
    ("reset", "good", "Reset to the default."),
    ("imported", "good", "Imported."),
    ("started", "good", "Run started."),
    ("stopped", "warn", "Stopping: results in progress are saved first."),
    ("resumed", "good", "Run resumed."),
    ("baseline", "good", "This run is the baseline now."),
    ("renamed", "good", "Renamed."),
    ("deleted", "good", "Run deleted."),
    ("commented", "good", "Comment saved."),
    ("added", "good", "Added. Pass on the first password; it can be changed under Account."),
    ("changed", "good", "Changed."),
    ("revoked", "good", "Token revoked."),
    ("signed-out", "good", "Signed out there."),
    ("version", "good", "Saved as a new version. Finished runs keep theirs."),
    ("chosen", "good", "New runs of that set use this template."),
    ("settled", "good", "Settled: this is the truth key now. Each analyst’s score is kept."),
    ("reopened", "warn", "Reopened: until it is settled, the mean of the analysts’ scores counts."),
    ("approved", "good", "Approved. What is changed from now on is shown as such."),
    ("assigned", "good", "Assigned."),
    ("unticked", "warn", "Nothing was assigned: tick the criteria first."),
    ("withdrawn", "warn", "Approval withdrawn; the history keeps it."),
    ("searching", "good", "Search started. Nothing is promoted until it has finished."),
    ("archived", "good", "Archived: lists leave it out, and the runs that used it keep it."),
    ("unarchived", "good", "Back in the lists."),
    ("moved", "good", "Moved. Runs that are there keep their order."),
    ("removed", "good", "Criterion deleted."),
    ("retried", "good", "Retrying: the model is asked about the items without a score only."),
    ("nothing-retried", "warn", "Nothing to retry: a person decided every item without a score."),
    ("rescored", "good", "Scored again as a new version. The earlier versions stay."),
    ("corrected", "good", "Correction saved: the scores follow from the corrected labels."),
    ("promoted", "good", "Promoted: new runs of the set use it. Finished runs keep theirs."),
];

/// Who asks for a page, and what they may see.
pub(crate) struct PageContext {
    /// The database as the caller sees it.
    pub(super) registry: Registry,
    shell: Shell,
}

impl PageContext {
    /// A whole page. Every form of it that posts gets the token that [`crate::auth::form`] asks
    /// for; a form is written without it.
    pub(super) fn page(&self, here: Here, title: &str, content: &Markup) -> Markup {
        page(&self.shell, here, title, content)
    }

    /// The organisation they work in.
    pub(super) fn organisation(&self) -> &str {
        &self.shell.organisation
    }

    /// Whether they may change what analysts change.
    pub(super) fn can_write(&self) -> bool {
        self.shell.can_write
    }

    /// Whether they may change what administrators change.
    pub(super) fn is_admin(&self) -> bool {
        self.shell.is_admin
    }
}

impl FromRequestParts<Arc<AppState>> for PageContext {
    type Rejection = AppError;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &Arc<AppState>,
    ) -> Result<Self, AppError> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let registry = state.registry(&caller);
        let organisation = registry.store.organisations().name(&caller.organisation).await?;
        let shell = Shell {
            organisation: organisation.unwrap_or_default(),
            can_write: caller.role >= Role::Analyst,
            is_admin: caller.role >= Role::Admin,
            theme: theme(parts),
            notice: told(parts.uri.query().unwrap_or_default()),
            csrf: caller.csrf,
            who: caller.who,
        };
        Ok(Self { registry, shell })
    }
}

/// The theme that was chosen; a word that is none leaves it to the system.
fn theme(parts: &Parts) -> Option<&'static str> {
    let cookies = parts.headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        cookies.flat_map(|text| text.split(';')).filter_map(|one| one.trim().split_once('='));
    match pairs.find(|(name, _)| *name == THEME) {
        Some((_, "light")) => Some("light"),
        Some((_, "dark")) => Some("dark"),
        _ => None,
    }
}

fn told(query: &str) -> Option<(&'static str, String)> {
    let word = query.split('&').find_map(|pair| pair.strip_prefix("told="))?;
    let (_, tone, words) = TOLD.iter().find(|(known, ..)| *known == word)?;
    Some((tone, (*words).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_words_are_told() {
        assert_eq!(told("a=1&told=truth").map(|(tone, _)| tone), Some("good"));
        assert_eq!(told("told=%3Cscript%3E"), None);
    }
}
