-- Who changed what, when; the value before and the value after.
CREATE TABLE audit (
    id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    organisation_id TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    at              TIMESTAMPTZ NOT NULL,
    who             TEXT COLLATE "C" NOT NULL,
    action          TEXT COLLATE "C" NOT NULL,
    subject         TEXT COLLATE "C" NOT NULL,
    subject_id      TEXT COLLATE "C" NOT NULL,
    before          JSONB,
    after           JSONB
);
CREATE INDEX audit_of_organisation ON audit (organisation_id, at);
