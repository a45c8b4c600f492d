-- How a result came about. Only a result with a number is scored; the others say why not.
ALTER TABLE eval_criteria_results ADD COLUMN outcome TEXT NOT NULL DEFAULT 'failed'
    CHECK (outcome IN ('scored', 'not_applicable', 'needs_information', 'failed'))
    CHECK (outcome <> 'scored' OR ai_score_value IS NOT NULL);
ALTER TABLE eval_criteria_results ADD COLUMN reason TEXT;
ALTER TABLE eval_criteria_results ADD COLUMN judge TEXT;
ALTER TABLE eval_criteria_results ADD COLUMN model TEXT;
ALTER TABLE eval_criteria_results ADD COLUMN prompt_template_id TEXT
    REFERENCES eval_prompt_templates (id);
UPDATE eval_criteria_results SET outcome = 'scored' WHERE ai_score_value IS NOT NULL;
UPDATE eval_criteria_results SET reason = 'the old result has no score'
WHERE ai_score_value IS NULL;
CREATE INDEX eval_criteria_results_by_criterion
    ON eval_criteria_results (run_id, criteria_item_id);

-- Apart from the results, so that a list of them stays light.
CREATE TABLE eval_result_evidence (
    result_id     TEXT NOT NULL PRIMARY KEY
        REFERENCES eval_criteria_results (id) ON DELETE CASCADE,
    ledger        TEXT CHECK (json_valid(ledger)),
    prompt        TEXT,
    raw_answer    TEXT,
    exchange_keys TEXT CHECK (json_valid(exchange_keys))
);

-- The judge's quotes as they were found in the document, or not found.
CREATE TABLE eval_citations (
    result_id    TEXT NOT NULL REFERENCES eval_criteria_results (id) ON DELETE CASCADE,
    position     INTEGER NOT NULL,
    quote        TEXT NOT NULL,
    matched      TEXT NOT NULL,
    start_offset INTEGER,
    end_offset   INTEGER,
    page         INTEGER,
    similarity   REAL,
    PRIMARY KEY (result_id, position)
);

-- What people say instead; the judge's value stays. The last entry counts, all are kept.
CREATE TABLE eval_overrides (
    id            TEXT NOT NULL PRIMARY KEY,
    result_id     TEXT NOT NULL REFERENCES eval_criteria_results (id) ON DELETE CASCADE,
    sequence      INTEGER NOT NULL,
    is_withdrawal BOOLEAN NOT NULL,
    outcome       TEXT
        CHECK (outcome IN ('scored', 'not_applicable', 'needs_information')),
    score         REAL CHECK (score BETWEEN 0 AND 100),
    sections      TEXT CHECK (json_valid(sections)),
    author        TEXT NOT NULL,
    reason        TEXT NOT NULL,
    created_at    TEXT NOT NULL,
    UNIQUE (result_id, sequence)
);
