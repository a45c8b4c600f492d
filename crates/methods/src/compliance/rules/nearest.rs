//! Which numbers of a statement are rather those of a part.

use super::quantity::Quantity;
use super::statements::Reading;
use super::wanted::Wanted;

/// The quantities of a statement, those of the clauses that share most with the part first.
pub(super) fn nearest<'d>(
    wanted: &Wanted,
    document: &'d Reading<'_>,
    index: u32,
) -> Vec<&'d Quantity> {
    let statement = &document.statements[index as usize];
    if wanted.quantities.is_empty() || statement.quantities.is_empty() {
        return Vec::new();
    }
    let mut clauses: Vec<(u8, f64)> = Vec::new();
    for (term, bit) in &wanted.keys {
        let postings = &document.postings[*term as usize];
        let first = postings.partition_point(|posting| posting.statement < index);
        for posting in postings[first..].iter().take_while(|posting| posting.statement == index) {
            match clauses.iter_mut().find(|(clause, _)| *clause == posting.clause) {
                Some((_, weight)) => *weight += wanted.slots[*bit as usize],
                None => clauses.push((posting.clause, wanted.slots[*bit as usize])),
            }
        }
    }
    let weight = |quantity: &Quantity| {
        let own = clauses.iter().find(|(clause, _)| usize::from(*clause) == quantity.clause);
        own.map_or(0.0, |(_, weight)| *weight)
    };
    let mut found: Vec<&Quantity> = statement.quantities.iter().collect();
    found.sort_by(|left, right| weight(right).total_cmp(&weight(left)));
    found
}
