//! Every statistic against the values of other implementations.
//!
//! Runs when `ASSIZE_DATA` names the folder of reference data; without it the tests say
//! so and pass. Figures must agree to nine digits, those of iterations to six.

mod data;

mod aggregation;
mod agreement;
mod correction;
mod correlation;
mod paired;
mod standardize;
mod strengths;
