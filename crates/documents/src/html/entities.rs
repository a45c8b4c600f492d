//! The characters that HTML can name: `&eacute;`, `&#233;` and `&#xe9;` are all é.

/// The names of the characters from U+00A0 to U+00FF, in order.
const LATIN_1: &str = "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy \
    reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 \
    frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml \
    Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave \
    Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
    egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml \
    divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

/// The names of the Greek letters from U+0391 on; U+03A2 is no letter.
const GREEK_CAPITALS: &str = "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu \
    Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega";
const GREEK_SMALL: &str = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu \
    xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega";

/// Names outside those ranges that are met in documents.
const OTHERS: &str = include_str!("../../data/entities.txt");

/// The longest name of a character that is looked for.
const NAME_BYTES_MAX: usize = 12;

/// Adds a text with the characters it names instead of their names.
pub(super) fn push_decoded(text: &str, into: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        into.push_str(&rest[..at]);
        rest = &rest[at..];
        let (c, taken) = entity(rest).unwrap_or(('&', 1));
        into.push(c);
        rest = &rest[taken..];
    }
    into.push_str(rest);
}

/// The character that a text begins by naming, and how many bytes its name takes.
fn entity(text: &str) -> Option<(char, usize)> {
    let name = &text[1..];
    let length = name.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'#').count();
    let (name, after) = name.split_at(length);
    let closed = after.starts_with(';');
    let c = match name.strip_prefix('#') {
        Some(number) => numbered(number)?,
        // Old pages leave the semicolon out, but a link's `&copy=1` must stay as it is.
        None if closed && (1..=NAME_BYTES_MAX).contains(&length) => named(name)?,
        None => return None,
    };
    Some((c, 1 + length + usize::from(closed)))
}

fn numbered(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    Some(match code.ok()? {
        0 => char::REPLACEMENT_CHARACTER,
        code => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    })
}

fn named(name: &str) -> Option<char> {
    let in_order = |names: &str, first: u32| {
        let index = names.split_ascii_whitespace().position(|known| known == name)?;
        char::from_u32(first + u32::try_from(index).ok()?)
    };
    let mut others = OTHERS.lines().filter_map(|line| line.split_once(' '));
    let code = others.find(|(known, _)| *known == name).map(|(_, code)| code);
    code.and_then(|code| char::from_u32(u32::from_str_radix(code, 16).ok()?))
        .or_else(|| in_order(LATIN_1, 0xa0))
        .or_else(|| in_order(GREEK_CAPITALS, 0x391))
        .or_else(|| in_order(GREEK_SMALL, 0x3b1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> String {
        let mut decoded = String::new();
        push_decoded(text, &mut decoded);
        decoded
    }

    #[test]
    fn names_and_numbers_become_characters() {
        assert_eq!(decoded("caf&eacute; &yuml;&Omega;&omega;&sect;&frac34;"), "café ÿΩω§¾");
        assert_eq!(decoded("&#8364; &#x20AC; &#x1F600;&mdash;"), "€ € 😀—");
        assert_eq!(decoded("&lt;b&gt; &amp;amp;"), "<b> &amp;");
    }

    #[test]
    fn what_names_nothing_stays() {
        assert_eq!(
            decoded("AT&T & &unknown; &#xyz; ?a=1&copy=2 &"),
            "AT&T & &unknown; &#xyz; ?a=1&copy=2 &"
        );
        assert_eq!(decoded("&#0;&#xd800;&#99999999;"), "\u{fffd}\u{fffd}\u{fffd}");
    }
}
