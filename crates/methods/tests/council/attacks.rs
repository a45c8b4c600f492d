//! Attacks on a verdict that once got through, as golden cases.

use std::fs;
use std::path::Path;

use assize_methods::council::reading::settle_beside;
use assize_methods::council::{
    Aggregation, Answer, CouncilRecord, GateOutcome, Gating, Recusal, Reviewer, Settings, decide,
};
use serde::Deserialize;

use crate::support::{codes, heard, reviewer, scores};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    why: String,
    gate_cap: Option<f64>,
    #[serde(default)]
    noted_as_passed: bool,
    #[serde(default)]
    aggregation: Aggregation,
    #[serde(default)]
    recuse: Recusal,
    answers: Vec<Member>,
    reviewers: Vec<Voice>,
    expect: Expect,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Member {
    model: String,
    by: Option<String>,
    text: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Voice {
    model: String,
    by: Option<String>,
    marks: Option<Vec<[f64; 5]>>,
    reply: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    status: Option<String>,
    winners: Option<Vec<String>>,
    #[serde(default)]
    not_winners: Vec<String>,
    scores: Option<Vec<f64>>,
    at_most: Option<Vec<f64>>,
    #[serde(default)]
    findings: Vec<String>,
}

impl Case {
    fn record(&self) -> CouncilRecord {
        let answers: Vec<Answer> = self
            .answers
            .iter()
            .map(|member| Answer {
                written_by: member.by.clone(),
                ..Answer::given(member.model.clone(), member.text.clone())
            })
            .collect();
        let texts: Vec<&str> = self.answers.iter().map(|member| member.text.as_str()).collect();
        let reviewers = self.reviewers.iter().map(|voice| {
            let spoken = match (&voice.marks, &voice.reply) {
                (Some(marks), _) => reviewer(&voice.model, marks),
                (None, Some(reply)) => {
                    let said = settle_beside(&[reply], texts.len(), &texts);
                    heard(&voice.model, texts.len(), said)
                }
                (None, None) => panic!("{}: a reviewer says nothing", self.id),
            };
            Reviewer { spoken_by: voice.by.clone(), ..spoken }
        });
        let passed = GateOutcome { passed: true, ..GateOutcome::default() };
        let noted = if self.noted_as_passed { vec![passed; texts.len()] } else { Vec::new() };
        CouncilRecord {
            question: "What now?".to_owned(),
            gate: self.gate_cap.map(|cap| Gating::new(cap, noted).unwrap()),
            reviewers: reviewers.collect(),
            answers,
            seed: 7,
            ..CouncilRecord::default()
        }
    }

    fn check(&self) {
        let id = format!("{} ({})", self.id, self.why);
        let settings = Settings {
            aggregation: self.aggregation,
            recuse: self.recuse,
            resamples: 50,
            ..Settings::default()
        };
        let found = decide(&self.record(), &settings);
        let winners: Vec<&str> =
            found.winners().iter().map(|answer| found.answers[*answer].model.as_str()).collect();
        if let Some(expected) = &self.expect.winners {
            assert_eq!(&winners, expected, "{id}");
        }
        for model in &self.expect.not_winners {
            assert!(!winners.contains(&model.as_str()), "{id}");
        }
        if let Some(expected) = &self.expect.status {
            let status = serde_json::to_value(found.status).unwrap();
            assert_eq!(status, expected.as_str(), "{id}: {:?}", found.findings);
        }
        if let Some(expected) = &self.expect.scores {
            let expected: Vec<Option<f64>> = expected.iter().copied().map(Some).collect();
            assert_eq!(scores(&found), expected, "{id}");
        }
        for (score, most) in scores(&found).iter().zip(self.expect.at_most.iter().flatten()) {
            assert!(score.unwrap() <= *most, "{id}: {score:?} above {most}");
        }
        for code in &self.expect.findings {
            assert!(codes(&found).contains(&code.as_str()), "{id}: {:?}", codes(&found));
        }
    }
}

#[test]
fn no_attack_gets_through() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/council-attacks/attacks.toml");
    let file: File = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert!(file.case.len() >= 24, "{} cases", file.case.len());
    file.case.iter().for_each(Case::check);
}
