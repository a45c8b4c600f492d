//! Judge-Lock Ultra from the outside: a panel of scripted models.

use assize_injector::{Request, Script};
use serde_json::{Value, json};

use crate::clerk::{Clerk, fill_in};
use crate::summary_model::{Fixture, lines};

/// Each model has its own way: `gullible` believes everything, `strict` refuses the year,
/// `inventive` quotes what is not there.
fn panel(request: &Request) -> String {
    let model = request.body["model"].as_str().unwrap();
    let refused = if model == "strict" { "1932" } else { "nothing" };
    let mut form = fill_in(request, refused);
    if let Some(claims) = form["claims"].as_array_mut().filter(|claims| claims[0]["id"].is_string())
    {
        for claim in claims {
            match model {
                "gullible" => claim["label"] = json!("supported"),
                "inventive" if claim["label"] == json!("Supported") => {
                    claim["quote"] = json!("words that stand in no article at all, ever");
                }
                _ => {}
            }
        }
    }
    form.to_string()
}

fn verdict(judge: &str, more: &[&str]) -> (Value, String) {
    let fixture = Fixture::new(Clerk::start(Script::answering(panel)), 1);
    let ultra = ["--framework", "judge-lock-ultra", "--judge", judge];
    let said = fixture.score(&[&ultra[..], more].concat());
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    let again = fixture.score(&[&ultra[..], more].concat());
    assert_eq!(again.stdout, said.stdout, "the same replies give the same verdict");
    (lines(&said).remove(0), said.stderr)
}

fn left_out(card: &Value) -> Vec<(&str, &str)> {
    let judges = card["judge"]["panel"]["judges"].as_array().unwrap();
    judges
        .iter()
        .filter_map(|seat| Some((seat["judge"].as_str()?, seat["left_out"].as_str()?)))
        .collect()
}

#[test]
fn a_judge_that_believes_a_planted_falsehood_is_left_out_and_named() {
    let (card, _) = verdict("panel:local/fair,local/gullible", &[]);
    assert_eq!(left_out(&card), [("local/gullible", "it believed a planted falsehood")]);
    let findings = card["findings"].to_string();
    assert!(findings.contains("judge_left_out") && findings.contains("local/gullible"));
    assert_eq!(card["hallucination"]["claims"].as_array().unwrap().len(), 2, "none is planted");
}

/// Fair, fair and the rules find the claims supported, one judge does not: the median of
/// four is the second worst.
#[test]
fn one_strict_judge_of_four_does_not_decide() {
    let (card, _) = verdict("panel:local/fair,local/other,local/strict", &[]);
    assert_eq!(left_out(&card), []);
    for claim in card["hallucination"]["claims"].as_array().unwrap() {
        assert_eq!(claim["support"], "supported", "{claim}");
    }
    let agreement = &card["judge"]["panel"]["agreement"]["hallucination"];
    assert_eq!(agreement["unanimous"], false);
    let interval = &card["judge"]["panel"]["intervals"]["hallucination"];
    let (low, high) = (interval["low"].as_f64().unwrap(), interval["high"].as_f64().unwrap());
    let score = card["hallucination"]["overall_score"].as_f64().unwrap();
    assert!(low <= score && score <= high && low < high, "{low} {score} {high}");
}

/// Two fail the canary because their quotes are invented? No: a planted truth is labelled
/// right. The evidence lock then lowers what rests on invented words.
#[test]
fn invented_quotes_lower_labels_by_one_step() {
    let (card, _) = verdict("panel:local/inventive,rules", &[]);
    let judges = card["judge"]["panel"]["judges"].as_array().unwrap();
    let inventive = judges.iter().find(|seat| seat["judge"] == "local/inventive").unwrap();
    assert_eq!(inventive["labels_lowered"], 2);
    for claim in card["hallucination"]["claims"].as_array().unwrap() {
        assert_eq!(claim["support"], "partial", "of two, the stricter: {claim}");
    }
}

#[test]
fn samples_of_one_model_sit_as_several_judges() {
    let (card, _) = verdict("local/fair", &["--samples", "2"]);
    assert_eq!(card["judge"]["judges"], json!(["local/fair#1", "local/fair#2", "rules"]));
}

#[test]
fn a_panel_without_a_vote_is_refused() {
    let fixture = Fixture::new(Clerk::start(Script::answering(panel)), 1);
    let said = fixture.score(&["--framework", "judge-lock", "--judge", "panel:local/a,local/b"]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("--framework: a panel needs judge-lock-ultra"), "{}", said.stderr);
    assert_eq!(fixture.score(&["--framework", "judge-lock-ultra"]).code, 2);
}
