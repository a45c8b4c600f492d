//! Web pages.

use super::{Case, SHOWN};

/// Elements that hide, or do not: `{}` is the sentence.
const BY_STYLE: [(&str, bool, &str); 66] = [
    ("hidden", false, "<p hidden>{}</p>"),
    ("hidden-until-found", false, "<p hidden='until-found'>{}</p>"),
    ("aria-hidden", false, "<p aria-hidden=\"true\">{}</p>"),
    ("display-none", false, "<p style='display: none'>{}</p>"),
    ("display-none-important", false, "<p style='display:none!important;display:block'>{}</p>"),
    ("display-entity", false, "<p style='display&#58;none'>{}</p>"),
    ("display-css-escape", false, "<p style='display:n\\6fne'>{}</p>"),
    ("display-css-comment", false, "<p style='display:/* x */none'>{}</p>"),
    ("visibility-hidden", false, "<p style='visibility:hidden'>{}</p>"),
    ("visibility-collapse", false, "<p style='visibility:collapse'>{}</p>"),
    ("content-visibility", false, "<div style='content-visibility:hidden'>{}</div>"),
    ("opacity-0", false, "<p style='opacity:0'>{}</p>"),
    ("opacity-percent", false, "<p style='opacity:1%'>{}</p>"),
    ("opacity-nested", false, "<div style='opacity:.2'><p style='opacity:.2'>{}</p></div>"),
    ("filter-opacity", false, "<p style='filter:opacity(0)'>{}</p>"),
    ("font-size-0", false, "<p style='font-size:0'>{}</p>"),
    ("font-size-1px", false, "<p style='font-size:1px'>{}</p>"),
    ("font-size-em", false, "<p style='font-size:.02em'>{}</p>"),
    ("font-shorthand", false, "<p style='font:bold 0/1 serif'>{}</p>"),
    ("white", false, "<p style='color:#fff'>{}</p>"),
    ("white-font-element", false, "<p><font color='white'>{}</font></p>"),
    ("white-hsl", false, "<p style='color:hsl(0, 0%, 100%)'>{}</p>"),
    ("white-on-white", false, "<p style='color:white;background:white'>{}</p>"),
    ("near-white", false, "<p style='color:#fdfdfd'>{}</p>"),
    ("transparent", false, "<p style='color:transparent'>{}</p>"),
    ("rgba-0", false, "<p style='color:rgba(0,0,0,0)'>{}</p>"),
    ("hex-alpha-0", false, "<p style='color:#00000000'>{}</p>"),
    ("text-fill", false, "<p style='-webkit-text-fill-color:transparent'>{}</p>"),
    ("blue-on-blue", false, "<div style='background:#036'><p style='color:#036'>{}</p></div>"),
    ("inherited-white", false, "<div style='color:white'><p><b>{}</b></p></div>"),
    ("black-on-bgcolor", false, "<table bgcolor=black width=600><tr><td>{}</table>"),
    ("clip-rect", false, "<p style='position:absolute;clip:rect(0,0,0,0)'>{}</p>"),
    ("clip-path-inset", false, "<p style='clip-path:inset(100%)'>{}</p>"),
    ("clip-path-inset-50", false, "<p style='clip-path: inset(50%)'>{}</p>"),
    ("clip-path-circle", false, "<p style='clip-path:circle(0)'>{}</p>"),
    ("clip-path-polygon", false, "<p style='clip-path:polygon(0 0, 0 0, 0 0)'>{}</p>"),
    ("height-0", false, "<div style='height:0;overflow:hidden'>{}</div>"),
    ("max-height-0", false, "<div style='max-height:0px;overflow-y:hidden'>{}</div>"),
    ("width-0", false, "<div style='width:0;overflow:clip;white-space:nowrap'>{}</div>"),
    (
        "one-pixel",
        false,
        "<div style='width:1px;height:1px;overflow:hidden;position:absolute'>{}</div>",
    ),
    ("scale-0", false, "<p style='transform:scale(0)'>{}</p>"),
    ("scale-y-0", false, "<p style='transform:rotate(3deg) scaleY(0)'>{}</p>"),
    ("scale-property", false, "<p style='scale:0'>{}</p>"),
    ("translate", false, "<p style='transform:translateX(-9999px)'>{}</p>"),
    ("off-left", false, "<div style='position:absolute;left:-9999px'>{}</div>"),
    ("off-left-em", false, "<div style='position:absolute;left:-999em'>{}</div>"),
    ("off-top", false, "<div style='position:fixed;top:-9999px'>{}</div>"),
    ("off-right", false, "<div style='position:fixed;left:9999px'>{}</div>"),
    ("off-margin", false, "<p style='margin-left:-9999px'>{}</p>"),
    ("off-indent", false, "<p style='text-indent:-9999px;white-space:nowrap'>{}</p>"),
    ("closed-dialog", false, "<dialog>{}</dialog>"),
    ("white-on-black", true, "<p style='color:#fff;background:#000'>{}</p>"),
    ("white-in-black", true, "<div style='background-color:black;color:white'><p>{}</p></div>"),
    (
        "visible-in-hidden",
        true,
        "<div style='visibility:hidden'><p style='visibility:visible'>{}</p></div>",
    ),
    (
        "large-in-font-0",
        true,
        "<div style='font-size:0'><span style='font-size:16px'>{}</span></div>",
    ),
    ("height-0-overflows", true, "<div style='height:0'>{}</div>"),
    ("details", true, "<details open><summary>More</summary>{}</details>"),
    ("overridden-display", true, "<p style='display:none;display:block'>{}</p>"),
    ("hint", true, "<p style='color:#767676;font-size:10px;opacity:.9;left:-4px'>{}</p>"),
    ("span-with-height", true, "<p><span style='height:0;overflow:hidden'>{}</span></p>"),
    ("padded-box", true, "<div style='height:0;overflow:hidden;padding-bottom:60px'>{}</div>"),
    ("static-left", true, "<p style='left:-9999px'>{}</p>"),
    ("shown-hidden", true, "<p hidden style='display:block'>{}</p>"),
    ("hidden-formatting-closed", true, "<b style='display:none'><p>no</b>{}</p>"),
    ("shadow", true, "<p style='color:white;text-shadow:0 0 1px #000'>{}</p>"),
    ("unclosed-hidden", true, "<ul><li hidden>no<li>{}</ul>"),
];

/// A style sheet, and what it holds for.
const BY_SHEET: [(&str, bool, &str, &str); 36] = [
    ("class", false, ".q{display:none}", "<p class='a q'>{}</p>"),
    ("id", false, "#q{display:none}", "<p id=q>{}</p>"),
    ("element", false, "aside{visibility:hidden}", "<aside>{}</aside>"),
    ("descendant", false, "#q p{visibility:hidden}", "<div id=q><div><p>{}</p></div></div>"),
    ("child", false, ".q>p{opacity:0}", "<div class=q><p>{}</p></div>"),
    ("adjacent", false, "h2 + p{font-size:0}", "<h2>Head</h2><p>{}</p>"),
    ("sibling", false, "h2 ~ p{font-size:0}", "<h2>Head</h2><ul></ul><p>{}</p>"),
    ("compound", false, "p.q.r{display:none}", "<p class='r q'>{}</p>"),
    ("attribute", false, "[data-x='1']{display:none}", "<p data-x=1>{}</p>"),
    ("universal", false, ".q *{display:none}", "<div class=q><p>{}</p></div>"),
    ("list", false, "h6, .q , h5{display:none}", "<p class=q>{}</p>"),
    ("not", false, "p:not(.shown){display:none}", "<p>{}</p>"),
    ("is", false, ":is(p, li).q{display:none}", "<p class=q>{}</p>"),
    ("last-child", false, ".b p:last-child{display:none}", "<div class=b><p>x</p><p>{}</p></div>"),
    (
        "nth-child",
        false,
        ".b p:nth-child(2n){display:none}",
        "<div class=b><p>x</p><p>{}</p><p>y</p></div>",
    ),
    ("comment", false, "/* .q{} */.q/**/{display:none}", "<p class=q>{}</p>"),
    ("media-screen", false, "@media screen{.q{display:none}}", "<p class=q>{}</p>"),
    (
        "media-width",
        false,
        "@media (min-width:400px) and (max-width:3000px){.q{display:none}}",
        "<p class=q>{}</p>",
    ),
    ("media-not-print", false, "@media not print{.q{display:none}}", "<p class=q>{}</p>"),
    ("supports", false, "@supports (display:grid){.q{display:none}}", "<p class=q>{}</p>"),
    ("layer", false, "@layer x{.q{display:none}}", "<p class=q>{}</p>"),
    ("nested", false, ".b{color:black; .q{display:none}}", "<div class=b><p class=q>{}</p></div>"),
    ("variable", false, ":root{--d:none}.q{display:var(--d)}", "<p class=q>{}</p>"),
    (
        "same-colour",
        false,
        ".b{background:#222}.q{color:#222}",
        "<div class=b><p class=q>{}</p></div>",
    ),
    ("white-by-class", false, ".q{color:white}", "<p class=q>{}</p>"),
    (
        "beats-inline",
        false,
        ".q{display:none!important}",
        "<p class=q style='display:block'>{}</p>",
    ),
    (
        "clip-class",
        false,
        ".q{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(1px,1px,1px,1px)}",
        "<p class=q>{}</p>",
    ),
    ("media-print", true, "@media print{.q{display:none}}", "<p class=q>{}</p>"),
    ("media-small", true, "@media (max-width:300px){.q{display:none}}", "<p class=q>{}</p>"),
    (
        "media-dark",
        true,
        "@media (prefers-color-scheme:dark){.q{display:none}}",
        "<p class=q>{}</p>",
    ),
    ("hover", true, ".q:hover{display:none}", "<p class=q>{}</p>"),
    ("before", true, ".q::before{display:none}", "<p class=q>{}</p>"),
    ("more-specific", true, ".q{display:none}p.q{display:block}", "<p class=q>{}</p>"),
    ("later", true, ".q{display:none}.q{display:block}", "<p class=q>{}</p>"),
    ("black-page", true, "body{background:#000;color:#fff}", "<p>{}</p>"),
    ("other-descendant", true, "#r p{display:none}", "<div id=q><p>{}</p></div>"),
];

pub(super) fn cases() -> Vec<Case> {
    let page = |head: &str, body: &str| {
        // The paragraph before has a ground of its own, so that it is seen on every page.
        format!(
            "<!doctype html><html><head>{head}</head><body><div>\
             <span style='background:#fff;color:#000;font-size:16px'>{SHOWN}</span></div>{body}</body></html>"
        )
    };
    let mut cases: Vec<Case> = BY_STYLE
        .into_iter()
        .map(|(name, is_seen, body)| Case::of_text(name, is_seen, page("", body)))
        .collect();
    cases.extend(BY_SHEET.into_iter().map(|(name, is_seen, sheet, body)| {
        Case::of_text(name, is_seen, page(&format!("<style>{sheet}</style>"), body))
    }));
    let print = "<style media=print>.q{display:none}</style>";
    cases.push(Case::of_text("style-for-print", true, page(print, "<p class=q>{}</p>")));
    let late = "<p class=q>{}</p><style>.q{display:none}</style>";
    cases.push(Case::of_text("style-after", false, page("", late)));
    cases
}
