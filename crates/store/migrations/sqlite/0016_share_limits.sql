-- Who is asking for a reply at this moment, so that no two processes pay for the same one.
CREATE TABLE exchange_claims (
    key        TEXT NOT NULL PRIMARY KEY,
    send       INTEGER NOT NULL,
    held_until TEXT NOT NULL
);
CREATE INDEX exchange_claims_by_send ON exchange_claims (send);
-- Ceilings of a day that begins in the middle count what was spent before.
CREATE INDEX sends_by_time ON sends (begun);
