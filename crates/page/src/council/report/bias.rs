//! What should not move a mark, and whether it does: length, place, authorship, temper.

use assize_methods::council::report::{
    CouncilReport, Effect, Harshness, LengthEffect, Reviewing, Temper,
};

use super::section::{Section, finding, number, percent, range};
use crate::council::words::signed;

/// Each dimension against the length of the answers.
pub(super) fn length(report: &CouncilReport) -> Section {
    let row = |effect: &LengthEffect| {
        vec![
            effect.dimension.name().to_owned(),
            number(effect.correlation),
            range(effect.interval),
            number(effect.p),
            effect.count.to_string(),
            finding(effect.found, effect.unknown.as_deref()),
        ]
    };
    Section {
        title: "Do marks depend on length?",
        remark: "Partial correlation within each question. Conciseness should fall with length; \
                 the other dimensions should not depend on it."
            .to_owned(),
        headings: vec!["dimension", "correlation", "~95 %", "p", "answers", "~effect"],
        rows: report.length.iter().map(row).collect(),
    }
}

/// What a reviewer adds to its own answer, and what a later place does.
pub(super) fn effects(report: &CouncilReport) -> Section {
    let row = |name: &str, effect: &Effect| {
        vec![
            name.to_owned(),
            effect.points.map_or("–".to_owned(), signed),
            range(effect.interval),
            number(effect.p),
            effect.count.to_string(),
            finding(effect.found, effect.unknown.as_deref()),
        ]
    };
    Section {
        title: "Do authorship and position affect marks?",
        remark: String::new(),
        headings: vec!["", "points", "~95 %", "p", "reviews", "~effect"],
        rows: vec![
            row("a reviewer's own answer", &report.self_preference),
            row("one position further down", &report.position),
        ],
    }
}

/// How far each reviewer is from the others.
pub(super) fn harshness(report: &CouncilReport) -> Section {
    let row = |reviewer: &Harshness| {
        let verdict = reviewer.verdict.map(|temper| match temper {
            Temper::Harsh => "harsh",
            Temper::Ordinary => "ordinary",
            Temper::Generous => "generous",
        });
        vec![
            reviewer.model.clone(),
            signed(reviewer.points),
            range(reviewer.interval),
            number(reviewer.effect_size),
            reviewer.count.to_string(),
            verdict.unwrap_or("too few to tell").to_owned(),
        ]
    };
    Section {
        title: "Which reviewers are harsh or generous?",
        remark: String::new(),
        headings: vec!["reviewer", "points", "~95 %", "effect size", "answers", "~"],
        rows: report.harshness.iter().map(row).collect(),
    }
}

/// How each reviewer handled the form.
pub(super) fn reviewing(report: &CouncilReport) -> Section {
    let row = |reviewer: &Reviewing| {
        vec![
            reviewer.model.clone(),
            reviewer.asked.to_string(),
            reviewer.abstained.to_string(),
            reviewer.truncated.to_string(),
            percent(reviewer.fallback_rate),
            percent(reviewer.miscalculation_rate),
            number(reviewer.miscalculated_by),
            number(reviewer.stated_ranking_tau),
        ]
    };
    Section {
        title: "Do reviewers fill in the form as asked?",
        remark: "Reviewers' own totals and rankings are not used; they show how far a single \
                 overall score can be trusted."
            .to_owned(),
        headings: vec![
            "reviewer",
            "asked",
            "abstained",
            "cut off",
            "single score only",
            "wrong totals",
            "off by",
            "own ranking (tau)",
        ],
        rows: report.reviewing.iter().map(row).collect(),
    }
}
