-- Texts compare byte by byte, as in SQLite, so that lists have one order everywhere.

-- One reply of a model, found again by the hash of all that decides it. Request and reply are
-- records of what went over the wire and stay as they were written, character by character.
CREATE TABLE exchanges (
    key               TEXT COLLATE "C"    NOT NULL PRIMARY KEY,
    send              BIGINT NOT NULL,
    provider          TEXT COLLATE "C"    NOT NULL,
    model             TEXT COLLATE "C"    NOT NULL,
    attempt           BIGINT NOT NULL,
    request           TEXT COLLATE "C"    NOT NULL,
    reply             TEXT COLLATE "C"    NOT NULL,
    input_tokens      BIGINT NOT NULL,
    output_tokens     BIGINT NOT NULL,
    counted           BOOLEAN NOT NULL,
    price_nanodollars BIGINT,
    created           TIMESTAMPTZ NOT NULL
);

-- One request on its way. Written before it goes out, so that after a crash we know what may
-- have been paid for without being kept. It brought the reply whose exchange names it, or it
-- failed, or it is still under way or lost with its process.
CREATE TABLE sends (
    id      BIGINT NOT NULL PRIMARY KEY,
    key     TEXT COLLATE "C"    NOT NULL,
    begun   TIMESTAMPTZ NOT NULL,
    failed  TIMESTAMPTZ,
    failure TEXT COLLATE "C",
    said    TEXT COLLATE "C"
);
