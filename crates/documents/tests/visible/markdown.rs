//! Markdown.

use super::{Case, SHOWN};

/// Markdown that hides, or does not: `{}` is the sentence.
const CASES: [(&str, bool, &str); 27] = [
    ("comment", false, "<!-- {} -->"),
    ("comment-in-line", false, "Windows are <!-- {} --> closed."),
    ("comment-lines", false, "<!--\n\n{}\n\n-->"),
    ("comment-in-item", false, "- one\n- <!-- {} --> two"),
    ("link-comment", false, "[//]: # ({})"),
    ("link-comment-quotes", false, "[//]: # \"{}\""),
    ("link-comment-empty", false, "[comment]: <> ({})"),
    ("link-label", false, "[{}]: #"),
    ("display-none", false, "<div style=\"display:none\">{}</div>"),
    ("hidden-block", false, "<div hidden>\n\n{}\n\n</div>"),
    ("hidden-in-line", false, "Windows are closed. <span style='opacity:0'>{}</span>"),
    ("white", false, "<span style=\"color:white\">{}</span>"),
    (
        "style-sheet",
        false,
        "<style>.q p{visibility:hidden}</style>\n\n<div class=\"q\"><p>{}</p></div>",
    ),
    ("processing", false, "<? {} ?>"),
    ("declaration", false, "<!X {}>"),
    ("template", false, "<template>{}</template>"),
    ("link-comment-again", false, "[//]: # (one)\n[//]: # ({})"),
    ("link-comment-next-line", false, "[//]: #\n    \"{}\""),
    ("link-comment-in-quote", false, "> Quoted.\n>\n> [//]: # ({})"),
    ("attribute", false, "<span title=\"{}\">Windows</span>"),
    ("paragraph-after-hidden", true, "<p hidden>\n\n{}\n"),
    ("in-code", true, "`<!-- {} -->`"),
    ("in-fence", true, "```html\n<div hidden>{}</div>\n```"),
    ("in-indented-code", true, "text\n\n    <div hidden>{}</div>"),
    ("details", true, "<details open><summary>More</summary>\n\n{}\n\n</details>"),
    ("escaped", true, "\\<!-- {} -->"),
    ("footnote-like", true, "[a]: is {}"),
];

pub(super) fn cases() -> Vec<Case> {
    let case = |(name, is_seen, body): (&'static str, bool, &str)| {
        Case::of_text(name, is_seen, format!("# Scope\n\n{SHOWN}\n\n{body}\n\nThe end.\n"))
    };
    CASES.into_iter().map(case).collect()
}
