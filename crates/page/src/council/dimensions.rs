//! How answers compare on each dimension: one line a dimension, one letter an answer.

use maud::{Markup, html};

use super::share;

/// One answer on all dimensions.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Profile {
    /// The letter that stands for it; colour alone would not do.
    pub letter: String,
    /// Who wrote it.
    pub name: String,
    /// Its mark on each dimension, where there is one.
    pub marks: Vec<Option<f64>>,
}

/// Letters closer than this on the scale are put on different lines.
const CLOSE: f64 = 0.45;
/// The height of a line of letters, in pixels.
const LANE: usize = 20;
/// As many colours as the styles have.
const COLOURS: usize = 6;

/// The plot with its key, on a scale from `low` to `high`.
pub(crate) fn dimensions(names: &[String], profiles: &[Profile], low: f64, high: f64) -> Markup {
    html! {
        ul class="spots" {
            @for (index, profile) in profiles.iter().enumerate() {
                li { span class={ "spot k" (index % COLOURS + 1) } { (profile.letter) } " " span dir="auto" { (profile.name) } }
            }
        }
        div class="dimensions" {
            @for (row, name) in names.iter().enumerate() {
                @let lanes = lanes(profiles, row);
                @let height = lanes.iter().map(|(_, _, lane)| lane + 1).max().unwrap_or(1);
                span class="dimension-name" { (name) }
                svg class="strip" width="100%" height=(height * LANE) role="img" aria-label=(said(profiles, &lanes)) {
                    line class="axis" x1="0" x2="100%" y1="50%" y2="50%" {}
                    @for (index, mark, lane) in lanes {
                        @let (across, down) = (format!("{}%", share(mark, low, high)), lane * LANE + LANE / 2);
                        g class={ "spot k" (index % COLOURS + 1) } {
                            title { (profiles[index].name) ": " (format!("{mark:.2}")) }
                            circle cx=(across) cy=(down) r="9" {} text x=(across) y=(down) dy="4" text-anchor="middle" { (profiles[index].letter) }
                        }
                    }
                }
            }
            span {} span class="strip-scale" { span { (low) } span { (f64::midpoint(low, high)) } span { (high) } }
        }
    }
}

/// The same in words, for who cannot see it.
fn said(profiles: &[Profile], lanes: &[(usize, f64, usize)]) -> String {
    let one =
        |(index, mark, _): &(usize, f64, usize)| format!("{} {mark:.2}", profiles[*index].name);
    lanes.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Index, mark and line of each answer: the first line where it covers nobody.
fn lanes(profiles: &[Profile], row: usize) -> Vec<(usize, f64, usize)> {
    let mut placed: Vec<(usize, f64, usize)> = Vec::new();
    for (index, profile) in profiles.iter().enumerate() {
        let Some(mark) = profile.marks.get(row).copied().flatten() else { continue };
        let is_free = |lane: usize| {
            !placed.iter().any(|(_, other, taken)| *taken == lane && (other - mark).abs() < CLOSE)
        };
        let lane = (0..profiles.len()).find(|lane| is_free(*lane)).unwrap_or(0);
        placed.push((index, mark, lane));
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(letter: &str, marks: &[Option<f64>]) -> Profile {
        Profile { letter: letter.to_owned(), name: letter.to_owned(), marks: marks.to_vec() }
    }

    #[test]
    fn answers_with_the_same_mark_do_not_cover_each_other() {
        let profiles =
            [profile("A", &[Some(8.0)]), profile("B", &[Some(8.2)]), profile("C", &[Some(3.0)])];
        let lanes: Vec<usize> = lanes(&profiles, 0).into_iter().map(|(_, _, lane)| lane).collect();
        assert_eq!(lanes, [0, 1, 0]);
    }

    #[test]
    fn an_answer_without_a_mark_is_left_out_of_that_line() {
        let profiles = [profile("A", &[None, Some(5.0)])];
        let html = dimensions(&["x".to_owned(), "y".to_owned()], &profiles, 1.0, 10.0);
        // Once in the key, once on the second line.
        assert_eq!(html.into_string().matches("class=\"spot k").count(), 2);
    }
}
