//! Asking a model for a better template, with the worst disagreements before its eyes.

use std::fmt::Write;

use serde::Deserialize;

use crate::ask::{Ask, Prompt, ReplyError, Result};
use crate::compliance::template::AssessTemplate;
use crate::reply;
use crate::schema::{fields, of_type};
use crate::template::Fill;

/// The longest proposal, in tokens.
const REPLY_TOKENS_MAX: u32 = 3_000;

const SYSTEM: &str = include_str!("../../../prompts/compliance/optimize/system.md");
const QUESTION: &str = include_str!("../../../prompts/compliance/optimize/propose.md");

/// One disagreement between judge and analyst.
#[derive(Debug, Clone, PartialEq)]
pub struct Disagreement {
    /// What was required.
    pub requirement: String,
    /// The judge's score.
    pub score: f64,
    /// What the judge wrote.
    pub said: String,
    /// The analyst's score.
    pub expected: f64,
    /// What the analyst wrote.
    pub wrote: String,
}

/// Asks for a better template.
#[derive(Debug)]
pub struct ProposeAsk<'a> {
    /// The template so far.
    pub template: &'a AssessTemplate,
    /// Where it fails most.
    pub disagreements: &'a [Disagreement],
}

#[derive(Deserialize)]
struct Proposal {
    template: String,
}

impl Ask for ProposeAsk<'_> {
    type Answer = AssessTemplate;

    fn prompt(&self) -> Prompt {
        let mut listed = String::new();
        for (number, one) in (1..).zip(self.disagreements) {
            let Disagreement { requirement, score, said, expected, wrote } = one;
            let _ = writeln!(listed, "{number}. Requirement: {requirement}");
            let _ = writeln!(listed, "   The judge gave {score} and wrote: {said}");
            let _ = writeln!(listed, "   The analyst gave {expected} and wrote: {wrote}");
        }
        Prompt {
            name: "propose_template",
            system: SYSTEM.trim_end().to_owned(),
            question: QUESTION.trim_end().to_owned(),
            fills: vec![
                ("template", Fill::Evaluated(self.template.text().to_owned())),
                ("disagreements", Fill::Evaluated(listed)),
            ],
            schema: Some(fields([
                ("type", "object".into()),
                ("required", vec!["template"].into()),
                ("additionalProperties", false.into()),
                ("properties", fields([("template", of_type("string"))])),
            ])),
            reply_tokens_max: Some(REPLY_TOKENS_MAX),
        }
    }

    fn read(&self, reply: &str) -> Result<AssessTemplate> {
        let Proposal { template } = reply::read(reply)?;
        AssessTemplate::new(template).map_err(|error| ReplyError::Rule(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proposal_that_forgets_the_document_is_sent_back() {
        let template = AssessTemplate::default();
        let ask = ProposeAsk { template: &template, disagreements: &[] };
        let error = ask.read(r#"{"template": "Judge {requirement}."}"#).unwrap_err().to_string();
        assert!(error.contains("{context}"), "{error}");
        let good = format!("{} Be strict.", template.text());
        let reply = fields([("template", good.clone().into())]).to_string();
        assert_eq!(ask.read(&reply).unwrap().text(), good);
        assert!(ask.prompt().render("a1").is_ok());
    }
}
