-- Evaluations as they used to be: the judge picks one of a few statuses, and the status has a
-- score. The next step changes that; this one is here so that old databases have a way in.
CREATE TABLE eval_criteria_sets (
    id          TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name        TEXT COLLATE "C" NOT NULL,
    description TEXT COLLATE "C" NOT NULL DEFAULT '',
    created_at  TIMESTAMPTZ NOT NULL,
    updated_at  TIMESTAMPTZ NOT NULL
);

CREATE TABLE eval_criteria_items (
    id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    criteria_set_id TEXT COLLATE "C" NOT NULL REFERENCES eval_criteria_sets (id) ON DELETE CASCADE,
    criteria_id     TEXT COLLATE "C" NOT NULL,
    requirement     TEXT COLLATE "C" NOT NULL,
    description     TEXT COLLATE "C" NOT NULL DEFAULT '',
    sort_order      BIGINT NOT NULL,
    UNIQUE (criteria_set_id, criteria_id)
);

-- What a judge could pick, and what it was worth.
CREATE TABLE eval_status_options (
    id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    criteria_set_id TEXT COLLATE "C" NOT NULL REFERENCES eval_criteria_sets (id) ON DELETE CASCADE,
    name            TEXT COLLATE "C" NOT NULL,
    score_value     DOUBLE PRECISION NOT NULL,
    sort_order      BIGINT NOT NULL
);

CREATE TABLE eval_doc_sets (
    id          TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name        TEXT COLLATE "C" NOT NULL,
    description TEXT COLLATE "C" NOT NULL DEFAULT '',
    created_at  TIMESTAMPTZ NOT NULL
);

CREATE TABLE eval_documents (
    id           TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    doc_set_id   TEXT COLLATE "C" NOT NULL REFERENCES eval_doc_sets (id) ON DELETE CASCADE,
    name         TEXT COLLATE "C" NOT NULL,
    content_text TEXT COLLATE "C" NOT NULL,
    created_at   TIMESTAMPTZ NOT NULL
);
CREATE INDEX eval_documents_of_set ON eval_documents (doc_set_id);

CREATE TABLE eval_runs (
    id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    criteria_set_id TEXT COLLATE "C" NOT NULL REFERENCES eval_criteria_sets (id),
    doc_set_id      TEXT COLLATE "C" NOT NULL REFERENCES eval_doc_sets (id),
    status          TEXT COLLATE "C",
    created_at      TIMESTAMPTZ NOT NULL
);

CREATE TABLE eval_criteria_results (
    id               TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    run_id           TEXT COLLATE "C" NOT NULL REFERENCES eval_runs (id) ON DELETE CASCADE,
    document_id      TEXT COLLATE "C" NOT NULL REFERENCES eval_documents (id),
    criteria_item_id TEXT COLLATE "C" NOT NULL REFERENCES eval_criteria_items (id),
    ai_status_id     TEXT COLLATE "C" REFERENCES eval_status_options (id),
    ai_score_value   DOUBLE PRECISION CHECK (ai_score_value BETWEEN 0 AND 100),
    ai_confidence    BIGINT CHECK (ai_confidence BETWEEN 0 AND 100),
    ai_result        TEXT COLLATE "C",
    ai_citations     JSONB,
    created_at       TIMESTAMPTZ NOT NULL,
    UNIQUE (run_id, document_id, criteria_item_id)
);
