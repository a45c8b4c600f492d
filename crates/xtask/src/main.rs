//! `cargo xtask …`: the house tasks.

fn main() {}
