//! One harmless request, to see whether a model can be reached.

use assize_methods::hello::{Hello, Word};
use async_recursion::async_recursion as boxed;

use super::judge::Judge;
use super::outcome::{Answered, NoAnswer};
use super::session::AskSession;

impl AskSession {
    /// Asks a model for one word.
    #[boxed]
    pub async fn greet(&self, judge: &Judge) -> Result<Answered<Word>, NoAnswer> {
        self.ask(judge, &Hello, self.attempt).await
    }
}
