-- Whom a provider of identities vouches for, and sign-ins there that have begun and not ended.
CREATE TABLE identities (
    issuer     TEXT COLLATE "C" NOT NULL,
    subject    TEXT COLLATE "C" NOT NULL,
    user_id    TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_of_user ON identities (user_id);
-- Only hashes: who reads the database cannot end a sign-in that somebody else began.
CREATE TABLE sign_in_requests (
    state_hash   TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    browser_hash TEXT COLLATE "C" NOT NULL,
    return_path  TEXT COLLATE "C" NOT NULL,
    expires_at   TIMESTAMPTZ NOT NULL
);
