//! Small things that many pages show.

use assize_methods::compliance::Status;
use assize_wire::number::{fixed, signed};
use assize_wire::runs::Difference;
use assize_wire::workplace::{Decided, Figure};
use maud::{Markup, html};

use crate::bars::{meter, tone};

/// A text from outside as it is shown: characters that turn the direction of others around, and
/// control characters, are made visible instead of obeyed.
pub fn plain(text: &str) -> String {
    text.chars().map(|letter| if is_hidden(letter) { '\u{fffd}' } else { letter }).collect()
}

/// A message of a program as a sentence. A name or a value at its beginning stays as it is.
pub(crate) fn sentence(words: &str) -> String {
    let text = plain(words);
    let first = text.split(' ').next().unwrap_or("");
    let is_word = first.chars().all(|letter| letter.is_ascii_lowercase());
    let (first, rest) = text.split_at(usize::from(is_word && !first.is_empty()));
    let is_open = text.ends_with(|last: char| last.is_alphanumeric() || "`”)".contains(last));
    format!("{}{rest}{}", first.to_ascii_uppercase(), if is_open { "." } else { "" })
}

/// Whether a character changes how its neighbours are shown and is not seen itself.
pub(crate) fn is_hidden(letter: char) -> bool {
    let is_direction = matches!(
        letter,
        '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    is_direction || (letter.is_control() && !matches!(letter, '\n' | '\t' | '\r'))
}

/// The way to a page.
pub(crate) fn crumbs(steps: &[(&str, String)], last: &str) -> Markup {
    html! {
        nav class="crumbs" aria-label="Breadcrumbs" {
            ol {
                @for (words, address) in steps { li { a href=(address) { bdi { (plain(words)) } } } }
                li aria-current="page" { bdi { (plain(last)) } }
            }
        }
    }
}

/// The head of a page: its title, a line beneath it, and what can be done.
pub fn head(title: &str, sub: &Markup, acts: &Markup) -> Markup {
    html! {
        div class="head" {
            div { h1 dir="auto" { (plain(title)) } p class="sub" { (sub) } }
            div class="chips" { (acts) }
        }
    }
}

/// A number with as many places as its size needs.
pub fn number(value: f64) -> String {
    Places::for_values([value]).number(value)
}

/// How many places numbers have that are read side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places(usize);

impl Places {
    /// Those of an instrument's measures: points of 100 have one, marks of 10 have two, and what lies
    /// on no scale that is known has those of its values.
    pub(crate) fn of(instrument: &str, values: impl IntoIterator<Item = f64>) -> Self {
        match instrument {
            "compliance" => Self(1),
            "summary" | "council" => Self(2),
            _ => Self::for_values(values),
        }
    }

    /// Those of these values: the largest of them decides for all.
    pub(crate) fn for_values(values: impl IntoIterator<Item = f64>) -> Self {
        match values.into_iter().map(f64::abs).fold(0.0, f64::max) {
            size if size <= 1.0 => Self(3),
            size if size <= 10.0 => Self(2),
            _ => Self(1),
        }
    }

    /// Those of means and their ends.
    pub(crate) fn for_figures<'a>(
        instrument: &str,
        figures: impl IntoIterator<Item = &'a Figure>,
    ) -> Self {
        let ends = |one: &'a Figure| {
            let (low, high) = one.interval.unzip();
            [one.value, low, high].into_iter().flatten()
        };
        Self::of(instrument, figures.into_iter().flat_map(ends))
    }

    /// A value.
    pub fn number(self, value: f64) -> String {
        fixed(value, self.0)
    }

    /// A difference with its sign; one that prints as zero has none.
    pub fn difference(self, value: f64) -> String {
        signed(value, self.0)
    }

    /// The end of the scale that such values lie on: 1, 10 or 100. What moved on different scales
    /// is put in order by it.
    pub fn scale(self) -> f64 {
        match self.0 {
            3 => 1.0,
            2 => 10.0,
            _ => 100.0,
        }
    }
}

/// A score from 0 to 100: whole where it is whole.
pub fn score(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), ToOwned::to_owned)
}

/// A mean with its interval, or `n = 1`; what is left out of it is named.
pub fn figure(instrument: &str, figure: &Figure) -> Markup {
    figure_with(Places::for_figures(instrument, [figure]), figure)
}

/// The same with the places of the column that it stands in.
pub(crate) fn figure_with(places: Places, figure: &Figure) -> Markup {
    html! {
        @match (figure.value, figure.interval) {
            (Some(value), Some((low, high))) => {
                (places.number(value)) " "
                small title="95 % interval of the mean" { "[" (places.number(low)) ", " (places.number(high)) "]" }
            }
            (Some(value), None) => { (places.number(value)) @if figure.scored == 1 { " " small { "n = 1" } } }
            (None, _) => { "–" }
        }
        @if figure.unscored > 0 { " " small { (grouped(figure.unscored)) " left out" } }
    }
}

/// Figures in a row.
pub(crate) fn stats(all: &[(String, Markup)]) -> Markup {
    html! {
        dl class="stats" { @for (name, value) in all { div class="stat" { dt { (name) } dd { (value) } } } }
    }
}

/// How far a run has come.
pub fn state(state: &str) -> Markup {
    let class = match state {
        "running" => "badge live",
        "done" | "approved" => "badge good",
        "failed" => "badge bad",
        "stopped" => "badge warn",
        _ => "badge",
    };
    html! { span class=(class) { (state) } }
}

/// A score as number and bar in the tone of its tier; a dash with the reason where there is none.
pub(crate) fn scorebar(value: Option<f64>, status: Option<&Status>, reason: &str) -> Markup {
    html! {
        @match (value, status) {
            (Some(value), Some(status)) => {
                @let class = tone(&status.colour);
                div class={ "scorebar " (class) } { b { (score(value)) } (meter(value / 100.0, &class)) }
            }
            _ => span class="unscored" title=(plain(reason)) { "– " span class="sub" { (plain(reason)) } },
        }
    }
}

/// The badge of a difference: coloured only where the corrected test is clear.
pub(crate) fn verdict_class(step: &Difference) -> &'static str {
    match (step.is_clear(), step.difference > 0.0) {
        (true, true) => "badge good",
        (true, false) => "badge bad",
        (false, _) => "badge",
    }
}

/// What came of something, in words.
pub fn outcome(word: &str) -> String {
    word.replace('_', " ")
}

/// What people said, the latest first.
pub(crate) fn timeline(history: &[Decided]) -> Markup {
    html! {
        ol class="timeline" {
            @for entry in history.iter().rev() {
                li {
                    b { (plain(&entry.what)) }
                    p dir="auto" { (plain(&entry.reason)) }
                    span class="who" { (plain(&entry.author)) " · " (entry.at.format("%-d %B %Y, %H:%M UTC")) }
                }
            }
        }
    }
}

/// Nothing to show, and what to do about it.
pub fn empty(title: &str, words: &str, act: &Markup) -> Markup {
    html! { div class="empty" { b { (title) } p { (words) } (act) } }
}

/// A whole number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// One of these, by name.
pub(crate) fn select(
    name: &str,
    words: &str,
    options: &[String],
    chosen: Option<&String>,
) -> Markup {
    html! { div class="field" { label for=(name) { (words) } select id=(name) name=(name) required { @for option in options { option value=(option) selected[chosen == Some(option)] { (plain(option)) } } } } }
}

/// A form for another name of a set, which stands with others of its kind under `path`; `problem` is
/// why what was typed cannot be one.
pub(crate) fn rename_set(
    (kind, all, path): (&str, &str, &str),
    (id, name): (&str, &str),
    typed: &str,
    problem: Option<&str>,
) -> Markup {
    let here = format!("{path}/{id}");
    html! {
        (crumbs(&[(all, path.to_owned()), (name, here.clone())], "Rename"))
        (head(&format!("Rename {kind}"), &html! { "Existing runs will show the new name." }, &html! {}))
        form class="box narrow" method="post" action={ (here) "/edit" } { div class="in stack" {
            div class="field" {
                label for="name" { "Name" }
                input id="name" name="name" maxlength="100" required value=(typed) aria-invalid=[problem.map(|_| "true")] aria-describedby=[problem.map(|_| "name-problem")];
                @if let Some(problem) = problem { p class="problem" role="alert" id="name-problem" { (sentence(problem)) } }
            }
            div class="chips" { button class="button main" { "Save" } a class="button" href=(here) { "Cancel" } }
        } }
    }
}

/// A filter that is a link.
pub(crate) fn chip(words: &str, address: &str, is_current: bool) -> Markup {
    html! { a class="chip" href=(address) aria-current=[is_current.then_some("true")] { (words) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_people_write_them() {
        assert_eq!(
            (grouped(0), grouped(999), grouped(12_480)),
            ("0".into(), "999".into(), "12,480".into())
        );
        assert_eq!(
            (score(73.0), score(80.5), score(100.0)),
            ("73".into(), "80.5".into(), "100".into())
        );
        assert_eq!(
            (number(0.7388), number(-7.9), number(68.44)),
            ("0.739".into(), "−7.90".into(), "68.4".into())
        );
    }

    #[test]
    fn numbers_of_a_row_have_the_places_of_the_largest() {
        let places = Places::for_values([62.5, 0.004]);
        assert_eq!((places.number(62.5), places.number(0.004)), ("62.5".into(), "0.0".into()));
        assert_eq!(places.difference(-34.5), "−34.5");
        assert_eq!(
            (places.difference(-0.004), places.difference(3.0)),
            ("0.0".into(), "+3.0".into())
        );
        let small = Places::for_values([0.7577, 0.716]);
        assert_eq!((small.difference(-0.0417), small.scale()), ("−0.042".into(), 1.0));
        // Nothing met is 0 points of 100, as 62 would be, and not 0.000.
        assert_eq!(Places::of("compliance", [0.0]).number(0.0), "0.0");
        assert_eq!(Places::of("summary", [0.85]).number(0.85), "0.85");
        assert_eq!(Places::of("retrieval", [0.85]).number(0.85), "0.850");
    }

    #[test]
    fn a_name_that_turns_itself_around_is_seen_to_do_so() {
        assert_eq!(plain("invoice\u{202e}fdp.exe"), "invoice\u{fffd}fdp.exe");
        assert_eq!(plain("a\u{0}b\nc"), "a\u{fffd}b\nc");
        assert_eq!(plain("שלום"), "שלום");
    }

    #[test]
    fn a_message_becomes_a_sentence_and_a_name_stays_as_it_is() {
        assert_eq!(sentence("run #3 is done"), "Run #3 is done.");
        assert_eq!(sentence("own.csv: no column `id`"), "own.csv: no column `id`.");
        assert_eq!(sentence("`nobody` is not a judge."), "`nobody` is not a judge.");
        assert_eq!((sentence(""), sentence("é")), (String::new(), "é.".to_owned()));
    }

    #[test]
    fn a_mean_says_what_is_not_in_it() {
        let one = Figure {
            name: "score".into(),
            value: Some(68.4),
            interval: Some((66.3, 70.5)),
            scored: 9,
            unscored: 4,
        };
        let html = figure("compliance", &one).into_string();
        assert!(
            html.contains("68.4") && html.contains("[66.3, 70.5]") && html.contains("4 left out"),
            "{html}"
        );
        let none = Figure { value: None, interval: None, unscored: 0, ..one };
        assert_eq!(figure("compliance", &none).into_string(), "–");
    }
}
