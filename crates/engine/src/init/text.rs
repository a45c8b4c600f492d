//! What is written: the file of checks with its comments, and a workflow that runs them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use crate::checks::Spec;

/// Where GitHub looks for workflows.
pub const WORKFLOW: &str = ".github/workflows/assize.yml";

const HEAD: &str = "\
# What `assize check` runs: one [[check]] for each thing that must hold.
# Bounds are a little below what the files reach today: raise them as results get better.
#
# What a line may require (docs/guide/check.md has all of it):
#   \"recall@10 >= 0.80\"                                      the mean of a measure
#   \"share(hallucination < 4) <= 2%\"                         how many items may be so
#   \"unscored <= 1%\"                                         how many may have no score
#   \"ndcg@10 no worse than baseline by 0.02\"                 once a baseline is kept
#
# A check fails when answers or scores are missing, when a file is empty, or when there are more or
# fewer items than in the baseline; allow = [\"missing\", \"empty\", \"other-items\"] accepts that by name.
";

/// The file: a check for each, with a remark where there is one.
pub fn configuration(specs: &[(Spec, Option<String>)]) -> String {
    let mut text = HEAD.to_owned();
    for (spec, remark) in specs {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n[[check]]\nname = {}\n", quoted(&spec.name));
        if let Some(remark) = remark {
            let _ = writeln!(text, "# {remark}");
        }
        text.push_str(&instrument(spec));
        text.push_str("require = [\n");
        for line in &spec.require {
            let _ = writeln!(text, "    {},", quoted(line));
        }
        let measure = spec.require.first().and_then(|line| line.split(' ').next());
        if let Some(measure) = measure {
            let by = drop_allowed(spec.instrument());
            let line = format!("{measure} no worse than baseline by {by}");
            let _ = writeln!(text, "    # {},", quoted(&line));
        }
        text.push_str("]\n");
    }
    text
}

/// A drop worth a look, on the scale of the instrument.
fn drop_allowed(instrument: &str) -> f64 {
    match instrument {
        "evaluate" => 2.0,
        "summary" | "council" => 0.2,
        _ => 0.02,
    }
}

/// What the check is about, as a line.
fn instrument(spec: &Spec) -> String {
    let mut entries: Vec<(&str, String)> = Vec::new();
    if let Some(score) = &spec.score {
        entries.push(("run", path(&score.content.run)));
        entries.extend(score.content.gold.as_ref().map(|gold| ("gold", path(gold))));
    }
    if let Some(retrieve) = &spec.retrieve {
        entries.push(("queries", path(&retrieve.content.queries)));
        entries.push(("corpus", path(&retrieve.content.corpus)));
        entries.extend(retrieve.content.qrels.as_ref().map(|qrels| ("qrels", path(qrels))));
    }
    if let Some(summary) = &spec.summary {
        entries.push(("input", path(&summary.content.input)));
        entries.push(("framework", quoted(&summary.request.framework.name())));
        entries.extend(mapping(&summary.content.map));
    }
    if let Some(evaluate) = &spec.evaluate {
        entries.push(("criteria", path(&evaluate.criteria)));
        let documents: Vec<String> = evaluate.documents.iter().map(|file| path(file)).collect();
        entries.push(("documents", format!("[{}]", documents.join(", "))));
        entries.extend(mapping(&evaluate.map));
    }
    if let Some(gate) = &spec.gate {
        entries.push(("input", path(&gate.input)));
    }
    if let Some(council) = &spec.council {
        entries.push(("run", path(&council.run)));
    }
    let entries: Vec<String> =
        entries.into_iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{} = {{ {} }}\n", spec.instrument(), entries.join(", "))
}

fn mapping(map: &BTreeMap<String, String>) -> Option<(&'static str, String)> {
    let entries: Vec<String> =
        map.iter().map(|(field, column)| format!("{field} = {}", quoted(column))).collect();
    (!entries.is_empty()).then(|| ("map", format!("{{ {} }}", entries.join(", "))))
}

fn path(path: &Path) -> String {
    quoted(&path.display().to_string().replace('\\', "/"))
}

/// As TOML writes a text.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// A workflow for GitHub: on every pull request and push, with the report on both.
pub fn workflow() -> &'static str {
    "\
# Runs `assize check` on every pull request and on every push to main.
name: assize
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
  pull-requests: write   # for the one comment that is kept up to date
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      # The action of the Assize repository: installs the release of its own tag by checksum, keeps
      # the baseline of the main branch, writes the job summary and one comment. Point it at the
      # repository and tag that you trust, or at a checkout (uses: ./assize, version: checkout).
      # With `binary: PATH` it installs nothing and runs that program.
      - uses: OWNER/assize@v0.1.0
        with:
          config: assize.toml
"
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::asking::JudgeName;
    use crate::checks::read_specs;
    use crate::checks::spec::{Evaluate, Pairs, Summary};
    use crate::summary::SummaryRequest;

    #[test]
    fn what_is_written_is_read_as_it_was() {
        let map = BTreeMap::from([("article".to_owned(), "Source \"text\"".to_owned())]);
        let content = Pairs { input: "out/a b.jsonl".into(), map: map.clone(), sheet: None };
        let summary = Summary { content, request: SummaryRequest::default() };
        let evaluate = Evaluate {
            criteria: "c.csv".into(),
            documents: vec!["a.md".into(), "b.md".into()],
            judge: JudgeName::Rules,
            map,
            sheet: None,
            skip_unusable: false,
        };
        let base = Spec { require: vec!["score >= 0.5".to_owned()], ..Spec::default() };
        let specs = [
            Spec { name: "one".to_owned(), summary: Some(summary), ..base.clone() },
            Spec { name: "two".to_owned(), evaluate: Some(evaluate), ..base },
        ];
        let text = configuration(&specs.clone().map(|spec| (spec, Some("a remark".to_owned()))));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("assize.toml");
        fs::write(&file, &text).unwrap();
        assert_eq!(read_specs(&file).unwrap(), specs, "{text}");
    }
}
