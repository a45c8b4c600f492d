//! A suite of checks as a reviewer's page: what failed first, and from there to what was lost.
//!
//! Every check, requirement and item has an address made of its name, so that a link to it still
//! leads there in the page of the next run.

use assize_wire::check::{Checked, Suite};
use assize_wire::number;
use assize_wire::threshold::{Check, FallenItem};
use maud::{Markup, html};

use crate::page;

/// Longer names are cut in addresses.
const ADDRESS_MAX: usize = 80;

/// The whole page.
pub fn render(suite: &Suite) -> String {
    let passed = suite.checks.iter().filter(|check| check.passed).count();
    // What failed is what somebody came for.
    let (fine, failed): (Vec<&Checked>, Vec<&Checked>) =
        suite.checks.iter().partition(|check| check.passed);
    let content = html! {
        h1 { "Checks" }
        p { (verdict(suite.passed)) " " (passed) " of " (suite.checks.len()) " checks pass." }
        @if !failed.is_empty() { (what_failed(&failed)) }
        @for check in failed.into_iter().chain(fine) { (section(check)) }
    };
    page("Checks", &content)
}

fn verdict(passed: bool) -> Markup {
    let (class, word) = if passed { ("badge good", "PASS") } else { ("badge bad", "FAIL") };
    html! { b class=(class) { (word) } }
}

/// Every requirement that does not hold, with the way to what it is about.
fn what_failed(failed: &[&Checked]) -> Markup {
    html! {
        nav class="panel" aria-label="What failed" { ul {
            @for check in failed { @for one in check.requirements.iter().filter(|one| !one.passed) { li {
                a href={ "#" (address(&[&check.name, &one.name])) } { (check.name) ": " (one.name) }
                @if !one.fallen.is_empty() {
                    " (" (number::counted(one.fallen.len(), "item", "items")) " fell furthest)"
                }
            } } }
        } }
    }
}

fn section(check: &Checked) -> Markup {
    let (fine, failed): (Vec<&Check>, Vec<&Check>) =
        check.requirements.iter().partition(|one| one.passed);
    html! {
        section id=(address(&[&check.name])) {
            h2 { (verdict(check.passed)) " " (check.name) }
            p class="quiet" { (note(check)) }
            @for notice in &check.notices { p class="quiet" { (notice) } }
            @for one in failed.into_iter().chain(fine) { (requirement(check, one)) }
        }
    }
}

fn requirement(check: &Checked, one: &Check) -> Markup {
    let place = address(&[&check.name, &one.name]);
    let words = one.line.strip_prefix("PASS ").or_else(|| one.line.strip_prefix("FAIL "));
    html! {
        h3 id=(place) { (verdict(one.passed)) " " (one.name) }
        p { (words.unwrap_or(&one.line)) }
        @if !one.fallen.is_empty() {
            div class="scroll" tabindex="0" { table {
                caption { "Fell furthest in " (one.measure) }
                thead { tr { th { "item, and what it lost" } th class="n" { "baseline" } th class="n" { "now" } } }
                tbody { @for item in &one.fallen { (fallen(&place, item)) } }
            } }
        }
    }
}

fn fallen(place: &str, one: &FallenItem) -> Markup {
    let place = format!("{place}/{}", address(&[&one.item]));
    html! {
        tr id=(place) {
            td class="text" {
                a href={ "#" (place) } { (one.item) }
                @for lost in &one.lost { div class="small" { (lost) } }
            }
            td class="n" { (format!("{:.4}", one.before)) }
            td class="n bad" { (format!("{:.4}", one.now)) }
        }
    }
}

/// How many items there are, and every mean.
fn note(check: &Checked) -> String {
    if check.error.is_some() {
        return String::new();
    }
    let items = number::counted(check.items, "item", "items");
    let mut note = format!("{items}, {} without a score.", check.unscored);
    let means = check.means.0.iter().filter_map(|(name, mean)| Some((name, (*mean)?)));
    let means: Vec<String> = means.map(|(name, mean)| format!("{name} {mean:.4}")).collect();
    if !means.is_empty() {
        note = format!("{note} Means: {}.", means.join(", "));
    }
    note
}

/// Names as an address within the page: letters, digits and hyphens, cut where they are long.
fn address(names: &[&str]) -> String {
    let plain = |name: &&str| -> String {
        let letters = name.chars().flat_map(char::to_lowercase).take(ADDRESS_MAX);
        letters.map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect()
    };
    names.iter().map(plain).collect::<Vec<String>>().join("/")
}

#[cfg(test)]
mod tests {
    use assize_wire::Entries;

    use super::*;

    fn check(name: &str, passed: bool, fallen: Vec<FallenItem>) -> Checked {
        let requirement = Check {
            name: "recall@10 >= 0.5".to_owned(),
            passed,
            measure: "recall@10".to_owned(),
            value: None,
            bound: None,
            line: format!("{} recall@10", if passed { "PASS" } else { "FAIL" }),
            fallen,
        };
        Checked {
            name: name.to_owned(),
            instrument: "score".to_owned(),
            passed,
            error: None,
            items: 1,
            unscored: 0,
            means: Entries::default(),
            requirements: vec![requirement],
            samples: None,
            notices: Vec::new(),
        }
    }

    #[test]
    fn what_failed_comes_first_and_leads_to_what_was_lost() {
        let lost = vec!["The <b>roof</b> is the owner's.".to_owned()];
        let fallen =
            vec![FallenItem { item: "Who repairs?".to_owned(), before: 1.0, now: 0.0, lost }];
        let checks = vec![check("fine", true, Vec::new()), check("Bad one", false, fallen)];
        let page = render(&Suite { format: 1, passed: false, checks });
        let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text} in {page}"));
        assert!(place("id=\"bad-one\"") < place("id=\"fine\""));
        let requirement = "bad-one/recall-10----0-5";
        assert!(
            place(&format!("href=\"#{requirement}\"")) < place(&format!("id=\"{requirement}\""))
        );
        assert!(page.contains(&format!("<tr id=\"{requirement}/who-repairs-\">")), "{page}");
        assert!(page.contains("The &lt;b&gt;roof&lt;/b&gt; is the owner's."), "{page}");
    }
}
