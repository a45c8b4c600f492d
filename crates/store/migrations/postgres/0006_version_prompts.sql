-- Prompt templates: a change is a new version, and a version that was used stays as it is.
CREATE TABLE eval_prompt_templates (
    id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    name            TEXT COLLATE "C" NOT NULL,
    version         BIGINT NOT NULL,
    body            TEXT COLLATE "C" NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    used_at         TIMESTAMPTZ,
    UNIQUE (organisation_id, name, version)
);
ALTER TABLE eval_criteria_sets ADD COLUMN prompt_template_id TEXT COLLATE "C"
    REFERENCES eval_prompt_templates (id);
