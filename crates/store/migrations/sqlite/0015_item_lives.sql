-- What an item goes through: leases that ran out, and which reply is meant when it is tried
-- again. `ask_attempt` is NULL until somebody retries the item.
ALTER TABLE run_items ADD COLUMN losses INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run_items ADD COLUMN ask_attempt INTEGER;

-- What came of an item before somebody retried it.
CREATE TABLE run_item_retries (
    run_id     TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    retry      INTEGER NOT NULL,
    outcome    TEXT NOT NULL,
    reason     TEXT,
    who        TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (run_id, position, retry)
);

-- Runs with a higher priority are worked on first.
ALTER TABLE runs ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
-- Workers look for runs that are going on.
CREATE INDEX runs_running ON runs (priority, created_at) WHERE state = 'running';

-- The journal as a bill: for whom a request was sent, and what it costs. Written with the most
-- it can cost before it goes out (`maybe`), and with what it came to when it ends: `certain` if
-- the provider counted, `estimated` if we had to, `none` if nothing was done for it. What a dead
-- process sent therefore stays `maybe`, at its ceiling.
ALTER TABLE sends ADD COLUMN run_id TEXT;
ALTER TABLE sends ADD COLUMN position INTEGER;
ALTER TABLE sends ADD COLUMN provider TEXT;
ALTER TABLE sends ADD COLUMN model TEXT;
ALTER TABLE sends ADD COLUMN tokens INTEGER;
ALTER TABLE sends ADD COLUMN price_nanodollars INTEGER;
ALTER TABLE sends ADD COLUMN certainty TEXT
    CHECK (certainty IN ('certain', 'estimated', 'maybe', 'none'));
CREATE INDEX sends_by_run ON sends (run_id) WHERE run_id IS NOT NULL;

-- What may be spent, and what is spent or set aside: by one run in its life (`run:ID`), by an
-- organisation in a day (`day:ORGANISATION:2026-11-16`).
CREATE TABLE budgets (
    scope   TEXT NOT NULL,
    unit    TEXT NOT NULL CHECK (unit IN ('tokens', 'nanodollars')),
    ceiling INTEGER NOT NULL,
    spent   INTEGER NOT NULL,
    PRIMARY KEY (scope, unit)
);

-- What an organisation may spend in a day.
CREATE TABLE day_ceilings (
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    unit            TEXT NOT NULL CHECK (unit IN ('tokens', 'nanodollars')),
    ceiling         INTEGER NOT NULL,
    PRIMARY KEY (organisation_id, unit)
);

-- What a provider allows for a model, shared by all processes: buckets that fill up by the
-- database's clock, and a moment before which nobody asks.
CREATE TABLE provider_limits (
    provider          TEXT NOT NULL,
    model             TEXT NOT NULL,
    requests_a_minute INTEGER,
    tokens_a_minute   INTEGER,
    requests          REAL NOT NULL,
    tokens            REAL NOT NULL,
    filled_at         TEXT NOT NULL,
    paused_until      TEXT,
    PRIMARY KEY (provider, model)
);

-- Who works, for people to look at. Nothing is decided by it.
CREATE TABLE workers (
    name       TEXT NOT NULL PRIMARY KEY,
    host       TEXT NOT NULL,
    process    INTEGER NOT NULL,
    version    TEXT NOT NULL,
    state      TEXT NOT NULL,
    items_done INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    seen_at    TEXT NOT NULL
);
