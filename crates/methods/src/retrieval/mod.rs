//! Retrieval: how well a ranked list answers its query.
