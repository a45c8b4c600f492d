-- A document with a used name is a new version of that document.
ALTER TABLE eval_documents ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
UPDATE eval_documents SET version = (SELECT COUNT(*) FROM eval_documents AS earlier
    WHERE earlier.doc_set_id = eval_documents.doc_set_id AND earlier.name = eval_documents.name
    AND (earlier.created_at, earlier.id) <= (eval_documents.created_at, eval_documents.id));
CREATE UNIQUE INDEX eval_documents_by_version ON eval_documents (doc_set_id, name, version);
