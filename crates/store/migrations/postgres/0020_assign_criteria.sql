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
