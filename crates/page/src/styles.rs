//! The one stylesheet: sent as a file by the server, inlined in the files of the command line.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::LazyLock;

use assize_methods::compliance::tiers::{TIERS_MAX, TIERS_MIN};
use assize_methods::tones::{NAMED, spread};

const WRITTEN: &str = concat!(
    include_str!("../assets/tokens.css"),
    include_str!("../assets/page.css"),
    include_str!("../assets/parts.css"),
    include_str!("../assets/document.css"),
    include_str!("../assets/council.css"),
    include_str!("../assets/app.css"),
);

/// All styles.
pub fn stylesheet() -> &'static str {
    static ALL: LazyLock<String> = LazyLock::new(|| {
        let mut css = WRITTEN.to_owned();
        tones(&mut css);
        css
    });
    &ALL
}

/// A class for every colour that a tier can have: those with a name, and those between two of
/// them that rubrics of other than five tiers take.
fn tones(css: &mut String) {
    for (name, _) in NAMED {
        let _ = writeln!(css, ".tone-{name} {{ --tone: var(--tier-{name}); }}");
    }
    let spreads =
        (TIERS_MIN..=TIERS_MAX).flat_map(|tiers| (0..tiers).map(move |i| spread(i, tiers)));
    let between: BTreeSet<String> = spreads.filter(|colour| colour.starts_with('#')).collect();
    for colour in between {
        let class = &colour[1..];
        let _ = writeln!(
            css,
            ".tone-{class} {{ --tone: light-dark({colour}, color-mix(in srgb, {colour} 45%, white)); }}"
        );
    }
}

#[cfg(test)]
mod tests {
    use assize_methods::tones::hex;

    use super::*;

    #[test]
    fn tiers_have_the_same_tones_on_pages_as_in_workbooks() {
        for (name, rgb) in NAMED {
            let tone = format!("--tier-{name}: light-dark({},", hex(rgb));
            assert!(stylesheet().contains(&tone), "{tone}");
        }
    }

    #[test]
    fn every_tier_of_every_rubric_has_a_class() {
        for tiers in TIERS_MIN..=TIERS_MAX {
            for index in 0..tiers {
                let class = crate::bars::tone(&spread(index, tiers));
                let class = class.strip_prefix("tone ").unwrap();
                assert!(stylesheet().contains(&format!(".{class} {{")), "{class}");
            }
        }
    }

    #[test]
    fn nothing_is_fetched_by_the_styles() {
        assert!(!stylesheet().contains("url(") && !stylesheet().contains("@import"));
    }
}
