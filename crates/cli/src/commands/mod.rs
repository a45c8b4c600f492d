//! One command a file: its arguments, and what it does with them.

pub(crate) mod accuracy;
pub(crate) mod bench_retrieval;
pub(crate) mod compare;
pub(crate) mod config;
pub(crate) mod council;
pub(crate) mod criteria;
pub(crate) mod db;
pub(crate) mod demo;
pub(crate) mod documents;
pub(crate) mod evaluate;
pub(crate) mod export;
pub(crate) mod fuse;
pub(crate) mod index;
pub(crate) mod judges;
pub(crate) mod mcp;
pub(crate) mod measures;
pub(crate) mod models;
pub(crate) mod optimize;
pub(crate) mod reference;
pub(crate) mod retrieve;
pub(crate) mod runs;
pub(crate) mod score;
pub(crate) mod serve;
pub(crate) mod summary;
pub(crate) mod thresholds;
pub(crate) mod truth;
