//! `/api/v1`: one file a noun.
