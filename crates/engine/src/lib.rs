//! The jobs: the only place where methods meet the outside world.

pub mod council;
pub mod gate;
pub mod input;
pub mod interview;
pub mod retrieval;
pub mod retrieve;
pub mod summary;
