//! Qrels and runs as Parquet.
