-- What analysts say the answer is.
CREATE TABLE eval_opt_truth_keys (
    id                TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id   TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    document_id       TEXT COLLATE "C" NOT NULL REFERENCES eval_documents (id) ON DELETE CASCADE,
    criteria_item_id  TEXT COLLATE "C" NOT NULL REFERENCES eval_criteria_items (id) ON DELETE CASCADE,
    expected_score    DOUBLE PRECISION NOT NULL CHECK (expected_score BETWEEN 0 AND 100),
    score_range       BIGINT NOT NULL CHECK (score_range BETWEEN 1 AND 10),
    response_sections JSONB,
    analyst           TEXT COLLATE "C",
    note              TEXT COLLATE "C",
    created_at        TIMESTAMPTZ NOT NULL,
    updated_at        TIMESTAMPTZ NOT NULL,
    UNIQUE (document_id, criteria_item_id)
);
COMMENT ON COLUMN eval_opt_truth_keys.score_range IS
    'The number of the tier that expected_score falls into, from 1.';
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
    tune_run_id        TEXT COLLATE "C" REFERENCES eval_runs (id),
    holdout_run_id     TEXT COLLATE "C" REFERENCES eval_runs (id),
    tune               JSONB,
    holdout            JSONB,
    is_promoted        BOOLEAN NOT NULL,
    UNIQUE (opt_run_id, position)
);
