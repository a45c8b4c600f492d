//! What is kept. Nothing is, yet.
