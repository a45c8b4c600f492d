//! What holds for every page: texts from outside stay texts, and nothing needs an inline style.

use assize_methods::compliance::Rubric;
use assize_methods::compliance::rules::{Decision, PartVerdict, ReadShares, ReadStatement};
use assize_wire::Listing;
use assize_wire::accounts::{MadeToken, TokenEntry, UserEntry};
use assize_wire::audit::{AuditChain, AuditEntry};
use assize_wire::runs::{Approval, RunEntry};
use assize_wire::workplace::{
    CandidateView, Cited, Counts, CriteriaPreview, DiffLine, DisputeView, DraftView, EditEntry,
    ExhibitText, Figure, Line, Lines, OnKeys, PromptVersion, PromptsView, ResultView, RubricDraft,
    RubricView, RunPreview, RunRow, SearchChoices, SearchPage, SearchRow, SectionView, Side,
    TierDraft, TruthOfResult,
};
use maud::Markup;

use super::{
    Here, Shell, admin, approval, dispute, lines, new_run_check, optimise, page, result, rubric,
    runs,
};

/// A name that would be markup, a link that runs, a picture that loads, and a turned direction.
pub(super) const HOSTILE: &str = "<script>alert(1)</script><svg onload=alert(2)><a href=\"javascript:alert(3)\">x</a>\u{202e}txt.exe\" onmouseover=\"";

pub(super) fn run() -> RunEntry {
    let json = r#"{"at": "2026-11-16T09:14:00Z"}"#;
    let at: std::collections::BTreeMap<String, chrono::DateTime<chrono::Utc>> =
        serde_json::from_str(json).unwrap();
    RunEntry {
        number: 41,
        name: Some(HOSTILE.to_owned()),
        run: "run".to_owned(),
        instrument: "compliance".to_owned(),
        about: Some(HOSTILE.to_owned()),
        state: "done".to_owned(),
        items: 861,
        done: 287,
        unscored: 4,
        judge: Some(HOSTILE.to_owned()),
        method: None,
        version: 1,
        baseline: false,
        tags: vec![HOSTILE.to_owned()],
        who: HOSTILE.to_owned(),
        created_at: at["at"],
        failure: None,
        approval: None,
        archived: false,
        exports: vec![("csv", "CSV"), ("json", "JSON")],
    }
}

pub(super) fn view(score: Option<f64>) -> ResultView {
    let rubric = Rubric::default();
    let with = |score: f64| (score, rubric.status(score));
    let section = |id: &str, kind, judge: &[&str]| SectionView {
        id: id.to_owned(),
        kind,
        is_required: true,
        judge: judge.iter().map(ToString::to_string).collect(),
        person: None,
    };
    ResultView {
        run: run(),
        number: 2,
        criteria_id: HOSTILE.to_owned(),
        requirement: HOSTILE.to_owned(),
        description: HOSTILE.to_owned(),
        document: ExhibitText {
            name: HOSTILE.to_owned(),
            id: "d".to_owned(),
            text: format!("Accounts are locked. {HOSTILE}"),
            pages: 0,
        },
        outcome: "scored".to_owned(),
        reason: Some(HOSTILE.to_owned()),
        score: score.map(with),
        ai_score: score.map(with),
        confidence: Some(85),
        tiers: rubric.tiers().to_vec(),
        judge: HOSTILE.to_owned(),
        template: Some(HOSTILE.to_owned()),
        sections: vec![
            section("justification", "text", &[HOSTILE]),
            section("gaps", "list", &["one", HOSTILE]),
            section("days", "number", &["30"]),
            section("missing", "text", &[]),
        ],
        citations: vec![
            Cited {
                quote: "Accounts are locked.".to_owned(),
                matched: "exact".to_owned(),
                similarity: None,
                place: Some((0, 20)),
                page: Some(4),
            },
            Cited {
                quote: HOSTILE.to_owned(),
                matched: "not_found".to_owned(),
                similarity: None,
                place: None,
                page: None,
            },
        ],
        history: Vec::new(),
        settled: None,
        truth: TruthOfResult {
            score: Some(44.0),
            said: vec![(HOSTILE.to_owned(), 60.0), ("ben".to_owned(), 28.0)],
            is_settled: false,
            sets: Some((HOSTILE.to_owned(), HOSTILE.to_owned())),
        },
        ledger: vec![(0, HOSTILE.to_owned())],
        parts: vec![part(Decision::Undecided)],
        danger: Some("near a tier boundary"),
        raw_answer: Some(HOSTILE.to_owned()),
        around: [None, None],
    }
}

/// A part with a statement that says it more surely under its heading than alone.
pub(super) fn part(decision: Decision) -> PartVerdict {
    let shares = |setting: &str, [stated, open, denied]: [f64; 3]| ReadShares {
        setting: setting.to_owned(),
        stated,
        open,
        denied,
    };
    let read = ReadStatement {
        quote: HOSTILE.to_owned(),
        nearness: 0.5,
        shares: vec![
            shares("statement alone", [0.25, 0.5, 0.25]),
            shares("with its heading", [0.75, 0.125, 0.125]),
            shares("with its neighbours", [0.2, 0.7, 0.1]),
        ],
    };
    let (text, quote) = (HOSTILE.to_owned(), None);
    PartVerdict { text, obligation: 1, worth: 0.0, decision, quote, read: vec![read] }
}

pub(super) fn harmless(content: &Markup) -> String {
    let shell =
        Shell { organisation: HOSTILE.to_owned(), who: HOSTILE.to_owned(), ..Shell::default() };
    let html = page(&shell, Here::Runs, HOSTILE, content).into_string();
    assert!(!html.contains("<script>alert") && !html.contains("<svg onload"), "markup");
    assert!(!html.contains("href=\"javascript:"), "a link that runs");
    assert!(!html.contains(" style="), "an inline style");
    assert!(!html.contains("\" onmouseover=\""), "an attribute broke out");
    html
}

#[test]
fn texts_from_outside_stay_texts_on_a_result() {
    let view = view(Some(73.0));
    let typed = result::Typed {
        reason: HOSTILE.to_owned(),
        sections: view.sections.iter().map(|one| (one.id.clone(), HOSTILE.to_owned())).collect(),
        ..result::Typed::default()
    };
    let html = harmless(&result::content(&view, Some((HOSTILE, &typed)), true));
    // What is typed into a field goes back as it was; everything that is only shown does not.
    let shown: String = html
        .split("<textarea")
        .enumerate()
        .map(
            |(place, part)| {
                if place == 0 { part } else { part.split_once("</textarea>").unwrap().1 }
            },
        )
        .collect();
    assert!(!shown.contains('\u{202e}'), "turned around");
    assert!(html.contains("href=\"#cite-1\"") && html.contains("id=\"cite-1\""));
    assert!(html.contains("not in the document"));
    assert!(html.contains("Missing: this section is required."));
}

#[test]
fn every_edge_of_the_default_rubric_has_its_label_on_the_page() {
    let expected = [
        (0.0, "Non-Compliant"),
        (20.0, "Non-Compliant"),
        (20.5, "Non-Compliant"),
        (21.0, "Mostly Non-Compliant"),
        (40.0, "Mostly Non-Compliant"),
        (40.5, "Mostly Non-Compliant"),
        (41.0, "Partially Compliant"),
        (60.0, "Partially Compliant"),
        (60.5, "Partially Compliant"),
        (61.0, "Mostly Compliant"),
        (80.0, "Mostly Compliant"),
        (80.5, "Mostly Compliant"),
        (81.0, "Fully Compliant"),
        (100.0, "Fully Compliant"),
    ];
    for (score, label) in expected {
        let html = result::content(&view(Some(score)), None, false).into_string();
        let verdict = html.split("id=\"verdict\"").nth(1).unwrap();
        let badge = verdict.split("class=\"badge").nth(1).unwrap();
        assert!(badge.contains(&format!(">{label}<")), "{score}: {badge:.80}");
    }
}

#[test]
fn no_score_is_a_dash_with_its_reason_and_never_a_zero() {
    let mut none = view(None);
    none.outcome = "failed".to_owned();
    none.reason = Some("the reply could not be read".to_owned());
    let html = result::content(&none, None, false).into_string();
    assert!(html.contains("<b>–</b>") && html.contains("the reply could not be read"));
    assert!(!html.contains("<b>0</b>"));
}

#[test]
fn lists_keep_their_state_in_addresses() {
    let rubric = Rubric::default();
    let line = Line {
        number: 7,
        criteria_id: "AC-2".into(),
        requirement: HOSTILE.into(),
        document: HOSTILE.into(),
        outcome: "scored".into(),
        reason: None,
        score: Some(73.0),
        status: Some(rubric.status(73.0)),
        ai_score: Some(60.0),
        confidence: Some(85),
        citations: (1, 2),
        is_decided: true,
        assignee: Some(HOSTILE.into()),
        danger: Some("near a tier boundary"),
    };
    let query = lines::LinesQuery {
        q: "a&b".into(),
        show: "weak".into(),
        sort: "worst".into(),
        who: String::new(),
    };
    let reader = lines::Reader { who: "ann", can_write: true };
    let lines = Lines { lines: vec![line], next: Some("0-99".into()) };
    let counts = Counts { all: 287, weak: 33, ..Counts::default() };
    let html = harmless(&super::lines::table(&lines, &counts, "/eval/41", &query, reader));
    assert!(
        html.contains("href=\"/eval/41?q=a%26b&amp;show=weak&amp;sort=worst&amp;after=0-99\""),
        "{html}"
    );
    assert!(
        html.contains("href=\"/eval/41/results/7\"") && html.contains("aria-sort=\"ascending\"")
    );
    assert!(html.contains("decided (judge: 60)") && html.contains("1 of 2"));
}

#[test]
fn a_run_says_what_its_mean_leaves_out() {
    let figure = Figure {
        name: "score".into(),
        value: Some(68.44),
        interval: Some((66.3, 70.5)),
        scored: 283,
        unscored: 4,
    };
    let html = harmless(&runs::rows(&[RunRow { run: run(), figure: Some(figure) }], true));
    assert!(html.contains("68.4") && html.contains("[66.3, 70.5]") && html.contains("4 left out"));
    assert!(html.contains("287 of 861, 4 unscored") && html.contains("href=\"/eval/41\""));
}

#[test]
fn an_overlap_is_named_with_its_tier_and_the_prompt_waits() {
    let mut tiers: Vec<TierDraft> = Rubric::default().tiers().iter().map(Into::into).collect();
    tiers[2].label = HOSTILE.to_owned();
    let view = RubricView {
        id: "set".into(),
        name: HOSTILE.into(),
        draft: RubricDraft { tiers, problem: Some((3, "overlaps the next tier".into())) },
        prompt: String::new(),
        results: 0,
        changes: Vec::new(),
        changed: 0,
        etag: "e".into(),
        change: DraftView {
            is_changed: true,
            whole_prompt: HOSTILE.into(),
            difference: vec![DiffLine { sign: '+', text: HOSTILE.into() }],
            history: vec![EditEntry {
                number: 7,
                who: HOSTILE.into(),
                at: run().created_at,
                before: HOSTILE.into(),
            }],
        },
        conflict: None,
    };
    let html = harmless(&rubric::content(&view, true));
    assert!(
        html.contains("Tier 3, overlaps the next tier") && html.contains("aria-invalid=\"true\"")
    );
    assert!(html.contains("Shown once the tiers are valid."));
    assert!(html.contains("value=\"undo-7\"") && html.contains("Nothing is saved yet"));
    assert!(!harmless(&rubric::content(&view, false)).contains("undo-7"));
}

#[test]
fn texts_from_outside_stay_texts_on_pages_of_administrators() {
    let at = run().created_at;
    let person = UserEntry {
        name: HOSTILE.into(),
        role: "analyst".into(),
        disabled: false,
        one_time_codes: true,
        created_at: at,
    };
    harmless(&admin::people::content(&[person], "ann", Some(HOSTILE)));
    let token = TokenEntry {
        id: "t".into(),
        name: HOSTILE.into(),
        scope: "read".into(),
        made_by: HOSTILE.into(),
        created_at: at,
        expires_at: None,
        revoked_at: None,
        used_at: None,
    };
    let made = MadeToken { token: token.clone(), secret: "s3cret".into() };
    let html = harmless(&admin::tokens::content(&[token], Some(&made), None));
    assert!(html.contains("s3cret") && html.contains("It will not be shown again"));
    let entry = AuditEntry {
        sequence: 1,
        at,
        who: HOSTILE.into(),
        address: Some(HOSTILE.into()),
        action: "update".into(),
        subject: HOSTILE.into(),
        subject_id: HOSTILE.into(),
        before: None,
        after: Some(HOSTILE.into()),
        hash: "h".into(),
    };
    let page = Listing { items: vec![entry], next: Some("1".into()) };
    let chain = AuditChain { entries: 1, head: "h".into(), flaw: Some(HOSTILE.into()) };
    assert!(harmless(&admin::audit::content(&page, Some(&chain))).contains("Chain broken"));
    let version = PromptVersion {
        name: HOSTILE.into(),
        version: 2,
        body: HOSTILE.into(),
        created_at: at,
        used_at: None,
        sets: vec![HOSTILE.into()],
    };
    let prompts = PromptsView {
        versions: vec![version.clone()],
        shown: Some(version),
        against: Some("default@1".into()),
        diff: vec![DiffLine { sign: '+', text: HOSTILE.into() }],
        sets: vec![HOSTILE.into()],
        draft: Some((HOSTILE.into(), HOSTILE.into())),
        problem: Some(HOSTILE.into()),
        ..PromptsView::default()
    };
    assert!(harmless(&admin::prompts::content(&prompts, true)).contains("<ins>+ "));
}

#[test]
fn a_list_of_criteria_is_shown_before_it_is_taken() {
    let preview = CriteriaPreview {
        sheets: vec![HOSTILE.into(), "Controls".into()],
        columns: vec!["Ref".into(), HOSTILE.into()],
        fields: vec![("id".into(), Some("Ref".into())), ("requirement".into(), None)],
        rows: vec![vec!["A-1".into(), HOSTILE.into()]],
        problems: vec![HOSTILE.into()],
        refused: Some(HOSTILE.into()),
        ..CriteriaPreview::default()
    };
    let file = new_run_check::Carried { name: HOSTILE.into(), base64: "QQ==".into() };
    let mut check = new_run_check::Check {
        file: Some(file),
        preview: Some(preview),
        criteria: HOSTILE.into(),
        documents: HOSTILE.into(),
        judge: HOSTILE.into(),
        notices: vec![HOSTILE.into()],
        problem: Some(HOSTILE.into()),
        ..new_run_check::Check::default()
    };
    let html = harmless(&new_run_check::content(&check));
    assert!(html.contains("name=\"column.requirement\"") && html.contains("not used"));
    assert!(!html.contains("value=\"start\""), "it cannot start while columns are in doubt");
    let documents = vec![HOSTILE.to_owned(), "b".to_owned()];
    check.run = Some(RunPreview { criteria: 3, documents, estimate: None, is_from_sample: false });
    let html = harmless(&new_run_check::content(&check));
    assert!(html.contains("<b>6 judgements</b>"));
    assert!(!html.contains("value=\"start\""), "nor while something is wrong with it");
    check.problem = None;
    let html = harmless(&new_run_check::content(&check));
    assert!(html.contains("<b>6 judgements</b>") && html.contains("value=\"start\""));
}

#[test]
fn the_style_guide_and_the_help_need_no_inline_style() {
    harmless(&super::styleguide::content());
    harmless(&super::help::content());
    let ways = super::account::WaysIn {
        provider: Some(HOSTILE),
        return_path: Some(HOSTILE),
        ..Default::default()
    };
    harmless(&super::account::login(Some(HOSTILE), &ways));
    harmless(&super::account::setup(HOSTILE, Some(HOSTILE)));
}

#[test]
fn texts_from_outside_stay_texts_where_analysts_differ_and_candidates_compete() {
    let (at, rubric) = (run().created_at, Rubric::default());
    let side = |score: f64| Side {
        analyst: HOSTILE.into(),
        score,
        status: rubric.status(score),
        note: Some(HOSTILE.into()),
        sections: vec![("explanation".into(), HOSTILE.into())],
        at,
    };
    let dispute = DisputeView {
        criteria_set: HOSTILE.into(),
        document_set: HOSTILE.into(),
        criteria_id: HOSTILE.into(),
        requirement: HOSTILE.into(),
        description: HOSTILE.into(),
        document: view(None).document,
        tiers: rubric.tiers().to_vec(),
        sides: vec![side(92.0), side(40.0)],
        settled: Some(side(60.0)),
        sections: vec![("explanation".into(), HOSTILE.into())],
        is_outdated: true,
        counts: (60.0, rubric.status(60.0)),
        next: Some((HOSTILE.into(), HOSTILE.into())),
    };
    let html = harmless(&dispute::content(&dispute, Some(HOSTILE), "", true));
    assert!(html.contains("<b>92</b>") && html.contains("<b>40</b>") && html.contains("Reopen"));
    let row = SearchRow {
        id: "s".into(),
        state: "done".into(),
        criteria_set: HOSTILE.into(),
        document_set: HOSTILE.into(),
        candidates: 2,
        created_at: at,
        because: Some(HOSTILE.into()),
        promoted: None,
    };
    let candidate = CandidateView {
        name: HOSTILE.into(),
        template: Some(HOSTILE.into()),
        parent: Some(HOSTILE.into()),
        tune: OnKeys { mean: Some(0.6), scored: 11, of: 12 },
        hold_out: OnKeys::default(),
        tuned: None,
        decided: None,
        is_promoted: false,
        run: Some(3),
        diff: vec![DiffLine { sign: '-', text: HOSTILE.into() }],
    };
    let search = SearchPage {
        search: row.clone(),
        criteria_set_id: "set".into(),
        failure: Some(HOSTILE.into()),
        keys: (12, 8),
        proposer: Some((HOSTILE.into(), 2)),
        promotes: false,
        candidates: vec![candidate.clone(), candidate],
        winner: Some(HOSTILE.into()),
    };
    let html = harmless(&optimise::content(&search, true, true));
    assert!(html.contains("0.600") && html.contains("11 of 12") && html.contains("/s/promote\""));
    assert!(!harmless(&optimise::content(&search, true, false)).contains("/s/promote\""));
    harmless(&optimise::list(&[row], &SearchChoices::default(), Some(HOSTILE), true));
}

#[test]
fn an_approval_says_what_was_changed_since() {
    let mut one = run();
    let at = one.created_at;
    one.approval =
        Some(Approval { who: HOSTILE.into(), at, note: HOSTILE.into(), changes_since: 2 });
    let html = harmless(&approval::section(&one, &[], 5, true));
    assert!(html.contains("approved, changed since") && html.contains("Approve again"), "{html}");
    assert!(!harmless(&approval::section(&one, &[], 5, false)).contains("<form class=\"row\""));
    one.state = "running".into();
    assert_eq!(approval::section(&one, &[], 5, true).into_string(), "");
}
