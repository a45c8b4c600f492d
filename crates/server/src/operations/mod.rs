//! What whoever runs the server looks at: health and figures.

pub(crate) mod health;
pub(crate) mod listen;
pub(crate) mod metrics;
pub(crate) mod panics;
