//! Which clauses and words of a sentence are denied: "does not **review accounts**".

use super::over::is_over;
use super::tokens::Token;
use super::units::number;

/// Words that deny their clause; two of them deny it once.
const NOT: [&str; 20] = [
    "aren't", "can't", "cannot", "didn't", "doesn't", "don't", "hardly", "isn't", "neither",
    "never", "no", "nobody", "none", "nor", "not", "nothing", "rarely", "seldom", "wasn't",
    "weren't",
];

/// Words that turn what their clause says into its contrary; two of them turn it back.
const TURNING: [&str; 59] = [
    "abandon",
    "abandoned",
    "abolish",
    "abolished",
    "abolishes",
    "abolition",
    "avoid",
    "avoided",
    "axed",
    "ban",
    "banned",
    "bans",
    "canceled",
    "cancelled",
    "ceased",
    "ceases",
    "decline",
    "declines",
    "disallow",
    "disallowed",
    "discontinued",
    "discourage",
    "discouraged",
    "dropped",
    "excused",
    "exempt",
    "exempted",
    "exempts",
    "false",
    "forbid",
    "forbidden",
    "forbids",
    "halted",
    "impermissible",
    "inadmissible",
    "incorrect",
    "lack",
    "lacked",
    "lacking",
    "lacks",
    "neglect",
    "neglected",
    "neglects",
    "prohibit",
    "prohibited",
    "prohibition",
    "prohibits",
    "refrain",
    "refuse",
    "refused",
    "refuses",
    "repealed",
    "rescinded",
    "scrapped",
    "shelved",
    "stopped",
    "untrue",
    "waived",
    "won't",
];

/// Words in a row that do the same.
const TURNING_PHRASES: &[&[&str]] = &[
    &["came", "to", "an", "end"],
    &["dispense", "with"],
    &["dispensed", "with"],
    &["dispenses", "with"],
    &["do", "away", "with"],
    &["done", "away", "with"],
    &["gave", "up"],
    &["given", "up"],
    &["out", "of", "bounds"],
    &["out", "of", "the", "question"],
    &["phased", "out"],
    &["put", "on", "hold"],
    &["set", "aside"],
];

/// What follows from doing something that is forbidden: "sharing an account is **grounds for
/// dismissal**" forbids it.
const CONSEQUENCES: &[&[&str]] = &[
    &["against", "the", "rules"],
    &["cost", "you", "your", "job"],
    &["costs", "you", "your", "job"],
    &["disciplinary", "offence"],
    &["dismissable"],
    &["ends", "in", "dismissal"],
    &["grounds", "for", "dismissal"],
    &["gross", "misconduct"],
    &["lead", "to", "dismissal"],
    &["leads", "to", "dismissal"],
    &["mean", "dismissal"],
    &["means", "dismissal"],
    &["punishable"],
    &["punished"],
    &["reason", "for", "dismissal"],
    &["result", "in", "dismissal"],
    &["results", "in", "dismissal"],
    &["sackable"],
    &["sacking", "offence"],
    &["will", "be", "dismissed"],
    &["zero", "tolerance"],
];

/// Beginnings of words for what consequences are about by themselves: that a breach leads to
/// dismissal forbids nothing that is wanted.
const BREACHES: [&str; 8] =
    ["breach", "contraven", "disobe", "infring", "noncompl", "offend", "violat", "whoever"];

/// Words that do the same before "to"; "failed logins" denies nothing.
const FAILING: [&str; 5] = ["fail", "failed", "failing", "fails", "used"];

/// Before these "used to" tells of a habit that is over; "software used to review" does not.
const PRONOUNS: [&str; 7] = ["he", "i", "it", "she", "there", "they", "we"];

/// What looks like a denial and is none.
const HARMLESS: &[&[&str]] = &[
    &["no", "later", "than"],
    &["not", "later", "than"],
    &["no", "more", "than"],
    &["not", "more", "than"],
    &["no", "less", "than"],
    &["not", "less", "than"],
    &["no", "fewer", "than"],
    &["not", "fewer", "than"],
    &["no", "longer", "than"],
    &["not", "longer", "than"],
    &["never", "less", "often", "than"],
    &["not", "less", "often", "than"],
    &["never", "more", "than"],
    &["not", "only"],
    &["not", "limited", "to"],
    &["not", "necessarily"],
    &["nobody", "else"],
    &["no", "one", "else"],
    &["nothing", "else"],
    &["without", "exception"],
    &["without", "exceptions"],
    &["without", "delay"],
    &["without", "undue", "delay"],
    &["whether", "or", "not"],
    &["not", "exceed"],
    &["do", "not", "hesitate"],
];

/// After "not", these with "than" and a number set a limit: "must not have **fewer than** 12".
const COMPARATIVES: [&str; 10] =
    ["fewer", "less", "longer", "lower", "more", "older", "shorter", "smaller", "warmer", "higher"];

/// Words that deny the few words after them.
const LOCAL: [&str; 1] = ["without"];

/// How many words a local denial reaches over.
const REACH: usize = 4;

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
        let starts = |phrase: &[&str]| {
            let words = tokens[at..].iter().map(|token| token.lower.as_str());
            words.take(phrase.len()).eq(phrase.iter().copied())
        };
        if let Some(phrase) = HARMLESS.iter().find(|phrase| starts(phrase)) {
            for token in &mut tokens[at..at + phrase.len()] {
                token.is_taken = true;
            }
        }
        if demands(tokens, at) || bounds(tokens, at) {
            tokens[at].is_taken = true;
        }
        if sets_limit(tokens, at) {
            let first = at.saturating_sub(REACH);
            let is_not = |place: &usize| {
                let is_over = tokens[*place].lower == "no" && tokens[place + 1].lower == "longer";
                NOT.contains(&tokens[*place].lower.as_str()) && !is_over
            };
            if let Some(denial) = (first..at).rev().find(is_not) {
                tokens[denial].is_taken = true;
            }
        }
    }
}

/// What is not so is forbidden.
const PERMITTING: [&str; 4] = ["accepted", "allowed", "permitted", "possible"];

/// What need not be done unless something happens is no duty.
const NEEDED: [&str; 6] = ["have", "mandatory", "necessary", "need", "obliged", "required"];

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
    let is_not = NOT.binary_search(&lower(at)).is_ok() && !is_duty;
    let after = &tokens[at + 1..];
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
    let is_not = |token: &Token<'_>| !token.is_taken && NOT.contains(&token.lower.as_str());
    let not = tokens.iter().position(is_not)?;
    let is_without = |token: &Token<'_>| !token.is_taken && LOCAL.contains(&token.lower.as_str());
    let without = not + tokens[not..].iter().position(is_without)?;
    (tokens[not].clause == tokens[without].clause).then_some((tokens[not].clause, without))
}

/// What is forbidden from a number on is limited: "gifts **above 50 euros** are **not** accepted".
fn bounds(tokens: &[Token<'_>], at: usize) -> bool {
    let is_number = |token: &Token<'_>| token.lower.starts_with(|mark: char| mark.is_ascii_digit());
    let has_bound = |range: &[Token<'_>]| {
        range.iter().enumerate().any(|(place, token)| {
            ["above", "beyond", "exceeding", "over"].contains(&token.lower.as_str())
                && range[place + 1..].iter().take(2).any(is_number)
        })
    };
    let forbids = ["forbidden", "not", "prohibited"].contains(&tokens[at].lower.as_str());
    forbids && has_bound(&tokens[..at])
}

/// Whether "fewer than" or "less often than" begins here.
fn sets_limit(tokens: &[Token<'_>], at: usize) -> bool {
    let lower = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let skipped = usize::from(["often", "frequently"].contains(&lower(at + 1)));
    COMPARATIVES.contains(&lower(at)) && lower(at + 1 + skipped) == "than"
}

/// Whether a word among these denies.
pub(super) fn denies(tokens: &[Token<'_>]) -> bool {
    tokens.iter().any(|token| NOT.binary_search(&token.lower.as_str()).is_ok())
}

/// Whether each token is denied.
pub(super) fn denied(tokens: &[Token<'_>]) -> Vec<Denial> {
    let count = tokens.iter().map(|token| token.clause + 1).max().unwrap_or(0);
    let mut clauses: Vec<bool> = (0..count).map(|clause| is_denied(tokens, clause)).collect();
    pass_on(tokens, &mut clauses);
    pass_on_of_rules(tokens, &mut clauses);
    if lacks_a_rule(tokens) || is_over(tokens) {
        clauses.fill(true);
    }
    let whole = |token: &Token<'_>| Denial { is_denied: clauses[token.clause], is_local: false };
    let mut found: Vec<Denial> = tokens.iter().map(whole).collect();
    for (at, token) in tokens.iter().enumerate() {
        if token.is_taken || !LOCAL.contains(&token.lower.as_str()) {
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

/// What a document may say that it does not have; then the whole sentence denies.
const LACKED: [&str; 14] = [
    "arrangement",
    "arrangements",
    "clause",
    "clauses",
    "obligation",
    "plan",
    "policy",
    "procedure",
    "process",
    "provision",
    "requirement",
    "rule",
    "rules",
    "schedule",
];

/// "There is **no rule** on how long they have to be."
fn lacks_a_rule(tokens: &[Token<'_>]) -> bool {
    tokens.windows(3).any(|words| {
        let [no, next, after] = words else { return false };
        let is_lacked = |token: &Token<'_>| LACKED.contains(&token.lower.as_str());
        no.lower == "no" && !no.is_taken && (is_lacked(next) || is_lacked(after))
    })
}

fn is_denied(tokens: &[Token<'_>], clause: usize) -> bool {
    let (mut is_not, mut turns) = (false, false);
    let free = |token: &Token<'_>| token.clause == clause && !token.is_taken;
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| free(token)) {
        let lower = token.lower.as_str();
        let next = tokens.get(at + 1).map_or("", |next| next.lower.as_str());
        let before = at.checked_sub(1).map_or("", |before| tokens[before].lower.as_str());
        let is_habit = PRONOUNS.contains(&before);
        let fails = FAILING.contains(&lower) && next == "to" && (lower != "used" || is_habit);
        if fails || TURNING.binary_search(&lower).is_ok() {
            turns = !turns;
        }
        is_not |= NOT.binary_search(&lower).is_ok() || (lower == "no" && next == "one");
    }
    let has = |phrases: &[&[&str]]| {
        let begins = |at: usize, phrase: &[&str]| {
            free(&tokens[at]) && {
                let words = tokens[at..].iter().map(|token| token.lower.as_str());
                words.take(phrase.len()).eq(phrase.iter().copied())
            }
        };
        (0..tokens.len()).any(|at| phrases.iter().any(|phrase| begins(at, phrase)))
    };
    let is_breach = |token: &Token<'_>| {
        token.lower == "non" || BREACHES.iter().any(|word| token.lower.starts_with(word))
    };
    let follows = has(CONSEQUENCES) && !tokens.iter().any(|token| free(token) && is_breach(token));
    is_not != (turns != (has(TURNING_PHRASES) || follows))
}

/// "The rule that doors are locked **was repealed**": what the rule says is denied with it.
fn pass_on_of_rules(tokens: &[Token<'_>], clauses: &mut [bool]) {
    for pair in tokens.windows(2) {
        let [rule, that] = pair else { continue };
        let is_rule =
            LACKED.contains(&rule.lower.as_str()) || ["duty", "practice"].contains(&&*rule.lower);
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
    use super::super::lexicon::Lexicon;
    use super::super::tokens::tokens;
    use super::*;

    fn denied_words(text: &str) -> Vec<String> {
        let lexicon = Lexicon::of(std::iter::empty());
        let mut tokens = tokens(text, &lexicon);
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
            "Gifts above 50 euros are not accepted.",
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

    #[test]
    fn the_lists_can_be_searched() {
        assert!(NOT.is_sorted() && TURNING.is_sorted());
    }
}
