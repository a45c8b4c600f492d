-- Whom a provider of identities vouches for, and sign-ins there that have begun and not ended.
CREATE TABLE identities (
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_of_user ON identities (user_id);
-- Only hashes: who reads the database cannot end a sign-in that somebody else began.
CREATE TABLE sign_in_requests (
    state_hash   TEXT NOT NULL PRIMARY KEY,
    browser_hash TEXT NOT NULL,
    return_path  TEXT NOT NULL,
    expires_at   TEXT NOT NULL
);
