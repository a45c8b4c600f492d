-- A run says before it begins what it will do, and what it is made of does not change under it.
ALTER TABLE eval_runs ADD COLUMN state TEXT COLLATE "C" NOT NULL DEFAULT 'planned'
    CHECK (state IN ('planned', 'running', 'done', 'stopped', 'failed'));
ALTER TABLE eval_runs ADD COLUMN configuration JSONB;
ALTER TABLE eval_runs ADD COLUMN configuration_hash TEXT COLLATE "C";
ALTER TABLE eval_runs ADD COLUMN method_version TEXT COLLATE "C";
ALTER TABLE eval_runs ADD COLUMN failure TEXT COLLATE "C";
ALTER TABLE eval_runs ADD COLUMN started_at TIMESTAMPTZ;
ALTER TABLE eval_runs ADD COLUMN ended_at TIMESTAMPTZ;
UPDATE eval_runs SET state = CASE
    WHEN status IS NULL OR status IN ('planned', 'pending') THEN 'planned'
    WHEN status IN ('failed', 'error') THEN 'failed'
    WHEN status IN ('running', 'in_progress', 'stopped', 'cancelled') THEN 'stopped'
    ELSE 'done'
END;
COMMENT ON COLUMN eval_runs.status IS
    'Deprecated: what older programs called the state. New rows: NULL.';
COMMENT ON COLUMN eval_runs.configuration IS
    'Everything that decides the results, as it was when the run was planned.';

-- Its documents and its criteria; every document is held against every criterion.
CREATE TABLE eval_run_documents (
    run_id      TEXT COLLATE "C" NOT NULL REFERENCES eval_runs (id) ON DELETE CASCADE,
    document_id TEXT COLLATE "C" NOT NULL REFERENCES eval_documents (id),
    position    BIGINT NOT NULL,
    PRIMARY KEY (run_id, document_id)
);
CREATE TABLE eval_run_criteria (
    run_id           TEXT COLLATE "C" NOT NULL REFERENCES eval_runs (id) ON DELETE CASCADE,
    criteria_item_id TEXT COLLATE "C" NOT NULL REFERENCES eval_criteria_items (id),
    position         BIGINT NOT NULL,
    criteria_id      TEXT COLLATE "C" NOT NULL,
    requirement      TEXT COLLATE "C" NOT NULL,
    description      TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (run_id, criteria_item_id)
);

-- Old runs said nothing beforehand: their plan is what they did.
INSERT INTO eval_run_documents (run_id, document_id, position)
SELECT run_id, document_id, row_number() OVER (PARTITION BY run_id ORDER BY document_id) - 1
FROM (SELECT DISTINCT run_id, document_id FROM eval_criteria_results) AS done;
INSERT INTO eval_run_criteria
    (run_id, criteria_item_id, position, criteria_id, requirement, description)
SELECT done.run_id, item.id,
    row_number() OVER (PARTITION BY done.run_id ORDER BY item.sort_order, item.id) - 1,
    item.criteria_id, item.requirement, item.description
FROM (SELECT DISTINCT run_id, criteria_item_id FROM eval_criteria_results) AS done
JOIN eval_criteria_items AS item ON item.id = done.criteria_item_id;
