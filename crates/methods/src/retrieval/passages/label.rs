//! Names in the ledger that are only spelled out when somebody reads it.
//!
//! A measure names its parts with a [`Label`]; plain numbers never turn it into text, so
//! scoring a million queries formats nothing.

use assize_score::explained::Name;

use super::matching::{Match, Rule};

/// What one number in the workings stands for.
#[derive(Debug, Clone, Copy)]
pub enum Label<'a> {
    /// A gold that was found, with its best match.
    GoldFound(Match),
    /// A gold, by its index from 0, that none of the top k matches.
    GoldMissed {
        /// The gold's index, from 0.
        gold: usize,
        /// How many passages were looked at.
        k: usize,
    },
    /// A relevant passage with all its matches, at least one.
    RelevantPassage(&'a [Match]),
    /// A place in the ideal ranking.
    IdealRank(usize),
    /// A gold's own value, by its index from 0.
    OfGold(usize),
    /// The precision at a rank, from 1.
    PrecisionAt(usize),
}

impl From<Label<'_>> for Name {
    fn from(label: Label<'_>) -> Self {
        match label {
            Label::GoldFound(found) => {
                let relation = match found.rule {
                    Rule::Equal => "equals",
                    Rule::GoldInPassage => "stands inside",
                    Rule::PassageInGold => "holds",
                };
                let (gold, rank) = (found.gold + 1, found.rank);
                format!("gold {gold} {relation} the passage at rank {rank}")
            }
            Label::GoldMissed { gold, k } => {
                format!("gold {} matches no passage in the top {k}", gold + 1)
            }
            Label::RelevantPassage(matches) => relevant(matches),
            Label::IdealRank(rank) => format!("rank {rank} of the ideal ranking"),
            Label::OfGold(gold) => format!("f1 with gold {}", gold + 1),
            Label::PrecisionAt(rank) => format!("precision at rank {rank}"),
        }
        .into()
    }
}

fn relevant(matches: &[Match]) -> String {
    let rank = matches.first().map_or(0, |found| found.rank);
    let describe = |found: &Match| {
        let relation = match found.rule {
            Rule::Equal => "equals",
            Rule::GoldInPassage => "holds",
            Rule::PassageInGold => "stands inside",
        };
        format!("{relation} gold {}", found.gold + 1)
    };
    let all: Vec<_> = matches.iter().map(describe).collect();
    format!("rank {rank} {}", all.join(" and "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_that_matches_two_golds_names_both() {
        let matches = [
            Match { rank: 3, gold: 0, rule: Rule::GoldInPassage },
            Match { rank: 3, gold: 2, rule: Rule::PassageInGold },
        ];
        let name: Name = Label::RelevantPassage(&matches).into();
        assert_eq!(name, "rank 3 holds gold 1 and stands inside gold 3");
    }
}
