//! Verbs of rules, to tell a sentence from a list of terms.

/// Verbs that are seldom nouns.
const VERBS: [&str; 96] = [
    "accept",
    "apply",
    "approve",
    "assign",
    "assure",
    "attend",
    "authorise",
    "authorize",
    "avoid",
    "belong",
    "bring",
    "carry",
    "close",
    "collect",
    "communicate",
    "comply",
    "conduct",
    "confirm",
    "consist",
    "consult",
    "create",
    "define",
    "delete",
    "deliver",
    "demand",
    "describe",
    "destroy",
    "determine",
    "develop",
    "disable",
    "disconnect",
    "employ",
    "enable",
    "encrypt",
    "enforce",
    "ensure",
    "enter",
    "erase",
    "escort",
    "establish",
    "evaluate",
    "examine",
    "feed",
    "follow",
    "generate",
    "get",
    "give",
    "grant",
    "happen",
    "identify",
    "implement",
    "include",
    "inform",
    "inspect",
    "install",
    "investigate",
    "keep",
    "limit",
    "maintain",
    "make",
    "manage",
    "must",
    "notify",
    "obtain",
    "occur",
    "pay",
    "perform",
    "prevent",
    "prohibit",
    "protect",
    "provide",
    "receive",
    "refuse",
    "remove",
    "replace",
    "require",
    "restore",
    "restrict",
    "retain",
    "return",
    "revoke",
    "send",
    "separate",
    "serve",
    "sign",
    "store",
    "submit",
    "synchronise",
    "take",
    "tell",
    "train",
    "update",
    "verify",
    "wash",
    "wear",
    "write",
];

/// Verbs that are as often nouns: they show a sentence only after another word.
const DOUBTFUL: [&str; 40] = [
    "access",
    "address",
    "alert",
    "assess",
    "audit",
    "back",
    "call",
    "change",
    "check",
    "clean",
    "contact",
    "control",
    "copy",
    "document",
    "handle",
    "hold",
    "issue",
    "label",
    "list",
    "lock",
    "log",
    "look",
    "monitor",
    "note",
    "patch",
    "plan",
    "record",
    "rehearse",
    "report",
    "request",
    "review",
    "run",
    "scan",
    "share",
    "start",
    "supervise",
    "test",
    "use",
    "visit",
    "watch",
];

/// Whether a word in lower case is the finite form of a verb of rules.
pub(super) fn is_finite(lower: &str, at: usize) -> bool {
    let is_known = |list: &[&str], word: &str| list.binary_search(&word).is_ok();
    let base = [lower.strip_suffix("ies").map(|start| format!("{start}y"))]
        .into_iter()
        .flatten()
        .chain(lower.strip_suffix("es").map(ToOwned::to_owned))
        .chain(lower.strip_suffix('s').map(ToOwned::to_owned))
        .find(|base| is_known(&VERBS, base) || is_known(&DOUBTFUL, base));
    match base {
        Some(base) => is_known(&VERBS, &base) || at > 0,
        None => is_known(&VERBS, lower),
    }
}

/// Verbs that are nothing else, in the forms of facts and duties.
const CLEAR: [&str; 24] = [
    "attend",
    "attends",
    "comply",
    "complies",
    "encrypts",
    "ensure",
    "ensures",
    "follow",
    "inform",
    "informs",
    "maintain",
    "maintains",
    "notify",
    "notifies",
    "perform",
    "performs",
    "provide",
    "provides",
    "receive",
    "receives",
    "require",
    "requires",
    "retain",
    "retains",
];

/// Whether a word is a verb and can be nothing else.
pub(super) fn is_clear(lower: &str) -> bool {
    CLEAR.contains(&lower)
}

/// Whether a word is the base form of a verb, be it a noun as well.
pub(super) fn is_base(lower: &str) -> bool {
    VERBS.binary_search(&lower).is_ok() || DOUBTFUL.binary_search(&lower).is_ok()
}

/// Whether a word is the form of a verb that somebody does: "takes", "follows".
pub(super) fn is_certain(lower: &str) -> bool {
    let ends = ["s", "es"].iter().filter_map(|end| lower.strip_suffix(end));
    ends.chain([lower]).any(|base| VERBS.binary_search(&base).is_ok()) && lower.ends_with('s')
}

/// Whether a word is as often a noun as a verb.
pub(super) fn is_doubtful(lower: &str) -> bool {
    DOUBTFUL.binary_search(&lower).is_ok()
}

/// Whether a text that begins with this word may be an order; "review process" is none, "review
/// every account" is.
pub(super) fn is_order(lower: &str, has_determiner: bool) -> bool {
    VERBS.binary_search(&lower).is_ok() || has_determiner && DOUBTFUL.binary_search(&lower).is_ok()
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

    #[test]
    fn the_lists_can_be_searched() {
        assert!(VERBS.is_sorted() && DOUBTFUL.is_sorted());
    }
}
