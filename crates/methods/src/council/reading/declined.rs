//! Whether a reply without a ballot declines to give one.

/// How declining begins. Lowercase, with plain apostrophes.
const PHRASES: [&str; 16] = [
    "i'm unable to",
    "i am unable to",
    "i'm not able to",
    "i am not able to",
    "i cannot",
    "i can't",
    "i can not",
    "i must decline",
    "i have to decline",
    "i decline",
    "i won't",
    "i will not",
    "i'm sorry, but",
    "i am sorry, but",
    "i'm not comfortable",
    "i refuse",
];

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
