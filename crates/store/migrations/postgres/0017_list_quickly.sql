-- Lists are filtered by instrument, state, tag and baseline; without these each list would read
-- every run. The history of one thing is found in the audit without reading all of it.
CREATE INDEX runs_by_instrument ON runs (organisation_id, instrument, number);
CREATE INDEX runs_by_state ON runs (organisation_id, state, number);
CREATE INDEX runs_baseline ON runs (organisation_id, instrument) WHERE is_baseline;
CREATE INDEX run_tags_by_tag ON run_tags (tag, run_id);
CREATE INDEX audit_by_subject ON audit (organisation_id, subject, subject_id, sequence);
