//! Every JSON value in a reply, read as generously as can be done without guessing.
//!
//! For forms whose parts are checked one by one, such as ballots: comments, single and
//! typographic quotation marks, bare words and an end that breaks off cost only themselves.
//! Every byte is looked at a fixed number of times, whatever the reply.

mod parse;
mod quoted;
#[cfg(test)]
mod tests;

use std::ops::Range;

use serde_json::Value;

use self::parse::Parser;
use super::Repair;

/// The key under which an object says that it breaks off. No reply can contain it: control
/// characters in keys are dropped.
pub(crate) const INCOMPLETE: &str = "\u{1}incomplete";

/// The key under which an object lists the keys that it gives twice with different values.
pub(crate) const TWICE: &str = "\u{1}twice";

/// How often a brace in prose may swallow the rest of a reply before it is let go.
const SWALLOWED_MAX: usize = 8;

/// A value found in a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// What it says. Objects that break off have the key [`INCOMPLETE`].
    pub value: Value,
    /// Where it stands.
    pub range: Range<usize>,
    /// What was put right, each kind once.
    pub repairs: Vec<Repair>,
}

impl Block {
    /// Whether the reply ends before the value does.
    pub(crate) fn breaks_off(&self) -> bool {
        self.repairs.contains(&Repair::BrokenOff)
    }
}

/// What a reply holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Blocks {
    /// The objects and the lists of objects, in order.
    pub found: Vec<Block>,
    /// What looked like one and is none, in order.
    pub broken: Vec<Range<usize>>,
}

/// Everything in a reply that is an object or a list of objects.
///
/// ```
/// # use assize_methods::reply::lenient::blocks;
/// let reply = "Draft: {'mark': 7} Final: {“mark”: 8, // better\n}";
/// let found = blocks(reply).found;
/// assert_eq!(found[0].value["mark"], 7);
/// assert_eq!(found[1].value["mark"], 8);
/// ```
pub fn blocks(reply: &str) -> Blocks {
    let bytes = reply.as_bytes();
    let mut blocks = Blocks::default();
    let (mut index, mut swallowed) = (0, 0);
    while let Some(offset) = bytes[index..].iter().position(|byte| matches!(byte, b'{' | b'[')) {
        let start = index + offset;
        if bytes[start] == b'[' && !super::opens_a_list_of_objects(&bytes[start..]) {
            index = start + 1;
            continue;
        }
        let mut parser = Parser::new(reply, start);
        match parser.run() {
            Ok(value) => {
                let repairs = std::mem::take(&mut parser.repairs).into_iter().collect();
                blocks.found.push(Block { value, range: start..parser.index, repairs });
            }
            Err(_) if parser.is_genuine() => {
                parser.skip_to_the_end();
                blocks.broken.push(start..parser.index);
            }
            // A brace in prose that swallowed the rest, by an apostrophe say. What follows it
            // may still be an answer; so few times that the work stays in proportion.
            Err(_) if parser.index >= reply.len() && swallowed < SWALLOWED_MAX => {
                swallowed += 1;
                parser.index = start + 1;
            }
            // A brace in prose. What follows it may still be an answer.
            Err(_) => {}
        }
        index = parser.index.max(start + 1);
    }
    blocks
}
