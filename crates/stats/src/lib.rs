//! What many scores say: intervals, tests, correlation, agreement, rank aggregation.
