//! A comparison as a LaTeX table for a paper.

use std::fmt::Write;

use super::view::{Mark, View, value};

/// One row a run; the best of a column is bold, significant differences carry a mark.
pub(super) fn render(view: &View<'_>) -> String {
    let measures = view.measures();
    let mut text = String::from("% needs \\usepackage{booktabs}\n");
    let _ = writeln!(text, "\\begin{{tabular}}{{l{}}}", "r".repeat(measures.len()));
    text.push_str("\\toprule\nrun");
    for measure in &measures {
        let _ = write!(text, " & {}", escaped(measure));
    }
    text.push_str(" \\\\\n\\midrule\n");
    for (index, run) in view.comparison.runs.iter().enumerate() {
        text.push_str(&escaped(&run.name));
        for (measure, score) in run.scores.iter().enumerate() {
            let number = value(score);
            let number =
                if view.is_best(run, measure) { format!("\\textbf{{{number}}}") } else { number };
            let mark = match view.mark_against_first(index, measure) {
                Mark::Better => "$^{\\uparrow}$",
                Mark::Worse => "$^{\\downarrow}$",
                Mark::None => "",
            };
            let _ = write!(text, " & {number}{mark}");
        }
        text.push_str(" \\\\\n");
    }
    let method = escaped(&view.method());
    let _ = writeln!(text, "\\bottomrule\n\\end{{tabular}}\n% {method}");
    text
}

/// Text without the characters that LaTeX reads as commands.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => safe.push_str("\\textbackslash{}"),
            '~' => safe.push_str("\\textasciitilde{}"),
            '^' => safe.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                safe.push('\\');
                safe.push(character);
            }
            _ => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn a_run_name_cannot_bring_a_command() {
        assert_eq!(escaped("a_b\\input{x}"), "a\\_b\\textbackslash{}input\\{x\\}");
    }
}
