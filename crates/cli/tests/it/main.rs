//! The command line from the outside, one file a command.

#![expect(clippy::unwrap_used, reason = "a test that cannot run its command has failed")]

mod action;
mod attacks;
mod bench;
mod benches;
mod check;
mod clerk;
mod compare;
mod config;
mod council;
mod council_faults;
mod council_runs;
mod council_stages;
mod db;
mod deploy;
mod docs;
mod doctor;
mod doors;
mod ecosystem;
mod examples;
mod exits;
mod faults;
mod fuse;
mod gate;
mod gate_model;
mod hostile;
mod ill;
mod init;
mod mapping;
mod mcp;
mod mcp_client;
mod mcp_council;
#[cfg(target_os = "linux")]
mod memory;
mod mistakes;
mod models;
mod one_truth;
mod operator;
mod packages;
#[cfg(feature = "readers")]
mod readers;
mod readme;
mod repeats;
mod retrieve;
mod runs;
mod runs_read;
mod score;
mod serve;
mod shared_run;
mod summary;
mod summary_model;
mod summary_panel;
mod support;
mod workers;
