-- Who changed what, when; the value before and the value after.
CREATE TABLE audit (
    id              TEXT NOT NULL PRIMARY KEY,
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    at              TEXT NOT NULL,
    who             TEXT NOT NULL,
    action          TEXT NOT NULL,
    subject         TEXT NOT NULL,
    subject_id      TEXT NOT NULL,
    before          TEXT CHECK (json_valid(before)),
    after           TEXT CHECK (json_valid(after))
);
CREATE INDEX audit_of_organisation ON audit (organisation_id, at);
