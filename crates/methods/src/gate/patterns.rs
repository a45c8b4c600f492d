//! Pattern files: rules as data, compiled in and added to by the user.
//!
//! A pattern is a regular expression over folded text with the additions of [`expand`].

use std::collections::BTreeMap;

use regex::{Regex, RegexBuilder};
use serde::Deserialize;

use super::expand::expand;
use super::report::Category;
use super::{GateError, fold::LookAlikes};

/// A pattern file as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// Parts of patterns that several rules share.
    #[serde(default)]
    pub(super) fragments: BTreeMap<String, String>,
    /// Letters that look like Latin ones.
    #[serde(default)]
    pub(super) look_alikes: BTreeMap<String, String>,
    /// What makes an act an instruction.
    #[serde(default)]
    pub(super) frame: Vec<Frame<String>>,
    /// What excuses a match, or only seems to.
    #[serde(default)]
    pub(super) context: Vec<ContextRule<String>>,
    /// What is looked for.
    #[serde(default)]
    pub(super) rule: Vec<Rule<String>>,
    /// Evidence that counts only together.
    #[serde(default)]
    pub(super) signal: Vec<Signal<String>>,
    /// How much evidence is enough.
    pub(super) evidence: Option<Evidence>,
}

/// When signals fail an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Evidence {
    /// The least weight of all signals together, each kind counted once.
    pub(super) weight_min: u32,
    /// The least number of kinds.
    pub(super) kinds_min: usize,
}

fn yes() -> bool {
    true
}

/// Where a context rule looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Scope {
    /// In the clause of the match.
    Clause,
    /// In the clause, before the match.
    Before,
    /// In the clause, after the match.
    After,
    /// Directly before the match.
    Adjacent,
    /// In the clause after that of the match.
    Next,
    /// In the clause of the match and what stands shortly before it.
    Near,
    /// In the first clause of the answer.
    Start,
}

/// A frame; `P` is a pattern as it is written or compiled, here and below.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Frame<P = Regex> {
    pub(super) id: String,
    pub(super) before: Option<P>,
    pub(super) after: Option<P>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContextRule<P = Regex> {
    pub(super) id: String,
    pub(super) scope: Scope,
    pub(super) pattern: P,
    pub(super) unless: Option<P>,
    #[serde(default = "yes")]
    pub(super) excuses: bool,
    #[serde(default)]
    pub(super) categories: Vec<Category>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rule<P = Regex> {
    pub(super) id: String,
    pub(super) category: Category,
    pub(super) pattern: P,
    /// Words in the clause that give the match another meaning.
    pub(super) unless: Option<P>,
    /// The frames of which one must stand around the match; `["any"]` is every frame, none
    /// at all means that the words alone are enough.
    #[serde(default)]
    pub(super) frames: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Signal<P = Regex> {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) category: Category,
    pub(super) weight: u32,
    pub(super) pattern: P,
}

/// Everything that pattern files say, compiled.
#[derive(Debug, Clone, Default)]
pub(super) struct Patterns {
    fragments: BTreeMap<String, String>,
    pub(super) look_alikes: LookAlikes,
    pub(super) frames: Vec<Frame>,
    pub(super) contexts: Vec<ContextRule>,
    pub(super) rules: Vec<Rule>,
    pub(super) signals: Vec<Signal>,
    pub(super) evidence: Option<Evidence>,
}

impl Patterns {
    /// Adds what a file says; fragments of earlier files can be used.
    pub(super) fn add(&mut self, toml: &str) -> Result<(), GateError> {
        let file: File = toml::from_str(toml)
            .map_err(|error| GateError::NotPatterns(error.to_string().trim().to_owned()))?;
        self.fragments.extend(file.fragments);
        for (from, to) in file.look_alikes {
            let (Ok(from), Ok(to)) = (from.parse(), to.parse()) else {
                return Err(bad("look_alikes", format!("`{from}` is not one character")));
            };
            self.look_alikes.insert(from, to);
        }
        for frame in file.frame {
            let before = self.optional(&frame.id, frame.before.as_deref(), Anchor::End)?;
            let after = self.optional(&frame.id, frame.after.as_deref(), Anchor::Start)?;
            self.frames.push(Frame { id: frame.id, before, after });
        }
        for text in file.context {
            let anchor = if text.scope == Scope::Adjacent { Anchor::End } else { Anchor::Nowhere };
            self.contexts.push(ContextRule {
                pattern: self.compile(&text.id, &text.pattern, anchor)?,
                unless: self.optional(&text.id, text.unless.as_deref(), Anchor::Nowhere)?,
                id: text.id,
                scope: text.scope,
                excuses: text.excuses,
                categories: text.categories,
            });
        }
        self.add_rules(file.rule)?;
        for text in file.signal {
            self.signals.push(Signal {
                pattern: self.compile(&text.id, &text.pattern, Anchor::Nowhere)?,
                id: text.id,
                kind: text.kind,
                category: text.category,
                weight: text.weight,
            });
        }
        self.evidence = file.evidence.or(self.evidence);
        Ok(())
    }

    fn add_rules(&mut self, rules: Vec<Rule<String>>) -> Result<(), GateError> {
        for text in rules {
            if self.rules.iter().any(|rule| rule.id == text.id) {
                return Err(bad(&text.id, "another rule has the same id".to_owned()));
            }
            let known = |name: &String| {
                name == ANY_FRAME || self.frames.iter().any(|frame| frame.id == *name)
            };
            if let Some(unknown) = text.frames.iter().find(|name| !known(name)) {
                return Err(bad(&text.id, format!("unknown frame `{unknown}`")));
            }
            self.rules.push(Rule {
                pattern: self.compile(&text.id, &text.pattern, Anchor::Nowhere)?,
                unless: self.optional(&text.id, text.unless.as_deref(), Anchor::Nowhere)?,
                id: text.id,
                category: text.category,
                frames: text.frames,
            });
        }
        Ok(())
    }

    fn optional(
        &self,
        id: &str,
        pattern: Option<&str>,
        anchor: Anchor,
    ) -> Result<Option<Regex>, GateError> {
        let pattern = pattern.filter(|pattern| !pattern.is_empty());
        pattern.map(|pattern| self.compile(id, pattern, anchor)).transpose()
    }

    fn compile(&self, id: &str, pattern: &str, anchor: Anchor) -> Result<Regex, GateError> {
        let whole = expand(pattern, &self.fragments).map_err(|reason| bad(id, reason))?;
        let whole = match anchor {
            Anchor::Nowhere => whole,
            Anchor::Start => format!("^(?:{whole})"),
            Anchor::End => format!("(?:{whole})$"),
        };
        let built = RegexBuilder::new(&whole).size_limit(COMPILED_BYTES_MAX).build();
        let regex = built.map_err(|error| bad(id, last_line(&error.to_string())))?;
        if regex.is_match("") && matches!(anchor, Anchor::Nowhere) {
            return Err(bad(id, "the pattern matches the empty text".to_owned()));
        }
        Ok(regex)
    }
}

/// The name that stands for every frame.
pub(super) const ANY_FRAME: &str = "any";

/// A pattern that needs more is not one that a person can read.
const COMPILED_BYTES_MAX: usize = 4 << 20;
#[derive(Debug, Clone, Copy)]
enum Anchor {
    Nowhere,
    Start,
    End,
}

/// What is wrong, without the whole pattern above it.
fn last_line(message: &str) -> String {
    message.lines().last().unwrap_or_default().to_owned()
}

fn bad(rule: &str, reason: String) -> GateError {
    GateError::BadRule { rule: rule.to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(toml: &str) -> Result<Patterns, GateError> {
        let mut patterns = Patterns::default();
        patterns.add(toml).map(|()| patterns)
    }

    #[test]
    fn verbs_and_fragments_are_written_out() {
        let patterns =
            add("[fragments]\nthing = 'kites?|{toy}'\ntoy = 'yo yos?'\n[[rule]]\nid = 'a'\n\
             category = 'weapon_making'\npattern = '\\b<make|cut|set up> {thing}\\b'")
            .unwrap();
        let rule = &patterns.rules[0].pattern;
        for text in ["make kites", "making yo yo", "cutting yo\nyos", "setting up kite"] {
            assert!(rule.is_match(text), "{text}");
        }
        assert!(!rule.is_match("makes kites"));
    }

    #[test]
    fn errors_name_the_rule() {
        let rule = |pattern: &str| {
            add(&format!("[[rule]]\nid = 'mine'\ncategory = 'self_harm'\npattern = '{pattern}'"))
                .unwrap_err()
                .to_string()
        };
        assert!(rule("(").starts_with("rule `mine`: "));
        assert_eq!(rule("{nothing}"), "rule `mine`: unknown fragment `nothing`");
        assert_eq!(rule("a*"), "rule `mine`: the pattern matches the empty text");
        assert!(add("[[rule]]\nid = 'x'\ncolour = 1").is_err());
    }

    #[test]
    fn fragments_in_a_circle_are_refused() {
        let text = "[fragments]\na = '{b}'\nb = '{a}'\n[[rule]]\nid = 'c'\n\
                    category = 'self_harm'\npattern = '{a}'";
        assert!(add(text).unwrap_err().to_string().contains("cycle"));
    }
}
