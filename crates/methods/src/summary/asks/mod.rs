//! What a model is asked about a pair, and how its replies become evidence.
//!
//! Four questions at most: what the article says ([`article`]), what the summary says
//! ([`statements`]), what the article answers ([`answers`]), and how the two compare
//! ([`labelling`]). The first three give lists that stay as they are ([`frozen`]); the last
//! one labels them. [`assemble`] turns lists and labels into evidence: quotes are looked up
//! ([`locate`]), and every number is ours. [`claims`] asks one question instead, about the claims
//! alone. [`corrected`] is what a person says to it, [`edited`] what they wrote
//! into a file. [`suspicion`] says what in the texts speaks to the judge instead of the reader.

pub mod answers;
pub mod article;
pub mod assemble;
pub mod claims;
pub mod corrected;
pub mod edited;
pub mod frozen;
mod kit;
pub mod labelling;
pub mod locate;
pub mod statements;
pub mod suspicion;

pub use answers::AnswerFromArticle;
pub use article::ReadArticle;
pub use claims::{ClaimsAsked, LabelClaims, Questions};
pub use frozen::{ArticleReading, Asked, Frozen, Given, Point, SummaryReading};
pub use labelling::{Label, Labels, Quoted};
pub use statements::ReadSummary;

#[cfg(test)]
mod tests;
