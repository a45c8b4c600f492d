//! Colours of tiers: from red to green by position.

/// The five named colours, each with one that white letters can stand on.
const STOPS: [(&str, [u8; 3]); 5] = [
    ("red", [0xb9, 0x1c, 0x1c]),
    ("orange", [0xc2, 0x41, 0x0c]),
    ("yellow", [0xa1, 0x62, 0x07]),
    ("lime", [0x4d, 0x7c, 0x0f]),
    ("green", [0x15, 0x80, 0x3d]),
];

/// The colour of a tier: the name of the colour it falls on, or a mixture of its neighbours.
pub(super) fn spread(index: usize, tiers: usize) -> String {
    let steps = tiers.saturating_sub(1).max(1);
    let position = index.min(steps) * (STOPS.len() - 1);
    let (stop, rest) = (position / steps, position % steps);
    if rest == 0 {
        return STOPS[stop].0.to_owned();
    }
    let (low, high) = (STOPS[stop].1, STOPS[stop + 1].1);
    let mixed = |part: usize| {
        let (low, high) = (usize::from(low[part]), usize::from(high[part]));
        (low * (steps - rest) + high * rest + steps / 2) / steps
    };
    format!("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2))
}

/// A colour as `#rrggbb`.
pub(super) fn hex(colour: &str) -> String {
    let named = STOPS.iter().find(|(name, _)| *name == colour);
    named.map_or_else(
        || colour.to_owned(),
        |(_, [red, green, blue])| format!("#{red:02x}{green:02x}{blue:02x}"),
    )
}
