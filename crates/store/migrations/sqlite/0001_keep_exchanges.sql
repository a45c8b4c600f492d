-- One reply of a model, found again by the hash of all that decides it.
CREATE TABLE exchanges (
    key               TEXT    NOT NULL PRIMARY KEY,
    send              INTEGER NOT NULL,
    provider          TEXT    NOT NULL,
    model             TEXT    NOT NULL,
    attempt           INTEGER NOT NULL,
    request           TEXT    NOT NULL,
    reply             TEXT    NOT NULL,
    input_tokens      INTEGER NOT NULL,
    output_tokens     INTEGER NOT NULL,
    counted           BOOLEAN NOT NULL,
    price_nanodollars INTEGER,
    created           TEXT    NOT NULL
);

-- One request on its way. Written before it goes out, so that after a crash we know what may
-- have been paid for without being kept. It brought the reply whose exchange names it, or it
-- failed, or it is still under way or lost with its process.
CREATE TABLE sends (
    id      INTEGER NOT NULL PRIMARY KEY,
    key     TEXT    NOT NULL,
    begun   TEXT    NOT NULL,
    failed  TEXT,
    failure TEXT,
    said    TEXT
);
