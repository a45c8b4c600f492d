//! The XML inside office files: elements by their local names, text as text.
//!
//! Entities that a file defines itself are not expanded, so that none can grow.

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use crate::encoding::decode;

/// How deep elements may lie in one another.
const DEPTH_MAX: usize = 1000;

/// What was wrong with the XML; each format makes it an error of its own.
pub(crate) type XmlProblem = String;

/// A step through a document.
pub(crate) enum Step<'a> {
    /// An element begins.
    Open(Element<'a>),
    /// An element of this local name ends.
    Close(&'a str),
    /// Text, without entities.
    Text(&'a str),
}

/// An element that begins.
pub(crate) struct Element<'a> {
    /// Its name without a prefix.
    pub(crate) name: &'a str,
    start: &'a BytesStart<'a>,
}

impl Element<'_> {
    /// The value of an attribute, by its name without a prefix.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let attribute = self
            .start
            .attributes()
            .with_checks(false)
            .flatten()
            .find(|attribute| attribute.key.local_name().as_ref() == name)?;
        attribute.normalized_value(XmlVersion::Explicit1_0).ok().map(std::borrow::Cow::into_owned)
    }

    /// Whether an on-off property such as `<b/>` or `<b val="0"/>` is on.
    pub(crate) fn is_on(&self) -> bool {
        !matches!(self.attribute("val").as_deref(), Some("0" | "false" | "off"))
    }
}

/// Walks a document from its first element to its last.
pub(crate) fn walk<E: From<XmlProblem>>(
    xml: &[u8],
    mut visit: impl FnMut(Step<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let text = decode(xml).map_err(|error| error.to_string())?.text;
    let mut reader = Reader::from_str(&text);
    reader.config_mut().expand_empty_elements = true;
    let mut depth = 0_usize;
    loop {
        let event = reader.read_event();
        match event.map_err(|error| format!("its XML is not valid: {error}"))? {
            Event::Start(start) => {
                depth += 1;
                if depth > DEPTH_MAX {
                    return Err(
                        format!("its XML is nested more than {DEPTH_MAX} elements deep").into()
                    );
                }
                let name = start.local_name();
                visit(Step::Open(Element { name: name.as_ref(), start: &start }))?;
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                visit(Step::Close(end.local_name().as_ref()))?;
            }
            Event::Text(text) => visit(Step::Text(&text.xml10_content()))?,
            Event::CData(text) => visit(Step::Text(&text.xml10_content()))?,
            Event::GeneralRef(reference) => {
                let known = match reference.resolve_char_ref() {
                    Ok(Some(c)) => Some(c.to_string()),
                    _ => quick_xml::escape::resolve_predefined_entity(&reference.xml10_content())
                        .map(str::to_owned),
                };
                visit(Step::Text(known.as_deref().unwrap_or("\u{fffd}")))?;
            }
            Event::Eof if depth > 0 => return Err("its XML is truncated".to_owned().into()),
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    fn trace(xml: &str) -> Result<String, XmlProblem> {
        let mut trace = String::new();
        walk(xml.as_bytes(), |step| {
            match step {
                Step::Open(element) => {
                    let value = element.attribute("v").map_or(String::new(), |v| format!(" {v}"));
                    write!(trace, "<{}{value}>", element.name)
                }
                Step::Close(name) => write!(trace, "</{name}>"),
                Step::Text(text) => trace.write_str(text),
            }
            .map_err(|error| error.to_string())
        })?;
        Ok(trace)
    }

    #[test]
    fn names_lose_their_prefix_and_entities_become_text() {
        let xml =
            r#"<?xml version="1.0"?><w:a w:v="1 &amp; 2"><b/>x &lt; &#233;<![CDATA[<y>]]></w:a>"#;
        assert_eq!(trace(xml).unwrap(), "<a 1 & 2><b></b>x < é<y></a>");
    }

    #[test]
    fn entities_of_the_file_itself_are_not_expanded() {
        let xml = r#"<!DOCTYPE a [<!ENTITY l "lol"><!ENTITY m "&l;&l;">]><a>&m;</a>"#;
        assert_eq!(trace(xml).unwrap(), "<a>\u{fffd}</a>");
    }

    #[test]
    fn broken_xml_is_an_error() {
        for xml in ["<a>", "<a></b>", "<a", "<a><b></a>"] {
            assert!(trace(xml).is_err(), "{xml}");
        }
        assert!(trace(&"<a>".repeat(2000)).unwrap_err().contains("deep"));
    }
}
