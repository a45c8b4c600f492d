//! Rules held against one view of the answer: match, frame, context.

use regex::Regex;

use super::clauses::Clauses;
use super::fold::FoldedText;
use super::patterns::{ANY_FRAME, ContextRule, Patterns, Rule, Scope};
use super::report::{Category, Context, EvidenceWeight, GateFinding};

/// A rule that matches more often than this has said enough: what follows is not looked at,
/// and no context excuses it.
const MATCHES_MAX: usize = 2_000;

/// One view of an answer with its clauses.
pub(super) struct View<'a> {
    folded: &'a FoldedText,
    clauses: Clauses<'a>,
    answer: &'a [char],
}

/// A match in folded bytes with the clause around it.
#[derive(Debug, Clone, Copy)]
struct Place {
    start: usize,
    end: usize,
    clause: (usize, usize),
}

impl<'a> View<'a> {
    /// A view of an answer given as code points.
    pub(super) fn new(folded: &'a FoldedText, answer: &'a [char]) -> Self {
        Self { folded, clauses: Clauses::of(&folded.text), answer }
    }

    fn text(&self) -> &'a str {
        &self.folded.text
    }

    /// Every finding of the rules, in the order of the rules.
    pub(super) fn findings(&self, patterns: &Patterns) -> Vec<GateFinding> {
        patterns.rules.iter().flat_map(|rule| self.matches(rule, patterns)).collect()
    }

    fn matches(&self, rule: &Rule, patterns: &Patterns) -> Vec<GateFinding> {
        let mut findings = Vec::new();
        for (index, found) in rule.pattern.find_iter(self.text()).enumerate() {
            let place = self.place(found.start(), found.end());
            if index >= MATCHES_MAX {
                let flood = Context::refused("flood", "");
                findings.push(self.finding((rule.category, &rule.id), place, flood));
                break;
            }
            let Some(frame) = self.frame(rule, patterns, place) else { continue };
            let context = match &rule.unless {
                Some(unless) => self.seen(unless, place.clause),
                None => None,
            };
            let context = match context {
                Some(seen) => Context::excused("other-meaning", seen),
                None => self.context(rule.category, patterns, place),
            };
            let name =
                if frame.is_empty() { rule.id.clone() } else { format!("{}/{frame}", rule.id) };
            findings.push(self.finding((rule.category, &name), place, context));
        }
        findings
    }

    /// The signals of an answer that no context excuses, and what they weigh together.
    pub(super) fn evidence(&self, patterns: &Patterns) -> (Vec<GateFinding>, EvidenceWeight) {
        let mut kinds: Vec<(&str, u32)> = Vec::new();
        let mut findings = Vec::new();
        for signal in &patterns.signals {
            let mut matches = signal.pattern.find_iter(self.text()).take(MATCHES_MAX);
            let counted = matches.find_map(|found| {
                let place = self.place(found.start(), found.end());
                let context = self.context(signal.category, patterns, place);
                (!context.excused).then_some((place, context))
            });
            let Some((place, context)) = counted else { continue };
            match kinds.iter_mut().find(|(kind, _)| *kind == signal.kind) {
                Some((_, weight)) => *weight = signal.weight.max(*weight),
                None => kinds.push((&signal.kind, signal.weight)),
            }
            let name = format!("evidence/{}", signal.id);
            findings.push(self.finding((signal.category, &name), place, context));
        }
        let weight = kinds.iter().map(|(_, weight)| weight).sum();
        (findings, EvidenceWeight { weight, kinds: kinds.len() })
    }

    fn place(&self, start: usize, end: usize) -> Place {
        Place { start, end, clause: self.clauses.around(start, end) }
    }

    fn finding(&self, rule: (Category, &str), place: Place, context: Context) -> GateFinding {
        let (start, end) = self.folded.original(place.start, place.end);
        let matched = self.answer[start..end].iter().collect();
        GateFinding { category: rule.0, rule: rule.1.to_owned(), matched, start, end, context }
    }

    /// The frame that makes the match an instruction; an empty name when none is needed.
    fn frame<'p>(&self, rule: &Rule, patterns: &'p Patterns, place: Place) -> Option<&'p str> {
        if rule.frames.is_empty() {
            return Some("");
        }
        let before = &self.text()[place.clause.0..place.start];
        let after = &self.text()[place.end..place.clause.1];
        let holds = |pattern: Option<&Regex>, text: &str| pattern.is_none_or(|p| p.is_match(text));
        let wanted = |id: &str| rule.frames.iter().any(|name| name == ANY_FRAME || name == id);
        let frame = patterns.frames.iter().filter(|frame| wanted(&frame.id)).find(|frame| {
            holds(frame.before.as_ref(), before) && holds(frame.after.as_ref(), after)
        });
        frame.map(|frame| frame.id.as_str())
    }

    fn seen(&self, pattern: &Regex, range: (usize, usize)) -> Option<&'a str> {
        pattern.find(&self.text()[range.0..range.1]).map(|found| found.as_str())
    }

    /// What stands around a match: the first excuse that holds, else the first that does not.
    fn context(&self, category: Category, patterns: &Patterns, place: Place) -> Context {
        let mut hollow = None;
        for rule in &patterns.contexts {
            let other = !rule.categories.is_empty() && !rule.categories.contains(&category);
            let Some(seen) = self.applies(rule, place).filter(|_| !other) else { continue };
            if rule.excuses {
                return Context::excused(&rule.id, seen.trim());
            }
            hollow.get_or_insert_with(|| Context::refused(&rule.id, seen.trim()));
        }
        hollow.unwrap_or_else(Context::none)
    }

    fn applies(&self, rule: &ContextRule, place: Place) -> Option<&'a str> {
        let (from, to) = place.clause;
        let range = match rule.scope {
            Scope::Clause => (from, to),
            Scope::Before | Scope::Adjacent => (from, place.start),
            Scope::After => (place.end, to),
            Scope::Next => self.clauses.after(to),
            Scope::Near => (self.clauses.shortly_before(place.start), to),
            Scope::Start => (0, self.clauses.after(0).1),
        };
        let seen = self.seen(&rule.pattern, range)?;
        let void = rule.unless.as_ref().is_some_and(|unless| self.seen(unless, range).is_some());
        (!void).then_some(seen)
    }
}
