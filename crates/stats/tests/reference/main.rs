//! Every statistic against the values of other implementations.
//!
//! Compiled and run by `cargo xtask test --data DIR`. Figures must agree to nine digits, those
//! of iterations to six.

mod data;

mod aggregation;
mod agreement;
mod correction;
mod correlation;
mod paired;
mod standardize;
mod strengths;
