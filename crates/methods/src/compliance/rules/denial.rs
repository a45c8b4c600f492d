//! Which clauses and words of a sentence are denied: "does not **review accounts**".

use super::lists::LISTS;
use super::over::is_over;
use super::tokens::Token;
use super::units::number;

/// Words that turn a clause only before "to"; "failed logins" denies nothing.
const FAILING: [&str; 5] = ["fail", "failed", "failing", "fails", "used"];

/// Before these "used to" tells of a habit that is over; "software used to review" does not.
const PRONOUNS: [&str; 7] = ["he", "i", "it", "she", "there", "they", "we"];

/// What is not so is forbidden.
const PERMITTING: [&str; 4] = ["accepted", "allowed", "permitted", "possible"];

/// What need not be done unless something happens is no duty.
const NEEDED: [&str; 6] = ["have", "mandatory", "necessary", "need", "obliged", "required"];

/// How many words "without" reaches over.
const REACH: usize = 4;

/// So many words after a denial are looked at for what it waits for or is excused by.
const AHEAD: usize = 24;

/// Whether a word is denied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Denial {
    pub is_denied: bool,
    /// Whether the word alone is, and not its clause: "without **inspection**".
    pub is_local: bool,
}

/// Takes phrases that only look like denials, so that they deny nothing.
pub(super) fn take_harmless(tokens: &mut [Token<'_>]) {
    for at in 0..tokens.len() {
        if let Some(length) = LISTS.harmless.at(tokens, at) {
            for token in &mut tokens[at..at + length] {
                token.is_taken = true;
            }
        }
        if LISTS.denying.has(&tokens[at].lower) && demands(tokens, at) {
            tokens[at].is_taken = true;
        }
        if sets_limit(tokens, at) {
            let first = at.saturating_sub(REACH);
            let is_not = |place: &usize| {
                let is_over = tokens[*place].lower == "no" && tokens[place + 1].lower == "longer";
                LISTS.denying.has(&tokens[*place].lower) && !is_over
            };
            if let Some(denial) = (first..at).rev().find(is_not) {
                tokens[denial].is_taken = true;
            }
        }
    }
}

/// Who may do nothing before something must do that: "**nobody** starts **before** the course".
fn demands(tokens: &[Token<'_>], at: usize) -> bool {
    let lower = |at: usize| tokens[at].lower.as_str();
    let before = at.checked_sub(1).map_or("", |before| tokens[before].lower.as_str());
    let is_nobody = ["no", "nobody", "none"].contains(&lower(at));
    let is_forbidden = ["cannot", "never", "not"].contains(&lower(at))
        && (lower(at) != "not"
            || at > 0 && ["can", "may", "must", "shall", "will"].contains(&lower(at - 1))
            || tokens.get(at + 1).is_some_and(|next| PERMITTING.contains(&next.lower.as_str())));
    let is_duty = ["need", "needn't"].contains(&before)
        || tokens.get(at + 1).is_some_and(|next| NEEDED.contains(&next.lower.as_str()));
    let is_not = LISTS.denying.has(lower(at)) && !is_duty;
    let after = &tokens[at + 1..tokens.len().min(at + 1 + AHEAD)];
    let is_number = |token: &Token<'_>| number(std::slice::from_ref(token), 0).is_some();
    let lasts = |place: usize| after[place + 1..].iter().take(2).any(is_number);
    (0..after.len()).any(|place| match after[place].lower.as_str() {
        "before" | "until" => is_nobody || is_forbidden || lower(at) == "not" && lasts(place),
        "unless" => is_nobody || is_forbidden || is_not,
        _ => false,
    })
}

/// Where "without" stands after a denial: who may do nothing without something may do it with that.
fn excused(tokens: &[Token<'_>]) -> Option<(usize, usize)> {
    let is_not = |token: &Token<'_>| !token.is_taken && LISTS.denying.has(&token.lower);
    let not = tokens.iter().position(is_not)?;
    let is_without = |token: &Token<'_>| !token.is_taken && token.lower == "without";
    let without = not + tokens[not..].iter().position(is_without)?;
    (tokens[not].clause == tokens[without].clause).then_some((tokens[not].clause, without))
}

/// Whether "fewer than" or "less often than" begins here.
fn sets_limit(tokens: &[Token<'_>], at: usize) -> bool {
    let lower = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let skipped = usize::from(["often", "frequently"].contains(&lower(at + 1)));
    LISTS.comparatives.has(lower(at)) && lower(at + 1 + skipped) == "than"
}

/// Whether each token is denied.
pub(super) fn denied(tokens: &[Token<'_>]) -> Vec<Denial> {
    let mut clauses = denied_clauses(tokens);
    pass_on(tokens, &mut clauses);
    pass_on_of_rules(tokens, &mut clauses);
    if is_over(tokens) {
        clauses.fill(true);
    }
    let whole = |token: &Token<'_>| Denial { is_denied: clauses[token.clause], is_local: false };
    let mut found: Vec<Denial> = tokens.iter().map(whole).collect();
    for (at, token) in tokens.iter().enumerate() {
        if token.is_taken || token.lower != "without" {
            continue;
        }
        let reach = tokens[at + 1..].iter().take(REACH);
        let length =
            reach.take_while(|next| !next.word.begins_clause && next.lower != "and").count();
        for denied in &mut found[at + 1..=at + length] {
            *denied = Denial { is_denied: !denied.is_denied, is_local: true };
        }
    }
    if let Some((clause, without)) = excused(tokens) {
        let pairs = tokens.iter().zip(&mut found).take(without + 1);
        pairs
            .filter(|(token, _)| token.clause == clause)
            .for_each(|(_, denied)| denied.is_denied = false);
    }
    found
}

/// What stands in a clause that may deny it.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a sign of its own, and all may be there"
)]
#[derive(Clone, Copy, Default)]
struct Signs {
    is_not: bool,
    turns: bool,
    has_turning_phrase: bool,
    has_consequence: bool,
    is_breach: bool,
}

/// Whether each clause is denied.
fn denied_clauses(tokens: &[Token<'_>]) -> Vec<bool> {
    let count = tokens.iter().map(|token| token.clause + 1).max().unwrap_or(0);
    let mut found = vec![Signs::default(); count];
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| !token.is_taken) {
        let signs = &mut found[token.clause];
        let lower = token.lower.as_str();
        let next = tokens.get(at + 1).map_or("", |next| next.lower.as_str());
        let before = at.checked_sub(1).map_or("", |before| tokens[before].lower.as_str());
        let is_habit = PRONOUNS.contains(&before);
        let fails = FAILING.contains(&lower) && next == "to" && (lower != "used" || is_habit);
        signs.turns ^= fails || LISTS.turning.has(lower);
        signs.is_not |= LISTS.denying.has(lower);
        signs.has_turning_phrase |= LISTS.turning_phrases.at(tokens, at).is_some();
        signs.has_consequence |= LISTS.consequences.at(tokens, at).is_some();
        signs.is_breach |=
            lower == "non" || LISTS.breaches.iter().any(|word| lower.starts_with(word));
    }
    let is_denied = |signs: &Signs| {
        let follows = signs.has_consequence && !signs.is_breach;
        signs.is_not != (signs.turns != (signs.has_turning_phrase || follows))
    };
    found.iter().map(is_denied).collect()
}

/// "The rule that doors are locked **was repealed**": what the rule says is denied with it.
fn pass_on_of_rules(tokens: &[Token<'_>], clauses: &mut [bool]) {
    for pair in tokens.windows(2) {
        let [rule, that] = pair else { continue };
        let is_rule = LISTS.lacked.has(&rule.lower) || ["duty", "practice"].contains(&&*rule.lower);
        let is_ours = that.lower == "that" && rule.clause != that.clause;
        if is_rule && is_ours && clauses[rule.clause] {
            clauses[that.clause] = !clauses[that.clause];
        }
    }
}

/// "It is untrue that …" denies what follows, not itself.
fn pass_on(tokens: &[Token<'_>], clauses: &mut [bool]) {
    const TRUTH: [&str; 5] = ["correct", "false", "incorrect", "true", "untrue"];
    for pair in tokens.windows(2) {
        let [before, that] = pair else { continue };
        if that.lower == "that"
            && TRUTH.contains(&before.lower.as_str())
            && clauses[before.clause]
            && before.clause != that.clause
        {
            clauses[before.clause] = false;
            clauses[that.clause] = !clauses[that.clause];
            // The clause after "that" may have a predicate that the splitter gave back.
            let rest = tokens.iter().skip_while(|token| token.clause != that.clause);
            for token in rest.filter(|token| token.clause == before.clause) {
                clauses[token.clause] = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn denied_words(text: &str) -> Vec<String> {
        let mut tokens = tokens(text);
        take_harmless(&mut tokens);
        let denied = denied(&tokens);
        let pairs = tokens.into_iter().zip(denied);
        pairs
            .filter(|(token, denied)| denied.is_denied && token.lower.len() > 4)
            .map(|pair| pair.0.lower)
            .collect()
    }

    #[test]
    fn a_denied_predicate_denies_its_clause() {
        let all = ["review", "accounts", "quarterly"];
        assert_eq!(denied_words("The team does not review accounts quarterly"), all);
        assert_eq!(denied_words("It fails to report incidents"), ["fails", "report", "incidents"]);
        assert!(denied_words("Failed logins are recorded").is_empty());
        assert_eq!(
            denied_words("We never share keys and always rotate passwords"),
            ["never", "share"]
        );
    }

    #[test]
    fn not_permitted_is_prohibited_and_not_prohibited_is_permitted() {
        assert!(!denied_words("Shared accounts are not permitted.").is_empty());
        assert!(!denied_words("Shared accounts are prohibited.").is_empty());
        assert!(denied_words("Shared accounts are not prohibited.").is_empty());
    }

    #[test]
    fn what_is_untrue_abolished_or_refused_is_denied() {
        assert!(
            denied_words("It is untrue that the network is separated.").contains(&"network".into())
        );
        assert!(
            denied_words("It is not true that data is copied daily.").contains(&"copied".into())
        );
        assert!(denied_words("The review was abolished in 2021.").contains(&"review".into()));
        assert!(denied_words("She refuses to report incidents.").contains(&"incidents".into()));
        assert!(denied_words("We used to review accounts.").contains(&"accounts".into()));
        let repealed = denied_words("The rule that doors be inspected monthly was repealed.");
        assert!(repealed.contains(&"inspected".into()));
    }

    #[test]
    fn what_leads_to_dismissal_is_forbidden_unless_it_is_a_breach() {
        let denies = |text: &str| denied_words(text).contains(&"sharing".into());
        assert!(denies("Sharing an account is grounds for dismissal."));
        assert!(denies("Sharing accounts is out of the question."));
        assert!(denies("Whoever speaks up is protected; sharing names leads to dismissal."));
        assert!(!denies("Sharing rules in breach of the contract leads to dismissal."));
    }

    #[test]
    fn a_denial_stays_in_its_clause() {
        assert!(
            denied_words("Accounts that are not needed are removed").contains(&"needed".into())
        );
        assert!(
            !denied_words("Accounts that are not needed are removed").contains(&"removed".into())
        );
    }

    #[test]
    fn limits_and_additions_are_no_denials() {
        for text in [
            "no later than friday",
            "not only owners review",
            "not limited to servers",
            "Passwords must not have fewer than 12 characters",
            "Backups are never made less often than daily",
        ] {
            assert!(denied_words(text).iter().all(|word| word == "never"), "{text}");
        }
    }

    #[test]
    fn who_may_do_nothing_before_or_without_something_must_do_that() {
        for text in [
            "Nobody handles food before completing the course.",
            "The contractor shall not engage others without prior consent.",
            "Samples are not discarded before 14 days have passed.",
            "No change goes live unless tested by users.",
            "Photographs are not published unless residents agree.",
        ] {
            assert!(denied_words(text).is_empty(), "{text}: {:?}", denied_words(text));
        }
        assert!(!denied_words("Backups are not tested before release.").is_empty());
        assert!(!denied_words("Keys need not be renewed unless lost.").is_empty());
    }

    #[test]
    fn without_denies_what_follows_it() {
        assert_eq!(denied_words("Flour is accepted without inspection."), ["inspection"]);
    }
}
