//! Where the log goes and how a line looks.

use std::io;

use tracing::level_filters::LevelFilter;

/// How a line of the log looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Sends the log to stderr from now on. Only the first call counts.
pub fn start(format: LogFormat) {
    let lines = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::INFO)
        .with_writer(io::stderr)
        .with_target(false);
    let _ = match format {
        LogFormat::Text => tracing::subscriber::set_global_default(lines.finish()),
        LogFormat::Json => {
            tracing::subscriber::set_global_default(lines.json().flatten_event(true).finish())
        }
    };
}
