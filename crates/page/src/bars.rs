//! Lengths and shades without a style of their own: bars, scales and heat as SVG and classes.
//!
//! A page's policy forbids inline styles. A length is an attribute of an SVG element in per
//! cent, a shade one of eleven classes, a tier's colour a class of the stylesheet.

use assize_methods::tones::named;
use maud::{Markup, html};

/// Numbers below a scale that are nearer than this, in per cent of it, touch.
const TICKS_APART: u8 = 8;

/// A bar that is filled to a share of its length; `class` is its tone.
pub(crate) fn meter(share: f64, class: &str) -> Markup {
    html! {
        svg class={ "meter " (class) } width="100%" height="6" aria-hidden="true" {
            rect class="rest" width="100%" height="6" rx="3" {}
            @if share > 0.0 { rect class="fill" width=(percent(share)) height="6" rx="3" {} }
        }
    }
}

/// A thicker bar without a rest, for a distribution.
pub fn bar(share: f64, class: &str) -> Markup {
    html! {
        svg class={ "meter " (class) } width="100%" height="14" aria-hidden="true" {
            @if share > 0.0 { rect class="fill" width=(percent(share)) height="14" rx="3" {} }
        }
    }
}

/// One part of a scale from 0 to 100.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Band {
    /// Where it begins.
    pub min: u8,
    /// Where it ends.
    pub max: u8,
    /// Its word.
    pub label: String,
    /// Its colour, as a status names it.
    pub colour: String,
}

/// The bands of a scale with the place of a score on it.
pub(crate) fn ruler(bands: &[Band], score: Option<f64>) -> Markup {
    let said = score.map_or_else(|| "the tiers".to_owned(), |score| format!("{score} of 100"));
    html! {
        svg class="ruler" width="100%" height="38" role="img" aria-label=(said) {
            @for band in bands {
                @let from = f64::from(band.min) / 100.0;
                @let to = if band.max >= 100 { 1.0 } else { f64::from(band.max + 1) / 100.0 };
                @let here = score.is_some_and(|score| score >= f64::from(band.min) && (score < f64::from(band.max) + 1.0 || band.max >= 100));
                rect class={ (tone(&band.colour)) (if here { " on" } else { "" }) } x=(percent(from)) y="6" width=(percent((to - from).max(0.0))) height="10" {
                    title { (band.label) ": " (band.min) " to " (band.max) }
                }
            }
            @for at in ticks(bands) {
                text class="tick" x=(percent(f64::from(at) / 100.0)) y="34" text-anchor=(if at == 0 { "start" } else { "middle" }) { (at) }
            }
            text class="tick" x="100%" y="34" text-anchor="end" { "100" }
            @if let Some(score) = score {
                svg x=(percent(score / 100.0)) y="0" width="8" height="22" overflow="visible" { rect class="pin" x="-1.5" y="1" width="3" height="20" rx="1.5" {} }
            }
        }
    }
}

/// The edges that are written below a scale: none so near to its neighbour, or to the 100 at the
/// end, that the two would touch.
fn ticks(bands: &[Band]) -> Vec<u8> {
    let mut shown: Vec<u8> = Vec::new();
    for at in bands.iter().map(|band| band.min) {
        let is_apart = shown.last().is_none_or(|last| at.saturating_sub(*last) >= TICKS_APART);
        if is_apart && at.saturating_add(TICKS_APART) <= 100 {
            shown.push(at);
        }
    }
    shown
}

/// The class of a tier's colour: a name, or `#rrggbb` between two of them. Anything else, which
/// only a damaged row can hold, is grey.
pub fn tone(colour: &str) -> String {
    let hex = colour.strip_prefix('#').filter(|hex| hex.chars().all(|c| c.is_ascii_hexdigit()));
    match (named(colour), hex) {
        (Some(_), _) => format!("tone tone-{}", if colour == "gray" { "grey" } else { colour }),
        (None, Some(hex)) => format!("tone tone-{hex}"),
        (None, None) => "tone tone-grey".to_owned(),
    }
}

/// A tier's tone beside its word, never instead of it.
pub(crate) fn swatch(colour: &str) -> Markup {
    html! { span class={ "swatch " (tone(colour)) } aria-hidden="true" {} }
}

/// A tier as tone and word.
pub(crate) fn badge(label: &str, colour: &str) -> Markup {
    html! { span class={ "badge " (tone(colour)) } dir="auto" { (label) } }
}

/// The class of a shade, by a share from 0 to 1.
pub(crate) fn heat(share: f64) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    format!("h{:.0}", share * 10.0)
}

/// A share as a length, kept on its scale.
pub fn percent(share: f64) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    format!("{:.2}%", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_stays_on_its_scale_and_needs_no_style() {
        let html = meter(1.7, "good").into_string();
        assert!(html.contains("width=\"100.00%\"") && !html.contains("style"), "{html}");
        assert_eq!(percent(f64::NAN), "0.00%");
        assert_eq!((heat(0.0), heat(0.55), heat(2.0)), ("h0".into(), "h6".into(), "h10".into()));
    }

    #[test]
    fn a_colour_from_a_damaged_row_cannot_become_markup() {
        assert_eq!(tone("red"), "tone tone-red");
        assert_eq!(tone("#b91c1c"), "tone tone-b91c1c");
        assert_eq!(tone("\"><script>"), "tone tone-grey");
        assert_eq!(tone("#b91c1c;}"), "tone tone-grey");
    }

    #[test]
    fn the_band_that_holds_a_fraction_is_the_one_below() {
        let band = |min, max, label: &str| Band {
            min,
            max,
            label: label.to_owned(),
            colour: "red".to_owned(),
        };
        let bands = [band(0, 60, "low"), band(61, 80, "mid"), band(81, 100, "high")];
        let html = ruler(&bands, Some(80.5)).into_string();
        let on = html.find(" on\"").unwrap();
        assert!(html[on..].contains("mid: 61 to 80"), "{html}");
        assert_eq!(html.matches(" on\"").count(), 1);
        assert!(ruler(&bands, Some(100.0)).into_string().contains(" on\""));
    }

    #[test]
    fn numbers_below_a_scale_never_touch() {
        let band = |min| Band { min, max: 100, label: String::new(), colour: "red".to_owned() };
        let all = [0, 7, 8, 92, 93, 96].map(band);
        assert_eq!(ticks(&all), [0, 8, 92]);
        assert_eq!(ticks(&[]), [0_u8; 0]);
    }
}
