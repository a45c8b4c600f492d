//! Writes a run of 1,000 criteria and 20 documents in every form; prints size and time.

#![expect(clippy::print_stdout, reason = "an example that measures has to say what it measured")]

use std::time::Instant;

use assize_exports::{
    Citation, Document, ExportError, LedgerLine, Override, Report, Row, Section, SectionValue,
    State, Status, Tier, csv, json, oscal, pdf, xlsx,
};

/// A sentence as long as those in policies.
const SENTENCE: &str = "Accounts are created, changed and removed only after the owner of the \
                        system has agreed in writing, and reviewed every twelve months.";

fn main() -> Result<(), ExportError> {
    let report = report(1_000, 20);
    measure("csv", |out| csv::write(&report, out))?;
    measure("json", |out| json::write(&report, out))?;
    measure("xlsx", |out| xlsx::write(&report, out))?;
    measure("pdf", |out| pdf::write(&report, out))?;
    measure("oscal", |out| oscal::write(&report, &oscal::Options::default(), out))
}

fn measure(
    name: &str,
    write: impl Fn(&mut Vec<u8>) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let start = Instant::now();
    let mut bytes = Vec::new();
    write(&mut bytes)?;
    let megabytes = bytes.len() as f64 / 1e6;
    println!("{name:6} {megabytes:8.1} MB {:8.2} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn report(criteria: u32, documents: u32) -> Report {
    let tier = |min, max, label: &str, colour: &str| Tier {
        min,
        max,
        label: label.into(),
        colour: colour.into(),
        description: SENTENCE.into(),
    };
    let name = |document: u32| format!("policy-{document}.pdf");
    Report {
        title: "A large run".into(),
        organisation: "Harbour Office".into(),
        exported_at: "2026-11-03T08:30:00Z".into(),
        rubric: vec![tier(0, 50, "Low", "red"), tier(51, 100, "High", "green")],
        documents: (0..documents)
            .map(|document| Document { name: name(document), ..Document::default() })
            .collect(),
        rows: (0..documents)
            .flat_map(|document| (0..criteria).map(move |criterion| (document, criterion)))
            .map(|(document, criterion)| row(name(document), criterion))
            .collect(),
        ..Report::default()
    }
}

fn row(document: String, criterion: u32) -> Row {
    let score = f64::from(criterion % 101);
    let (label, colour, tier) = if score < 51.0 { ("Low", "red", 1) } else { ("High", "green", 2) };
    let made = Override { score: Some(score), why: SENTENCE.into(), ..Override::default() };
    Row {
        document,
        criteria_id: format!("C-{criterion}"),
        requirement: SENTENCE.into(),
        state: State::Scored,
        ai_score: Some(score),
        ai_confidence: Some(70),
        current_override: criterion.is_multiple_of(10).then_some(made),
        effective_score: Some(score),
        status: Some(Status { label: label.into(), colour: colour.into(), tier }),
        sections: vec![Section {
            name: "explanation".into(),
            value: SectionValue::Text(SENTENCE.repeat(3)),
        }],
        citations: (0..3)
            .map(|page| Citation {
                quote: SENTENCE.into(),
                found: true,
                page: Some(page + 1),
                matched: "exact".into(),
                ..Citation::default()
            })
            .collect(),
        ledger: (0..5)
            .map(|depth| LedgerLine { depth, text: SENTENCE.into(), value: Some(score) })
            .collect(),
        ..Row::default()
    }
}
