//! `summary_score`: a summary against its article.

use std::fmt::Write;

use assize_engine::request::Asked;
use assize_engine::summary::calibration::Calibrations;
use assize_engine::summary::input::Place;
use assize_engine::summary::model::SummaryJudge;
use assize_engine::summary::{Judge, Judged, Pair, Settings, SummaryRequest};
use assize_methods::summary::Metric;
use assize_score::Outcome;
use assize_wire::text::tree;
use rmcp::model::JsonObject;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::Value;

use crate::form::Form;
use crate::reply::{Refusal, Reply};
use crate::state::{Call, McpState};

/// The tool.
pub(crate) const FORM: Form = Form {
    name: "summary_score",
    title: "Score a summary against its article",
    description: "\
Scores a summary from 0 to 10 on coverage, alignment, hallucination, relevance and bias_toxicity, \
with the claims, key points and quotations each score is based on. Unsupported claims cap other \
scores, and the result names the cap. Without `judge`, rules are used: offline, free, \
deterministic. Frameworks: twin-lock (five metrics), judge-lock (adds questions and answers, \
stricter caps), judge-lock-ultra (a panel of judges votes).",
    takes: &[],
    needs: &["article", "summary"],
    asks_models: true,
};

/// What it takes.
pub(crate) type Arguments = Asked<Content, SummaryRequest>;

/// What is scored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Content {
    /// The whole text of the article
    article: String,
    /// The whole text of the summary
    summary: String,
    /// Also return how each number was computed, step by step
    #[serde(default)]
    explain: bool,
    /// Budget of this call: tokens such as 200k, or dollars such as $1
    budget: Option<String>,
}

/// Scores one pair.
pub(crate) async fn score(
    state: &McpState,
    call: &Call,
    arguments: JsonObject,
) -> Result<Reply, Refusal> {
    let Arguments { content, request } = FORM.read(arguments)?;
    let Content { article, summary, explain, budget } = content;
    let pair = Pair { place: Place::Line(1), article, summary, record: Value::Null };
    let settings = request.settings()?;
    let judged = match settings.judge {
        Judge::Rules if budget.is_some() => {
            return Err(Refusal::because("budget: rules cost nothing; give a model as `judge`"));
        }
        Judge::Rules => Judged::of(None, pair, settings),
        _ => {
            let wanted = budget.map(|text| text.parse()).transpose()?;
            let budget = state.budget.take(wanted).await?;
            let session = state.session(call, budget.limit).await?;
            let judge = SummaryJudge::new(session, &request)?;
            let end = judge.judge(None, pair).await;
            budget.spent(&judge.account());
            end?
        }
    };
    printed(&judged, settings, explain)
}

/// The scorecard as `assize summary score --format json` prints it.
fn printed(judged: &Judged, settings: Settings, explain: bool) -> Result<Reply, Refusal> {
    let refused = |reason: &str| Refusal::because(format!("the pair cannot be scored: {reason}"));
    let calibrations = Calibrations::default();
    let scorecard = judged.to_wire(settings, explain, &calibrations);
    scorecard.scores().map_err(refused)?;
    let card = judged.to_card(1, settings, &calibrations).map_err(|reason| refused(&reason))?;
    let mut text = String::new();
    for metric in Metric::ALL {
        let name = metric.name();
        let _ = match card.outcome(metric) {
            Outcome::Scored(score) => writeln!(text, "{name}: {:.2}", score.value),
            Outcome::Unscored { because } => writeln!(text, "{name}: no score, {because}"),
        };
    }
    let (framework, by) = (settings.framework.name(), &card.judges);
    let _ = write!(text, "of 10 each; framework {framework}, judge {by}");
    Ok(Reply { data: tree(&scorecard), text, is_failure: false })
}
