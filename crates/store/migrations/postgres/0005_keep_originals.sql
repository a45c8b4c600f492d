-- Documents keep the bytes they came as, and where in the text pages and paragraphs begin.
ALTER TABLE eval_documents ADD COLUMN media_type TEXT COLLATE "C" NOT NULL DEFAULT 'text/plain';
ALTER TABLE eval_documents ADD COLUMN content_hash TEXT COLLATE "C";
ALTER TABLE eval_documents ADD COLUMN byte_count BIGINT;
ALTER TABLE eval_documents ADD COLUMN text_offsets JSONB;
COMMENT ON COLUMN eval_documents.content_hash IS
    'The hash of the original bytes. NULL: only the text of an old row is known.';
COMMENT ON COLUMN eval_documents.text_offsets IS
    'Where pages and paragraphs begin and end in content_text.';

-- Apart from the rest, so that lists of documents need not step over them.
CREATE TABLE eval_document_originals (
    document_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES eval_documents (id) ON DELETE CASCADE,
    bytes       BYTEA NOT NULL
);

-- What else an imported criterion brings: its group, parameters, enhancements.
ALTER TABLE eval_criteria_items ADD COLUMN properties JSONB;
