//! A comparison as a LaTeX table for a paper.

use std::fmt::Write;

use assize_wire::retrieval::{Comparison, Mark};

use crate::output::report::escaped;

/// One row a run; the best of a column is bold, significant differences carry a mark.
pub(crate) fn render(comparison: &Comparison) -> String {
    let measures = comparison.measures();
    let mut text = String::from("% needs \\usepackage{booktabs}\n");
    let _ = writeln!(text, "\\begin{{tabular}}{{l{}}}", "r".repeat(measures.len()));
    text.push_str("\\toprule\nrun");
    for measure in &measures {
        let _ = write!(text, " & {}", escaped(measure));
    }
    text.push_str(" \\\\\n\\midrule\n");
    for (index, run) in comparison.runs.iter().enumerate() {
        text.push_str(&escaped(&run.name));
        for (column, (measure, score)) in run.scores.0.iter().enumerate() {
            let number = score.shown();
            let is_best = comparison.is_best(score.value, column);
            let number = if is_best { format!("\\textbf{{{number}}}") } else { number };
            let mark = match comparison.mark_against_first(index, measure) {
                Mark::Better => "$^{\\uparrow}$",
                Mark::Worse => "$^{\\downarrow}$",
                Mark::None => "",
            };
            let _ = write!(text, " & {number}{mark}");
        }
        text.push_str(" \\\\\n");
    }
    let method = escaped(&comparison.method);
    let _ = writeln!(text, "\\bottomrule\n\\end{{tabular}}\n% {method}");
    text
}

#[cfg(test)]
mod tests {
    use crate::output::report::escaped;

    #[test]
    fn a_run_name_cannot_bring_a_command() {
        assert_eq!(escaped("a_b\\input{x}"), "a\\_b\\textbackslash{}input\\{x\\}");
    }
}
