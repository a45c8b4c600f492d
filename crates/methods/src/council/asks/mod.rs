//! What models are asked: for an answer, for a review, and for the final answer.
//!
//! Answers under review are fenced in as content, not as instructions, and stay byte for byte
//! as they came, but for the control words of chat models ([`fence`]).

pub mod answer;
pub mod chair;
pub mod fence;
pub mod holistic;
pub mod review;
mod under_review;

pub use answer::AnswerAsk;
pub use chair::ChairAsk;
pub use holistic::HolisticAsk;
pub use review::ReviewAsk;
pub use under_review::UnderReview;

#[cfg(test)]
mod tests;
