//! `assize serve` while its database is ill, and after: told while it lasts, well when it ends, and
//! nothing of what was being judged is lost or doubled. Beside it, crowds.

mod crowds;
mod patient;
mod postgres;
mod sqlite;
