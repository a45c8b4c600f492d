//! Layers: parts of a page that the file shows or hides ("optional content").

use std::collections::{BTreeMap, BTreeSet};

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::fonts::follow;

/// How deep expressions of layers may lie in one another.
const EXPRESSION_DEEP_MAX: usize = 16;

/// How many parts all expressions of a file may have together.
const PARTS_MAX: usize = 1_000_000;

/// Which layers are switched off when the file is opened.
#[derive(Debug, Default)]
pub(super) struct Layers {
    off: BTreeSet<ObjectId>,
    /// What was found for groups of layers, so that each is looked at once.
    known: BTreeMap<*const Object, bool>,
    parts: usize,
}

impl Layers {
    /// Those of a file.
    pub(super) fn read(document: &Document) -> Self {
        let properties = document
            .catalog()
            .ok()
            .and_then(|catalog| catalog.get_deref(b"OCProperties", document).ok()?.as_dict().ok());
        let Some(properties) = properties else { return Self::default() };
        let settings = properties.get_deref(b"D", document).and_then(Object::as_dict).ok();
        let listed = |dictionary: Option<&Dictionary>, key: &[u8]| -> BTreeSet<ObjectId> {
            let array = dictionary.and_then(|found| found.get_deref(key, document).ok());
            let array = array.and_then(|array| array.as_array().ok());
            array.into_iter().flatten().filter_map(|layer| layer.as_reference().ok()).collect()
        };
        let base = settings.and_then(|found| found.get_deref(b"BaseState", document).ok());
        let is_off = base.and_then(|base| base.as_name().ok()) == Some(b"OFF");
        let mut off = if is_off { listed(Some(properties), b"OCGs") } else { BTreeSet::new() };
        for shown in listed(settings, b"ON") {
            off.remove(&shown);
        }
        off.extend(listed(settings, b"OFF"));
        Self { off, ..Self::default() }
    }

    /// Whether what belongs to a layer, or to a group of layers, is not shown.
    pub(super) fn hide(&mut self, layer: &Object, document: &Document) -> bool {
        if self.off.is_empty() {
            // An expression may still say "not", of a layer that is on.
            if !matches!(follow(layer, document).as_dict(), Ok(group) if group.has(b"VE") || group.has(b"P"))
            {
                return false;
            }
        }
        let key = std::ptr::from_ref(follow(layer, document));
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let hides = !self.is_on(layer, document);
        self.known.insert(key, hides);
        hides
    }

    fn is_on(&mut self, layer: &Object, document: &Document) -> bool {
        if layer.as_reference().is_ok_and(|id| self.off.contains(&id)) {
            return false;
        }
        let Ok(group) = follow(layer, document).as_dict() else { return true };
        if let Ok(expression) = group.get_deref(b"VE", document).and_then(Object::as_array) {
            return self.holds(expression, document, 0);
        }
        let members: Vec<&Object> = match group.get(b"OCGs") {
            Ok(Object::Array(members)) => members.iter().collect(),
            Ok(one @ Object::Reference(_)) => match follow(one, document) {
                Object::Array(members) => members.iter().collect(),
                _ => vec![one],
            },
            _ => return true,
        };
        let mut states = members
            .iter()
            .filter_map(|member| member.as_reference().ok())
            .map(|id| !self.off.contains(&id));
        if members.is_empty() {
            return true;
        }
        let policy = group.get_deref(b"P", document).and_then(Object::as_name).ok();
        match policy {
            Some(b"AllOn") => states.all(|is_on| is_on),
            Some(b"AnyOff") => states.any(|is_on| !is_on),
            Some(b"AllOff") => states.all(|is_on| !is_on),
            _ => states.any(|is_on| is_on),
        }
    }

    /// Whether an expression such as `[/And layer [/Not layer]]` is true.
    fn holds(&mut self, expression: &[Object], document: &Document, depth: usize) -> bool {
        self.parts += expression.len();
        if depth > EXPRESSION_DEEP_MAX || self.parts > PARTS_MAX {
            return true;
        }
        let Some((operator, operands)) = expression.split_first() else { return true };
        let mut value = |operand: &Object| match follow(operand, document) {
            Object::Array(inner) => self.holds(inner, document, depth + 1),
            _ => operand.as_reference().is_ok_and(|id| !self.off.contains(&id)),
        };
        match operator.as_name() {
            Ok(b"Not") => operands.first().is_none_or(|operand| !value(operand)),
            Ok(b"Or") => operands.iter().any(value),
            _ => operands.iter().all(value),
        }
    }
}
