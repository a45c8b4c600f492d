//! How it works, in plain words, and what each number means.

use maud::{Markup, html};

/// A word of the pages, and what it means.
const WORDS: [(&str, &str); 12] = [
    (
        "Score",
        "Compliance: 0 to 100, given by the judge and guided by the rubric; the label follows from the number, never the other way round.",
    ),
    (
        "Tier",
        "A range of scores with a label. A fraction belongs to the highest tier whose lower end it reaches: 80.5 lies below 81.",
    ),
    (
        "± and n = 1",
        "Half of the 95 % interval of a mean. With one value there is none, and the page says n = 1.",
    ),
    (
        "–",
        "No score, with the reason beside it. It is never a zero, and a mean says how many were left out of it.",
    ),
    (
        "Hallucination",
        "Summaries: 10 means that none was found. All five metrics run from 0 to 10, and more is better.",
    ),
    (
        "Cap",
        "A rule that holds a score down, with its reason. Every cap that was considered stands in the ledger.",
    ),
    (
        "Citation",
        "A quote of the judge, looked up in the document: exact, with other spaces or quotation marks, or nearly. One that is not there is named and counts for nothing.",
    ),
    (
        "Decision",
        "A person’s score or label, kept beside the judge’s. The latest counts; the history keeps all, and a decision can be reverted.",
    ),
    ("Truth key", "What an analyst says a document should score. Accuracy is measured against it."),
    (
        "Kappa",
        "Agreement beyond chance, with far disagreements counting more: 1 is perfect, 0 is chance.",
    ),
    ("Baseline", "The run that others of its instrument are compared with."),
    (
        "Ledger",
        "How a score was computed, step by step: what was counted, which formula, which caps.",
    ),
];

/// The whole content.
pub fn content() -> Markup {
    html! {
        h1 { "How it works" }
        div class="prose" {
            p { "A judge labels and quotes: rules that run here, or a model that you name. All arithmetic is ours and the same for every judge. So a score can be explained, repeated to the bit, and computed again from stored evidence when a rule changes." }
            h2 { "From documents to a report" }
            ol {
                li { a href="/admin/org/eval/criteria-sets" { "Bring your criteria" } " as CSV or Excel, or an OSCAL catalog." }
                li { a href="/runs/new?instrument=compliance" { "Start an evaluation" } " with your documents: PDF, Word, text." }
                li { "Look at what needs attention first: results without a score, quotes that were not found, scores near an edge." }
                li { "Open a result, read the passage that is quoted, and decide with a reason." }
                li { "Export the run as Excel, PDF, CSV, JSON or OSCAL." }
            }
            h2 { "Keys" }
            ul {
                li { kbd { "j" } " and " kbd { "k" } ": the next and the one before, in tables and from item to item; " kbd { "↵" } " opens." }
                li { kbd { "Ctrl" } " " kbd { "↵" } ": save a decision and open the next." }
                li { kbd { "1" } " to " kbd { "9" } ": rate in the review queue; " kbd { "s" } " skips." }
                li { kbd { "/" } ": search in a table." }
            }
            h2 { "Words" }
            dl { @for (word, meaning) in WORDS { dt { b { (word) } } dd { (meaning) } } }
        }
    }
}
