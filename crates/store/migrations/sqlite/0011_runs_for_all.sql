-- Runs of all four instruments in one place. A compliance run has the same id in `runs` and in
-- `eval_runs`, which keeps its name and its meaning for whoever queries it.

-- Numbers are given out by a counter, not by MAX + 1: a number that people wrote down must not
-- come to mean another run after one was deleted.
ALTER TABLE organisations ADD COLUMN last_run_number INTEGER NOT NULL DEFAULT 0;

CREATE TABLE runs (
    id                 TEXT NOT NULL PRIMARY KEY,
    organisation_id    TEXT NOT NULL REFERENCES organisations (id),
    number             INTEGER NOT NULL,
    instrument         TEXT NOT NULL
        CHECK (instrument IN ('retrieval', 'summary', 'compliance', 'council')),
    name               TEXT,
    state              TEXT NOT NULL
        CHECK (state IN ('planned', 'running', 'done', 'stopped', 'failed')),
    version            INTEGER NOT NULL,
    configuration      TEXT CHECK (json_valid(configuration)),
    configuration_hash TEXT,
    method_version     TEXT,
    material           BLOB,
    failure            TEXT,
    who                TEXT NOT NULL,
    is_baseline        BOOLEAN NOT NULL,
    items              INTEGER NOT NULL,
    items_done         INTEGER NOT NULL,
    items_unscored     INTEGER NOT NULL,
    created_at         TEXT NOT NULL,
    started_at         TEXT,
    ended_at           TEXT,
    UNIQUE (organisation_id, number),
    UNIQUE (organisation_id, name)
);

CREATE TABLE run_tags (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    tag    TEXT NOT NULL,
    PRIMARY KEY (run_id, tag)
);

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

-- What a run works through. `lease` is the fencing token of whoever works on an item;
-- `leased_until` is written and compared by the database's own clock only.
CREATE TABLE run_items (
    run_id           TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position         INTEGER NOT NULL,
    subject          TEXT NOT NULL,
    document_id      TEXT,
    criteria_item_id TEXT,
    material         BLOB,
    state            TEXT NOT NULL CHECK (state IN ('pending', 'leased', 'done')),
    attempts         INTEGER NOT NULL,
    lease            INTEGER,
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

-- What came of an item. Evidence that a later version shares with an earlier one is kept once,
-- with the earlier. Ledger and evidence are JSON, as it is or compressed by Zstandard.
CREATE TABLE verdicts (
    run_id        TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position      INTEGER NOT NULL,
    version       INTEGER NOT NULL,
    outcome       TEXT NOT NULL
        CHECK (outcome IN ('scored', 'not_applicable', 'needs_information', 'failed')),
    reason        TEXT,
    ledger        BLOB,
    evidence      BLOB,
    exchange_keys TEXT CHECK (json_valid(exchange_keys)),
    created_at    TEXT NOT NULL,
    PRIMARY KEY (run_id, position, version)
);

-- One row a measure, so that SQL can sort, filter and page; a measure without a value has NULL.
CREATE TABLE scores (
    run_id   TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    measure  TEXT NOT NULL,
    value    REAL,
    PRIMARY KEY (run_id, position, version, measure)
);
CREATE INDEX scores_by_value ON scores (run_id, version, measure, value, position);

-- What a person decides beside the judge; the last one of a kind and target counts, all are kept.
CREATE TABLE decisions (
    id            TEXT NOT NULL PRIMARY KEY,
    run_id        TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position      INTEGER NOT NULL,
    sequence      INTEGER NOT NULL,
    kind          TEXT NOT NULL CHECK (kind IN ('score', 'label', 'section', 'comment')),
    target        TEXT NOT NULL,
    value         TEXT CHECK (json_valid(value)),
    is_withdrawal BOOLEAN NOT NULL,
    author        TEXT NOT NULL,
    reason        TEXT NOT NULL,
    created_at    TEXT NOT NULL,
    UNIQUE (run_id, position, sequence)
);

-- Ratings of people, several to an item.
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

-- Compliance runs that are there already: numbered in the order in which they were planned.
INSERT INTO runs (id, organisation_id, number, instrument, name, state, version, configuration,
    configuration_hash, method_version, material, failure, who, is_baseline, items, items_done,
    items_unscored, created_at, started_at, ended_at)
SELECT run.id, run.organisation_id,
    row_number() OVER (PARTITION BY run.organisation_id ORDER BY run.created_at, run.id),
    'compliance', NULL, run.state, 1, run.configuration, run.configuration_hash,
    run.method_version, NULL, run.failure, 'unknown', FALSE,
    (SELECT COUNT(*) FROM eval_run_documents AS document WHERE document.run_id = run.id)
        * (SELECT COUNT(*) FROM eval_run_criteria AS item WHERE item.run_id = run.id),
    (SELECT COUNT(*) FROM eval_criteria_results AS result WHERE result.run_id = run.id),
    (SELECT COUNT(*) FROM eval_criteria_results AS result
        WHERE result.run_id = run.id AND result.outcome <> 'scored'),
    run.created_at, run.started_at, run.ended_at
FROM eval_runs AS run;
UPDATE organisations SET last_run_number =
    (SELECT COUNT(*) FROM runs WHERE runs.organisation_id = organisations.id);

INSERT INTO run_items (run_id, position, subject, document_id, criteria_item_id, material, state,
    attempts, lease, leased_until, worker)
SELECT document.run_id,
    document.position * (SELECT COUNT(*) FROM eval_run_criteria AS all_items
        WHERE all_items.run_id = document.run_id) + item.position,
    kept.name || ' ' || item.criteria_id, document.document_id, item.criteria_item_id, NULL,
    CASE WHEN result.id IS NULL THEN 'pending' ELSE 'done' END,
    CASE WHEN result.id IS NULL THEN 0 ELSE 1 END, NULL, NULL, NULL
FROM eval_run_documents AS document
JOIN eval_documents AS kept ON kept.id = document.document_id
JOIN eval_run_criteria AS item ON item.run_id = document.run_id
LEFT JOIN eval_criteria_results AS result ON result.run_id = document.run_id
    AND result.document_id = document.document_id
    AND result.criteria_item_id = item.criteria_item_id;

-- Verdicts and scores of all four. The first version of a compliance verdict is the row in
-- `eval_criteria_results`; its later ones stand in `verdicts` like those of the others.
CREATE VIEW run_verdicts AS
SELECT run_id, position, version, outcome, reason, created_at FROM verdicts
UNION ALL
SELECT item.run_id, item.position, 1, result.outcome, result.reason, result.created_at
FROM run_items AS item JOIN eval_criteria_results AS result ON result.run_id = item.run_id
    AND result.document_id = item.document_id
    AND result.criteria_item_id = item.criteria_item_id;

CREATE VIEW run_scores AS
SELECT run_id, position, version, measure, value FROM scores
UNION ALL
SELECT item.run_id, item.position, 1, 'score', result.ai_score_value
FROM run_items AS item JOIN eval_criteria_results AS result ON result.run_id = item.run_id
    AND result.document_id = item.document_id
    AND result.criteria_item_id = item.criteria_item_id;
