//! What readers of a council say about it: whether they understood why the answers rank as they do.
//!
//! The third success metric of a council. An answer is a label of its reader like any other, on
//! the first item of the run, because it is about the council as a whole.

use assize_store::{Instrument, Run};
use assize_wire::council::{ShareOfReaders, Understood};
use async_recursion::async_recursion as boxed;

use super::error::{Result, RunError};
use super::people::NewLabel;
use crate::Workspace;
use crate::gate::Share;

/// What the labels are about.
const MEASURE: &str = "understood";

/// What a reader can say.
const ANSWERS: [&str; 3] = ["yes", "partly", "no"];

impl Workspace {
    /// Keeps what the reader whom the workspace acts for says; an earlier answer goes.
    #[boxed]
    pub async fn say_understood(&self, run: &Run, answer: &str) -> Result<()> {
        if run.instrument != Instrument::Council {
            return Err(RunError::of_another_kind(run));
        }
        if !ANSWERS.contains(&answer) {
            let because = format!("`{answer}` is no answer: say {}", ANSWERS.join(", "));
            return Err(RunError::Refused(because));
        }
        let label = NewLabel {
            position: 0,
            measure: MEASURE.to_owned(),
            value: None,
            label: Some(answer.to_owned()),
            note: None,
        };
        self.add_labels(run, vec![label]).await.map(drop)
    }

    /// What readers said about a council.
    #[boxed]
    pub async fn understood(&self, run: &Run) -> Result<Understood> {
        let mut all = Understood::default();
        for label in self.store.labels().list(&run.id).await? {
            if label.measure != MEASURE {
                continue;
            }
            match label.label.as_deref() {
                Some("yes") => all.yes += 1,
                Some("partly") => all.partly += 1,
                Some("no") => all.no += 1,
                _ => continue,
            }
            if label.rater == self.who {
                all.own = label.label;
            }
        }
        Ok(shared(all))
    }
}

/// What readers said about several councils together.
pub fn understood_together(each: &[Understood]) -> Understood {
    let sum = |of: fn(&Understood) -> usize| each.iter().map(of).sum();
    shared(Understood {
        yes: sum(|one| one.yes),
        partly: sum(|one| one.partly),
        no: sum(|one| one.no),
        ..Understood::default()
    })
}

fn shared(all: Understood) -> Understood {
    let share = Share::of(all.yes, all.count());
    let share = share.map(|Share { value, low, high, .. }| ShareOfReaders { value, low, high });
    Understood { share, ..all }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wilson's interval of 8 in 10 at 95 %, as in his table: 0.490 to 0.943.
    #[test]
    fn shares_of_several_councils_are_those_of_all_their_readers() {
        let said = |yes, partly, no| Understood { yes, partly, no, ..Understood::default() };
        let all = understood_together(&[said(5, 1, 0), said(3, 0, 1), said(0, 0, 0)]);
        assert_eq!(
            all.sentence(),
            "8 of 10 readers understood it: 80 % [49 %, 94 %]; 1 partly, 1 not."
        );
        assert_eq!(understood_together(&[]).sentence(), "No reader has answered yet.");
    }
}
