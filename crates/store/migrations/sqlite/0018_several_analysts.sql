-- Truth keys belong to an analyst, so that analysts can be compared with each other; where they
-- disagree somebody settles it, and accuracy follows what was settled. '' is an analyst whose
-- name is not known. SQLite cannot drop a constraint: the table is made anew.
CREATE TABLE truth_keys_of_analysts (
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
INSERT INTO truth_keys_of_analysts
SELECT id, organisation_id, document_id, criteria_item_id, expected_score, score_range,
    response_sections, COALESCE(analyst, ''), note, created_at, updated_at, FALSE
FROM eval_opt_truth_keys;
DROP TABLE eval_opt_truth_keys;
ALTER TABLE truth_keys_of_analysts RENAME TO eval_opt_truth_keys;
CREATE INDEX eval_opt_truth_keys_of_organisation ON eval_opt_truth_keys (organisation_id);

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

CREATE INDEX eval_overrides_by_time ON eval_overrides (created_at);

-- What is archived stays as it is and is left out of lists.
ALTER TABLE eval_criteria_sets ADD COLUMN archived_at TEXT;
ALTER TABLE eval_doc_sets ADD COLUMN archived_at TEXT;
ALTER TABLE eval_documents ADD COLUMN archived_at TEXT;
ALTER TABLE runs ADD COLUMN archived_at TEXT;

-- Who judges a set unless somebody else is named, and the search that found it.
ALTER TABLE eval_criteria_sets ADD COLUMN default_judge TEXT;
ALTER TABLE eval_criteria_sets ADD COLUMN promoted_by TEXT;
