//! Whether a reply without a ballot declines to give one.

use std::sync::LazyLock;

use assize_text::word_list;

/// How declining begins. Lowercase, with plain apostrophes.
static PHRASES: LazyLock<Vec<&str>> =
    LazyLock::new(|| word_list(include_str!("../../../data/declined.txt")));

/// Whether the reply declines. Only asked where there is no ballot: a critique may quote
/// these words.
pub(super) fn declines(reply: &str) -> bool {
    let plain: String = reply
        .chars()
        .map(|letter| if matches!(letter, '’' | '‘' | 'ʼ' | '′' | '`') { '\'' } else { letter })
        .flat_map(char::to_lowercase)
        .collect();
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    PHRASES.iter().any(|phrase| plain.contains(phrase))
}
