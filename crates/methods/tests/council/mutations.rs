//! What no record, ballot or file can break, however it is mutated, in every aggregation.

use std::collections::BTreeMap;
use std::sync::Mutex;

use assize_methods::council::verdict::Status;
use assize_methods::council::{
    Aggregation, CouncilRecord, CouncilVerdict, Dimension, Gating, Recusal, Settings, decide,
};
use assize_methods::gate::Gate;
use assize_stats::resample::Generator;
use serde_json::{Value, json};

use crate::support::{HARMFUL, record, replied, reviewer};

/// How many mutated records are decided.
const MUTATED: usize = 10_000;

/// Draws that are the same everywhere.
struct Draw(Generator);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }
}

/// A sound council: members review each other, or others do; marks or replies; gated or not.
fn sound(draw: &mut Draw) -> CouncilRecord {
    let answers = 2 + draw.below(2);
    let mut reviewers = Vec::new();
    for number in 0..=draw.below(3) {
        let name = format!("{}{}", draw.of(&["m", "r", " M"]), number + 1);
        let marks: Vec<[f64; 5]> =
            (0..answers).map(|_| [0; 5].map(|_| 1.0 + draw.below(10) as f64)).collect();
        reviewers.push(match draw.below(3) {
            0 => replied(&name, answers, &reply(draw, &marks)),
            _ => reviewer(&name, &marks),
        });
    }
    let mut record = record(answers, reviewers);
    for answer in &mut record.answers {
        if draw.below(3) == 0 {
            *answer = assize_methods::council::Answer::given(answer.model.clone(), HARMFUL);
        }
    }
    // The gate is the slow part in a debug build; two of five meet it.
    if draw.below(5) < 2 {
        record.gate = Some(Gating::new(draw.below(10) as f64, Vec::new()).unwrap());
    }
    record
}

/// A ballot as a reviewer writes it, with a slip here and there.
fn reply(draw: &mut Draw, marks: &[[f64; 5]]) -> String {
    let names =
        ["accuracy", "Accuracy", "relevance", "completeness", "overall", "clarity", "score"];
    let labels = ["Response A", "A", "Response B", "Response C", "Response D"];
    let entries = marks.iter().flatten().take(12).map(|mark| {
        let label = draw.of(&labels);
        let (first, second) = (draw.of(&names), draw.of(&names));
        format!("\"{label}\": {{\"{first}\": {mark}, \"{second}\": {}}}", draw.below(12))
    });
    let entries: Vec<String> = entries.collect();
    let scale = draw.of(&["", "\"scale\": \"0-10\", ", "\"scale\": 100, ", "\"scale\": -1, "]);
    let refusal = draw.of(&["", ", \"appropriate_refusal\": true"]);
    format!("{{{scale}\"evaluations\": {{{}}}{refusal}}}", entries.join(", "))
}

/// Changes one place of a file: another value, another copy, or nothing at all.
fn mutate(value: &mut Value, draw: &mut Draw) {
    let inside = draw.below(6) > 0;
    match value {
        Value::Array(items) if inside && !items.is_empty() => {
            let index = draw.below(items.len());
            match draw.below(8) {
                0 => drop(items.remove(index)),
                1 => items.push(items[index].clone()),
                _ => mutate(&mut items[index], draw),
            }
        }
        Value::Object(map) if inside && !map.is_empty() => {
            let key = map.keys().nth(draw.below(map.len())).unwrap().clone();
            match draw.below(16) {
                0 => drop(map.remove(&key)),
                _ => mutate(&mut map[&key], draw),
            }
        }
        other => *other = another(other, draw),
    }
}

/// Another value, mostly of the same kind: what is of another kind is seldom read at all.
fn another(value: &Value, draw: &mut Draw) -> Value {
    if draw.below(20) == 0 {
        return draw.of(&[
            json!(null),
            json!([]),
            json!({}),
            json!("given"),
            json!({"passed": true}),
        ]);
    }
    match value {
        Value::Number(number) if number.is_f64() => {
            draw.of(&[json!(0.0), json!(1.0), json!(3.5), json!(10.0), json!(-1.0), json!(1e300)])
        }
        Value::Number(_) => draw.of(&[json!(0), json!(1), json!(2), json!(7), json!(u64::MAX)]),
        Value::Bool(yes) => json!(!yes),
        Value::String(_) => draw.of(&[json!("m1"), json!(" M2"), json!("r1"), json!(HARMFUL)]),
        Value::Array(_) => draw.of(&[json!([]), json!([0, 0, 0]), json!([1, 0])]),
        _ => json!({"value": draw.below(11) as f64}),
    }
}

/// What the gate itself says of a text, looked up once for each.
fn fails_the_gate(text: &str) -> bool {
    static SEEN: Mutex<BTreeMap<String, bool>> = Mutex::new(BTreeMap::new());
    let mut seen = SEEN.lock().unwrap();
    *seen.entry(text.to_owned()).or_insert_with(|| !Gate::built_in().check(text).passed)
}

fn hold(record: &CouncilRecord, settings: &Settings, found: &CouncilVerdict) {
    for answer in &found.answers {
        let given = &record.answers[answer.answer];
        let fails = record.gate.is_some() && given.text().is_some_and(fails_the_gate);
        assert!(!(fails && answer.rank == Some(1)), "what fails the gate is first");
        let cells = || found.table.iter().filter_map(|row| row[answer.answer].as_ref());
        let counted: Vec<f64> = cells()
            .filter(|cell| cell.counted().is_some())
            .filter_map(|cell| cell.marks.get(&Dimension::Accuracy).copied())
            .collect();
        let Some(score) = &answer.score else { continue };
        assert!((0.0..=10.0).contains(&score.value), "{}", score.value);
        if fails {
            assert!(score.value <= record.gate.as_ref().unwrap().cap());
        }
        if !counted.is_empty() {
            let mean = counted.iter().sum::<f64>() / counted.len() as f64;
            // An edge may lie within the last digits of a mean.
            let most = settings.profile.ceiling.at_most(mean + 1e-8).unwrap_or(10.0);
            assert!(score.value <= most, "{} above the ceiling {most} of {mean}", score.value);
        }
        if let Some(range) = answer.interval {
            assert!(0.0 <= range.low && range.low <= range.high && range.high <= 10.0);
        }
    }
    for (row, cells) in found.table.iter().enumerate() {
        let reviewer = record.reviewers[row].model.trim().to_lowercase();
        for (answer, cell) in cells.iter().enumerate() {
            let author = record.answers[answer].model.trim().to_lowercase();
            let counts = cell.as_ref().is_some_and(|cell| cell.counted().is_some());
            assert!(!(counts && reviewer == author), "{reviewer} counts for itself");
        }
    }
    let heard = found.reviewers.iter().filter(|reviewer| reviewer.reviews_counted > 0).count();
    assert!(heard > 1 || found.status != Status::Complete, "one reviewer is no council");
    assert_eq!(found.winners().is_empty(), found.ranking.is_empty());
    if let Some(share) = found.uncertainty.same_winner {
        assert!((0.0..=1.0).contains(&share) && !found.ranking.is_empty());
    }
}

/// Decides mutated records until there are enough.
fn attack(stream: u64, count: usize) {
    let mut draw = Draw(Generator::stream(7, stream));
    let (mut decided, mut tried) = (0, 0);
    while decided < count {
        tried += 1;
        assert!(tried < 10 * count, "hardly anything can be read: {decided} of {tried}");
        let mut file = serde_json::to_value(sound(&mut draw)).unwrap();
        for _ in 0..=draw.below(3) {
            mutate(&mut file, &mut draw);
        }
        let Ok(record) = serde_json::from_value::<CouncilRecord>(file) else { continue };
        let settings = Settings {
            aggregation: Aggregation::ALL[decided % Aggregation::ALL.len()],
            recuse: draw.of(&[Recusal::Model, Recusal::Family]),
            break_ties: draw.below(2) == 0,
            // Drawing the reviewers anew repeats the same code; half of the records do it.
            resamples: usize::from(draw.below(2) == 0) * 2,
            ..Settings::default()
        };
        hold(&record, &settings, &decide(&record, &settings));
        decided += 1;
    }
}

// In four parts, so that they run beside each other.
#[test]
fn no_mutation_breaks_a_promise_first_quarter() {
    attack(0, MUTATED / 4);
}

#[test]
fn no_mutation_breaks_a_promise_second_quarter() {
    attack(1, MUTATED / 4);
}

#[test]
fn no_mutation_breaks_a_promise_third_quarter() {
    attack(2, MUTATED / 4);
}

#[test]
fn no_mutation_breaks_a_promise_last_quarter() {
    attack(3, MUTATED / 4);
}
