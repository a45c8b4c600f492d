//! How documents are judged against criteria.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::context::TOKENS_MAX;
use crate::asking::JudgeName;
use crate::request::FieldError;
use crate::summary::request::check_repeat;

/// How documents are judged: what every door fills.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct ComplianceRequest {
    /// The judge: rules (no model, no network), or PROVIDER/MODEL [default: the judge that
    /// `assize optimize` promoted for the criteria set, otherwise rules]
    #[cfg_attr(feature = "clap", arg(long, value_name = "JUDGE", help_heading = "Judging"))]
    pub judge: Option<JudgeName>,
    /// Use this prompt template instead of the set's: NAME or NAME@VERSION
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", help_heading = "Prompt"))]
    pub template: Option<String>,
    /// How much of a document to show a model; for longer documents, the most relevant passages
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "TOKENS", default_value_t = TOKENS_MAX, help_heading = "Prompt")
    )]
    pub context_tokens: usize,
    /// Mask criteria ids in the documents, so that the judge relies on the wording alone
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Prompt"))]
    pub mask_identifiers: bool,
    /// How often to judge each pair; the repeat with the median score counts
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", default_value_t = 1, help_heading = "Judging")
    )]
    pub repeat: u32,
}

impl Default for ComplianceRequest {
    fn default() -> Self {
        Self {
            judge: None,
            template: None,
            context_tokens: TOKENS_MAX,
            mask_identifiers: false,
            repeat: 1,
        }
    }
}

impl ComplianceRequest {
    /// Refuses what no judge of documents could do.
    pub fn check(&self) -> Result<(), FieldError> {
        let refused = |field, problem: &str| Err(FieldError::new(field, problem));
        match &self.judge {
            Some(JudgeName::Assisted(_) | JudgeName::Panel(_)) => {
                return refused("judge", "documents are judged by rules or by one model");
            }
            Some(JudgeName::Rules) if self.template.is_some() => {
                return refused("template", "rules need no prompt template");
            }
            _ => {}
        }
        // Who judges may be left to the criteria set; the plan looks again.
        let asks_models = self.judge.as_ref().is_none_or(JudgeName::asks_models);
        check_repeat(self.repeat, asks_models)?;
        if self.context_tokens == 0 {
            return refused("context_tokens", "`0` is not a whole number of 1 or more");
        }
        Ok(())
    }

    /// The same where nothing is stored, and no model is asked.
    pub(crate) fn check_in_memory(&self) -> Result<(), FieldError> {
        self.check()?;
        match &self.judge {
            None | Some(JudgeName::Rules) => Ok(()),
            Some(_) => {
                let problem = "without a database, documents are judged by rules";
                Err(FieldError::new("judge", problem))
            }
        }
    }
}
