//! Stopping politely: what is under way is finished, nothing new begins.

use std::sync::Arc;

use async_recursion::async_recursion as boxed;
use tokio::sync::watch;

/// How urgent it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    No,
    Politely,
    AtOnce,
}

/// A wish to stop, shared by everyone who works on a run.
///
/// The first wish lets requests that are under way finish, because they are paid for. The
/// second abandons them too; they stay noted as sent and unanswered.
#[derive(Debug, Clone)]
pub struct Stop {
    urgency: Arc<watch::Sender<Urgency>>,
}

impl Default for Stop {
    fn default() -> Self {
        Self { urgency: Arc::new(watch::Sender::new(Urgency::No)) }
    }
}

impl Stop {
    /// Wishes to stop; a second wish is more urgent than the first.
    pub fn ask(&self) {
        self.urgency.send_modify(|urgency| {
            *urgency = match urgency {
                Urgency::No => Urgency::Politely,
                _ => Urgency::AtOnce,
            };
        });
    }

    /// Whether nothing new should begin.
    pub fn is_asked(&self) -> bool {
        *self.urgency.borrow() >= Urgency::Politely
    }

    /// Waits until nothing new should begin.
    #[boxed]
    pub async fn asked(&self) {
        self.reaches(Urgency::Politely).await;
    }

    /// Waits until even what is under way should be abandoned.
    #[boxed]
    pub(crate) async fn at_once(&self) {
        self.reaches(Urgency::AtOnce).await;
    }

    async fn reaches(&self, wanted: Urgency) {
        let mut urgency = self.urgency.subscribe();
        // We hold the sender, so it cannot be closed.
        let _ = urgency.wait_for(|urgency| *urgency >= wanted).await;
    }
}
