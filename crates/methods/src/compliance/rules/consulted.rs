//! What a reader says about the parts of criteria and the statements of one document.

use assize_readers::reading::STATEMENTS_PER_PART;
use assize_readers::{Candidate, Identity, Pair, Reader, ReaderError, Shares, Statement};
use rustc_hash::FxHashMap;

use super::prepared::Prepared;
use super::stance::Stance;
use super::statements::Reading;

/// A statement further away is about something else: it is not read.
const READ_FROM: f32 = 0.2;

/// What a statement is read with, in the order of [`Read::shares`].
pub(super) const SETTINGS: [&str; 3] =
    ["statement alone", "with its heading", "with its neighbours"];

/// What a reader says about one statement and one part.
#[derive(Debug, Clone)]
pub(super) struct Read {
    pub statement: u32,
    /// How near the statement is to the part, by the encoder.
    pub nearness: f64,
    /// One for each of [`SETTINGS`].
    pub shares: [Shares; 3],
    /// Where a text was cut.
    pub notes: Vec<String>,
}

impl Read {
    /// How sure the reader is that the part is stated: the best of the three counts.
    pub(super) fn stated(&self) -> f64 {
        self.shares.iter().map(|shares| f64::from(shares.stated)).fold(0.0, f64::max)
    }

    /// How sure it is that the statement itself denies the part.
    pub(super) fn denied(&self) -> f64 {
        f64::from(self.shares[0].denied)
    }
}

/// What a reader says about one document. Nothing in it depends on which criteria were asked
/// about together.
#[derive(Debug, Clone, Default)]
pub struct Consulted {
    /// For each part of each criterion that was asked about, the statements that were read.
    parts: FxHashMap<(usize, usize), Vec<Read>>,
    pub(super) identities: Vec<Identity>,
}

impl Consulted {
    pub(super) fn get(&self, criterion: usize, part: usize) -> &[Read] {
        self.parts.get(&(criterion, part)).map_or(&[], Vec::as_slice)
    }
}

/// A pair that is to be read: which part, which of its statements, and the text.
struct Premise {
    part: usize,
    text: String,
}

/// Has a reader read what may be about these criteria. At most four statements of a part are
/// read, each in three settings; headings and mentions are not, because they state nothing.
pub(super) fn consult(
    reader: &dyn Reader,
    criteria: &[(usize, &Prepared)],
    document: &Reading<'_>,
) -> Result<Consulted, ReaderError> {
    let stating: Vec<u32> = (0..)
        .zip(&document.statements)
        .filter(|(_, statement)| statement.stance > Stance::Mentioned)
        .map(|(index, _)| index)
        .collect();
    let texts: Vec<(String, Option<String>)> = stating
        .iter()
        .map(|index| {
            let above = document.statements[*index as usize].above;
            (document.text_of(*index), above.map(|above| document.text_of(above)))
        })
        .collect();
    let statements: Vec<Statement<'_>> = texts
        .iter()
        .map(|(text, heading)| Statement { text, heading: heading.as_deref() })
        .collect();
    let parts: Vec<((usize, usize), &str)> = criteria
        .iter()
        .flat_map(|(criterion, prepared)| {
            let parts = prepared.parts.iter().enumerate();
            parts.map(move |(place, part)| ((*criterion, place), part.text.as_str()))
        })
        .collect();
    let asked: Vec<&str> = parts.iter().map(|(_, text)| *text).collect();
    let mut chosen: Vec<Vec<Candidate>> =
        reader.shortlist(&asked, &statements, STATEMENTS_PER_PART)?;
    for candidates in &mut chosen {
        let is_near = |one: &Candidate| one.cosine.is_none_or(|cosine| cosine >= READ_FROM);
        candidates.retain(|one| is_near(one) || one.figure);
    }
    let mut premises = Vec::new();
    for (part, candidates) in chosen.iter().enumerate() {
        for candidate in candidates {
            let settings = settings(document, stating[candidate.statement]);
            premises.extend(settings.into_iter().map(|text| Premise { part, text }));
        }
    }
    let pairs: Vec<Pair<'_>> = premises
        .iter()
        .map(|one| Pair { premise: &one.text, hypothesis: asked[one.part] })
        .collect();
    let mut read = reader.entail(&pairs)?.into_iter();
    let mut consulted = Consulted { parts: FxHashMap::default(), identities: reader.identities() };
    for ((key, _), candidates) in parts.into_iter().zip(chosen) {
        let mut of_part = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let three: Vec<_> = read.by_ref().take(3).collect();
            let [alone, headed, near] = three.as_slice() else { break };
            of_part.push(Read {
                statement: stating[candidate.statement],
                nearness: f64::from(candidate.cosine.unwrap_or(candidate.words)),
                shares: [alone.shares, headed.shares, near.shares],
                notes: three.iter().flat_map(|one| one.notes.iter().cloned()).collect(),
            });
        }
        consulted.parts.insert(key, of_part);
    }
    Ok(consulted)
}

/// A statement alone, with its heading, and with its neighbours.
fn settings(document: &Reading<'_>, statement: u32) -> [String; 3] {
    let text = document.text_of(statement);
    let heading =
        document.statements[statement as usize].above.map(|above| document.text_of(above));
    let headed = Statement { text: &text, heading: heading.as_deref() }.with_heading();
    let [before, after] = document.neighbours(statement);
    let around = [before, Some(statement), after].into_iter().flatten();
    let around: Vec<String> = around.map(|index| document.text_of(index)).collect();
    [text, headed, around.join(" ")]
}
