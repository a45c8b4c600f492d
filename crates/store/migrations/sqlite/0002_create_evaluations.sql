-- Evaluations as they used to be: the judge picks one of a few statuses, and the status has a
-- score. The next step changes that; this one is here so that old databases have a way in.
CREATE TABLE eval_criteria_sets (
    id          TEXT NOT NULL PRIMARY KEY,
    name        TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    created_at  TEXT NOT NULL,
    updated_at  TEXT NOT NULL
);

CREATE TABLE eval_criteria_items (
    id              TEXT NOT NULL PRIMARY KEY,
    criteria_set_id TEXT NOT NULL REFERENCES eval_criteria_sets (id) ON DELETE CASCADE,
    criteria_id     TEXT NOT NULL,
    requirement     TEXT NOT NULL,
    description     TEXT NOT NULL DEFAULT '',
    sort_order      INTEGER NOT NULL,
    UNIQUE (criteria_set_id, criteria_id)
);

-- What a judge could pick, and what it was worth.
CREATE TABLE eval_status_options (
    id              TEXT NOT NULL PRIMARY KEY,
    criteria_set_id TEXT NOT NULL REFERENCES eval_criteria_sets (id) ON DELETE CASCADE,
    name            TEXT NOT NULL,
    score_value     REAL NOT NULL,
    sort_order      INTEGER NOT NULL
);

CREATE TABLE eval_doc_sets (
    id          TEXT NOT NULL PRIMARY KEY,
    name        TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    created_at  TEXT NOT NULL
);

CREATE TABLE eval_documents (
    id           TEXT NOT NULL PRIMARY KEY,
    doc_set_id   TEXT NOT NULL REFERENCES eval_doc_sets (id) ON DELETE CASCADE,
    name         TEXT NOT NULL,
    content_text TEXT NOT NULL,
    created_at   TEXT NOT NULL
);
CREATE INDEX eval_documents_of_set ON eval_documents (doc_set_id);

CREATE TABLE eval_runs (
    id              TEXT NOT NULL PRIMARY KEY,
    criteria_set_id TEXT NOT NULL REFERENCES eval_criteria_sets (id),
    doc_set_id      TEXT NOT NULL REFERENCES eval_doc_sets (id),
    status          TEXT,
    created_at      TEXT NOT NULL
);

CREATE TABLE eval_criteria_results (
    id               TEXT NOT NULL PRIMARY KEY,
    run_id           TEXT NOT NULL REFERENCES eval_runs (id) ON DELETE CASCADE,
    document_id      TEXT NOT NULL REFERENCES eval_documents (id),
    criteria_item_id TEXT NOT NULL REFERENCES eval_criteria_items (id),
    ai_status_id     TEXT REFERENCES eval_status_options (id),
    ai_score_value   REAL CHECK (ai_score_value BETWEEN 0 AND 100),
    ai_confidence    INTEGER CHECK (ai_confidence BETWEEN 0 AND 100),
    ai_result        TEXT,
    ai_citations     TEXT CHECK (json_valid(ai_citations)),
    created_at       TEXT NOT NULL,
    UNIQUE (run_id, document_id, criteria_item_id)
);
