//! What a council's page is made of: places with intervals, a heat map, dimensions side by side.
//!
//! All three are plain elements and not drawings, so they wrap and scale with the text and
//! stay legible on a phone.

mod answers;
mod dimensions;
mod overview;
mod ranking;
pub mod report;
pub mod verdict;
pub mod words;

pub use dimensions::Profile;
pub(crate) use dimensions::dimensions;
pub use ranking::{Place, ranking};

/// Where a value lies on a scale, in per cent of its length, kept inside.
fn share(value: f64, low: f64, high: f64) -> String {
    let share = if high > low { (value - low) / (high - low) } else { 0.0 };
    format!("{:.2}", share.clamp(0.0, 1.0) * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_stays_on_its_scale() {
        assert_eq!(share(5.5, 1.0, 10.0), "50.00");
        assert_eq!(share(-3.0, 0.0, 10.0), "0.00");
        assert_eq!(share(12.0, 0.0, 10.0), "100.00");
        assert_eq!(share(1.0, 2.0, 2.0), "0.00");
    }
}
