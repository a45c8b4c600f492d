-- Who owns what. What was there before belongs to the first organisation.
CREATE TABLE organisations (
    id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name       TEXT COLLATE "C" NOT NULL UNIQUE,
    created_at TIMESTAMPTZ NOT NULL
);
INSERT INTO organisations (id, name, created_at)
VALUES ('organisation-default', 'default', now());

ALTER TABLE eval_criteria_sets ADD COLUMN organisation_id TEXT COLLATE "C" NOT NULL
    DEFAULT 'organisation-default' REFERENCES organisations (id);
ALTER TABLE eval_doc_sets ADD COLUMN organisation_id TEXT COLLATE "C" NOT NULL
    DEFAULT 'organisation-default' REFERENCES organisations (id);
ALTER TABLE eval_runs ADD COLUMN organisation_id TEXT COLLATE "C" NOT NULL
    DEFAULT 'organisation-default' REFERENCES organisations (id);
CREATE INDEX eval_criteria_sets_of_organisation ON eval_criteria_sets (organisation_id, name);
CREATE INDEX eval_doc_sets_of_organisation ON eval_doc_sets (organisation_id, name);
CREATE INDEX eval_runs_of_organisation ON eval_runs (organisation_id, created_at);
