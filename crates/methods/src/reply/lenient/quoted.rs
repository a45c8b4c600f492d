//! Texts in quotation marks of any kind, and their escapes.

use super::parse::Parser;
use crate::reply::Repair;

impl Parser<'_> {
    /// A text in quotation marks of any kind; `None` if the reply ends before it does.
    pub(super) fn string(&mut self) -> Option<String> {
        let opening = self.peek()?;
        let close = closing(opening)?;
        let repair = match opening {
            '"' => None,
            '\'' => Some(Repair::SingleQuotes),
            _ => Some(Repair::SmartQuotes),
        };
        self.repairs.extend(repair);
        self.index += opening.len_utf8();
        let mut said = String::new();
        while let Some(letter) = self.peek() {
            self.index += letter.len_utf8();
            match letter {
                '\\' => self.escape(&mut said)?,
                letter if close.contains(&letter) => return Some(said),
                letter => {
                    if letter < ' ' {
                        self.repairs.insert(Repair::ControlCharacter);
                    }
                    said.push(letter);
                }
            }
        }
        self.over = true;
        None
    }

    fn escape(&mut self, said: &mut String) -> Option<()> {
        let Some(letter) = self.peek() else {
            self.over = true;
            return None;
        };
        self.index += letter.len_utf8();
        match letter {
            '"' | '\\' | '/' => said.push(letter),
            '\'' => {
                self.repairs.insert(Repair::Apostrophe);
                said.push(letter);
            }
            'n' => said.push('\n'),
            't' => said.push('\t'),
            'r' => said.push('\r'),
            'b' | 'f' => {}
            'u' => match self.code_point() {
                Some(letter) => said.push(letter),
                None => said.push(char::REPLACEMENT_CHARACTER),
            },
            _ => {
                self.repairs.insert(Repair::Backslash);
                said.push('\\');
                said.push(letter);
            }
        }
        Some(())
    }

    /// What stands after `\u`, a second half included.
    fn code_point(&mut self) -> Option<char> {
        let first = self.unit()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        if !self.text[self.index..].starts_with("\\u") {
            return None;
        }
        self.index += 2;
        let second = self.unit().filter(|unit| (0xdc00..0xe000).contains(unit))?;
        char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00))
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.text.get(self.index..self.index + 4)?;
        let unit = u32::from_str_radix(digits, 16).ok()?;
        self.index += 4;
        Some(unit)
    }
}

/// What closes a text that a letter opens; `None` if it opens none.
pub(super) fn closing(opening: char) -> Option<&'static [char]> {
    match opening {
        '"' => Some(&['"']),
        '\'' => Some(&['\'']),
        '“' | '”' | '„' | '‟' => Some(&['”', '“', '‟']),
        _ => None,
    }
}
