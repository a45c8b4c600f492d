//! The tools as callers see them.

use crate::form::Form;

/// All of them.
pub(crate) const FORMS: [&Form; 5] = [&REVIEW, &ASK, &RESCORE, &COMPARE, &BENCH];

pub(super) const REVIEW: Form = Form {
    name: "council_review",
    title: "Have models review answers and rank them",
    description: "\
Models review answers that you supply, anonymised and each in its own order, on a rubric from 1 to 10. The engine does the \
sums: weights, the accuracy ceiling (a false answer scores at most 4), the safety gate, aggregation, ranks with intervals. A \
ranking that a reviewer states itself counts for nothing. Asks every reviewer once: pass dry_run first to learn calls, tokens \
and price. The result has an `id` for council_rescore.",
    takes: &[
        "question",
        "answers",
        "reviewers",
        "chair",
        "profile",
        "weights",
        "aggregate",
        "safety_gate",
        "safety_score_cap",
        "include_self",
        "recuse",
        "break_ties",
        "quorum",
        "seed",
        "budget",
        "dry_run",
        "include_record",
    ],
    needs: &["question", "answers"],
    asks_models: true,
};

pub(super) const ASK: Form = Form {
    name: "council_ask",
    title: "Ask models a question and have models review the answers",
    description: "\
Members answer a question, reviewers (else the members themselves) review the answers as in council_review, and a chair may \
write the final answer from those that pass. A model that fails is left out with its provider's own words, and the verdict says \
that it is degraded. Asks every member and every reviewer once: pass dry_run first to learn calls, tokens and price.",
    takes: &[
        "question",
        "members",
        "reviewers",
        "chair",
        "profile",
        "weights",
        "aggregate",
        "safety_gate",
        "safety_score_cap",
        "include_self",
        "recuse",
        "break_ties",
        "quorum",
        "seed",
        "budget",
        "dry_run",
        "include_record",
    ],
    needs: &["question"],
    asks_models: true,
};

pub(super) const RESCORE: Form = Form {
    name: "council_rescore",
    title: "Count a council's evidence another way",
    description: "\
Counts the reviews of an earlier council again with other weights, another profile or aggregation, or the safety gate on or \
off. No model is asked and nothing is paid. Name the council by the `id` of an earlier result (`run`), or hand over the \
`record` of one made with include_record. What is not given stays as it was.",
    takes: &[
        "run",
        "record",
        "profile",
        "weights",
        "aggregate",
        "safety_gate",
        "safety_score_cap",
        "include_self",
        "recuse",
        "break_ties",
    ],
    needs: &[],
    asks_models: false,
};

pub(super) const COMPARE: Form = Form {
    name: "council_compare",
    title: "Put earlier councils side by side",
    description: "\
Says for each earlier council, named by its `id`, who won with which scores, whether the winner is clear, and whether all have \
the same winners. Counted anew from the evidence. No model is asked. An `id` stands in the result of council_ask and \
council_review.",
    takes: &["runs"],
    needs: &["runs"],
    asks_models: false,
};

pub(super) const BENCH: Form = Form {
    name: "council_bench",
    title: "Hold reviewers and a council against people",
    description: "\
Measures recorded reviewers, their majority, the council and a council with learned weights against people's preferences: \
agreement with intervals, kappa, and the council less its best reviewer, on all comparisons and on the half that was not \
learned on. A comparison is an object in the shape of LLMBar, JudgeBench, MT-Bench, Auto-J or AlpacaEval, or {question, answers: \
[{model, text}, …], preferred: MODEL, ratings: {JUDGE: [8, 6]}}. No model is asked.",
    takes: &["comparisons"],
    needs: &["comparisons"],
    asks_models: false,
};
