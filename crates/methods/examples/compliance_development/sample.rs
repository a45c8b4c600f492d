//! The sample of the demo, `examples/compliance`, judged and held against its truth keys.

use std::error::Error;
use std::path::Path;

use assize_methods::compliance::{Criterion, ResponseStructure, Rubric, RuleJudge};

/// Prints every pair of the sample.
pub(crate) fn show() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/compliance");
    let read = |name: &str| std::fs::read_to_string(folder.join(name));
    // No cell of these two files holds a comma before its last column.
    let criteria: Vec<Criterion> = read("criteria.csv")?
        .lines()
        .skip(1)
        .filter_map(|line| {
            let mut cells = line.splitn(3, ',');
            Some(Criterion::new(cells.next()?, cells.next()?, cells.next()?))
        })
        .collect();
    let judge = RuleJudge::new(&criteria);
    let truth = read("truth.csv")?;
    for name in ["access-policy.md", "continuity-plan.md"] {
        let text = read(name)?;
        let document = judge.read(&text);
        let (mut sum, mut quotes) = (0.0, 0);
        for (place, criterion) in criteria.iter().enumerate() {
            let found = judge.judge(place, &document, None, &ResponseStructure::default());
            let judged = found.judged(&Rubric::default());
            let key = format!("{name},{},", criterion.id);
            let expected =
                truth.lines().find_map(|line| line.strip_prefix(&key)?.split(',').next());
            let label = judged.status.as_ref().map_or("", |status| &*status.label);
            let score = judged.score().unwrap_or(0.0);
            (sum, quotes) = (sum + score, quotes + found.citations.len());
            println!(
                "{name} {}: {score} {label}, a person says {}",
                criterion.id,
                expected.unwrap_or("–")
            );
            println!("  {}", found.assessment.sections["explanation"].as_str().unwrap_or_default());
        }
        println!("{name}: mean {:.1}, {quotes} citations", sum / criteria.len() as f64);
    }
    Ok(())
}
