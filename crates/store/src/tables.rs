//! Every table and column there is, for whoever takes them all: export, import, check.
//!
//! The migrations say it first; a test compares.

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Integer,
    Real,
    Boolean,
    Time,
    Json,
    Blob,
}

/// A table with its columns. The first ones tell rows apart and are the order of an export;
/// candidates stand after those they were made from.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    /// How many columns that are.
    pub(crate) key: usize,
    pub(crate) columns: &'static [(&'static str, Kind)],
}

use Kind::{Blob, Boolean, Integer, Json, Real, Text, Time};

macro_rules! tables {
    ($($name:ident($key:literal) { $($column:ident: $kind:ident),* $(,)? })*) => {
        &[$(Table {
            name: stringify!($name),
            key: $key,
            columns: &[$((stringify!($column), $kind)),*],
        }),*]
    };
}

/// All tables, each after those it refers to.
pub(crate) const TABLES: &[Table] = tables! {
    organisations(1) {
        id: Text, name: Text, skeleton: Text, created_at: Time, last_run_number: Integer,
    }
    exchanges(1) {
        key: Text, send: Integer, provider: Text, model: Text, attempt: Integer, request: Text,
        reply: Text, input_tokens: Integer, output_tokens: Integer, counted: Boolean,
        price_nanodollars: Integer, created: Time,
    }
    sends(1) {
        id: Integer, key: Text, begun: Time, failed: Time, failure: Text, said: Text,
        run_id: Text, position: Integer, provider: Text, model: Text, tokens: Integer,
        price_nanodollars: Integer, certainty: Text,
    }
    budgets(2) { scope: Text, unit: Text, ceiling: Integer, spent: Integer }
    day_ceilings(2) { organisation_id: Text, unit: Text, ceiling: Integer }
    retentions(1) { organisation_id: Text, runs_days: Integer, documents_days: Integer }
    provider_limits(2) {
        provider: Text, model: Text, requests_a_minute: Integer, tokens_a_minute: Integer,
        requests: Real, tokens: Real, filled_at: Time, paused_until: Time,
    }
    workers(1) {
        name: Text, host: Text, process: Integer, version: Text, state: Text,
        items_done: Integer, started_at: Time, seen_at: Time,
    }
    eval_prompt_templates(1) {
        id: Text, organisation_id: Text, name: Text, version: Integer, body: Text,
        created_at: Time, used_at: Time,
    }
    eval_criteria_sets(1) {
        id: Text, organisation_id: Text, name: Text, description: Text, scoring_rubric: Json,
        response_structure: Json, prompt_template_id: Text, created_at: Time, updated_at: Time,
        archived_at: Time, default_judge: Text, promoted_by: Text,
    }
    eval_criteria_items(1) {
        id: Text, criteria_set_id: Text, criteria_id: Text, requirement: Text,
        description: Text, sort_order: Integer, properties: Json,
    }
    eval_status_options(1) {
        id: Text, criteria_set_id: Text, name: Text, score_value: Real, sort_order: Integer,
    }
    eval_doc_sets(1) {
        id: Text, organisation_id: Text, name: Text, description: Text, created_at: Time,
        archived_at: Time,
    }
    eval_documents(1) {
        id: Text, doc_set_id: Text, name: Text, media_type: Text, content_hash: Text,
        byte_count: Integer, content_text: Text, text_offsets: Json, created_at: Time,
        version: Integer, archived_at: Time,
    }
    eval_document_originals(1) { document_id: Text, bytes: Blob }
    runs(1) {
        id: Text, organisation_id: Text, number: Integer, instrument: Text, name: Text,
        criteria_set_id: Text, doc_set_id: Text, state: Text, version: Integer,
        revision: Integer, configuration: Json, configuration_hash: Text,
        method_version: Text, material: Blob, progress: Json, failure: Text, who: Text,
        is_baseline: Boolean, items: Integer, items_done: Integer, items_unscored: Integer, created_at: Time,
        started_at: Time, ended_at: Time, priority: Integer, archived_at: Time,
    }
    run_approvals(2) {
        run_id: Text, sequence: Integer, is_withdrawal: Boolean, version: Integer, who: Text,
        note: Text, created_at: Time,
    }
    run_assignments(2) {
        run_id: Text, criteria_item_id: Text, assignee: Text, who: Text, created_at: Time,
    }
    run_tags(2) { run_id: Text, tag: Text }
    run_versions(2) {
        run_id: Text, version: Integer, configuration: Json, method_version: Text,
        reason: Text, who: Text, created_at: Time,
    }
    run_items(2) {
        run_id: Text, position: Integer, subject: Text, document_id: Text,
        criteria_item_id: Text, material: Blob, state: Text, attempts: Integer, lease: Integer,
        leased_at: Time, leased_until: Time, worker: Text, losses: Integer, ask_attempt: Integer,
    }
    run_item_retries(3) {
        run_id: Text, position: Integer, retry: Integer, outcome: Text, reason: Text, who: Text,
        created_at: Time,
    }
    verdicts(3) {
        run_id: Text, position: Integer, version: Integer, judged_outcome: Text, outcome: Text,
        reason: Text, ledger: Blob, evidence: Blob, exchange_keys: Json, judge: Text,
        model: Text, prompt_template_id: Text, confidence: Integer, sections: Json,
        citations: Json, quotes: Integer, quotes_found: Integer, is_denial: Boolean,
        raw_answer: Text, status_id: Text, created_at: Time,
    }
    scores(4) {
        run_id: Text, position: Integer, version: Integer, measure: Text, judged: Real,
        value: Real,
    }
    decisions(1) {
        id: Text, run_id: Text, position: Integer, sequence: Integer, kind: Text, target: Text,
        outcome: Text, score: Real, value: Json, is_withdrawal: Boolean, is_current: Boolean,
        author: Text, reason: Text, created_at: Time,
    }
    labels(4) {
        run_id: Text, position: Integer, rater: Text, measure: Text, value: Real, label: Text,
        note: Text, created_at: Time,
    }
    run_documents(2) { run_id: Text, document_id: Text, position: Integer }
    run_criteria(2) {
        run_id: Text, criteria_item_id: Text, position: Integer, criteria_id: Text,
        requirement: Text, description: Text, properties: Json,
    }
    eval_opt_truth_keys(1) {
        id: Text, organisation_id: Text, document_id: Text, criteria_item_id: Text,
        expected_score: Real, score_range: Integer, response_sections: Json, analyst: Text,
        note: Text, created_at: Time, updated_at: Time, is_adjudicated: Boolean,
    }
    eval_opt_runs(1) {
        id: Text, organisation_id: Text, criteria_set_id: Text, doc_set_id: Text, state: Text,
        configuration: Json, verdict: Json, failure: Text, created_at: Time, started_at: Time,
        ended_at: Time,
    }
    eval_opt_candidates(2) {
        opt_run_id: Text, position: Integer, id: Text, parent_id: Text,
        prompt_template_id: Text, scoring_rubric: Json, judge: Text, tune_run_id: Text,
        holdout_run_id: Text, tune: Json, holdout: Json, is_promoted: Boolean,
    }
    audit(1) {
        id: Text, organisation_id: Text, at: Time, who: Text, action: Text, subject: Text,
        subject_id: Text, before: Json, after: Json, sequence: Integer, address: Text,
        hash: Text,
    }
    audit_heads(1) { organisation_id: Text, sequence: Integer, hash: Text }
    users(1) {
        id: Text, name: Text, skeleton: Text, password_hash: Text, is_disabled: Boolean,
        created_at: Time, code_secret: Text, code_step: Integer,
    }
    memberships(2) { user_id: Text, organisation_id: Text, role: Text }
    identities(2) { issuer: Text, subject: Text, user_id: Text, created_at: Time }
    sign_in_requests(1) {
        state_hash: Text, browser_hash: Text, return_path: Text, expires_at: Time,
    }
    sessions(1) {
        token_hash: Text, user_id: Text, organisation_id: Text, created_at: Time, used_at: Time,
        address: Text, agent: Text,
    }
    api_tokens(1) {
        id: Text, token_hash: Text, organisation_id: Text, name: Text, scope: Text,
        made_by: Text, created_at: Time, expires_at: Time, revoked_at: Time, used_at: Time,
        parent_id: Text,
    }
    setup_links(1) { token_hash: Text, expires_at: Time }
    idempotency_keys(2) {
        organisation_id: Text, key: Text, fingerprint: Text, status: Integer,
        media_type: Text, body: Blob, created_at: Time,
    }
};

impl Table {
    /// The names of its columns.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.columns.iter().map(|(name, _)| *name).collect()
    }

    /// The names of its key.
    pub(crate) fn key(&self) -> Vec<&'static str> {
        self.names().into_iter().take(self.key).collect()
    }
}

/// The table of this name.
pub(crate) fn table(name: &str) -> Option<&'static Table> {
    TABLES.iter().find(|table| table.name == name)
}
