-- Who is asking for a reply at this moment, so that no two processes pay for the same one.
-- Forgotten by a crash of the server, and no loss: whoever asks goes on asking.
CREATE UNLOGGED TABLE exchange_claims (
    key        TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    send       BIGINT NOT NULL,
    held_until TIMESTAMPTZ NOT NULL
);
CREATE INDEX exchange_claims_by_send ON exchange_claims (send);
-- Ceilings of a day that begins in the middle count what was spent before.
CREATE INDEX sends_by_time ON sends (begun);
