-- Everything Assize keeps. SQLite has the same tables in `sqlite.sql`.
-- Texts compare byte by byte, as in SQLite, so that lists have one order everywhere.
-- Nothing has been released yet, so there is one step. From the first release on, a change is a
-- new numbered step and this file stays as it is.

-- One reply of a model, found again by the hash of all that decides it. Request and reply are
-- records of what went over the wire and stay as they were written, character by character.
CREATE TABLE exchanges (
    key               TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    send              BIGINT NOT NULL,
    provider          TEXT COLLATE "C" NOT NULL,
    model             TEXT COLLATE "C" NOT NULL,
    attempt           BIGINT NOT NULL,
    request           TEXT COLLATE "C" NOT NULL,
    reply             TEXT COLLATE "C" NOT NULL,
    input_tokens      BIGINT NOT NULL,
    output_tokens     BIGINT NOT NULL,
    counted           BOOLEAN NOT NULL,
    price_nanodollars BIGINT,
    created           TIMESTAMPTZ NOT NULL
);

-- One request on its way. Written before it goes out, so that after a crash we know what may
-- have been paid for without being kept. It is also the bill: with the most it can cost before it
-- goes out (`maybe`), and with what it came to when it ends: `certain` if the provider counted,
-- `estimated` if we had to, `none` if nothing was done for it. What a dead process sent therefore
-- stays `maybe`, at its ceiling.
CREATE TABLE sends (
    id                BIGINT NOT NULL PRIMARY KEY,
    key               TEXT COLLATE "C" NOT NULL,
    begun             TIMESTAMPTZ NOT NULL,
    failed            TIMESTAMPTZ,
    failure           TEXT COLLATE "C",
    said              TEXT COLLATE "C",
    run_id            TEXT COLLATE "C",
    position          BIGINT,
    provider          TEXT COLLATE "C",
    model             TEXT COLLATE "C",
    tokens            BIGINT,
    price_nanodollars BIGINT,
    certainty         TEXT COLLATE "C" CHECK (certainty IN ('certain', 'estimated', 'maybe', 'none'))
);
CREATE INDEX sends_by_run ON sends (run_id) WHERE run_id IS NOT NULL;
-- A day's ceiling set in the middle of the day counts what was spent before.
CREATE INDEX sends_by_time ON sends (begun);

-- Who is asking for a reply at this moment, so that no two processes pay for the same one.
CREATE TABLE exchange_claims (
    key        TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    send       BIGINT NOT NULL,
    held_until TIMESTAMPTZ NOT NULL
);
CREATE INDEX exchange_claims_by_send ON exchange_claims (send);

-- What may be spent, and what is spent or set aside: by one run in its life (`run:ID`), by an
-- organisation in a day (`day:ORGANISATION:2026-11-16`).
CREATE TABLE budgets (
    scope   TEXT COLLATE "C" NOT NULL,
    unit    TEXT COLLATE "C" NOT NULL CHECK (unit IN ('tokens', 'nanodollars')),
    ceiling BIGINT NOT NULL,
    spent   BIGINT NOT NULL,
    PRIMARY KEY (scope, unit)
);

-- What a provider allows for a model, shared by all processes: buckets that fill up by the
-- database's clock, and a moment before which nobody asks.
CREATE TABLE provider_limits (
    provider          TEXT COLLATE "C" NOT NULL,
    model             TEXT COLLATE "C" NOT NULL,
    requests_a_minute BIGINT,
    tokens_a_minute   BIGINT,
    requests          DOUBLE PRECISION NOT NULL,
    tokens            DOUBLE PRECISION NOT NULL,
    filled_at         TIMESTAMPTZ NOT NULL,
    paused_until      TIMESTAMPTZ,
    PRIMARY KEY (provider, model)
);

-- Who works, for people to look at. Nothing is decided by it.
CREATE TABLE workers (
    name       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    host       TEXT COLLATE "C" NOT NULL,
    process    BIGINT NOT NULL,
    version    TEXT COLLATE "C" NOT NULL,
    state      TEXT COLLATE "C" NOT NULL,
    items_done BIGINT NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    seen_at    TIMESTAMPTZ NOT NULL
);

-- Run numbers are given out by a counter, not by MAX + 1: a number that people wrote down must not
-- come to mean another run after one was deleted.
CREATE TABLE organisations (
    id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name            TEXT COLLATE "C" NOT NULL UNIQUE,
    -- What a reader takes the name for: no two organisations look alike.
    skeleton        TEXT COLLATE "C" NOT NULL UNIQUE,
    created_at      TIMESTAMPTZ NOT NULL,
    last_run_number BIGINT NOT NULL DEFAULT 0
);
INSERT INTO organisations (id, name, skeleton, created_at)
VALUES ('organisation-default', 'default', 'default', now());

CREATE TABLE day_ceilings (
    organisation_id TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    unit            TEXT COLLATE "C" NOT NULL CHECK (unit IN ('tokens', 'nanodollars')),
    ceiling         BIGINT NOT NULL,
    PRIMARY KEY (organisation_id, unit)
);

-- How many days an organisation keeps what is over; without a row, or with NULL, for ever.
CREATE TABLE retentions (
    organisation_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES organisations (id),
    runs_days       BIGINT CHECK (runs_days > 0),
    documents_days  BIGINT CHECK (documents_days > 0)
);

-- Prompt templates: a change is a new version, and a version that was used stays as it is.
CREATE TABLE eval_prompt_templates (
    id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    name            TEXT COLLATE "C" NOT NULL,
    version         BIGINT NOT NULL,
    body            TEXT COLLATE "C" NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    used_at         TIMESTAMPTZ,
    UNIQUE (organisation_id, name, version)
);

-- The judge gives the number itself, guided by the set's rubric; a label follows from the
-- number. Answers have sections.
CREATE TABLE eval_criteria_sets (
    id                 TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id    TEXT COLLATE "C" NOT NULL DEFAULT 'organisation-default' REFERENCES organisations (id),
    name               TEXT COLLATE "C" NOT NULL,
    description        TEXT COLLATE "C" NOT NULL DEFAULT '',
    scoring_rubric     JSONB DEFAULT '{"tiers": [
  {"min": 0, "max": 20, "label": "Non-Compliant", "description": "The document says nothing that answers the requirement, or says that it is not met."},
  {"min": 21, "max": 40, "label": "Mostly Non-Compliant", "description": "The subject comes up, but most of what is required is missing, vague or contradicted."},
  {"min": 41, "max": 60, "label": "Partially Compliant", "description": "About half of what is required is stated; the rest is missing, unclear or only implied."},
  {"min": 61, "max": 80, "label": "Mostly Compliant", "description": "Nearly everything required is stated clearly; what is missing is minor."},
  {"min": 81, "max": 100, "label": "Fully Compliant", "description": "Every part of the requirement is met by clear statements that can be quoted."}
]}',
    response_structure JSONB DEFAULT '{"sections": [
  {"id": "explanation", "type": "text", "required": true, "description": "Why this score: what the document states, and what is missing."}
]}',
    prompt_template_id TEXT COLLATE "C" REFERENCES eval_prompt_templates (id),
    -- Who judges the set unless somebody else is named, and the search that found it.
    default_judge      TEXT COLLATE "C",
    promoted_by        TEXT COLLATE "C",
    created_at         TIMESTAMPTZ NOT NULL,
    updated_at         TIMESTAMPTZ NOT NULL,
    archived_at        TIMESTAMPTZ
);
CREATE INDEX eval_criteria_sets_of_organisation ON eval_criteria_sets (organisation_id, name);

CREATE TABLE eval_criteria_items (
    id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    criteria_set_id TEXT COLLATE "C" NOT NULL REFERENCES eval_criteria_sets (id) ON DELETE CASCADE,
    criteria_id     TEXT COLLATE "C" NOT NULL,
    requirement     TEXT COLLATE "C" NOT NULL,
    description     TEXT COLLATE "C" NOT NULL DEFAULT '',
    sort_order      BIGINT NOT NULL,
    -- What else an imported criterion brings: its group, weight, parameters, enhancements.
    properties      JSONB,
    UNIQUE (criteria_set_id, criteria_id)
);

-- What a judge of the origin could pick, and what it was worth. Only adopted databases have rows.
CREATE TABLE eval_status_options (
    id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    criteria_set_id TEXT COLLATE "C" NOT NULL REFERENCES eval_criteria_sets (id) ON DELETE CASCADE,
    name            TEXT COLLATE "C" NOT NULL,
    score_value     DOUBLE PRECISION NOT NULL,
    sort_order      BIGINT NOT NULL
);

CREATE TABLE eval_doc_sets (
    id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id TEXT COLLATE "C" NOT NULL DEFAULT 'organisation-default' REFERENCES organisations (id),
    name            TEXT COLLATE "C" NOT NULL,
    description     TEXT COLLATE "C" NOT NULL DEFAULT '',
    created_at      TIMESTAMPTZ NOT NULL,
    archived_at     TIMESTAMPTZ
);
CREATE INDEX eval_doc_sets_of_organisation ON eval_doc_sets (organisation_id, name);

-- A document with a used name is a new version of that document.
CREATE TABLE eval_documents (
    id           TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    doc_set_id   TEXT COLLATE "C" NOT NULL REFERENCES eval_doc_sets (id) ON DELETE CASCADE,
    name         TEXT COLLATE "C" NOT NULL,
    version      BIGINT NOT NULL DEFAULT 1,
    media_type   TEXT COLLATE "C" NOT NULL DEFAULT 'text/plain',
    content_hash TEXT COLLATE "C",
    byte_count   BIGINT,
    content_text TEXT COLLATE "C" NOT NULL,
    text_offsets JSONB,
    created_at   TIMESTAMPTZ NOT NULL,
    archived_at  TIMESTAMPTZ,
    UNIQUE (doc_set_id, name, version)
);
CREATE INDEX eval_documents_of_set ON eval_documents (doc_set_id);

-- Apart from the rest, so that lists of documents need not step over them.
CREATE TABLE eval_document_originals (
    document_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES eval_documents (id) ON DELETE CASCADE,
    bytes       BYTEA NOT NULL
);

-- Runs of all four instruments. `configuration` is the request as its door filled it, with all
-- that decides the verdicts; it does not change under a run. Only compliance runs have sets.
CREATE TABLE runs (
    id                 TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id    TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    number             BIGINT NOT NULL,
    instrument         TEXT COLLATE "C" NOT NULL
        CHECK (instrument IN ('retrieval', 'summary', 'compliance', 'council')),
    name               TEXT COLLATE "C",
    criteria_set_id    TEXT COLLATE "C" REFERENCES eval_criteria_sets (id),
    doc_set_id         TEXT COLLATE "C" REFERENCES eval_doc_sets (id),
    state              TEXT COLLATE "C" NOT NULL
        CHECK (state IN ('planned', 'running', 'done', 'stopped', 'failed')),
    version            BIGINT NOT NULL,
    -- Grows with every decision, so that whoever keeps figures of a run knows when they are old.
    revision           BIGINT NOT NULL DEFAULT 0,
    configuration      JSONB,
    configuration_hash TEXT COLLATE "C",
    method_version     TEXT COLLATE "C",
    material           BYTEA,
    -- Who of a council is busy with what; runs of other instruments count their items.
    progress           JSONB,
    failure            TEXT COLLATE "C",
    who                TEXT COLLATE "C" NOT NULL,
    is_baseline        BOOLEAN NOT NULL,
    items              BIGINT NOT NULL,
    items_done         BIGINT NOT NULL,
    items_unscored     BIGINT NOT NULL,
    -- Runs with a higher priority are worked on first.
    priority           BIGINT NOT NULL DEFAULT 0,
    created_at         TIMESTAMPTZ NOT NULL,
    started_at         TIMESTAMPTZ,
    ended_at           TIMESTAMPTZ,
    archived_at        TIMESTAMPTZ,
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
    run_id TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    tag    TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (run_id, tag)
);
CREATE INDEX run_tags_by_tag ON run_tags (tag, run_id);

-- Version 1 of the verdicts follows from what the run froze; a later one from what a rescore
-- changed, which stands here.
CREATE TABLE run_versions (
    run_id         TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    version        BIGINT NOT NULL,
    configuration  JSONB,
    method_version TEXT COLLATE "C",
    reason         TEXT COLLATE "C" NOT NULL,
    who            TEXT COLLATE "C" NOT NULL,
    created_at     TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (run_id, version)
);

-- Who approved a run, and when; what was changed afterwards is found by its time. The last one
-- counts, all are kept.
CREATE TABLE run_approvals (
    run_id        TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    sequence      BIGINT NOT NULL,
    is_withdrawal BOOLEAN NOT NULL,
    version       BIGINT NOT NULL,
    who           TEXT COLLATE "C" NOT NULL,
    note          TEXT COLLATE "C" NOT NULL,
    created_at    TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (run_id, sequence)
);

-- Who looks after a criterion of a run; the audit keeps who it was before.
CREATE TABLE run_assignments (
    run_id           TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    criteria_item_id TEXT COLLATE "C" NOT NULL,
    assignee         TEXT COLLATE "C" NOT NULL,
    who              TEXT COLLATE "C" NOT NULL,
    created_at       TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (run_id, criteria_item_id)
);
CREATE INDEX run_assignments_of_assignee ON run_assignments (assignee);

-- The documents and criteria of a compliance run as they were when it was planned; every document
-- is held against every criterion.
CREATE TABLE run_documents (
    run_id      TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    document_id TEXT COLLATE "C" NOT NULL REFERENCES eval_documents (id),
    position    BIGINT NOT NULL,
    PRIMARY KEY (run_id, document_id)
);
CREATE TABLE run_criteria (
    run_id           TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    criteria_item_id TEXT COLLATE "C" NOT NULL REFERENCES eval_criteria_items (id),
    position         BIGINT NOT NULL,
    criteria_id      TEXT COLLATE "C" NOT NULL,
    requirement      TEXT COLLATE "C" NOT NULL,
    description      TEXT COLLATE "C" NOT NULL,
    properties       JSONB,
    PRIMARY KEY (run_id, criteria_item_id)
);

-- What a run works through: a query, a pair, a document and a criterion, an answer. `lease` is
-- the fencing token of whoever works on an item; `leased_at` and `leased_until` are written and
-- compared by the database's own clock only. `losses` counts leases that ran out; `ask_attempt` says which reply
-- is meant and is NULL until somebody retries the item.
CREATE TABLE run_items (
    run_id           TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position         BIGINT NOT NULL,
    subject          TEXT COLLATE "C" NOT NULL,
    document_id      TEXT COLLATE "C",
    criteria_item_id TEXT COLLATE "C",
    material         BYTEA,
    state            TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending', 'leased', 'done')),
    attempts         BIGINT NOT NULL,
    losses           BIGINT NOT NULL DEFAULT 0,
    ask_attempt      BIGINT,
    lease            BIGINT,
    leased_at        TIMESTAMPTZ,
    leased_until     TIMESTAMPTZ,
    worker           TEXT COLLATE "C",
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
    run_id     TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position   BIGINT NOT NULL,
    retry      BIGINT NOT NULL,
    outcome    TEXT COLLATE "C" NOT NULL,
    reason     TEXT COLLATE "C",
    who        TEXT COLLATE "C" NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (run_id, position, retry)
);

-- What came of an item. `judged_outcome` is the judge's; `outcome` is what counts, which the
-- transaction of a decision writes. Evidence that a later version shares with an earlier one is
-- kept once, with the earlier. Ledger and evidence are JSON, as it is or compressed by Zstandard.
-- What stands after `exchange_keys` only a judge of documents gives: whose words they are, how
-- sure it is, its sections, its citations with their places in code points, how many there are
-- and how many were found, and whether it noted that the document denies the criterion.
CREATE TABLE verdicts (
    run_id             TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position           BIGINT NOT NULL,
    version            BIGINT NOT NULL,
    judged_outcome     TEXT COLLATE "C" NOT NULL
        CHECK (judged_outcome IN ('scored', 'not_applicable', 'needs_information', 'failed')),
    outcome            TEXT COLLATE "C" NOT NULL
        CHECK (outcome IN ('scored', 'not_applicable', 'needs_information', 'failed')),
    reason             TEXT COLLATE "C",
    ledger             BYTEA,
    evidence           BYTEA,
    exchange_keys      JSONB,
    judge              TEXT COLLATE "C",
    model              TEXT COLLATE "C",
    prompt_template_id TEXT COLLATE "C" REFERENCES eval_prompt_templates (id),
    confidence         BIGINT CHECK (confidence BETWEEN 0 AND 100),
    sections           JSONB,
    citations          JSONB,
    quotes             BIGINT NOT NULL DEFAULT 0,
    quotes_found       BIGINT NOT NULL DEFAULT 0,
    is_denial          BOOLEAN NOT NULL DEFAULT FALSE,
    raw_answer         TEXT COLLATE "C",
    status_id          TEXT COLLATE "C" REFERENCES eval_status_options (id),
    created_at         TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (run_id, position, version)
);

-- One row a measure, so that SQL can sort, filter and page. `judged` is the judge's value and
-- never changes; `value` is the one that counts, which the transaction of a decision writes. A
-- measure without a value has NULL.
CREATE TABLE scores (
    run_id   TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    version  BIGINT NOT NULL,
    measure  TEXT COLLATE "C" NOT NULL,
    judged   DOUBLE PRECISION,
    value    DOUBLE PRECISION,
    PRIMARY KEY (run_id, position, version, measure)
);
CREATE INDEX scores_by_value ON scores (run_id, version, measure, value, position);

-- What a person decides beside the judge. All are kept; of each kind and target the last one
-- counts (`is_current`), unless it withdraws the one before. A `score` is about a measure: another
-- score or outcome, and other words for sections (`value`). A `label` is about evidence, a
-- `comment` decides nothing.
CREATE TABLE decisions (
    id            TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    run_id        TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position      BIGINT NOT NULL,
    sequence      BIGINT NOT NULL,
    kind          TEXT COLLATE "C" NOT NULL CHECK (kind IN ('score', 'label', 'comment')),
    target        TEXT COLLATE "C" NOT NULL,
    outcome       TEXT COLLATE "C" CHECK (outcome IN ('scored', 'not_applicable', 'needs_information')),
    score         DOUBLE PRECISION,
    value         JSONB,
    is_withdrawal BOOLEAN NOT NULL,
    is_current    BOOLEAN NOT NULL,
    author        TEXT COLLATE "C" NOT NULL,
    reason        TEXT COLLATE "C" NOT NULL,
    created_at    TIMESTAMPTZ NOT NULL,
    UNIQUE (run_id, position, sequence)
);
CREATE INDEX decisions_current ON decisions (run_id, position, target) WHERE is_current;
CREATE INDEX decisions_by_time ON decisions (run_id, created_at);

-- Ratings of people, several to an item. Accuracy and agreement read only these.
CREATE TABLE labels (
    run_id     TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position   BIGINT NOT NULL,
    rater      TEXT COLLATE "C" NOT NULL,
    measure    TEXT COLLATE "C" NOT NULL,
    value      DOUBLE PRECISION,
    label      TEXT COLLATE "C",
    note       TEXT COLLATE "C",
    created_at TIMESTAMPTZ NOT NULL,
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
    id                TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id   TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    document_id       TEXT COLLATE "C" NOT NULL REFERENCES eval_documents (id) ON DELETE CASCADE,
    criteria_item_id  TEXT COLLATE "C" NOT NULL REFERENCES eval_criteria_items (id) ON DELETE CASCADE,
    expected_score    DOUBLE PRECISION NOT NULL CHECK (expected_score BETWEEN 0 AND 100),
    score_range       BIGINT NOT NULL CHECK (score_range BETWEEN 1 AND 10),
    response_sections JSONB,
    analyst           TEXT COLLATE "C" NOT NULL DEFAULT '',
    note              TEXT COLLATE "C",
    created_at        TIMESTAMPTZ NOT NULL,
    updated_at        TIMESTAMPTZ NOT NULL,
    is_adjudicated    BOOLEAN NOT NULL DEFAULT FALSE,
    UNIQUE (document_id, criteria_item_id, analyst, is_adjudicated)
);
CREATE INDEX eval_opt_truth_keys_of_organisation ON eval_opt_truth_keys (organisation_id);

-- A search for better prompts, rubrics and models, and what it tried.
CREATE TABLE eval_opt_runs (
    id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    criteria_set_id TEXT COLLATE "C" NOT NULL REFERENCES eval_criteria_sets (id),
    doc_set_id      TEXT COLLATE "C" NOT NULL REFERENCES eval_doc_sets (id),
    state           TEXT COLLATE "C" NOT NULL
        CHECK (state IN ('planned', 'running', 'done', 'stopped', 'failed')),
    configuration   JSONB,
    verdict         JSONB,
    failure         TEXT COLLATE "C",
    created_at      TIMESTAMPTZ NOT NULL,
    started_at      TIMESTAMPTZ,
    ended_at        TIMESTAMPTZ
);
CREATE INDEX eval_opt_runs_of_organisation ON eval_opt_runs (organisation_id, created_at);

CREATE TABLE eval_opt_candidates (
    id                 TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    opt_run_id         TEXT COLLATE "C" NOT NULL REFERENCES eval_opt_runs (id) ON DELETE CASCADE,
    position           BIGINT NOT NULL,
    parent_id          TEXT COLLATE "C" REFERENCES eval_opt_candidates (id),
    prompt_template_id TEXT COLLATE "C" REFERENCES eval_prompt_templates (id),
    scoring_rubric     JSONB,
    judge              TEXT COLLATE "C" NOT NULL,
    tune_run_id        TEXT COLLATE "C" REFERENCES runs (id),
    holdout_run_id     TEXT COLLATE "C" REFERENCES runs (id),
    tune               JSONB,
    holdout            JSONB,
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
    id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    at              TIMESTAMPTZ NOT NULL,
    who             TEXT COLLATE "C" NOT NULL,
    action          TEXT COLLATE "C" NOT NULL,
    subject         TEXT COLLATE "C" NOT NULL,
    subject_id      TEXT COLLATE "C" NOT NULL,
    before          JSONB,
    after           JSONB,
    sequence        BIGINT,
    address         TEXT COLLATE "C",
    hash            TEXT COLLATE "C",
    UNIQUE (organisation_id, sequence)
);
CREATE INDEX audit_of_organisation ON audit (organisation_id, at);
CREATE INDEX audit_by_subject ON audit (organisation_id, subject, subject_id, sequence);
CREATE TABLE audit_heads (
    organisation_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES organisations (id),
    sequence        BIGINT NOT NULL,
    hash            TEXT COLLATE "C" NOT NULL
);

-- People, what they may do where, how they show who they are.
CREATE TABLE users (
    id            TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name          TEXT COLLATE "C" NOT NULL UNIQUE,
    -- What a reader takes the name for: no two people look alike.
    skeleton      TEXT COLLATE "C" NOT NULL UNIQUE,
    password_hash TEXT COLLATE "C",
    is_disabled   BOOLEAN NOT NULL,
    created_at    TIMESTAMPTZ NOT NULL,
    -- What one-time codes follow from, in base 32, and the last step of time whose code was used.
    code_secret   TEXT COLLATE "C",
    code_step     BIGINT
);
CREATE TABLE memberships (
    user_id         TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    organisation_id TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    role            TEXT COLLATE "C" NOT NULL CHECK (role IN ('viewer', 'analyst', 'admin')),
    PRIMARY KEY (user_id, organisation_id)
);
CREATE INDEX memberships_of_organisation ON memberships (organisation_id);
-- Whom a provider of identities vouches for, and sign-ins there that have begun and not ended.
CREATE TABLE identities (
    issuer     TEXT COLLATE "C" NOT NULL,
    subject    TEXT COLLATE "C" NOT NULL,
    user_id    TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_of_user ON identities (user_id);
-- Only hashes, here and below: who reads the database cannot sign in with what they find.
CREATE TABLE sign_in_requests (
    state_hash   TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    browser_hash TEXT COLLATE "C" NOT NULL,
    return_path  TEXT COLLATE "C" NOT NULL,
    expires_at   TIMESTAMPTZ NOT NULL
);
CREATE TABLE sessions (
    token_hash      TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    user_id         TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    organisation_id TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    created_at      TIMESTAMPTZ NOT NULL,
    used_at         TIMESTAMPTZ NOT NULL,
    address         TEXT COLLATE "C" NOT NULL,
    agent           TEXT COLLATE "C" NOT NULL
);
CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE TABLE api_tokens (
    id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    token_hash      TEXT COLLATE "C" NOT NULL UNIQUE,
    organisation_id TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    name            TEXT COLLATE "C" NOT NULL,
    scope           TEXT COLLATE "C" NOT NULL CHECK (scope IN ('read', 'write', 'admin')),
    made_by         TEXT COLLATE "C" NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    expires_at      TIMESTAMPTZ,
    revoked_at      TIMESTAMPTZ,
    used_at         TIMESTAMPTZ,
    parent_id       TEXT COLLATE "C" REFERENCES api_tokens (id)
);
CREATE INDEX api_tokens_of_organisation ON api_tokens (organisation_id);
CREATE INDEX api_tokens_of_parent ON api_tokens (parent_id);
CREATE TABLE setup_links (
    token_hash TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    expires_at TIMESTAMPTZ NOT NULL
);
-- Answers to POST requests that named themselves; without a status one is under way.
CREATE TABLE idempotency_keys (
    organisation_id TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    key             TEXT COLLATE "C" NOT NULL,
    fingerprint     TEXT COLLATE "C" NOT NULL,
    status          BIGINT,
    media_type      TEXT COLLATE "C",
    body            BYTEA,
    created_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organisation_id, key)
);

COMMENT ON COLUMN eval_criteria_sets.scoring_rubric IS
    'Tiers from 0 to 100 with their labels; the judge scores by them.';
COMMENT ON COLUMN eval_criteria_sets.response_structure IS
    'The sections of an answer, in order.';
COMMENT ON COLUMN eval_criteria_results.ai_result IS
    'The judge''s answer by section, as JSON.';
COMMENT ON COLUMN eval_criteria_results.ai_status_id IS
    'Deprecated: a label follows from ai_score_value.';
