//! How it works, in plain words, and what each number means.

use maud::{Markup, html};

/// A word of the pages, and what it means.
const WORDS: [(&str, &str); 12] = [
    (
        "Score",
        "In compliance runs, a number from 0 to 100 that the judge gives according to the rubric. The label is derived from the number, never the other way round.",
    ),
    (
        "Tier",
        "A range of scores with a label. A fraction belongs to the highest tier whose lower bound it reaches, so 80.5 is still below the tier that starts at 81.",
    ),
    (
        "± and n = 1",
        "Half the width of the 95 % interval of a mean. A single value has no interval, so n = 1 is shown instead.",
    ),
    (
        "–",
        "No score; the reason is shown next to it. A missing score is never counted as zero, and each mean shows how many results were left out.",
    ),
    (
        "Hallucination",
        "In summary runs, 10 means no hallucination was found. All five metrics range from 0 to 10, and higher is better.",
    ),
    (
        "Cap",
        "A rule that limits a score, with a reason. The ledger lists every cap that was checked.",
    ),
    (
        "Citation",
        "A quote from the judge that is looked up in the document. It may match exactly, with different spacing or quotation marks, or approximately. A quote that is not found is flagged and does not count as evidence.",
    ),
    (
        "Decision",
        "A person’s score or outcome, saved alongside the judge’s. The latest decision is used, all decisions stay in the history, and a decision can be reverted.",
    ),
    (
        "Truth key",
        "The score an analyst expects for a document and a criterion. Accuracy is measured against it.",
    ),
    (
        "Kappa",
        "Agreement beyond chance, where larger disagreements weigh more. 1 is perfect agreement, 0 is chance.",
    ),
    ("Baseline", "The run that other runs of the same instrument are compared with."),
    (
        "Ledger",
        "The step-by-step calculation of a score: what was counted, the formula and the caps.",
    ),
];

/// The whole content.
pub fn content() -> Markup {
    html! {
        h1 { "How it works" }
        div class="prose" {
            p { "A judge labels and quotes. It is either a set of rules that run on this machine or a model that you choose. Assize does all the arithmetic, in the same way for every judge, so every score can be explained, reproduced exactly, and recomputed from stored evidence when a rule changes." }
            h2 { "From documents to a report" }
            ol {
                li { a href="/admin/org/eval/criteria-sets" { "Import your criteria" } " as CSV or Excel, or an OSCAL catalog." }
                li { a href="/runs/new?instrument=compliance" { "Start an evaluation" } " with your documents in PDF, Word or text format." }
                li { "Start with what needs attention: results without a score, quotes that were not found, and scores near a tier boundary." }
                li { "Open a result, read the quoted passage, and record your decision with a reason." }
                li { "Export the run as Excel, PDF, CSV, JSON or OSCAL." }
            }
            h2 { "Keyboard shortcuts" }
            ul {
                li { kbd { "j" } " and " kbd { "k" } ": next and previous, in tables and between items; " kbd { "↵" } " opens the selected row." }
                li { kbd { "Ctrl" } " " kbd { "↵" } ": save a decision and open the next result." }
                li { kbd { "1" } " to " kbd { "9" } ": rate in the review queue; " kbd { "s" } " skips an item." }
                li { kbd { "/" } ": search the table." }
            }
            h2 { "Glossary" }
            dl { @for (word, meaning) in WORDS { dt { b { (word) } } dd { (meaning) } } }
        }
    }
}
