//! One subject in two runs: its measures, and what changed in its texts.

use std::collections::BTreeSet;

use assize_methods::council::AnswerStatus;
use assize_store::{Instrument, Run, RunItem};
use assize_wire::runs::{Comparison, Moved};
use assize_wire::workplace::{ComparedItem, ComparedMeasure, ComparedText, DiffLine};
use async_recursion::async_recursion as boxed;
use similar::{ChangeTag, TextDiff};

use super::prompts::changes;
use super::result::sections;
use crate::Workspace;
use crate::compliance::{Configuration, Result};
use crate::runs::RunError;
use crate::runs::export::row;

/// Longer texts are compared line by line: word by word takes the product of their lengths.
const BY_WORDS_BYTES_MAX: usize = 60_000;

/// The texts of an item, each with its title.
type Texts = Vec<(String, String)>;

impl Workspace {
    /// A subject that two runs of one instrument have in common.
    #[boxed]
    pub async fn compared_item(
        &self,
        [first, second]: [&Run; 2],
        subject: &str,
    ) -> Result<ComparedItem> {
        let (before, after) =
            (self.item_called(first, subject).await?, self.item_called(second, subject).await?);
        let names: BTreeSet<&String> = before.scores.keys().chain(after.scores.keys()).collect();
        let value = |item: &RunItem, name: &str| item.scores.get(name).copied().flatten();
        let measures = names.into_iter().map(|name| ComparedMeasure {
            name: name.clone(),
            before: value(&before, name),
            after: value(&after, name),
        });
        let measures = measures.collect();
        let pair = (self.texts_of(first, &before).await, self.texts_of(second, &after).await);
        let (texts, without_texts) = match pair {
            (Ok(old), Ok(new)) => (compared(&old, &new), None),
            (Err(error), _) | (_, Err(error)) => (Vec::new(), Some(error.to_string())),
        };
        let changes = self.change_reasons([first, second], &[subject.to_owned()]).await?;
        Ok(ComparedItem {
            changes: changes.into_values().next().unwrap_or_default(),
            subject: subject.to_owned(),
            runs: [self.run_entry(first).await?, self.run_entry(second).await?],
            numbers: [before.position + 1, after.position + 1],
            reasons: [before.reason, after.reason],
            measures,
            texts,
            without_texts,
        })
    }

    async fn item_called(&self, run: &Run, subject: &str) -> Result<RunItem> {
        let mut all = self.subjects(run, run.version).await?;
        let found = all.remove(&(subject.to_owned(), 0));
        Ok(found.ok_or_else(|| RunError::Missing(format!("#{}, {subject}", run.number)))?)
    }

    async fn texts_of(&self, run: &Run, item: &RunItem) -> Result<Texts> {
        match run.instrument {
            Instrument::Summary => {
                let (judged, _) = self.summary_item(run, item.position + 1).await?;
                let pair = judged.and_then(|judged| judged.pair);
                let texts = |pair: crate::summary::Pair| {
                    [("Summary", pair.summary), ("Article", pair.article)]
                        .map(|(title, text)| (title.to_owned(), text))
                };
                Ok(pair.map(texts).into_iter().flatten().collect())
            }
            Instrument::Retrieval => {
                let (_, found) = self.query_workings(run, &item.subject).await?;
                let passages: Vec<String> =
                    found.passages.into_iter().map(|one| one.text).collect();
                Ok(vec![("Passages, in their order".to_owned(), passages.join("\n"))])
            }
            Instrument::Council => {
                let council = self.council_of(run).await?;
                let own = council.record.answers.into_iter().find(|one| one.model == item.subject);
                Ok(match own.map(|answer| answer.status) {
                    Some(AnswerStatus::Given { text }) => {
                        vec![("Answer".to_owned(), text)]
                    }
                    _ => Vec::new(),
                })
            }
            Instrument::Compliance => {
                let run = self.find_compliance_run(run.id.as_str()).await?;
                let Some(result) = self.result_at(&run, item.position + 1).await? else {
                    return Ok(Vec::new());
                };
                let structure = Configuration::of(&run)?.structure;
                let found = sections(&self.detail(&run, result).await?, &structure);
                let text = |one: assize_wire::workplace::SectionView| {
                    (one.id, one.person.unwrap_or(one.judge).join("\n"))
                };
                Ok(found.into_iter().map(text).collect())
            }
        }
    }
}

/// Every item that moved, by measure and the worst first, as a file.
pub fn moved_table(found: &Comparison) -> Result<Vec<u8>, RunError> {
    let mut bytes = Vec::new();
    let head = ["item", "measure", "before", "after", "change"];
    row(&mut bytes, head.into_iter().map(ToOwned::to_owned))?;
    for one in &found.measures {
        let change = |moved: &Moved| moved.after - moved.before;
        let mut all: Vec<&Moved> = one.moved.iter().filter(|moved| change(moved) != 0.0).collect();
        all.sort_by(|left, right| {
            change(left).total_cmp(&change(right)).then(left.subject.cmp(&right.subject))
        });
        for moved in all {
            let numbers = [moved.before, moved.after, change(moved)].map(|one| one.to_string());
            let words = [moved.subject.clone(), one.measure.clone()];
            row(&mut bytes, words.into_iter().chain(numbers))?;
        }
    }
    Ok(bytes)
}

/// Texts of one title are compared; one that only one side has is all new or all gone.
fn compared(old: &Texts, new: &Texts) -> Vec<ComparedText> {
    let mut titles: Vec<&String> = old.iter().map(|(title, _)| title).collect();
    titles.extend(
        new.iter()
            .map(|(title, _)| title)
            .filter(|title| old.iter().all(|(known, _)| known != *title)),
    );
    let of = |texts: &Texts, title: &String| {
        texts.iter().find(|(known, _)| known == title).map(|(_, text)| text.clone())
    };
    let one = |title: &String| {
        let (before, after) =
            (of(old, title).unwrap_or_default(), of(new, title).unwrap_or_default());
        let is_same = before == after;
        ComparedText { title: title.clone(), pieces: pieces(&before, &after), is_same }
    };
    titles.into_iter().map(one).collect()
}

/// What changed word by word, or line by line where texts are long; neighbours of one kind are
/// one piece.
fn pieces(before: &str, after: &str) -> Vec<DiffLine> {
    if before.len() + after.len() > BY_WORDS_BYTES_MAX {
        let mut lines = changes(before, after);
        for line in &mut lines {
            line.text.push('\n');
        }
        return lines;
    }
    let mut all: Vec<DiffLine> = Vec::new();
    for change in TextDiff::from_words(before, after).iter_all_changes() {
        let sign = match change.tag() {
            ChangeTag::Equal => ' ',
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        };
        match all.last_mut().filter(|last| last.sign == sign) {
            Some(last) => last.text.push_str(change.value()),
            None => all.push(DiffLine { sign, text: change.value().to_owned() }),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use assize_wire::runs::Difference;

    use super::*;

    #[test]
    fn a_changed_word_is_taken_away_and_added_within_its_sentence() {
        let found = pieces("Doors are locked at night.", "Doors are open at night.");
        let shown: Vec<(char, &str)> =
            found.iter().map(|one| (one.sign, one.text.as_str())).collect();
        let expected = [(' ', "Doors are "), ('-', "locked"), ('+', "open"), (' ', " at night.")];
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_text_that_only_one_run_has_is_all_new() {
        let old = vec![("why".to_owned(), "Because.".to_owned())];
        let new = vec![old[0].clone(), ("gaps".to_owned(), "One.".to_owned())];
        let found = compared(&old, &new);
        assert_eq!((found[0].is_same, found[1].is_same), (true, false));
        assert_eq!(found[1].pieces, [DiffLine { sign: '+', text: "One.".to_owned() }]);
    }

    #[test]
    fn what_moved_is_a_file_with_the_worst_of_a_measure_first() {
        let moved =
            |subject: &str, before, after| Moved { subject: subject.to_owned(), before, after };
        let measure = Difference {
            measure: "score".to_owned(),
            first: 2.0,
            second: 2.0,
            difference: 0.0,
            interval: None,
            p_randomization: None,
            p_corrected: None,
            better: 1,
            same: 1,
            worse: 1,
            moved: vec![moved("up", 1.0, 1.5), moved("same", 2.0, 2.0), moved("=down", 3.0, 2.5)],
        };
        let found = Comparison {
            runs: vec!["a".to_owned(), "b".to_owned()],
            shared: 3,
            only_first: 0,
            only_second: 0,
            scored_in_both: 3,
            measures: vec![measure],
            became_unscored: Vec::new(),
            became_scored: Vec::new(),
            unpaired: Vec::new(),
        };
        let text = String::from_utf8(moved_table(&found).unwrap()).unwrap();
        let expected =
            "item,measure,before,after,change\n'=down,score,3,2.5,-0.5\nup,score,1,1.5,0.5\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn long_texts_are_compared_line_by_line() {
        let before = "a word\n".repeat(BY_WORDS_BYTES_MAX / 7);
        let after = format!("{before}the end\n");
        let last = pieces(&before, &after).pop().unwrap();
        assert_eq!(last, DiffLine { sign: '+', text: "the end\n".to_owned() });
    }
}
