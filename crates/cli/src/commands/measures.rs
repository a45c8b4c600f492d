//! `assize measures`: what can be measured, and how it is written.

use std::fmt::Write;

use anyhow::Result;
use assize_methods::retrieval::ranked::table::{At, Takes};
use assize_methods::retrieval::ranked::{Combine, Family, MEASURES};
use clap::{Args, ValueEnum};

use crate::exit::Done;
use crate::output::files;
use crate::output::table::{columns, table};

/// List the available measures and their syntax.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Human-readable
    Table,
    /// Markdown, as in docs/reference/measures.md
    Markdown,
}

/// The measures of passages, which need texts and so have no place in the ranked table.
const PASSAGES: [(&str, &str); 11] = [
    (
        "exact_match",
        "1 if the top passage equals a gold snippet, ignoring case and surrounding whitespace",
    ),
    ("span_f1", "F1 of the tokens shared by the top passage and the best gold snippet"),
    ("recall@k", "share of the gold snippets contained in one of the first k passages"),
    ("ndcg@k", "discounted gain of matching passages as a share of the ideal ranking"),
    ("char_precision@k", "share of the retrieved characters that are gold"),
    ("char_recall@k", "share of the gold characters that were retrieved"),
    ("char_f1@k", "harmonic mean of the two"),
    (
        "non_llm_context_precision_with_reference",
        "mean precision at the ranks of retrieved contexts that are like a reference, as in ragas",
    ),
    (
        "non_llm_context_recall",
        "share of the references that a retrieved context is like, as in ragas",
    ),
    (
        "faithfulness",
        "share of the claims of the record's answer that the retrieved passages back, by rules",
    ),
    ("answer_relevance", "how much the segments of the answer share with the passages, by rules"),
];

/// Prints the list.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let text = match arguments.format {
        Format::Table => for_terminal(),
        Format::Markdown => markdown(),
    };
    files::report(&text)
}

fn for_terminal() -> String {
    let headings = columns("measure | also | meaning");
    let passages =
        PASSAGES.map(|(name, about)| vec![name.to_owned(), String::new(), about.to_owned()]);
    let ranked = MEASURES
        .iter()
        .map(|family| vec![notation(family), family.aliases.join(", "), family.about.to_owned()]);
    format!(
        "Passages and spans (JSON predictions and gold)\n{}\nRanked runs (TREC, BEIR, CSV, Parquet)\n{}\n{NOTATION}\n",
        table(&headings, passages.to_vec()),
        table(&headings, ranked.collect()),
    )
}

const NOTATION: &str = "\
k is a rank. Parameters go in parentheses: ndcg(gain=exp)@10, p(rel=2)@5, rbp(p=.8). trec_eval's names work too:
ndcg_cut_10, P_5, and the sets official and all_trec.";

fn markdown() -> String {
    let mut text = String::from(
        "# Measures\n\nWritten by `cargo xtask docs` from the tables in the code.\n\n\
         ## Passages and spans\n\n| measure | meaning |\n|---|---|\n",
    );
    for (name, about) in PASSAGES {
        let _ = writeln!(text, "| `{name}` | {about} |");
    }
    text.push_str(
        "\n## Ranked runs\n\n| measure | also | meaning | over queries |\n|---|---|---|---|\n",
    );
    for family in MEASURES {
        let aliases: Vec<String> =
            family.aliases.iter().map(|alias| format!("`{alias}`")).collect();
        let combine = match family.combine {
            Combine::Mean => "mean",
            Combine::Sum => "sum",
            Combine::GeometricMean => "geometric mean",
        };
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {combine} |",
            notation(family),
            aliases.join(", "),
            family.about
        );
    }
    let _ = write!(text, "\n{NOTATION}\n");
    text
}

/// A family as it is typed, with what may stand behind the name.
fn notation(family: &Family) -> String {
    let arguments = match family.takes {
        Takes::Number(parameter) | Takes::NumberAndGains(parameter) => {
            format!("({}={})", parameter.key, parameter.default)
        }
        Takes::Nothing | Takes::Gains | Takes::Numbers(_) | Takes::Shares(_) => String::new(),
    };
    let at = match family.at {
        At::Nothing => "",
        At::RankOrAll => "[@k]",
        At::Rank => "@k",
        At::Number(_) => "@x",
    };
    format!("{}{arguments}{at}", family.name)
}
