-- What an item goes through: leases that ran out, and which reply is meant when it is tried
-- again. `ask_attempt` is NULL until somebody retries the item.
ALTER TABLE run_items ADD COLUMN losses BIGINT NOT NULL DEFAULT 0;
ALTER TABLE run_items ADD COLUMN ask_attempt BIGINT;

-- What came of an item before somebody retried it.
CREATE TABLE run_item_retries (
    run_id     TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position   BIGINT NOT NULL,
    retry      BIGINT NOT NULL,
    outcome    TEXT COLLATE "C" NOT NULL,
    reason     TEXT COLLATE "C",
    who        TEXT COLLATE "C" NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (run_id, position, retry)
);

-- Runs with a higher priority are worked on first.
ALTER TABLE runs ADD COLUMN priority BIGINT NOT NULL DEFAULT 0;
-- Workers look for runs that are going on.
CREATE INDEX runs_running ON runs (priority, created_at) WHERE state = 'running';

-- The journal as a bill: for whom a request was sent, and what it costs. Written with the most
-- it can cost before it goes out (`maybe`), and with what it came to when it ends: `certain` if
-- the provider counted, `estimated` if we had to, `none` if nothing was done for it. What a dead
-- process sent therefore stays `maybe`, at its ceiling.
ALTER TABLE sends ADD COLUMN run_id TEXT COLLATE "C";
ALTER TABLE sends ADD COLUMN position BIGINT;
ALTER TABLE sends ADD COLUMN provider TEXT COLLATE "C";
ALTER TABLE sends ADD COLUMN model TEXT COLLATE "C";
ALTER TABLE sends ADD COLUMN tokens BIGINT;
ALTER TABLE sends ADD COLUMN price_nanodollars BIGINT;
ALTER TABLE sends ADD COLUMN certainty TEXT COLLATE "C"
    CHECK (certainty IN ('certain', 'estimated', 'maybe', 'none'));
CREATE INDEX sends_by_run ON sends (run_id) WHERE run_id IS NOT NULL;

-- What may be spent, and what is spent or set aside: by one run in its life (`run:ID`), by an
-- organisation in a day (`day:ORGANISATION:2026-11-16`).
CREATE TABLE budgets (
    scope   TEXT COLLATE "C" NOT NULL,
    unit    TEXT COLLATE "C" NOT NULL CHECK (unit IN ('tokens', 'nanodollars')),
    ceiling BIGINT NOT NULL,
    spent   BIGINT NOT NULL,
    PRIMARY KEY (scope, unit)
);

-- What an organisation may spend in a day.
CREATE TABLE day_ceilings (
    organisation_id TEXT COLLATE "C" NOT NULL REFERENCES organisations (id),
    unit            TEXT COLLATE "C" NOT NULL CHECK (unit IN ('tokens', 'nanodollars')),
    ceiling         BIGINT NOT NULL,
    PRIMARY KEY (organisation_id, unit)
);

-- What a provider allows for a model, shared by all processes: buckets that fill up by the
-- database's clock, and a moment before which nobody asks.
CREATE TABLE provider_limits (
    provider          TEXT COLLATE "C" NOT NULL,
    model             TEXT COLLATE "C" NOT NULL,
    requests_a_minute BIGINT,
    tokens_a_minute   BIGINT,
    requests          DOUBLE PRECISION NOT NULL,
    tokens            DOUBLE PRECISION NOT NULL,
    filled_at         TIMESTAMPTZ NOT NULL,
    paused_until      TIMESTAMPTZ,
    PRIMARY KEY (provider, model)
);

-- Who works, for people to look at. Nothing is decided by it.
CREATE TABLE workers (
    name       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    host       TEXT COLLATE "C" NOT NULL,
    process    BIGINT NOT NULL,
    version    TEXT COLLATE "C" NOT NULL,
    state      TEXT COLLATE "C" NOT NULL,
    items_done BIGINT NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    seen_at    TIMESTAMPTZ NOT NULL
);
