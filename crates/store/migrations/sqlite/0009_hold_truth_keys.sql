-- What analysts say the answer is.
CREATE TABLE eval_opt_truth_keys (
    id                TEXT NOT NULL PRIMARY KEY,
    organisation_id   TEXT NOT NULL REFERENCES organisations (id),
    document_id       TEXT NOT NULL REFERENCES eval_documents (id) ON DELETE CASCADE,
    criteria_item_id  TEXT NOT NULL REFERENCES eval_criteria_items (id) ON DELETE CASCADE,
    expected_score    REAL NOT NULL CHECK (expected_score BETWEEN 0 AND 100),
    score_range       INTEGER NOT NULL CHECK (score_range BETWEEN 1 AND 10),
    response_sections TEXT CHECK (json_valid(response_sections)),
    analyst           TEXT,
    note              TEXT,
    created_at        TEXT NOT NULL,
    updated_at        TEXT NOT NULL,
    UNIQUE (document_id, criteria_item_id)
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
    tune_run_id        TEXT REFERENCES eval_runs (id),
    holdout_run_id     TEXT REFERENCES eval_runs (id),
    tune               TEXT CHECK (json_valid(tune)),
    holdout            TEXT CHECK (json_valid(holdout)),
    is_promoted        BOOLEAN NOT NULL,
    UNIQUE (opt_run_id, position)
);
