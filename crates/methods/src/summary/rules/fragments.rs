//! How many pieces of the article a claim is put together from.

use super::index::Index;
use super::vocabulary::Stem;

/// Positions of one stem that are tried at most: beyond them nothing new is learned.
const POSITIONS_MAX: usize = 4096;

/// The number of pieces: runs of words copied from the article, each as long as it can
/// be, taken from left to right; a word that the article lacks is a piece of its own.
pub(super) fn fragments(claim: &[Stem], index: &Index) -> usize {
    let mut pieces = 0;
    let mut at = 0;
    while at < claim.len() {
        at += longest_copy(&claim[at..], index).max(1);
        pieces += 1;
    }
    pieces
}

/// Where in the article a claim stands word for word.
pub(super) fn verbatim_at(claim: &[Stem], index: &Index) -> Option<usize> {
    let first = *claim.first()?;
    let is_here = |position: &usize| index.flat[*position..].starts_with(claim);
    let positions = index.positions_of(first).iter().map(|position| *position as usize);
    positions.take(POSITIONS_MAX).find(is_here)
}

fn longest_copy(claim: &[Stem], index: &Index) -> usize {
    let mut longest = 0;
    for &position in index.positions_of(claim[0]).iter().take(POSITIONS_MAX) {
        let article = &index.flat[position as usize..];
        if longest > 0 && article.get(longest) != claim.get(longest) {
            continue;
        }
        let run = article.iter().zip(claim).take_while(|(left, right)| left == right).count();
        longest = longest.max(run);
        if longest == claim.len() {
            break;
        }
    }
    longest
}
