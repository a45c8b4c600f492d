//! Questions.
use super::judge::{Case, Judged};
use crate::summary::evidence::QuestionAnswer;
pub(super) fn about_article(_case: &Case, _asked: usize) -> Vec<QuestionAnswer> {
    Vec::new()
}
pub(super) fn about_claims(_case: &Case, _judged: &[Judged], _asked: usize) -> Vec<QuestionAnswer> {
    Vec::new()
}
