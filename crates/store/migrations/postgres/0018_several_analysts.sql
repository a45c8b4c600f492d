-- Truth keys belong to an analyst, so that analysts can be compared with each other; where they
-- disagree somebody settles it, and accuracy follows what was settled. '' is an analyst whose
-- name is not known.
UPDATE eval_opt_truth_keys SET analyst = '' WHERE analyst IS NULL;
ALTER TABLE eval_opt_truth_keys ALTER COLUMN analyst SET NOT NULL;
ALTER TABLE eval_opt_truth_keys ALTER COLUMN analyst SET DEFAULT '';
ALTER TABLE eval_opt_truth_keys ADD COLUMN is_adjudicated BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE eval_opt_truth_keys
    DROP CONSTRAINT eval_opt_truth_keys_document_id_criteria_item_id_key;
ALTER TABLE eval_opt_truth_keys
    ADD UNIQUE (document_id, criteria_item_id, analyst, is_adjudicated);

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

CREATE INDEX eval_overrides_by_time ON eval_overrides (created_at);

-- What is archived stays as it is and is left out of lists.
ALTER TABLE eval_criteria_sets ADD COLUMN archived_at TIMESTAMPTZ;
ALTER TABLE eval_doc_sets ADD COLUMN archived_at TIMESTAMPTZ;
ALTER TABLE eval_documents ADD COLUMN archived_at TIMESTAMPTZ;
ALTER TABLE runs ADD COLUMN archived_at TIMESTAMPTZ;

-- Who judges a set unless somebody else is named, and the search that found it.
ALTER TABLE eval_criteria_sets ADD COLUMN default_judge TEXT COLLATE "C";
ALTER TABLE eval_criteria_sets ADD COLUMN promoted_by TEXT COLLATE "C";
