//! One record of a data set, by the fields it has.

use assize_methods::council::bench::{Candidate, Choice, Comparison};
use serde_json::{Map, Value};

/// The best mark where a file does not say otherwise.
const BEST_MARK: f64 = 10.0;

/// A comparison as one record has it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Judged {
    pub(super) id: String,
    pub(super) question: String,
    pub(super) part: String,
    pub(super) answers: [Candidate; 2],
    /// What the record itself says that people prefer.
    pub(super) gold: Option<Choice>,
    /// What judges said, people among them.
    pub(super) said: Vec<(String, Said)>,
}

/// What one judge said, in the order of the record.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Said {
    pub(super) marks: Option<[f64; 2]>,
    pub(super) choice: Option<Choice>,
    /// The same when the answers stood the other way round, in terms of this order.
    pub(super) other_order: Option<(Option<[f64; 2]>, Option<Choice>)>,
}

impl Said {
    /// The same for answers that changed places.
    pub(super) fn turned(self) -> Self {
        let marks = |marks: Option<[f64; 2]>| marks.map(|[first, second]| [second, first]);
        let choice = |choice: Option<Choice>| choice.map(Choice::turned);
        Self {
            marks: marks(self.marks),
            choice: choice(self.choice),
            other_order: self.other_order.map(|(one, other)| (marks(one), choice(other))),
        }
    }

    /// Which is preferred: the choice, else the higher mark.
    pub(super) fn choice(self) -> Option<Choice> {
        self.choice.or_else(|| self.marks.map(|[first, second]| Choice::by_marks(first, second)))
    }

    fn chosen(choice: Choice) -> Self {
        Self { choice: Some(choice), ..Self::default() }
    }
}

impl Judged {
    /// The comparison without what was said of it.
    pub(super) fn comparison(&self, number: usize) -> Comparison {
        let id = if self.id.is_empty() { format!("#{}", number + 1) } else { self.id.clone() };
        Comparison {
            id,
            question: self.question.clone(),
            part: self.part.clone(),
            answers: self.answers.clone(),
            ..Comparison::default()
        }
    }
}

/// The comparisons of a record: two answers are one, three are three.
pub(super) fn judged(value: &Value, best_mark: Option<f64>) -> Result<Vec<Judged>, String> {
    let Value::Object(map) = value else { return Err("expected an object".to_owned()) };
    let row = Row { map, best: best_mark.unwrap_or(BEST_MARK) };
    let has = |names: &[&str]| names.iter().all(|name| map.contains_key(*name));
    if has(&["answers"]) {
        return row.ours();
    }
    let one = if has(&["q", "a1", "a2"]) {
        row.pair("q", ["a1", "a2"], ["output_1", "output_2"])
    } else if has(&["instruction", "output_1", "output_2"]) {
        // Before LLMBar: published annotations of AlpacaEval have the field `input`, too.
        row.alpaca_eval()
    } else if has(&["input", "output_1", "output_2"]) {
        row.pair("input", ["output_1", "output_2"], ["output_1", "output_2"])
    } else if has(&["response_A", "response_B"]) {
        row.judge_bench()
    } else if has(&["model_a", "model_b", "winner"]) {
        row.mt_bench()
    } else if has(&["response 1", "response 2"]) {
        row.auto_j()
    } else {
        let fields: Vec<&str> = map.keys().map(String::as_str).take(12).collect();
        return Err(format!(
            "unrecognised fields ({}); supported formats are ours, LLMBar, JudgeBench, MT-Bench, \
             Auto-J and AlpacaEval: see docs/guide/council-bench.md",
            fields.join(", ")
        ));
    };
    Ok(vec![one?])
}

struct Row<'a> {
    map: &'a Map<String, Value>,
    best: f64,
}

impl Row<'_> {
    fn text(&self, field: &str) -> Result<String, String> {
        match self.map.get(field) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(_) => Err(format!("`{field}` is not text")),
            None => Err(format!("missing field `{field}`")),
        }
    }

    fn name(&self, fields: &[&str]) -> String {
        let found = fields.iter().find_map(|field| match self.map.get(*field)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    fn candidates(
        &self,
        fields: [&str; 2],
        systems: [String; 2],
    ) -> Result<[Candidate; 2], String> {
        let [first, second] = systems;
        Ok([
            Candidate { system: first, text: self.text(fields[0])? },
            Candidate { system: second, text: self.text(fields[1])? },
        ])
    }

    /// A mark on the scale up to 10.
    fn mark(&self, value: &Value) -> Option<f64> {
        let mark = value.as_f64()? / self.best * BEST_MARK;
        (0.0..=BEST_MARK).contains(&mark).then_some(mark)
    }

    fn marks(&self, value: &Value) -> Option<Vec<f64>> {
        value.as_array()?.iter().map(|mark| self.mark(mark)).collect()
    }

    /// `LLMBar`: 1 or 2 is preferred; `s` or `ratings` has marks by judge.
    fn pair(&self, question: &str, texts: [&str; 2], names: [&str; 2]) -> Result<Judged, String> {
        let gold = match self.map.get("label") {
            None | Some(Value::Null) => None,
            Some(label) => Some(numbered(label).ok_or_else(|| unknown("label", label))?),
        };
        let mut said = Vec::new();
        let ratings = ["s", "ratings"].iter().find_map(|field| self.map.get(*field)?.as_object());
        for (judge, given) in ratings.into_iter().flatten() {
            if is_silent(given) {
                continue;
            }
            let marks = self.marks(given).ok_or_else(|| unknown(judge, given))?;
            let marks: [f64; 2] = marks.try_into().map_err(|_| unknown(judge, given))?;
            said.push((judge.clone(), Said { marks: Some(marks), ..Said::default() }));
        }
        Ok(Judged {
            id: self.name(&["id"]),
            question: self.text(question)?,
            part: self.name(&["sub", "subset"]),
            answers: self.candidates(texts, names.map(str::to_owned))?,
            gold,
            said,
        })
    }

    /// `AlpacaEval`: one annotator a row; from 1 to 2 the side that is nearer, 0 and 1.5 neither.
    /// Anything else, such as the -1 of a reply that could not be read, says nothing.
    fn alpaca_eval(&self) -> Result<Judged, String> {
        let choice = self.map.get("preference").and_then(number).and_then(|side| match side {
            0.0 | 1.5 => Some(Choice::Tie),
            side if (1.0..1.5).contains(&side) => Some(Choice::First),
            side if side > 1.5 && side <= 2.0 => Some(Choice::Second),
            _ => None,
        });
        let parts = [self.text("instruction")?, self.name(&["input"])];
        let asked: Vec<&str> =
            parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        let judge = self.name(&["annotator", "annotator_index"]);
        let judge = if judge.is_empty() { "human".to_owned() } else { judge };
        let systems = [self.name(&["generator_1"]), self.name(&["generator_2"])];
        Ok(Judged {
            question: asked.join("\n\n"),
            part: self.name(&["dataset"]),
            answers: self.candidates(["output_1", "output_2"], systems)?,
            said: choice.map(|choice| (judge, Said::chosen(choice))).into_iter().collect(),
            ..Judged::default()
        })
    }

    /// `JudgeBench`: `A>B`; the second of two judgments was made the other way round.
    fn judge_bench(&self) -> Result<Judged, String> {
        let label = self.map.get("label").unwrap_or(&Value::Null);
        let gold = label.as_str().and_then(lettered).ok_or_else(|| unknown("label", label))?;
        let judgments = self.map.get("judgments").and_then(Value::as_array);
        let decision = |index: usize| lettered(judgments?.get(index)?.get("decision")?.as_str()?);
        let other = decision(1).map(|choice| (None, Some(choice.turned())));
        let said = Said { marks: None, choice: decision(0), other_order: other };
        // Reward models all go by one `judge_name`; which one it is stands in each judgment.
        let first = judgments.and_then(|all| all.first());
        let inner = first.and_then(|one| one.get("judgment").or(Some(one))?.get("judge_model"));
        let inner = inner.and_then(Value::as_str).unwrap_or_default();
        let outer = self.name(&["judge_model", "judge_name", "judge"]);
        let judge = [inner, outer.as_str(), "judge"].into_iter().find(|name| !name.is_empty());
        let judge = judge.unwrap_or_default().to_owned();
        // Both answers are by one model, so there is no board of systems.
        let names = [String::new(), String::new()];
        Ok(Judged {
            id: self.name(&["pair_id"]),
            question: self.text("question")?,
            part: self.name(&["source"]),
            answers: self.candidates(["response_A", "response_B"], names)?,
            gold: Some(gold),
            said: if judgments.is_some() { vec![(judge, said)] } else { Vec::new() },
        })
    }

    /// MT-Bench: one judge a row; `judge` is a name or a list that begins with one.
    fn mt_bench(&self) -> Result<Judged, String> {
        let winner = self.map.get("winner").unwrap_or(&Value::Null);
        let choice = match winner.as_str() {
            Some("model_a") => Choice::First,
            Some("model_b") => Choice::Second,
            Some(tie) if tie.starts_with("tie") => Choice::Tie,
            _ => return Err(unknown("winner", winner)),
        };
        let judge = match self.map.get("judge") {
            Some(Value::String(name)) => name.clone(),
            Some(Value::Array(names)) => {
                names.first().and_then(Value::as_str).unwrap_or("judge").to_owned()
            }
            _ => "human".to_owned(),
        };
        let said = |field: &str, role: &str| -> String {
            let turns = self.map.get(field).and_then(Value::as_array).into_iter().flatten();
            let turns = turns.filter(|turn| turn.get("role").and_then(Value::as_str) == Some(role));
            let texts: Vec<&str> = turns.filter_map(|turn| turn.get("content")?.as_str()).collect();
            texts.join("\n\n")
        };
        let (number, turn) = (self.name(&["question_id"]), self.name(&["turn"]));
        let asked = said("conversation_a", "user");
        let question = if asked.is_empty() { format!("question {number}") } else { asked };
        let candidate = |system: &str, field: &str| Candidate {
            system: self.name(&[system]),
            text: said(field, "assistant"),
        };
        Ok(Judged {
            id: format!("{number}/{turn}"),
            question: format!("{question}\u{1}{turn}"),
            part: turn,
            answers: [
                candidate("model_a", "conversation_a"),
                candidate("model_b", "conversation_b"),
            ],
            gold: None,
            said: vec![(judge, Said::chosen(choice))],
        })
    }

    /// Auto-J: 0 is the first, 1 the second, 2 a tie.
    fn auto_j(&self) -> Result<Judged, String> {
        let label = self.map.get("label").unwrap_or(&Value::Null);
        let gold = match label.as_u64() {
            Some(0) => Choice::First,
            Some(1) => Choice::Second,
            Some(2) => Choice::Tie,
            _ => return Err(unknown("label", label)),
        };
        let question = if self.map.contains_key("prompt") { "prompt" } else { "usermsg" };
        let systems = ["response 1".to_owned(), "response 2".to_owned()];
        Ok(Judged {
            question: self.text(question)?,
            part: self.name(&["scenario"]),
            answers: self.candidates(["response 1", "response 2"], systems)?,
            gold: Some(gold),
            ..Judged::default()
        })
    }

    /// Ours: `answers` with `model` and `text`; people's `scores` for each answer or the
    /// `preferred` model; `ratings` by judge, marks in the order of the answers or by model.
    fn ours(&self) -> Result<Vec<Judged>, String> {
        let list = self.map["answers"].as_array().ok_or("`answers` is not a list")?;
        let mut answers = Vec::with_capacity(list.len());
        for (index, answer) in list.iter().enumerate() {
            let field = |name: &str| answer.get(name).and_then(Value::as_str).map(str::to_owned);
            let text = field("text").ok_or(format!("answer {} has no `text`", index + 1))?;
            answers.push(Candidate { system: field("model").unwrap_or_default(), text });
        }
        let per_answer = |value: &Value| -> Option<Vec<f64>> {
            match value {
                Value::Array(_) => self.marks(value),
                Value::Object(by) => {
                    answers.iter().map(|answer| self.mark(by.get(&answer.system)?)).collect()
                }
                _ => None,
            }
            .filter(|marks| marks.len() == answers.len())
        };
        let people = self.map.get("scores").and_then(per_answer);
        let preferred = self.map.get("preferred").and_then(Value::as_str);
        let mut ratings = Vec::new();
        for (judge, given) in
            self.map.get("ratings").and_then(Value::as_object).into_iter().flatten()
        {
            let both =
                given.get("marks").map_or((given, None), |marks| (marks, given.get("turned")));
            if is_silent(both.0) {
                continue;
            }
            let marks = per_answer(both.0).ok_or_else(|| unknown(judge, given))?;
            ratings.push((judge.clone(), marks, both.1.and_then(per_answer)));
        }
        let question = self.text("question")?;
        let mut found = Vec::new();
        for first in 0..answers.len() {
            for second in first + 1..answers.len() {
                let pick = |marks: &Vec<f64>| [marks[first], marks[second]];
                let by_name = preferred.and_then(|name| {
                    let sides = [first, second].map(|side| answers[side].system == name);
                    match sides {
                        [true, false] => Some(Choice::First),
                        [false, true] => Some(Choice::Second),
                        _ => (name == "tie").then_some(Choice::Tie),
                    }
                });
                let by_score = people.as_ref().map(pick);
                let by_score = by_score.map(|[one, other]| Choice::by_marks(one, other));
                let said = ratings.iter().map(|(judge, marks, turned)| {
                    let other_order = turned.as_ref().map(|marks| (Some(pick(marks)), None));
                    let said = Said { marks: Some(pick(marks)), choice: None, other_order };
                    (judge.clone(), said)
                });
                found.push(Judged {
                    id: self.name(&["id"]),
                    question: question.clone(),
                    part: self.name(&["part"]),
                    answers: [answers[first].clone(), answers[second].clone()],
                    gold: by_name.or(by_score),
                    said: said.collect(),
                });
            }
        }
        Ok(found)
    }
}

/// Whether a judge gave no mark here, or only one of them: then it compared nothing.
fn is_silent(given: &Value) -> bool {
    let marks = given.as_array();
    given.is_null() || marks.is_some_and(|marks| marks.iter().any(Value::is_null))
}

/// A number, or a text that is one.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// 1 or 2, as a number or a text.
fn numbered(label: &Value) -> Option<Choice> {
    match number(label)? {
        1.0 => Some(Choice::First),
        2.0 => Some(Choice::Second),
        0.0 => Some(Choice::Tie),
        _ => None,
    }
}

fn lettered(label: &str) -> Option<Choice> {
    match label.trim() {
        "A>B" | "A>>B" => Some(Choice::First),
        "B>A" | "B>>A" => Some(Choice::Second),
        "A=B" | "B=A" => Some(Choice::Tie),
        _ => None,
    }
}

fn unknown(field: &str, value: &Value) -> String {
    let said: String = value.to_string().chars().take(60).collect();
    format!("`{field}` has the unsupported value {said}")
}
