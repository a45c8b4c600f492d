-- Who changed what, when; the value before and the value after.
CREATE TABLE audit (
    id              TEXT NOT NULL PRIMARY KEY,
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    at              TIMESTAMPTZ NOT NULL,
    who             TEXT NOT NULL,
    action          TEXT NOT NULL,
    subject         TEXT NOT NULL,
    subject_id      TEXT NOT NULL,
    before          JSONB,
    after           JSONB
);
CREATE INDEX audit_of_organisation ON audit (organisation_id, at);
