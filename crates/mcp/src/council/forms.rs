//! The tools as callers see them.

use crate::form::Form;

/// All of them.
pub(crate) const FORMS: [&Form; 5] = [&REVIEW, &ASK, &RESCORE, &COMPARE, &BENCH];

/// Who takes part besides the members, and what they are asked for.
const SEATED: [&str; 8] =
    ["reviewers", "chair", "scoring", "rounds", "jury", "evidence", "timeouts", "seed"];
const COUNTING: [&str; 12] = [
    "profile",
    "weights",
    "aggregate",
    "safety_gate",
    "safety_score_cap",
    "gate_rate",
    "trust",
    "include_self",
    "recuse",
    "break_ties",
    "quorum",
    "majority",
];
/// What a call may cost, and what it gives back.
const CALL: [&str; 3] = ["budget", "dry_run", "include_record"];

pub(super) const REVIEW: Form = Form {
    name: "council_review",
    title: "Have models review answers and rank them",
    description: "\
Models review answers that you supply, anonymised and each in its own order, on a rubric from 1 to \
10. The engine computes the scores: weights, the accuracy ceiling (a false answer scores at most \
4), the safety gate, aggregation, ranks with intervals. Rankings stated by reviewers are ignored. \
Calls every reviewer once: pass dry_run first to see calls, tokens and price. The result has an \
`id` for council_rescore.",
    takes: &[&["question", "answers"], &SEATED, &COUNTING, &CALL],
    needs: &["question", "answers"],
    asks_models: true,
};

pub(super) const ASK: Form = Form {
    name: "council_ask",
    title: "Ask models a question and have models review the answers",
    description: "\
Members answer a question, reviewers (by default the members themselves) review the answers as in \
council_review, and a chair can write the final answer from those that pass. A model that fails is \
left out and its provider's error is reported, and the verdict is marked as degraded. Calls every \
member and every reviewer once: pass dry_run first to see calls, tokens and price.",
    takes: &[&["question", "members"], &SEATED, &COUNTING, &CALL],
    needs: &["question"],
    asks_models: true,
};

pub(super) const RESCORE: Form = Form {
    name: "council_rescore",
    title: "Rescore a council with other settings",
    description: "\
Rescores the reviews of an earlier council with other weights, another profile or aggregation, or \
the safety gate on or off. No model is called and nothing is paid. Identify the council by the \
`id` of an earlier result (`run`), or pass the `record` of one made with include_record. Settings \
that are not given stay as they were.",
    takes: &[&["run", "record"], &COUNTING],
    needs: &[],
    asks_models: false,
};

pub(super) const COMPARE: Form = Form {
    name: "council_compare",
    title: "Compare earlier councils",
    description: "\
Reports for each earlier council, identified by its `id`, who won with which scores, whether the \
winner is clear, and whether all have the same winners. Recomputed from the evidence. No model is \
called. The results of council_ask and council_review contain the `id`.",
    takes: &[&["runs"]],
    needs: &["runs"],
    asks_models: false,
};

pub(super) const BENCH: Form = Form {
    name: "council_bench",
    title: "Compare reviewers and a council with human preferences",
    description: "\
Compares recorded reviewers, their majority, the council and a council with learned weights with \
human preferences: agreement with intervals, kappa, and the difference between the council and its \
best reviewer, on all comparisons and on the held-out half. A comparison is an object in the \
format of LLMBar, JudgeBench, MT-Bench, Auto-J or AlpacaEval, or {question, answers: \
[{model, text}, …], preferred: MODEL, ratings: {JUDGE: [8, 6]}}. No model is called.",
    takes: &[&["comparisons"]],
    needs: &["comparisons"],
    asks_models: false,
};
