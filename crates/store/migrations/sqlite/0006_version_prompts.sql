-- Prompt templates: a change is a new version, and a version that was used stays as it is.
CREATE TABLE eval_prompt_templates (
    id              TEXT NOT NULL PRIMARY KEY,
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    name            TEXT NOT NULL,
    version         INTEGER NOT NULL,
    body            TEXT NOT NULL,
    created_at      TEXT NOT NULL,
    used_at         TEXT,
    UNIQUE (organisation_id, name, version)
);
ALTER TABLE eval_criteria_sets ADD COLUMN prompt_template_id TEXT
    REFERENCES eval_prompt_templates (id);
