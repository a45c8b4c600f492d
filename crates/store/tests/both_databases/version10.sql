INSERT INTO organisations (id, name, created_at)
    VALUES ('organisation-other', 'other', '2025-01-02 03:04:05+00:00');
INSERT INTO exchanges (key, send, provider, model, attempt, request, reply, input_tokens,
    output_tokens, counted, price_nanodollars, created)
    VALUES ('k1', 7, 'local', 'tiny', 0, '{"messages": ["Is it so? ‘naïve’ 😀"]}', '{"text": "Yes."}',
            12, 3, TRUE, 1500, '2025-01-02 03:04:05+00:00'),
           ('k2', 8, 'local', 'tiny', 1, '{}', '{}', 1, 1, FALSE, NULL, '2025-01-02 03:04:06+00:00');
INSERT INTO sends (id, key, begun, failed, failure, said)
    VALUES (7, 'k1', '2025-01-02 03:04:04+00:00', NULL, NULL, NULL),
           (9, 'k3', '2025-01-02 03:04:04+00:00', '2025-01-02 03:04:05+00:00', 'server', 'on fire');
INSERT INTO eval_prompt_templates (id, organisation_id, name, version, body, created_at, used_at)
    VALUES ('p-1', 'organisation-default', 'assess', 1, 'Judge {context}.', '2025-01-02 03:04:05+00:00',
            '2025-01-02 03:04:06+00:00');
INSERT INTO eval_criteria_sets (id, organisation_id, name, description, prompt_template_id, created_at, updated_at)
    VALUES ('set-1', 'organisation-default', 'NIST', 'With „quotes“', 'p-1', '2025-01-02 03:04:05+00:00',
            '2025-01-02 03:04:05+00:00'),
           ('set-2', 'organisation-other', 'Theirs', '', NULL, '2025-01-02 03:04:05+00:00',
            '2025-01-02 03:04:05+00:00');
INSERT INTO eval_criteria_items (id, criteria_set_id, criteria_id, requirement, description, sort_order, properties)
    VALUES ('i-1', 'set-1', 'AC-2', 'Accounts are reviewed.', 'Account Management', 0, '{"group": "Access"}'),
           ('i-2', 'set-1', 'AC-3', 'Access is enforced.', '', 1, NULL),
           ('i-3', 'set-2', 'X', 'It is so.', '', 0, NULL);
INSERT INTO eval_status_options (id, criteria_set_id, name, score_value, sort_order)
    VALUES ('yes', 'set-1', 'Compliant', 100, 1);
INSERT INTO eval_doc_sets (id, organisation_id, name, description, created_at)
    VALUES ('docs', 'organisation-default', 'Policies', '', '2025-01-02 03:04:05+00:00'),
           ('docs-2', 'organisation-other', 'Theirs', '', '2025-01-02 03:04:05+00:00');
INSERT INTO eval_documents (id, doc_set_id, name, content_text, created_at, media_type, content_hash, byte_count, text_offsets)
    VALUES ('d-1', 'docs', 'a.txt', 'Text A', '2025-01-02 03:04:05+00:00', 'text/plain', 'h1', 6, '{"pages": []}'),
           ('d-2', 'docs', 'b.txt', 'Text B', '2025-01-02 03:04:05+00:00', 'text/plain', NULL, NULL, NULL),
           ('d-0', 'docs', 'b.txt', 'Text B, later', '2025-01-02 03:04:06+00:00', 'text/plain', 'h3', 13, NULL),
           ('d-3', 'docs-2', 'c.txt', 'Text C', '2025-01-02 03:04:05+00:00', 'text/plain', 'h4', 6, NULL);
INSERT INTO eval_document_originals (document_id, bytes) VALUES ('d-1', BLOB_hi);
INSERT INTO eval_runs (id, organisation_id, criteria_set_id, doc_set_id, status, state, configuration,
    configuration_hash, method_version, failure, created_at, started_at, ended_at)
    VALUES ('run-later', 'organisation-default', 'set-1', 'docs', NULL, 'stopped', '{"judge": "local/tiny"}', 'h',
            'compliance/1', NULL, '2025-01-03 03:04:05+00:00', '2025-01-03 03:04:05+00:00', '2025-01-03 03:05:05+00:00'),
           ('run-first', 'organisation-default', 'set-1', 'docs', 'completed', 'done', '{"judge": "rules"}', 'h0',
            'compliance/1', NULL, '2025-01-02 03:04:05+00:00', '2025-01-02 03:04:05+00:00', '2025-01-02 03:05:05+00:00'),
           ('run-theirs', 'organisation-other', 'set-2', 'docs-2', NULL, 'failed', NULL, NULL, NULL,
            'no answer', '2025-01-02 03:04:05+00:00', NULL, NULL);
INSERT INTO eval_run_documents (run_id, document_id, position)
    VALUES ('run-first', 'd-1', 0), ('run-first', 'd-2', 1), ('run-later', 'd-1', 0), ('run-later', 'd-0', 1),
           ('run-theirs', 'd-3', 0);
INSERT INTO eval_run_criteria (run_id, criteria_item_id, position, criteria_id, requirement, description)
    VALUES ('run-first', 'i-1', 0, 'AC-2', 'Accounts are reviewed.', ''), ('run-first', 'i-2', 1, 'AC-3', 'Access.', ''),
           ('run-later', 'i-1', 0, 'AC-2', 'Accounts are reviewed.', ''), ('run-later', 'i-2', 1, 'AC-3', 'Access.', ''),
           ('run-theirs', 'i-3', 0, 'X', 'It is so.', '');
INSERT INTO eval_criteria_results (id, run_id, document_id, criteria_item_id, ai_status_id, ai_score_value,
    ai_confidence, ai_result, ai_citations, created_at, outcome, reason, judge, model, prompt_template_id)
    VALUES ('r-1', 'run-first', 'd-1', 'i-1', 'yes', 81.5, 90, '{"explanation": "It says \"so\"."}', '[{"quote": "Text"}]',
            '2025-01-02 03:04:07+00:00', 'scored', NULL, 'rules', NULL, NULL),
           ('r-2', 'run-first', 'd-1', 'i-2', NULL, 0, NULL, '{}', NULL, '2025-01-02 03:04:07+00:00', 'scored', NULL,
            'rules', NULL, NULL),
           ('r-3', 'run-first', 'd-2', 'i-1', NULL, NULL, NULL, NULL, NULL, '2025-01-02 03:04:07+00:00',
            'not_applicable', 'the criterion does not apply', 'rules', NULL, NULL),
           ('r-4', 'run-first', 'd-2', 'i-2', NULL, 33.333333333333336, 50, '{"explanation": "ß"}', '[]',
            '2025-01-02 03:04:07+00:00', 'scored', NULL, 'rules', NULL, NULL),
           ('r-5', 'run-later', 'd-1', 'i-1', NULL, 70, 80, '{"explanation": "x"}', '[]', '2025-01-03 03:04:07+00:00',
            'scored', NULL, 'model', 'local/tiny', 'p-1');
INSERT INTO eval_result_evidence (result_id, ledger, prompt, raw_answer, exchange_keys)
    VALUES ('r-1', '{"format": 1, "value": 81.5}', NULL, NULL, NULL), ('r-5', NULL, 'Judge.', '{"score": 70}', '["k1"]');
INSERT INTO eval_citations (result_id, position, quote, matched, start_offset, end_offset, page, similarity)
    VALUES ('r-1', 0, 'Text', 'exact', 0, 4, NULL, 1.0), ('r-1', 1, 'nowhere', 'not_found', NULL, NULL, NULL, NULL);
INSERT INTO eval_overrides (id, result_id, sequence, is_withdrawal, outcome, score, sections, author, reason, created_at)
    VALUES ('o-1', 'r-1', 1, FALSE, 'scored', 95, '{"explanation": "It does."}', 'ada', 'page 7', '2025-01-02 04:04:07+00:00'),
           ('o-2', 'r-1', 2, TRUE, NULL, NULL, NULL, 'ada', 'no', '2025-01-02 05:04:07+00:00');
INSERT INTO eval_opt_truth_keys (id, organisation_id, document_id, criteria_item_id, expected_score, score_range,
    response_sections, analyst, note, created_at, updated_at)
    VALUES ('t-1', 'organisation-default', 'd-1', 'i-1', 85, 5, '{"explanation": "y"}', 'ada', NULL,
            '2025-01-02 03:04:05+00:00', '2025-01-02 03:04:05+00:00');
INSERT INTO eval_opt_runs (id, organisation_id, criteria_set_id, doc_set_id, state, configuration, verdict, failure,
    created_at, started_at, ended_at)
    VALUES ('opt-1', 'organisation-default', 'set-1', 'docs', 'done', '{}', '{"winner": "c-1"}', NULL,
            '2025-01-02 03:04:05+00:00', NULL, NULL);
INSERT INTO eval_opt_candidates (id, opt_run_id, position, parent_id, prompt_template_id, scoring_rubric, judge,
    tune_run_id, holdout_run_id, tune, holdout, is_promoted)
    VALUES ('c-1', 'opt-1', 0, NULL, 'p-1', NULL, 'rules', 'run-first', NULL, '{"mae": 3.5}', NULL, TRUE);
INSERT INTO audit (id, organisation_id, at, who, action, subject, subject_id, before, after)
    VALUES ('a-1', 'organisation-default', '2025-01-02 03:04:05+00:00', 'ada', 'override', 'result', 'r-1', NULL, '{"score": 95}');
