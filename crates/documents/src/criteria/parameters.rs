//! The blanks of a catalog: `{{ insert: param, ac-1_prm_1 }}` as words a reader fills in.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// How deep blanks may lie in one another.
const DEPTH_MAX: usize = 8;

/// The parameters of a catalog by their identifiers, also the alternative ones.
#[derive(Debug, Default)]
pub(super) struct Parameters<'a> {
    by_id: BTreeMap<&'a str, &'a Value>,
}

impl<'a> Parameters<'a> {
    /// Takes the parameters of a catalog, a group or a control.
    pub(super) fn take(&mut self, owner: &'a Value) {
        for parameter in list(owner, "params") {
            let other_names = list(parameter, "props")
                .filter(|prop| text(prop, "name") == "alt-identifier")
                .map(|prop| text(prop, "value"));
            for id in other_names.chain([text(parameter, "id")]).filter(|id| !id.is_empty()) {
                self.by_id.entry(id).or_insert(parameter);
            }
        }
    }

    /// The prose with every blank filled; those that nobody declared are noted.
    pub(super) fn fill(&self, prose: &str, unknown: &mut BTreeSet<String>) -> String {
        tidy(&self.filled(prose, unknown, 0), prose.contains("{{"))
    }

    fn filled(&self, prose: &str, unknown: &mut BTreeSet<String>, depth: usize) -> String {
        let mut filled = String::new();
        let mut rest = prose;
        while let Some((before, after)) = rest.split_once("{{") {
            filled.push_str(before);
            let Some((blank, after)) = after.split_once("}}") else {
                filled.push_str("{{");
                rest = after;
                continue;
            };
            let id = blank.rsplit(',').next().unwrap_or(blank).trim();
            filled.push_str(&self.value(id, unknown, depth));
            rest = after;
        }
        filled.push_str(rest);
        filled
    }

    /// What stands for a parameter: its value, its choices or what it is about.
    fn value(&self, id: &str, unknown: &mut BTreeSet<String>, depth: usize) -> String {
        let Some(parameter) = self.by_id.get(id).filter(|_| depth < DEPTH_MAX) else {
            unknown.insert(id.to_owned());
            return format!("[{id}]");
        };
        let values: Vec<&str> = list(parameter, "values").filter_map(Value::as_str).collect();
        if !values.is_empty() {
            return self.filled(&values.join(", "), unknown, depth + 1);
        }
        let select = parameter.get("select").unwrap_or(&Value::Null);
        let choices: Vec<String> = list(select, "choice")
            .filter_map(Value::as_str)
            .map(|choice| self.filled(choice, unknown, depth + 1).trim().to_owned())
            .collect();
        if !choices.is_empty() {
            let several = text(select, "how-many") == "one-or-more";
            let how_many = if several { " (one or more)" } else { "" };
            return format!("[Selection{how_many}: {}]", choices.join("; "));
        }
        let label = text(parameter, "label");
        let label = if label.is_empty() { id } else { label };
        format!("[Assignment: {}]", self.filled(label, unknown, depth + 1).trim())
    }
}

/// The values of a list under a key; none if there is no such list.
pub(super) fn list<'a>(owner: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    owner.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// The text under a key; empty if there is none.
pub(super) fn text<'a>(owner: &'a Value, key: &str) -> &'a str {
    owner.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Prose without the targets of links and without empty lines; where blanks were filled,
/// without the spaces that stood around them.
fn tidy(prose: &str, had_blanks: bool) -> String {
    let prose = without_links(prose);
    let lines = prose.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines = lines.map(|line| if had_blanks { closed_up(line) } else { line.to_owned() });
    lines.collect::<Vec<_>>().join("\n")
}

fn closed_up(line: &str) -> String {
    let mut closed = String::with_capacity(line.len());
    for word in line.split_whitespace() {
        if !closed.is_empty() && !word.starts_with([',', ';', '.', ':', ')']) {
            closed.push(' ');
        }
        closed.push_str(word);
    }
    closed
}

/// `[AC-3](#ac-3)` as `AC-3`.
fn without_links(prose: &str) -> String {
    let mut plain = String::with_capacity(prose.len());
    let mut rest = prose;
    while let Some(at) = rest.find("](") {
        let (before, after) = rest.split_at(at);
        let open = before.rfind('[');
        let close = after.find(')');
        if let (Some(open), Some(close)) = (open, close) {
            plain.push_str(&before[..open]);
            plain.push_str(&before[open + 1..]);
            rest = &after[close + 1..];
        } else {
            plain.push_str(before);
            plain.push_str("](");
            rest = &after[2..];
        }
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    fn filled(prose: &str) -> (String, Vec<String>) {
        let catalog = json(
            r#"{ "params": [
            { "id": "p1", "label": "frequency", "props": [{ "name": "alt-identifier", "value": "old_1" }] },
            { "id": "p2", "select": { "how-many": "one-or-more",
                "choice": ["lock for {{ insert: param, p1 }} ", "notify"] } },
            { "id": "p3", "values": ["90 days"] },
            { "id": "p4", "select": { "choice": ["a", "b"] } },
            { "id": "p5", "label": "see {{ insert: param, p5 }}" }
        ] }"#,
        );
        let mut parameters = Parameters::default();
        parameters.take(&catalog);
        let mut unknown = BTreeSet::new();
        let text = parameters.fill(prose, &mut unknown);
        (text, unknown.into_iter().collect())
    }

    #[test]
    fn blanks_become_words() {
        let (text, unknown) = filled(
            " {{ insert: param, p2 }} and {{insert:param,p3}} ;\n\n{{ old_1 }} [AC-3](#ac-3), \
             {{ insert: param, p4 }} .",
        );
        let expected = "[Selection (one or more): lock for [Assignment: frequency]; notify] and \
                        90 days;\n[Assignment: frequency] AC-3, [Selection: a; b].";
        assert_eq!(text, expected);
        assert!(unknown.is_empty());
    }

    #[test]
    fn blanks_that_nobody_declared_or_that_go_round_are_noted() {
        let (text, unknown) = filled("x {{ insert: param, nope }} y {{ open");
        assert_eq!(text, "x [nope] y {{ open");
        assert_eq!(unknown, ["nope"]);
        assert_eq!(filled("{{ insert: param, p5 }}").1, ["p5"]);
    }

    #[test]
    fn prose_without_blanks_keeps_its_spaces() {
        assert_eq!(filled("a  b ; c\n\n [x] (y) [z](").0, "a  b ; c\n[x] (y) [z](");
    }
}
