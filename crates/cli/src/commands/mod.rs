//! One command a file: its arguments, and what it does with them.

pub(crate) mod accuracy;
pub(crate) mod audit;
pub(crate) mod bench_retrieval;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod council;
pub(crate) mod criteria;
pub(crate) mod db;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod documents;
pub(crate) mod evaluate;
pub(crate) mod export;
pub(crate) mod fuse;
pub(crate) mod index;
pub(crate) mod init;
pub(crate) mod judges;
#[cfg(not(all(feature = "mcp", feature = "readers", feature = "server")))]
pub(crate) mod left_out;
pub(crate) mod man;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
pub(crate) mod measures;
pub(crate) mod models;
pub(crate) mod optimize;
#[cfg(feature = "readers")]
pub(crate) mod readers;
pub(crate) mod reference;
pub(crate) mod retrieve;
pub(crate) mod runs;
pub(crate) mod score;
#[cfg(feature = "server")]
pub(crate) mod serve;
pub(crate) mod summary;
pub(crate) mod thresholds;
pub(crate) mod tokens;
pub(crate) mod truth;
pub(crate) mod users;
pub(crate) mod verify;
#[cfg(feature = "server")]
pub(crate) mod worker;
pub(crate) mod workers;

#[cfg(not(feature = "mcp"))]
pub(crate) use self::left_out as mcp;
#[cfg(not(feature = "readers"))]
pub(crate) use self::left_out as readers;
#[cfg(not(feature = "server"))]
pub(crate) use self::left_out as serve;
#[cfg(not(feature = "server"))]
pub(crate) use self::left_out as worker;
