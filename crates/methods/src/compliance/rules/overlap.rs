//! What a statement has in common with a part of a requirement, word by word.

use rustc_hash::FxHashMap;

use super::fit::{Fit, fit};
use super::prepared::PreparedPart;
use super::quantity::Quantity;
use super::sentence::Meant;
use super::stance::Stance;
use super::statements::Reading;

/// What a word of the heading above counts for a statement.
const ABOVE: f64 = 0.7;

/// So much of the weight of what a part is about must be named.
const SUBJECT_NAMED: f64 = 0.5;

/// What the words of a statement say about a part; nothing here depends on another part, another
/// criterion or another document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Overlap {
    /// The share of the part's words, by weight, that it has.
    pub share: f64,
    /// Whether it names what must be done, and what with.
    pub names_both: bool,
    /// Whether it denies what the part asks for, or asks for what the part denies.
    pub is_contrary: bool,
    /// How its numbers compare.
    pub fit: Fit,
    /// How it is meant, as a statement about this part.
    pub stance: Stance,
}

impl Overlap {
    pub(super) fn new(part: &PreparedPart, document: &Reading<'_>, statement: u32) -> Self {
        let own = &document.statements[statement as usize];
        let above = own.above.map(|above| &document.statements[above as usize]);
        let said: FxHashMap<&str, &Meant> =
            own.said.words.iter().rev().map(|word| (word.stem.as_str(), word)).collect();
        let is_above = |stem: &str| {
            above.is_some_and(|above| above.said.words.iter().any(|word| word.stem == stem))
        };
        let (mut shared, mut contrary, mut common) = (0.0, 0.0, 0.0);
        let (mut subject, mut subject_named) = (0.0, 0.0);
        let (mut has_action, mut names_action, mut action_contrary) = (false, false, None);
        for word in &part.words {
            let found = said.get(word.stem.as_str());
            let counts = if found.is_some() {
                1.0
            } else {
                ABOVE * f64::from(u8::from(is_above(&word.stem)))
            };
            shared += word.weight * counts;
            if word.is_subject {
                subject += word.weight;
                subject_named += word.weight * counts;
            }
            has_action |= word.is_action;
            let Some(found) = found else { continue };
            let differs = word.is_denied != found.is_denied;
            common += word.weight;
            contrary += if differs { word.weight } else { 0.0 };
            if word.is_action {
                names_action = true;
                action_contrary = Some(differs);
            }
        }
        let is_contrary = action_contrary.unwrap_or(contrary > common / 2.0) && common > 0.0;
        let quantities: Vec<&Quantity> = own.said.quantities.iter().collect();
        Self {
            share: shared / part.weight().max(f64::MIN_POSITIVE),
            names_both: (names_action || !has_action) && subject_named >= SUBJECT_NAMED * subject,
            is_contrary,
            fit: fit(&part.quantities, &quantities),
            stance: stance(part, own.stance, own.said.is_of_outsiders),
        }
    }
}

/// What others do or must do is a mention, unless the part is about them; advice is enough where
/// something only has to be possible.
fn stance(part: &PreparedPart, own: Stance, is_of_outsiders: bool) -> Stance {
    if is_of_outsiders && !part.names_outsiders {
        own.min(Stance::Mentioned)
    } else if part.is_mild && own == Stance::Advised {
        Stance::Firm
    } else {
        own
    }
}

#[cfg(test)]
mod tests {
    use super::super::prepared::Prepared;
    use super::*;
    use crate::compliance::Criterion;

    fn overlap(requirement: &str, document: &str) -> Overlap {
        let prepared = Prepared::new(&Criterion::new("1", requirement, ""));
        let reading = Reading::new(document);
        Overlap::new(&prepared.parts[0], &reading, u32::try_from(reading.len()).unwrap() - 1)
    }

    #[test]
    fn subject_and_action_are_both_asked_for() {
        let found = overlap("Laptops are encrypted.", "All laptops of the office are encrypted.");
        assert!(found.share > 0.99 && found.names_both && !found.is_contrary);
        assert!(!overlap("Laptops are encrypted.", "Backups are encrypted.").names_both);
        assert!(!overlap("Laptops are encrypted.", "Laptops are locked away.").names_both);
        assert!(overlap("Laptops are encrypted.", "# Laptops\n\nDisks are encrypted.").names_both);
    }

    #[test]
    fn a_denial_on_one_side_is_contrary_and_on_both_it_is_not() {
        assert!(overlap("Laptops are encrypted.", "Laptops are not encrypted.").is_contrary);
        assert!(!overlap("Keys must not be shared.", "Keys are never shared.").is_contrary);
        assert!(overlap("Keys must not be shared.", "Keys are shared freely.").is_contrary);
    }

    #[test]
    fn what_others_must_do_is_a_mention() {
        let others = overlap("Data is encrypted.", "Suppliers must see that data is encrypted.");
        assert_eq!(others.stance, Stance::Mentioned);
        let asked = overlap("Suppliers encrypt data.", "Suppliers must encrypt data.");
        assert_eq!(asked.stance, Stance::Firm);
    }
}
