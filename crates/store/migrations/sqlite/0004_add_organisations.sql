-- Who owns what. What was there before belongs to the first organisation.
CREATE TABLE organisations (
    id         TEXT NOT NULL PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL
);
INSERT INTO organisations (id, name, created_at)
VALUES ('organisation-default', 'default', strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'));

ALTER TABLE eval_criteria_sets ADD COLUMN organisation_id TEXT NOT NULL
    DEFAULT 'organisation-default' REFERENCES organisations (id);
ALTER TABLE eval_doc_sets ADD COLUMN organisation_id TEXT NOT NULL
    DEFAULT 'organisation-default' REFERENCES organisations (id);
ALTER TABLE eval_runs ADD COLUMN organisation_id TEXT NOT NULL
    DEFAULT 'organisation-default' REFERENCES organisations (id);
CREATE INDEX eval_criteria_sets_of_organisation ON eval_criteria_sets (organisation_id, name);
CREATE INDEX eval_doc_sets_of_organisation ON eval_doc_sets (organisation_id, name);
CREATE INDEX eval_runs_of_organisation ON eval_runs (organisation_id, created_at);
