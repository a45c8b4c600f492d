//! Words that deny another by a syllable before it: "unable", "inaccurate", "disinterest".

/// Syllables that deny what follows, and the fewest letters that must follow.
const DENYING: [(&str, usize); 7] =
    [("un", 4), ("dis", 5), ("non", 5), ("in", 5), ("im", 5), ("il", 5), ("ir", 5)];

/// Pairs of syllables that say the opposite before the same word.
const TURNING: [(&str, &str); 2] = [("over", "under"), ("in", "out")];

/// After these, only words with such an end are denied: "improved" is not "proved" denied.
const DOUBTFUL: [&str; 4] = ["il", "im", "in", "ir"];
const ENDS: [&str; 20] = [
    "able", "ably", "accurate", "acy", "adequate", "al", "ally", "ance", "ant", "ate", "ately",
    "complete", "correct", "ence", "ency", "ent", "ently", "ible", "ity", "ive",
];

/// Words that only look so.
const OTHERWISE: [&str; 16] = [
    "charge", "charged", "close", "closed", "count", "counted", "course", "cover", "covered",
    "covers", "ease", "less", "play", "played", "stance", "tribute",
];

/// The letters of words that may say the opposite of a lowercase word.
pub(super) fn opposites(lower: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (syllable, least) in DENYING {
        if let Some(rest) = lower.strip_prefix(syllable)
            && is_denied(syllable, least, rest)
        {
            found.push(rest.to_owned());
        }
        if is_denied(syllable, least, lower) {
            found.push(format!("{syllable}{lower}"));
        }
    }
    for (one, other) in TURNING {
        for (from, to) in [(one, other), (other, one)] {
            let rest = lower.strip_prefix(from).filter(|rest| rest.len() > 3);
            found.extend(rest.map(|rest| format!("{to}{rest}")));
        }
    }
    found
}

fn is_denied(syllable: &str, least: usize, rest: &str) -> bool {
    rest.len() >= least
        && !OTHERWISE.contains(&rest)
        && (!DOUBTFUL.contains(&syllable) || ENDS.iter().any(|end| rest.ends_with(end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_syllable_turns_a_word_round() {
        let says = |word: &str, other: &str| opposites(word).contains(&other.to_owned());
        assert!(says("unable", "able") && says("able", "unable"));
        assert!(says("inflexible", "flexible") && says("accurate", "inaccurate"));
        assert!(says("disinterest", "interest") && says("underestimate", "overestimate"));
        assert!(!says("improved", "proved") && !says("disclose", "close"));
        assert!(!says("unless", "less") && !says("income", "come"));
    }
}
