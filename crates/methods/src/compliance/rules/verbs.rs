//! Verbs of rules, to tell a sentence from a list of terms.

use super::lists::LISTS;

/// Whether a word in lower case is the finite form of a verb of rules.
pub(super) fn is_finite(lower: &str, at: usize) -> bool {
    let base = [lower.strip_suffix("ies").map(|start| format!("{start}y"))]
        .into_iter()
        .flatten()
        .chain(lower.strip_suffix("es").map(ToOwned::to_owned))
        .chain(lower.strip_suffix('s').map(ToOwned::to_owned))
        .find(|base| is_base(base));
    match base {
        Some(base) => LISTS.verbs.has(&base) || at > 0,
        None => LISTS.verbs.has(lower),
    }
}

/// Whether a word is the base form of a verb, be it a noun as well.
pub(super) fn is_base(lower: &str) -> bool {
    LISTS.verbs.has(lower) || LISTS.doubtful.has(lower)
}

/// Whether a word is the form of a verb that somebody does: "takes", "follows".
pub(super) fn is_certain(lower: &str) -> bool {
    let ends = ["s", "es"].iter().filter_map(|end| lower.strip_suffix(end));
    ends.chain([lower]).any(|base| LISTS.verbs.has(base)) && lower.ends_with('s')
}

/// Whether a word is as often a noun as a verb.
pub(super) fn is_doubtful(lower: &str) -> bool {
    LISTS.doubtful.has(lower)
}

/// Whether a text that begins with this word may be an order; "review process" is none, "review
/// every account" is.
pub(super) fn is_order(lower: &str, has_determiner: bool) -> bool {
    LISTS.verbs.has(lower) || has_determiner && LISTS.doubtful.has(lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_told_from_nouns_by_form_and_place() {
        assert!(is_finite("encrypts", 1) && is_finite("reviews", 2) && is_finite("carries", 1));
        assert!(!is_finite("review", 2) && !is_finite("reviews", 0) && !is_finite("privilege", 1));
        assert!(
            is_order("encrypt", false) && !is_order("review", false) && is_order("review", true)
        );
    }
}
