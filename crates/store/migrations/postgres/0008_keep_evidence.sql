-- How a result came about. Only a result with a number is scored; the others say why not.
ALTER TABLE eval_criteria_results ADD COLUMN outcome TEXT COLLATE "C" NOT NULL DEFAULT 'failed'
    CHECK (outcome IN ('scored', 'not_applicable', 'needs_information', 'failed'))
    CHECK (outcome <> 'scored' OR ai_score_value IS NOT NULL);
ALTER TABLE eval_criteria_results ADD COLUMN reason TEXT COLLATE "C";
ALTER TABLE eval_criteria_results ADD COLUMN judge TEXT COLLATE "C";
ALTER TABLE eval_criteria_results ADD COLUMN model TEXT COLLATE "C";
ALTER TABLE eval_criteria_results ADD COLUMN prompt_template_id TEXT COLLATE "C"
    REFERENCES eval_prompt_templates (id);
UPDATE eval_criteria_results SET outcome = 'scored' WHERE ai_score_value IS NOT NULL;
UPDATE eval_criteria_results SET reason = 'the old result has no score'
WHERE ai_score_value IS NULL;
CREATE INDEX eval_criteria_results_by_criterion
    ON eval_criteria_results (run_id, criteria_item_id);

-- Apart from the results, so that a list of them stays light.
CREATE TABLE eval_result_evidence (
    result_id     TEXT COLLATE "C" NOT NULL PRIMARY KEY
        REFERENCES eval_criteria_results (id) ON DELETE CASCADE,
    ledger        JSONB,
    prompt        TEXT COLLATE "C",
    raw_answer    TEXT COLLATE "C",
    exchange_keys JSONB
);

-- The judge's quotes as they were found in the document, or not found.
CREATE TABLE eval_citations (
    result_id    TEXT COLLATE "C" NOT NULL REFERENCES eval_criteria_results (id) ON DELETE CASCADE,
    position     BIGINT NOT NULL,
    quote        TEXT COLLATE "C" NOT NULL,
    matched      TEXT COLLATE "C" NOT NULL,
    start_offset BIGINT,
    end_offset   BIGINT,
    page         BIGINT,
    similarity   DOUBLE PRECISION,
    PRIMARY KEY (result_id, position)
);

-- What people say instead; the judge's value stays. The last entry counts, all are kept.
CREATE TABLE eval_overrides (
    id            TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    result_id     TEXT COLLATE "C" NOT NULL REFERENCES eval_criteria_results (id) ON DELETE CASCADE,
    sequence      BIGINT NOT NULL,
    is_withdrawal BOOLEAN NOT NULL,
    outcome       TEXT COLLATE "C"
        CHECK (outcome IN ('scored', 'not_applicable', 'needs_information')),
    score         DOUBLE PRECISION CHECK (score BETWEEN 0 AND 100),
    sections      JSONB,
    author        TEXT COLLATE "C" NOT NULL,
    reason        TEXT COLLATE "C" NOT NULL,
    created_at    TIMESTAMPTZ NOT NULL,
    UNIQUE (result_id, sequence)
);
