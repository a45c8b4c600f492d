-- Everything Assize keeps. PostgreSQL has the same tables in `postgres.sql`.
-- Nothing has been released yet, so there is one step. From the first release on, a change is a
-- new numbered step and this file stays as it is.

-- One reply of a model, found again by the hash of all that decides it. Request and reply are
-- records of what went over the wire and stay as they were written, character by character.
CREATE TABLE exchanges (
    key               TEXT NOT NULL PRIMARY KEY,
    send              INTEGER NOT NULL,
    provider          TEXT NOT NULL,
    model             TEXT NOT NULL,
    attempt           INTEGER NOT NULL,
    request           TEXT NOT NULL,
    reply             TEXT NOT NULL,
    input_tokens      INTEGER NOT NULL,
    output_tokens     INTEGER NOT NULL,
    counted           BOOLEAN NOT NULL,
    price_nanodollars INTEGER,
    created           TEXT NOT NULL
);

-- One request on its way. Written before it goes out, so that after a crash we know what may
-- have been paid for without being kept. It is also the bill: with the most it can cost before it
-- goes out (`maybe`), and with what it came to when it ends: `certain` if the provider counted,
-- `estimated` if we had to, `none` if nothing was done for it. What a dead process sent therefore
-- stays `maybe`, at its ceiling.
CREATE TABLE sends (
    id                INTEGER NOT NULL PRIMARY KEY,
    key               TEXT NOT NULL,
    begun             TEXT NOT NULL,
    failed            TEXT,
    failure           TEXT,
    said              TEXT,
    run_id            TEXT,
    position          INTEGER,
    provider          TEXT,
    model             TEXT,
    tokens            INTEGER,
    price_nanodollars INTEGER,
    certainty         TEXT CHECK (certainty IN ('certain', 'estimated', 'maybe', 'none'))
);
CREATE INDEX sends_by_run ON sends (run_id) WHERE run_id IS NOT NULL;
-- A day's ceiling set in the middle of the day counts what was spent before.
CREATE INDEX sends_by_time ON sends (begun);

-- Who is asking for a reply at this moment, so that no two processes pay for the same one.
CREATE TABLE exchange_claims (
    key        TEXT NOT NULL PRIMARY KEY,
    send       INTEGER NOT NULL,
    held_until TEXT NOT NULL
);
CREATE INDEX exchange_claims_by_send ON exchange_claims (send);

-- What may be spent, and what is spent or set aside: by one run in its life (`run:ID`), by an
-- organisation in a day (`day:ORGANISATION:2026-11-16`).
CREATE TABLE budgets (
    scope   TEXT NOT NULL,
    unit    TEXT NOT NULL CHECK (unit IN ('tokens', 'nanodollars')),
    ceiling INTEGER NOT NULL,
    spent   INTEGER NOT NULL,
    PRIMARY KEY (scope, unit)
);

-- What a provider allows for a model, shared by all processes: buckets that fill up by the
-- database's clock, and a moment before which nobody asks.
CREATE TABLE provider_limits (
    provider          TEXT NOT NULL,
    model             TEXT NOT NULL,
    requests_a_minute INTEGER,
    tokens_a_minute   INTEGER,
    requests          REAL NOT NULL,
    tokens            REAL NOT NULL,
    filled_at         TEXT NOT NULL,
    paused_until      TEXT,
    PRIMARY KEY (provider, model)
);

-- Who works, for people to look at. Nothing is decided by it.
CREATE TABLE workers (
    name       TEXT NOT NULL PRIMARY KEY,
    host       TEXT NOT NULL,
    process    INTEGER NOT NULL,
    version    TEXT NOT NULL,
    state      TEXT NOT NULL,
    items_done INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    seen_at    TEXT NOT NULL
);

-- Run numbers are given out by a counter, not by MAX + 1: a number that people wrote down must not
-- come to mean another run after one was deleted.
CREATE TABLE organisations (
    id              TEXT NOT NULL PRIMARY KEY,
    name            TEXT NOT NULL UNIQUE,
    -- What a reader takes the name for: no two organisations look alike.
    skeleton        TEXT NOT NULL UNIQUE,
    created_at      TEXT NOT NULL,
    last_run_number INTEGER NOT NULL DEFAULT 0
);
INSERT INTO organisations (id, name, skeleton, created_at)
VALUES ('organisation-default', 'default', 'default', strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'));

CREATE TABLE day_ceilings (
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    unit            TEXT NOT NULL CHECK (unit IN ('tokens', 'nanodollars')),
    ceiling         INTEGER NOT NULL,
    PRIMARY KEY (organisation_id, unit)
);

-- How many days an organisation keeps what is over; without a row, or with NULL, for ever.
CREATE TABLE retentions (
    organisation_id TEXT NOT NULL PRIMARY KEY REFERENCES organisations (id),
    runs_days       INTEGER CHECK (runs_days > 0),
    documents_days  INTEGER CHECK (documents_days > 0)
);

-- Prompt templates: a change is a new version, and a version that was used stays as it is.
CREATE TABLE eval_prompt_templates (
    id              TEXT NOT NULL PRIMARY KEY,
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    name            TEXT NOT NULL,
    version         INTEGER NOT NULL,
    body            TEXT NOT NULL,
    created_at      TEXT NOT NULL,
    used_at         TEXT,
    UNIQUE (organisation_id, name, version)
);

-- The judge gives the number itself, guided by the set's rubric; a label follows from the
-- number. Answers have sections.
CREATE TABLE eval_criteria_sets (
    id                 TEXT NOT NULL PRIMARY KEY,
    organisation_id    TEXT NOT NULL DEFAULT 'organisation-default' REFERENCES organisations (id),
    name               TEXT NOT NULL,
    description        TEXT NOT NULL DEFAULT '',
    scoring_rubric     TEXT CHECK (json_valid(scoring_rubric)) DEFAULT '{"tiers": [
  {"min": 0, "max": 20, "label": "Non-Compliant", "description": "The document says nothing that answers the requirement, or says that it is not met."},
  {"min": 21, "max": 40, "label": "Mostly Non-Compliant", "description": "The subject comes up, but most of what is required is missing, vague or contradicted."},
  {"min": 41, "max": 60, "label": "Partially Compliant", "description": "About half of what is required is stated; the rest is missing, unclear or only implied."},
  {"min": 61, "max": 80, "label": "Mostly Compliant", "description": "Nearly everything required is stated clearly; what is missing is minor."},
  {"min": 81, "max": 100, "label": "Fully Compliant", "description": "Every part of the requirement is met by clear statements that can be quoted."}
]}',
    response_structure TEXT CHECK (json_valid(response_structure)) DEFAULT '{"sections": [
  {"id": "explanation", "type": "text", "required": true, "description": "Why this score: what the document states, and what is missing."}
]}',
    prompt_template_id TEXT REFERENCES eval_prompt_templates (id),
    -- Who judges the set unless somebody else is named, and the search that found it.
    default_judge      TEXT,
    promoted_by        TEXT,
    created_at         TEXT NOT NULL,
    updated_at         TEXT NOT NULL,
    archived_at        TEXT
);
CREATE INDEX eval_criteria_sets_of_organisation ON eval_criteria_sets (organisation_id, name);

CREATE TABLE eval_criteria_items (
    id              TEXT NOT NULL PRIMARY KEY,
    criteria_set_id TEXT NOT NULL REFERENCES eval_criteria_sets (id) ON DELETE CASCADE,
    criteria_id     TEXT NOT NULL,
    requirement     TEXT NOT NULL,
    description     TEXT NOT NULL DEFAULT '',
    sort_order      INTEGER NOT NULL,
    -- What else an imported criterion brings: its group, weight, parameters, enhancements.
    properties      TEXT CHECK (json_valid(properties)),
    UNIQUE (criteria_set_id, criteria_id)
);

-- What a judge of the origin could pick, and what it was worth. Only adopted databases have rows.
CREATE TABLE eval_status_options (
    id              TEXT NOT NULL PRIMARY KEY,
    criteria_set_id TEXT NOT NULL REFERENCES eval_criteria_sets (id) ON DELETE CASCADE,
    name            TEXT NOT NULL,
    score_value     REAL NOT NULL,
    sort_order      INTEGER NOT NULL
);

CREATE TABLE eval_doc_sets (
    id              TEXT NOT NULL PRIMARY KEY,
    organisation_id TEXT NOT NULL DEFAULT 'organisation-default' REFERENCES organisations (id),
    name            TEXT NOT NULL,
    description     TEXT NOT NULL DEFAULT '',
    created_at      TEXT NOT NULL,
    archived_at     TEXT
);
CREATE INDEX eval_doc_sets_of_organisation ON eval_doc_sets (organisation_id, name);

-- A document with a used name is a new version of that document.
CREATE TABLE eval_documents (
    id           TEXT NOT NULL PRIMARY KEY,
    doc_set_id   TEXT NOT NULL REFERENCES eval_doc_sets (id) ON DELETE CASCADE,
    name         TEXT NOT NULL,
    version      INTEGER NOT NULL DEFAULT 1,
    media_type   TEXT NOT NULL DEFAULT 'text/plain',
    content_hash TEXT,
    byte_count   INTEGER,
    content_text TEXT NOT NULL,
    text_offsets TEXT CHECK (json_valid(text_offsets)),
    created_at   TEXT NOT NULL,
    archived_at  TEXT,
    UNIQUE (doc_set_id, name, version)
);
CREATE INDEX eval_documents_of_set ON eval_documents (doc_set_id);

-- Apart from the rest, so that lists of documents need not step over them.
CREATE TABLE eval_document_originals (
    document_id TEXT NOT NULL PRIMARY KEY REFERENCES eval_documents (id) ON DELETE CASCADE,
    bytes       BLOB NOT NULL
);

-- Runs of all four instruments. `configuration` is the request as its door filled it, with all
-- that decides the verdicts; it does not change under a run. Only compliance runs have sets.
CREATE TABLE runs (
    id                 TEXT NOT NULL PRIMARY KEY,
    organisation_id    TEXT NOT NULL REFERENCES organisations (id),
    number             INTEGER NOT NULL,
    instrument         TEXT NOT NULL
        CHECK (instrument IN ('retrieval', 'summary', 'compliance', 'council')),
    name               TEXT,
    criteria_set_id    TEXT REFERENCES eval_criteria_sets (id),
    doc_set_id         TEXT REFERENCES eval_doc_sets (id),
    state              TEXT NOT NULL
        CHECK (state IN ('planned', 'running', 'done', 'stopped', 'failed')),
    version            INTEGER NOT NULL,
    -- Grows with every decision, so that whoever keeps figures of a run knows when they are old.
    revision           INTEGER NOT NULL DEFAULT 0,
    configuration      TEXT CHECK (json_valid(configuration)),
    configuration_hash TEXT,
    method_version     TEXT,
    material           BLOB,
    -- Who of a council is busy with what; runs of other instruments count their items.
    progress           TEXT CHECK (json_valid(progress)),
    failure            TEXT,
    who                TEXT NOT NULL,
    is_baseline        BOOLEAN NOT NULL,
    items              INTEGER NOT NULL,
    items_done         INTEGER NOT NULL,
    items_unscored     INTEGER NOT NULL,
    -- Runs with a higher priority are worked on first.
    priority           INTEGER NOT NULL DEFAULT 0,
    created_at         TEXT NOT NULL,
    started_at         TEXT,
    ended_at           TEXT,
    archived_at        TEXT,
    UNIQUE (organisation_id, number),
    UNIQUE (organisation_id, name)
);
CREATE INDEX runs_running ON runs (priority, created_at) WHERE state = 'running';
CREATE INDEX runs_by_instrument ON runs (organisation_id, instrument, number);
CREATE INDEX runs_by_state ON runs (organisation_id, state, number);
CREATE INDEX runs_baseline ON runs (organisation_id, instrument) WHERE is_baseline;
CREATE INDEX runs_of_criteria_set ON runs (criteria_set_id, created_at)
    WHERE criteria_set_id IS NOT NULL;
CREATE INDEX runs_of_doc_set ON runs (doc_set_id) WHERE doc_set_id IS NOT NULL;

CREATE TABLE run_tags (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    tag    TEXT NOT NULL,
    PRIMARY KEY (run_id, tag)
);
CREATE INDEX run_tags_by_tag ON run_tags (tag, run_id);

-- Version 1 of the verdicts follows from what the run froze; a later one from what a rescore
-- changed, which stands here.
CREATE TABLE run_versions (
    run_id         TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    version        INTEGER NOT NULL,
    configuration  TEXT CHECK (json_valid(configuration)),
    method_version TEXT,
    reason         TEXT NOT NULL,
    who            TEXT NOT NULL,
    created_at     TEXT NOT NULL,
    PRIMARY KEY (run_id, version)
);

-- Who approved a run, and when; what was changed afterwards is found by its time. The last one
-- counts, all are kept.
CREATE TABLE run_approvals (
    run_id        TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    sequence      INTEGER NOT NULL,
    is_withdrawal BOOLEAN NOT NULL,
    version       INTEGER NOT NULL,
    who           TEXT NOT NULL,
    note          TEXT NOT NULL,
    created_at    TEXT NOT NULL,
    PRIMARY KEY (run_id, sequence)
);

-- Who looks after a criterion of a run; the audit keeps who it was before.
CREATE TABLE run_assignments (
    run_id           TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    criteria_item_id TEXT NOT NULL,
    assignee         TEXT NOT NULL,
    who              TEXT NOT NULL,
    created_at       TEXT NOT NULL,
    PRIMARY KEY (run_id, criteria_item_id)
);
CREATE INDEX run_assignments_of_assignee ON run_assignments (assignee);

-- The documents and criteria of a compliance run as they were when it was planned; every document
-- is held against every criterion.
CREATE TABLE run_documents (
    run_id      TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    document_id TEXT NOT NULL REFERENCES eval_documents (id),
    position    INTEGER NOT NULL,
    PRIMARY KEY (run_id, document_id)
);
CREATE TABLE run_criteria (
    run_id           TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    criteria_item_id TEXT NOT NULL REFERENCES eval_criteria_items (id),
    position         INTEGER NOT NULL,
    criteria_id      TEXT NOT NULL,
    requirement      TEXT NOT NULL,
    description      TEXT NOT NULL,
    properties       TEXT CHECK (json_valid(properties)),
    PRIMARY KEY (run_id, criteria_item_id)
);

-- What a run works through: a query, a pair, a document and a criterion, an answer. `lease` is
-- the fencing token of whoever works on an item; `leased_at` and `leased_until` are written and
-- compared by the database's own clock only. `losses` counts leases that ran out; `ask_attempt` says which reply
-- is meant and is NULL until somebody retries the item.
CREATE TABLE run_items (
    run_id           TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position         INTEGER NOT NULL,
    subject          TEXT NOT NULL,
    document_id      TEXT,
    criteria_item_id TEXT,
    material         BLOB,
    state            TEXT NOT NULL CHECK (state IN ('pending', 'leased', 'done')),
    attempts         INTEGER NOT NULL,
    losses           INTEGER NOT NULL DEFAULT 0,
    ask_attempt      INTEGER,
    lease            INTEGER,
    leased_at        TEXT,
    leased_until     TEXT,
    worker           TEXT,
    PRIMARY KEY (run_id, position),
    UNIQUE (run_id, document_id, criteria_item_id),
    CHECK ((state = 'leased') = (lease IS NOT NULL))
);
-- So that the next open item of a run that is nearly done is found without walking over the rest.
CREATE INDEX run_items_open ON run_items (run_id, position) WHERE state <> 'done';
CREATE INDEX run_items_leased ON run_items (run_id, lease) WHERE lease IS NOT NULL;
CREATE INDEX run_items_by_subject ON run_items (run_id, subject);
CREATE INDEX run_items_of_document ON run_items (document_id) WHERE document_id IS NOT NULL;

-- What came of an item before somebody retried it.
CREATE TABLE run_item_retries (
    run_id     TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    retry      INTEGER NOT NULL,
    outcome    TEXT NOT NULL,
    reason     TEXT,
    who        TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (run_id, position, retry)
);

-- What came of an item. `judged_outcome` is the judge's; `outcome` is what counts, which the
-- transaction of a decision writes. Evidence that a later version shares with an earlier one is
-- kept once, with the earlier. Ledger and evidence are JSON, as it is or compressed by Zstandard.
-- What stands after `exchange_keys` only a judge of documents gives: whose words they are, how
-- sure it is, its sections, its citations with their places in code points, how many there are
-- and how many were found, and whether it noted that the document denies the criterion.
CREATE TABLE verdicts (
    run_id             TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position           INTEGER NOT NULL,
    version            INTEGER NOT NULL,
    judged_outcome     TEXT NOT NULL
        CHECK (judged_outcome IN ('scored', 'not_applicable', 'needs_information', 'failed')),
    outcome            TEXT NOT NULL
        CHECK (outcome IN ('scored', 'not_applicable', 'needs_information', 'failed')),
    reason             TEXT,
    ledger             BLOB,
    evidence           BLOB,
    exchange_keys      TEXT CHECK (json_valid(exchange_keys)),
    judge              TEXT,
    model              TEXT,
    prompt_template_id TEXT REFERENCES eval_prompt_templates (id),
    confidence         INTEGER CHECK (confidence BETWEEN 0 AND 100),
    sections           TEXT CHECK (json_valid(sections)),
    citations          TEXT CHECK (json_valid(citations)),
    quotes             INTEGER NOT NULL DEFAULT 0,
    quotes_found       INTEGER NOT NULL DEFAULT 0,
    is_denial          BOOLEAN NOT NULL DEFAULT FALSE,
    raw_answer         TEXT,
    status_id          TEXT REFERENCES eval_status_options (id),
    created_at         TEXT NOT NULL,
    PRIMARY KEY (run_id, position, version)
);

-- One row a measure, so that SQL can sort, filter and page. `judged` is the judge's value and
-- never changes; `value` is the one that counts, which the transaction of a decision writes. A
-- measure without a value has NULL.
CREATE TABLE scores (
    run_id   TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    measure  TEXT NOT NULL,
    judged   REAL,
    value    REAL,
    PRIMARY KEY (run_id, position, version, measure)
);
CREATE INDEX scores_by_value ON scores (run_id, version, measure, value, position);

-- What a person decides beside the judge. All are kept; of each kind and target the last one
-- counts (`is_current`), unless it withdraws the one before. A `score` is about a measure: another
-- score or outcome, and other words for sections (`value`). A `label` is about evidence, a
-- `comment` decides nothing.
CREATE TABLE decisions (
    id            TEXT NOT NULL PRIMARY KEY,
    run_id        TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position      INTEGER NOT NULL,
    sequence      INTEGER NOT NULL,
    kind          TEXT NOT NULL CHECK (kind IN ('score', 'label', 'comment')),
    target        TEXT NOT NULL,
    outcome       TEXT CHECK (outcome IN ('scored', 'not_applicable', 'needs_information')),
    score         REAL,
    value         TEXT CHECK (json_valid(value)),
    is_withdrawal BOOLEAN NOT NULL,
    is_current    BOOLEAN NOT NULL,
    author        TEXT NOT NULL,
    reason        TEXT NOT NULL,
    created_at    TEXT NOT NULL,
    UNIQUE (run_id, position, sequence)
);
CREATE INDEX decisions_current ON decisions (run_id, position, target) WHERE is_current;
CREATE INDEX decisions_by_time ON decisions (run_id, created_at);

-- Ratings of people, several to an item. Accuracy and agreement read only these.
CREATE TABLE labels (
    run_id     TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    rater      TEXT NOT NULL,
    measure    TEXT NOT NULL,
    value      REAL,
    label      TEXT,
    note       TEXT,
    created_at TEXT NOT NULL,
    PRIMARY KEY (run_id, position, rater, measure),
    CHECK (value IS NOT NULL OR label IS NOT NULL)
);

-- The judge's score, the score that counts and who decided it, of the version that counts.
CREATE VIEW effective_scores AS
SELECT score.run_id, score.position, score.measure, score.judged, score.value,
    verdict.judged_outcome, verdict.outcome, decided.author AS decided_by, decided.reason AS decided_because
FROM runs
JOIN scores AS score ON score.run_id = runs.id AND score.version = runs.version
JOIN verdicts AS verdict ON verdict.run_id = runs.id AND verdict.position = score.position
    AND verdict.version = runs.version
LEFT JOIN decisions AS decided ON decided.run_id = runs.id AND decided.position = score.position
    AND decided.target = score.measure AND decided.kind = 'score' AND decided.is_current;

-- What analysts say the answer is. Keys belong to an analyst, so that analysts can be compared
-- with each other; where they disagree somebody settles it, and accuracy follows what was
-- settled. '' is an analyst whose name is not known.
CREATE TABLE eval_opt_truth_keys (
    id                TEXT NOT NULL PRIMARY KEY,
    organisation_id   TEXT NOT NULL REFERENCES organisations (id),
    document_id       TEXT NOT NULL REFERENCES eval_documents (id) ON DELETE CASCADE,
    criteria_item_id  TEXT NOT NULL REFERENCES eval_criteria_items (id) ON DELETE CASCADE,
    expected_score    REAL NOT NULL CHECK (expected_score BETWEEN 0 AND 100),
    score_range       INTEGER NOT NULL CHECK (score_range BETWEEN 1 AND 10),
    response_sections TEXT CHECK (json_valid(response_sections)),
    analyst           TEXT NOT NULL DEFAULT '',
    note              TEXT,
    created_at        TEXT NOT NULL,
    updated_at        TEXT NOT NULL,
    is_adjudicated    BOOLEAN NOT NULL DEFAULT FALSE,
    UNIQUE (document_id, criteria_item_id, analyst, is_adjudicated)
);
CREATE INDEX eval_opt_truth_keys_of_organisation ON eval_opt_truth_keys (organisation_id);

-- A search for better prompts, rubrics and models, and what it tried.
CREATE TABLE eval_opt_runs (
    id              TEXT NOT NULL PRIMARY KEY,
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    criteria_set_id TEXT NOT NULL REFERENCES eval_criteria_sets (id),
    doc_set_id      TEXT NOT NULL REFERENCES eval_doc_sets (id),
    state           TEXT NOT NULL
        CHECK (state IN ('planned', 'running', 'done', 'stopped', 'failed')),
    configuration   TEXT CHECK (json_valid(configuration)),
    verdict         TEXT CHECK (json_valid(verdict)),
    failure         TEXT,
    created_at      TEXT NOT NULL,
    started_at      TEXT,
    ended_at        TEXT
);
CREATE INDEX eval_opt_runs_of_organisation ON eval_opt_runs (organisation_id, created_at);

CREATE TABLE eval_opt_candidates (
    id                 TEXT NOT NULL PRIMARY KEY,
    opt_run_id         TEXT NOT NULL REFERENCES eval_opt_runs (id) ON DELETE CASCADE,
    position           INTEGER NOT NULL,
    parent_id          TEXT REFERENCES eval_opt_candidates (id),
    prompt_template_id TEXT REFERENCES eval_prompt_templates (id),
    scoring_rubric     TEXT CHECK (json_valid(scoring_rubric)),
    judge              TEXT NOT NULL,
    tune_run_id        TEXT REFERENCES runs (id),
    holdout_run_id     TEXT REFERENCES runs (id),
    tune               TEXT CHECK (json_valid(tune)),
    holdout            TEXT CHECK (json_valid(holdout)),
    is_promoted        BOOLEAN NOT NULL,
    UNIQUE (opt_run_id, position)
);

-- The names that people with SQL know from the system these tables come from. A label follows
-- from the score: `ai_status_id` is only set in adopted rows.
CREATE VIEW eval_runs AS
SELECT id, organisation_id, criteria_set_id, doc_set_id, state AS status, state, configuration,
    configuration_hash, method_version, failure, created_at, started_at, ended_at
FROM runs WHERE instrument = 'compliance';

CREATE VIEW eval_criteria_results AS
SELECT item.run_id || '/' || item.position AS id, item.run_id, item.document_id,
    item.criteria_item_id, verdict.status_id AS ai_status_id, score.judged AS ai_score_value,
    verdict.confidence AS ai_confidence, verdict.sections AS ai_result,
    verdict.citations AS ai_citations, verdict.judged_outcome AS outcome, verdict.reason,
    verdict.judge, verdict.model, verdict.prompt_template_id, verdict.created_at
FROM runs
JOIN run_items AS item ON item.run_id = runs.id
JOIN verdicts AS verdict ON verdict.run_id = runs.id AND verdict.position = item.position
    AND verdict.version = runs.version
LEFT JOIN scores AS score ON score.run_id = runs.id AND score.position = item.position
    AND score.version = runs.version AND score.measure = 'score'
WHERE runs.instrument = 'compliance';

-- Who changed what, when; the value before and the value after. Rows are chained, so that a
-- changed, removed or moved one is found.
CREATE TABLE audit (
    id              TEXT NOT NULL PRIMARY KEY,
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    at              TEXT NOT NULL,
    who             TEXT NOT NULL,
    action          TEXT NOT NULL,
    subject         TEXT NOT NULL,
    subject_id      TEXT NOT NULL,
    before          TEXT CHECK (json_valid(before)),
    after           TEXT CHECK (json_valid(after)),
    sequence        INTEGER,
    address         TEXT,
    hash            TEXT,
    UNIQUE (organisation_id, sequence)
);
CREATE INDEX audit_of_organisation ON audit (organisation_id, at);
CREATE INDEX audit_by_subject ON audit (organisation_id, subject, subject_id, sequence);
CREATE TABLE audit_heads (
    organisation_id TEXT NOT NULL PRIMARY KEY REFERENCES organisations (id),
    sequence        INTEGER NOT NULL,
    hash            TEXT NOT NULL
);

-- People, what they may do where, how they show who they are.
CREATE TABLE users (
    id            TEXT NOT NULL PRIMARY KEY,
    name          TEXT NOT NULL UNIQUE,
    -- What a reader takes the name for: no two people look alike.
    skeleton      TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    is_disabled   BOOLEAN NOT NULL,
    created_at    TEXT NOT NULL,
    -- What one-time codes follow from, in base 32, and the last step of time whose code was used.
    code_secret   TEXT,
    code_step     INTEGER
);
CREATE TABLE memberships (
    user_id         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    role            TEXT NOT NULL CHECK (role IN ('viewer', 'analyst', 'admin')),
    PRIMARY KEY (user_id, organisation_id)
);
CREATE INDEX memberships_of_organisation ON memberships (organisation_id);
-- Whom a provider of identities vouches for, and sign-ins there that have begun and not ended.
CREATE TABLE identities (
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_of_user ON identities (user_id);
-- Only hashes, here and below: who reads the database cannot sign in with what they find.
CREATE TABLE sign_in_requests (
    state_hash   TEXT NOT NULL PRIMARY KEY,
    browser_hash TEXT NOT NULL,
    return_path  TEXT NOT NULL,
    expires_at   TEXT NOT NULL
);
CREATE TABLE sessions (
    token_hash      TEXT NOT NULL PRIMARY KEY,
    user_id         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    created_at      TEXT NOT NULL,
    used_at         TEXT NOT NULL,
    address         TEXT NOT NULL,
    agent           TEXT NOT NULL
);
CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE TABLE api_tokens (
    id              TEXT NOT NULL PRIMARY KEY,
    token_hash      TEXT NOT NULL UNIQUE,
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    name            TEXT NOT NULL,
    scope           TEXT NOT NULL CHECK (scope IN ('read', 'write', 'admin')),
    made_by         TEXT NOT NULL,
    created_at      TEXT NOT NULL,
    expires_at      TEXT,
    revoked_at      TEXT,
    used_at         TEXT,
    parent_id       TEXT REFERENCES api_tokens (id)
);
CREATE INDEX api_tokens_of_organisation ON api_tokens (organisation_id);
CREATE INDEX api_tokens_of_parent ON api_tokens (parent_id);
CREATE TABLE setup_links (
    token_hash TEXT NOT NULL PRIMARY KEY,
    expires_at TEXT NOT NULL
);
-- Answers to POST requests that named themselves; without a status one is under way.
CREATE TABLE idempotency_keys (
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    key             TEXT NOT NULL,
    fingerprint     TEXT NOT NULL,
    status          INTEGER,
    media_type      TEXT,
    body            BLOB,
    created_at      TEXT NOT NULL,
    PRIMARY KEY (organisation_id, key)
);
