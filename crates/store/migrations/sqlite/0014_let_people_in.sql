-- People, what they may do where, how they show who they are; and an audit whose rows are
-- chained, so that a changed, removed or moved one is found.
CREATE TABLE users (
    id            TEXT NOT NULL PRIMARY KEY,
    name          TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    is_disabled   BOOLEAN NOT NULL,
    created_at    TEXT NOT NULL
);
CREATE TABLE memberships (
    user_id         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    role            TEXT NOT NULL CHECK (role IN ('viewer', 'analyst', 'admin')),
    PRIMARY KEY (user_id, organisation_id)
);
CREATE INDEX memberships_of_organisation ON memberships (organisation_id);
-- Only hashes of tokens: who reads the database cannot sign in with what they find.
CREATE TABLE sessions (
    token_hash      TEXT NOT NULL PRIMARY KEY,
    user_id         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    created_at      TEXT NOT NULL,
    used_at         TEXT NOT NULL,
    address         TEXT NOT NULL,
    agent           TEXT NOT NULL
);
CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE TABLE api_tokens (
    id              TEXT NOT NULL PRIMARY KEY,
    token_hash      TEXT NOT NULL UNIQUE,
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    name            TEXT NOT NULL,
    scope           TEXT NOT NULL CHECK (scope IN ('read', 'write', 'admin')),
    made_by         TEXT NOT NULL,
    created_at      TEXT NOT NULL,
    expires_at      TEXT,
    revoked_at      TEXT,
    used_at         TEXT
);
CREATE INDEX api_tokens_of_organisation ON api_tokens (organisation_id);
CREATE TABLE setup_links (
    token_hash TEXT NOT NULL PRIMARY KEY,
    expires_at TEXT NOT NULL
);
-- Answers to POST requests that named themselves; without a status one is under way.
CREATE TABLE idempotency_keys (
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    key             TEXT NOT NULL,
    fingerprint     TEXT NOT NULL,
    status          INTEGER,
    media_type      TEXT,
    body            BLOB,
    created_at      TEXT NOT NULL,
    PRIMARY KEY (organisation_id, key)
);
-- Rows from before have no place in the chain.
ALTER TABLE audit ADD COLUMN sequence INTEGER;
ALTER TABLE audit ADD COLUMN address TEXT;
ALTER TABLE audit ADD COLUMN hash TEXT;
CREATE UNIQUE INDEX audit_in_sequence ON audit (organisation_id, sequence);
CREATE TABLE audit_heads (
    organisation_id TEXT NOT NULL PRIMARY KEY REFERENCES organisations (id),
    sequence        INTEGER NOT NULL,
    hash            TEXT NOT NULL
);
