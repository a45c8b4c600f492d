//! The documents that are being read: a few at a time, each loaded once.

use std::collections::VecDeque;
use std::sync::Arc;

use assize_store::{DocumentId, StoreError};
use tokio::sync::Mutex;

use super::Work;
use crate::compliance::context::Reader;
use crate::compliance::documents::Offsets;
use crate::compliance::error::ComplianceError;
use crate::compliance::material::Exhibit;

/// Pairs come in the order of documents, so few are open at once.
const OPEN_MAX: usize = 4;

/// An open document.
pub(super) struct Open {
    pub(super) exhibit: Exhibit,
    pub(super) reader: Reader,
}

/// The open documents.
#[derive(Default)]
pub(super) struct DocumentCache {
    open: Mutex<VecDeque<Arc<Open>>>,
}

impl DocumentCache {
    /// A document, opened if it is not.
    pub(super) async fn get(&self, work: &Work, id: &DocumentId) -> Result<Arc<Open>, StoreError> {
        let mut open = self.open.lock().await;
        if let Some(found) = open.iter().find(|open| open.exhibit.id == *id) {
            return Ok(Arc::clone(found));
        }
        let exhibit = work.exhibit(id).await?;
        let reader = Reader::of(&exhibit.text, work.configuration.context_tokens);
        let opened = Arc::new(Open { exhibit, reader });
        if open.len() == OPEN_MAX {
            open.pop_front();
        }
        open.push_back(Arc::clone(&opened));
        Ok(opened)
    }
}

impl Work {
    /// A document as the judge sees it.
    pub(super) async fn exhibit(&self, id: &DocumentId) -> Result<Exhibit, StoreError> {
        let document = match self.workspace.document_by_id(id).await {
            Ok(document) => document,
            Err(ComplianceError::Store(error)) => return Err(error),
            Err(_) => return Err(StoreError::Missing { what: "document", id: id.to_string() }),
        };
        let (offsets, identifiers) = (Offsets::of(&document), self.identifiers.as_ref());
        let text = identifiers.map(|hidden| hidden.hide(&document.content_text));
        let text = text.unwrap_or(document.content_text);
        Ok(Exhibit { id: document.entry.id, name: document.entry.name, text, offsets })
    }
}
