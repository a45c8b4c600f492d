//! What the index stores: one entry for each passage, and one for each file.

use tantivy::TantivyError;
use tantivy::schema::{
    Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};

use super::terms;

/// The kind of an entry that stands for a whole file.
pub(super) const FILE: &str = "file";

/// The fields of an entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    /// The file.
    pub(super) path: Field,
    /// Says [`FILE`] in the entry of a file and nothing in that of a passage.
    pub(super) kind: Field,
    /// Fingerprint of a file's bytes.
    pub(super) fingerprint: Field,
    /// Which passage of its file, from 0.
    pub(super) chunk: Field,
    /// Where the passage starts, in code points.
    pub(super) start: Field,
    /// Where the passage ends, in code points.
    pub(super) end: Field,
    /// The passage.
    pub(super) text: Field,
}

impl Fields {
    pub(super) fn schema() -> Schema {
        let mut schema = Schema::builder();
        schema.add_text_field("path", STRING | STORED);
        schema.add_text_field("kind", STRING);
        schema.add_u64_field("fingerprint", STORED);
        schema.add_u64_field("chunk", STORED);
        schema.add_u64_field("start", STORED);
        schema.add_u64_field("end", STORED);
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(terms::NAME)
            .set_index_option(IndexRecordOption::WithFreqs);
        schema.add_text_field(
            "text",
            TextOptions::default().set_indexing_options(indexing).set_stored(),
        );
        schema.build()
    }

    pub(super) fn of(schema: &Schema) -> Result<Self, TantivyError> {
        let field = |name| schema.get_field(name);
        Ok(Self {
            path: field("path")?,
            kind: field("kind")?,
            fingerprint: field("fingerprint")?,
            chunk: field("chunk")?,
            start: field("start")?,
            end: field("end")?,
            text: field("text")?,
        })
    }
}
