//! Ids that are derived from the content, and times that are checked.

use uuid::Uuid;

use super::NAMESPACE;
use crate::{ExportError, Report};

/// Makes ids within a run.
pub(super) struct Identity(Uuid);

impl Identity {
    /// The ids of a report's run: the same for every export of it.
    pub(super) fn of(report: &Report) -> Self {
        let home = Uuid::new_v5(&Uuid::NAMESPACE_URL, NAMESPACE.as_bytes());
        let name = joined(&[&report.organisation, &report.criteria_set.name, &report.run.id]);
        Self(Uuid::new_v5(&home, &name))
    }

    /// The id (version 5) of what these parts name.
    pub(super) fn uuid(&self, parts: &[&str]) -> String {
        Uuid::new_v5(&self.0, &joined(parts)).to_string()
    }

    /// The id of the whole file: another one as soon as anything in it differs.
    pub(super) fn document(&self, report: &Report) -> Result<String, ExportError> {
        Ok(Uuid::new_v5(&self.0, &serde_json::to_vec(report)?).to_string())
    }

    /// The id of a document, by its name and hash.
    pub(super) fn resource(&self, report: &Report, name: &str) -> String {
        let known = report.documents.iter().find(|document| document.name == name);
        self.uuid(&["document", name, known.map_or("", |document| &document.hash)])
    }
}

/// The parts with their lengths, so that no two lists look alike.
fn joined(parts: &[&str]) -> Vec<u8> {
    parts.iter().flat_map(|part| format!("{}:{part}", part.len()).into_bytes()).collect()
}

/// A criterion's id as OSCAL writes control ids.
///
/// `AC-2` is `ac-2` and `AC-02(01)` is `ac-2.1`, as in the catalogs of NIST.
/// Others keep their letters; what OSCAL does not allow is replaced.
pub(super) fn control_id(criteria_id: &str) -> String {
    let id = criteria_id.trim();
    nist(id).unwrap_or_else(|| token(id))
}

/// Two letters, a number, and perhaps the number of an enhancement in parentheses.
fn nist(id: &str) -> Option<String> {
    let (family, rest) = id.split_once('-')?;
    let (number, enhancement) = match rest.split_once('(') {
        Some((number, rest)) => (number, Some(rest.strip_suffix(')')?)),
        None => (rest, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let number_of = |text: &str| text.parse::<u32>().ok().filter(|_| digits(text));
    let known = family.len() == 2 && family.bytes().all(|byte| byte.is_ascii_alphabetic());
    let control = format!("{}-{}", known.then(|| family.to_ascii_lowercase())?, number_of(number)?);
    match enhancement {
        Some(enhancement) => Some(format!("{control}.{}", number_of(enhancement.trim())?)),
        None => Some(control),
    }
}

/// The id with only what a token of OSCAL may hold.
fn token(id: &str) -> String {
    let mut token = String::new();
    for character in id.chars() {
        match character {
            _ if character.is_ascii_alphanumeric() => token.push(character),
            '.' | '-' | '_' => token.push(character),
            _ if character.is_ascii() => token.push('-'),
            _ => token.extend(format!("u{:04x}", u32::from(character)).chars()),
        }
    }
    let lettered = token.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if lettered { token } else { format!("_{token}") }
}

/// The time, or the other one where it is empty, checked.
pub(super) fn time_or(
    field: &'static str,
    time: &str,
    otherwise: &str,
) -> Result<String, ExportError> {
    let time = if time.is_empty() { otherwise } else { time };
    if is_time(time) {
        return Ok(time.to_owned());
    }
    Err(ExportError::Time { field, time: time.to_owned() })
}

/// Whether it is `2026-11-02T09:00:00.123Z` or has an offset like `+01:00`.
fn is_time(time: &str) -> bool {
    let zone = time.strip_suffix('Z').map(|rest| (rest, "")).or_else(|| {
        let at = time.len().checked_sub(6)?;
        Some((time.get(..at)?, time.get(at..)?))
    });
    let Some((moment, offset)) = zone else { return false };
    let (seconds, fraction) = moment.split_once('.').unwrap_or((moment, "0"));
    let is_offset =
        offset.is_empty() || (offset.starts_with(['+', '-']) && has_shape(&offset[1..], "00:00"));
    has_shape(seconds, "0000-00-00T00:00:00")
        && in_range(seconds)
        && is_offset
        && !fraction.is_empty()
        && fraction.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the text has digits where the shape has zeros, and the same signs elsewhere.
fn has_shape(text: &str, shape: &str) -> bool {
    let same =
        |(is, wanted): (u8, u8)| if wanted == b'0' { is.is_ascii_digit() } else { is == wanted };
    text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(same)
}

/// Whether month, day, hour, minute and second can be.
fn in_range(seconds: &str) -> bool {
    let part = |from: usize| seconds.get(from..from + 2).and_then(|part| part.parse::<u8>().ok());
    let within = |from: usize, low: u8, high: u8| {
        part(from).is_some_and(|part| (low..=high).contains(&part))
    };
    within(5, 1, 12)
        && within(8, 1, 31)
        && within(11, 0, 23)
        && within(14, 0, 59)
        && within(17, 0, 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ids on the right are those of NIST's own catalog.
    #[test]
    fn control_ids_are_those_of_the_catalogs() {
        for (id, expected) in [
            ("AC-2", "ac-2"),
            ("ac-2", "ac-2"),
            ("AC-2(1)", "ac-2.1"),
            ("AC-02(01)", "ac-2.1"),
            ("ac-2.1", "ac-2.1"),
            ("ISO 27001 A.5", "ISO-27001-A.5"),
            ("5.1", "_5.1"),
            ("-1+1|cmd", "_-1-1-cmd"),
            ("Ω", "u03a9"),
            ("", "_"),
        ] {
            assert_eq!(control_id(id), expected);
        }
    }

    #[test]
    fn only_times_with_a_zone_are_times() {
        for time in ["2026-11-02T09:00:00Z", "2024-02-01T13:57:28.355446-04:00"] {
            assert!(is_time(time), "{time}");
        }
        for time in [
            "",
            "Z",
            "2026-11-02",
            "2026-11-02T09:00:00",
            "2026-11-02 09:00:00Z",
            "2026-13-02T09:00:00Z",
            "2026-11-02T09:00:00.Z",
            "2026-11-02T09:00:00+1:00",
            "éééééééééééé",
        ] {
            assert!(!is_time(time), "{time}");
        }
    }
}
