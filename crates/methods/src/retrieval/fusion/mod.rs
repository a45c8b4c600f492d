//! Fusion: several rankings of one query become one.
