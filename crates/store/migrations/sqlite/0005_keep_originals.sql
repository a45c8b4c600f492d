-- Documents keep the bytes they came as, and where in the text pages and paragraphs begin.
ALTER TABLE eval_documents ADD COLUMN media_type TEXT NOT NULL DEFAULT 'text/plain';
ALTER TABLE eval_documents ADD COLUMN content_hash TEXT;
ALTER TABLE eval_documents ADD COLUMN byte_count INTEGER;
ALTER TABLE eval_documents ADD COLUMN text_offsets TEXT CHECK (json_valid(text_offsets));

-- Apart from the rest, so that lists of documents need not step over them.
CREATE TABLE eval_document_originals (
    document_id TEXT NOT NULL PRIMARY KEY REFERENCES eval_documents (id) ON DELETE CASCADE,
    bytes       BLOB NOT NULL
);

-- What else an imported criterion brings: its group, parameters, enhancements.
ALTER TABLE eval_criteria_items ADD COLUMN properties TEXT CHECK (json_valid(properties));
