-- People, what they may do where, how they show who they are; and an audit whose rows are
-- chained, so that a changed, removed or moved one is found.
CREATE TABLE users (
    id            TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name          TEXT COLLATE "C" NOT NULL UNIQUE,
    password_hash TEXT COLLATE "C",
    is_disabled   BOOLEAN NOT NULL,
    created_at    TIMESTAMPTZ NOT NULL
);
CREATE TABLE memberships (
    user_id         TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    organisation_id TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    role            TEXT COLLATE "C" NOT NULL CHECK (role IN ('viewer', 'analyst', 'admin')),
    PRIMARY KEY (user_id, organisation_id)
);
CREATE INDEX memberships_of_organisation ON memberships (organisation_id);
-- Only hashes of tokens: who reads the database cannot sign in with what they find.
CREATE TABLE sessions (
    token_hash      TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    user_id         TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    organisation_id TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    created_at      TIMESTAMPTZ NOT NULL,
    used_at         TIMESTAMPTZ NOT NULL,
    address         TEXT COLLATE "C" NOT NULL,
    agent           TEXT COLLATE "C" NOT NULL
);
CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE TABLE api_tokens (
    id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    token_hash      TEXT COLLATE "C" NOT NULL UNIQUE,
    organisation_id TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    name            TEXT COLLATE "C" NOT NULL,
    scope           TEXT COLLATE "C" NOT NULL CHECK (scope IN ('read', 'write', 'admin')),
    made_by         TEXT COLLATE "C" NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    expires_at      TIMESTAMPTZ,
    revoked_at      TIMESTAMPTZ,
    used_at         TIMESTAMPTZ
);
CREATE INDEX api_tokens_of_organisation ON api_tokens (organisation_id);
CREATE TABLE setup_links (
    token_hash TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    expires_at TIMESTAMPTZ NOT NULL
);
-- Answers to POST requests that named themselves; without a status one is under way.
CREATE TABLE idempotency_keys (
    organisation_id TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    key             TEXT COLLATE "C" NOT NULL,
    fingerprint     TEXT COLLATE "C" NOT NULL,
    status          BIGINT,
    media_type      TEXT COLLATE "C",
    body            BYTEA,
    created_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organisation_id, key)
);
-- Rows from before have no place in the chain.
ALTER TABLE audit ADD COLUMN sequence BIGINT;
ALTER TABLE audit ADD COLUMN address TEXT COLLATE "C";
ALTER TABLE audit ADD COLUMN hash TEXT COLLATE "C";
ALTER TABLE audit ADD CONSTRAINT audit_in_sequence UNIQUE (organisation_id, sequence);
CREATE TABLE audit_heads (
    organisation_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES organisations (id),
    sequence        BIGINT NOT NULL,
    hash            TEXT COLLATE "C" NOT NULL
);
