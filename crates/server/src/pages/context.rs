//! What every page needs: the database as the caller sees it, and the shell around the page.

use std::sync::Arc;

use assize_engine::Workspace;
use assize_engine::store::Role;
use assize_page::app::{Here, Shell, page};
use axum::extract::FromRequestParts;
use axum::http::header::COOKIE;
use axum::http::request::Parts;
use maud::Markup;

use crate::auth::{Caller, caller_of};
use crate::error::{AppError, Result};
use crate::state::AppState;

/// The cookie that holds the chosen theme.
pub(super) const THEME: &str = "theme";

/// What is told after a change, by the word in the address: a page that is sent on has no other
/// way to say it without a script or a session.
const TOLD: [(&str, &str, &str); 36] = [
    ("answered", "good", "Thank you. Your answer is saved with this run."),
    ("decided", "good", "Decision saved. The judge’s score is kept."),
    ("reverted", "good", "Reverted to the judge’s score. The decision stays in the history."),
    ("truth", "good", "Saved as a truth key."),
    ("saved", "good", "Saved. New runs use it; finished runs are not affected."),
    ("imported", "good", "Imported."),
    ("started", "good", "Run started."),
    ("stopped", "warn", "Stopping. Results in progress are saved first."),
    ("resumed", "good", "Run resumed."),
    ("baseline", "good", "This run is now the baseline."),
    ("renamed", "good", "Renamed."),
    ("deleted", "good", "Run deleted."),
    ("document-deleted", "good", "Document deleted with all its versions."),
    ("commented", "good", "Comment saved."),
    (
        "added",
        "good",
        "Account added. Share the initial password; it can be changed under Account.",
    ),
    ("changed", "good", "Changes saved."),
    ("revoked", "good", "Token revoked."),
    ("signed-out", "good", "Session ended."),
    ("version", "good", "Saved as a new version. Finished runs keep theirs."),
    ("chosen", "good", "New runs of this set will use the template."),
    ("settled", "good", "Settled. This is now the truth key; each analyst’s score is kept."),
    (
        "reopened",
        "warn",
        "Reopened. Until it is settled, the mean of the analysts’ scores is used.",
    ),
    ("approved", "good", "Run approved. Changes from now on will be marked."),
    ("assigned", "good", "Assigned."),
    ("unticked", "warn", "Nothing was assigned. Select at least one criterion first."),
    ("withdrawn", "warn", "Approval withdrawn. It stays in the history."),
    ("searching", "good", "Search started. Nothing is promoted until it has finished."),
    ("archived", "good", "Archived. It is hidden from lists; runs that used it are not affected."),
    ("unarchived", "good", "Restored."),
    ("moved", "good", "Moved. Existing runs keep their order."),
    ("removed", "good", "Criterion deleted."),
    ("retried", "good", "Retrying. Only the items without a score are sent to the model."),
    (
        "nothing-retried",
        "warn",
        "Nothing to retry. A person has decided every item without a score.",
    ),
    ("rescored", "good", "Scored again and saved as a new version. Earlier versions are kept."),
    ("corrected", "good", "Correction saved. The scores now use the corrected labels."),
    (
        "promoted",
        "good",
        "Promoted. New runs of this set will use it; finished runs are not affected.",
    ),
];

/// Who asks for a page, and what they may see.
pub(crate) struct PageContext {
    /// The database as the caller sees it.
    pub(super) workspace: Workspace,
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

impl PageContext {
    /// The same for a page that any route may end in; none for somebody whom nobody knows.
    pub(super) async fn whoever(mut parts: Parts, state: &Arc<AppState>) -> Option<Self> {
        let caller = caller_of(state, &parts).await?;
        parts.extensions.insert(caller);
        Self::from_request_parts(&mut parts, state).await.ok()
    }
}

impl FromRequestParts<Arc<AppState>> for PageContext {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<AppState>) -> Result<Self> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let workspace = state.workspace(&caller);
        let organisation = workspace.store.organisations().name(&caller.organisation).await?;
        let shell = Shell {
            organisation: organisation.unwrap_or_default(),
            can_write: caller.role >= Role::Analyst,
            is_admin: caller.role >= Role::Admin,
            theme: theme(parts),
            notice: told(parts.uri.query().unwrap_or_default()),
            csrf: caller.csrf,
            who: caller.who,
        };
        Ok(Self { workspace, shell })
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
