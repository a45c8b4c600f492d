//! The jobs: the only place where methods meet the outside world.

pub mod interview;
pub mod retrieval;
