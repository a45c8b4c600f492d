//! Where a judge leans: whether what it says beyond the raters goes with the length of a text, with
//! its place or with who wrote it; and how it agrees with raters in each slice of the items.

use std::collections::BTreeMap;

use assize_methods::council::authorship::Author;
use assize_stats::correlation::spearman;
use assize_stats::interval::{Drawing, drawn};
use assize_stats::summary::mean;
use serde::Serialize;

use super::{Figure, Items, Settings};

/// What else the file says of the items; `None` where nobody asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Facets {
    /// Which kind each item is of.
    pub slices: Option<Vec<String>>,
    /// How long the judged text is.
    pub lengths: Option<Vec<Option<f64>>>,
    /// In which place the judge saw it.
    pub places: Option<Vec<String>>,
    /// Which model wrote it.
    pub authors: Option<Vec<String>>,
}

/// The columns that hold them.
#[derive(Debug, Clone, Copy, Default)]
pub struct FacetColumns<'a> {
    pub slice: Option<&'a str>,
    pub length: Option<&'a str>,
    pub place: Option<&'a str>,
    pub author: Option<&'a str>,
}

/// How a judge agrees with raters in one slice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Slice {
    /// Its name.
    pub name: String,
    /// Items with a score and a rating.
    pub count: usize,
    /// Rank correlation.
    pub spearman: Figure,
    /// The mean distance on the raters' scale.
    pub error: Option<f64>,
    /// How far the judge is above the raters on average.
    pub bias: Option<f64>,
}

/// What a judge's distance from the raters goes with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Leaning {
    /// `length`, `order` or `own family`.
    pub with: &'static str,
    /// The place or the family that is held against all others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub favoured: Option<String>,
    /// Items with a score, a rating and a value.
    pub count: usize,
    /// For the length Spearman's correlation with the distance; otherwise how much further above
    /// the raters the judge is where the place or the family is the favoured one.
    pub by: Figure,
}

/// An item, how far the judge is above the raters, and what this may go with.
type Row = (usize, f64, f64);

/// How a judge agrees in each slice, in the order of their names. `said` holds each item with the
/// judge's score, on the raters' scale, and the rating.
pub(super) fn slices(items: &Items, said: &[(usize, f64, f64)], settings: &Settings) -> Vec<Slice> {
    let mut by_slice: BTreeMap<&str, Vec<(usize, f64, f64)>> = BTreeMap::new();
    let Some(names) = &items.facets.slices else { return Vec::new() };
    for one in said {
        by_slice.entry(&names[one.0]).or_default().push(*one);
    }
    let slice = |(name, own): (&str, Vec<(usize, f64, f64)>)| {
        let gaps: Vec<f64> = own.iter().map(|(_, said, meant)| said - meant).collect();
        Slice {
            name: name.to_owned(),
            count: own.len(),
            spearman: figure(items, &own, settings, correlation),
            error: mean(&gaps.iter().map(|gap| gap.abs()).collect::<Vec<_>>()).ok(),
            bias: mean(&gaps).ok(),
        }
    };
    by_slice.into_iter().map(slice).collect()
}

/// What a judge's distance goes with; nothing where the file does not say.
pub(super) fn leanings(
    items: &Items,
    judge: &str,
    said: &[(usize, f64, f64)],
    settings: &Settings,
) -> Vec<Leaning> {
    let Facets { lengths, places, authors, .. } = &items.facets;
    let rows = |value: &dyn Fn(usize) -> Option<f64>| -> Vec<Row> {
        let row = |(index, said, meant): &Row| Some((*index, said - meant, value(*index)?));
        said.iter().filter_map(row).collect()
    };
    let mut found = Vec::new();
    let mut add = |with, favoured: Option<String>, rows: &[Row]| {
        let by = match favoured {
            None => figure(items, rows, settings, correlation),
            Some(_) => figure(items, rows, settings, difference),
        };
        found.push(Leaning { with, favoured, count: rows.len(), by });
    };
    if let Some(lengths) = lengths {
        add("length", None, &rows(&|index| lengths[index]));
    }
    let is = |yes: bool| Some(f64::from(u8::from(yes)));
    if let Some(places) = places
        && let Some(first) = places.iter().filter(|place| !place.is_empty()).min()
    {
        let rows = rows(&|index| is(places[index] == *first).filter(|_| !places[index].is_empty()));
        add("order", Some(first.clone()), &rows);
    }
    if let Some(authors) = authors
        && let Some(own) = family(judge)
    {
        let rows = rows(&|index| is(family(&authors[index])? == own));
        add("own family", Some(own), &rows);
    }
    found.retain(|one| one.by.value.is_some());
    found
}

/// The vendor's family of a model.
fn family(name: &str) -> Option<String> {
    Author { name, model: None }.family()
}

fn correlation(rows: &[Row]) -> Option<f64> {
    let (one, other): (Vec<f64>, Vec<f64>) = rows.iter().map(|row| (row.1, row.2)).unzip();
    spearman(&one, &other).ok()
}

/// The mean where something holds less the mean where it does not.
fn difference(rows: &[Row]) -> Option<f64> {
    let mean_where = |wanted: f64| {
        let own = rows.iter().filter(|(_, _, holds)| *holds == wanted);
        mean(&own.map(|(_, gap, _)| *gap).collect::<Vec<_>>()).ok()
    };
    Some(mean_where(1.0)? - mean_where(0.0)?)
}

/// A figure of some rows with its interval, by drawing whole groups or single items anew.
fn figure(
    items: &Items,
    rows: &[Row],
    settings: &Settings,
    statistic: fn(&[Row]) -> Option<f64>,
) -> Figure {
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, (index, ..)) in rows.iter().enumerate() {
        if let Some(names) = &items.groups {
            groups.entry(&names[*index]).or_default().push(place);
        }
    }
    let clusters: Vec<Vec<usize>> = groups.into_values().collect();
    let clusters = (clusters.len() > 1).then_some(clusters.as_slice());
    let drawing =
        Drawing { resamples: settings.resamples, level: settings.level, seed: settings.seed };
    let of_drawn =
        |places: &[usize]| statistic(&places.iter().map(|place| rows[*place]).collect::<Vec<_>>());
    let interval = drawn(rows.len(), clusters, drawing, of_drawn).map(|found| found.interval);
    Figure {
        value: statistic(rows),
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings = Settings { resamples: 200, level: 0.95, seed: 1 };

    fn items(facets: Facets) -> Items {
        Items { ids: (0..6).map(|id| id.to_string()).collect(), facets, ..Items::default() }
    }

    /// A judge that is 0, 1, 2, 3, 4, 5 above its raters. The ranks of the lengths 10, 30, 20, 60,
    /// 50, 40 are 1, 3, 2, 6, 5, 4: 1 - 6·10 / (6·35).
    const SAID: [(usize, f64, f64); 6] =
        [(0, 1.0, 1.0), (1, 3.0, 2.0), (2, 3.0, 1.0), (3, 5.0, 2.0), (4, 5.0, 1.0), (5, 7.0, 2.0)];

    #[test]
    fn what_a_distance_goes_with_follows_by_hand() {
        let names = |all: [&str; 6]| Some(all.map(ToOwned::to_owned).to_vec());
        let facets = Facets {
            lengths: Some([10.0, 30.0, 20.0, 60.0, 50.0, 40.0].map(Some).to_vec()),
            places: names(["1", "2", "1", "2", "1", ""]),
            authors: names([
                "gpt-4o",
                "claude-3",
                "openai/gpt-5",
                "claude-3",
                "mistral",
                "gpt-4.1",
            ]),
            ..Facets::default()
        };
        let found = leanings(&items(facets), "gpt-4", &SAID, &SETTINGS);
        let one = |with: &str| found.iter().find(|one| one.with == with).unwrap();
        let near = |with: &str, value: f64| {
            assert!((one(with).by.value.unwrap() - value).abs() < 1e-12, "{:?}", one(with));
        };
        near("length", 25.0 / 35.0);
        // In the first place 0, 2, 4, in the second 1, 3: 2 - 2; the last has no place.
        near("order", 0.0);
        assert_eq!((one("order").favoured.as_deref(), one("order").count), (Some("1"), 5));
        // Of its own family 0, 2, 5, of others 1, 3, 4: 7/3 - 8/3.
        near("own family", -1.0 / 3.0);
        let interval = (one("own family").by.low.unwrap(), one("own family").by.high.unwrap());
        assert!(interval.0 < -1.0 / 3.0 && interval.1 > -1.0 / 3.0, "{interval:?}");
    }

    #[test]
    fn a_slice_has_its_own_agreement() {
        let slices = ["a", "a", "a", "b", "b", "b"].map(ToOwned::to_owned).to_vec();
        let items = items(Facets { slices: Some(slices), ..Facets::default() });
        let found = super::slices(&items, &SAID, &SETTINGS);
        let named: Vec<(&str, usize)> =
            found.iter().map(|one| (one.name.as_str(), one.count)).collect();
        assert_eq!(named, [("a", 3), ("b", 3)]);
        // 0, 1, 2 above the raters, and 3, 4, 5.
        assert_eq!((found[0].bias, found[1].bias), (Some(1.0), Some(4.0)));
        assert_eq!((found[0].error, found[1].error), (Some(1.0), Some(4.0)));
        // Ranks 1, 2.5, 2.5 against 1.5, 3, 1.5: covariance 0.75 over √(1.5 · 1.5).
        assert!((found[0].spearman.value.unwrap() - 0.5).abs() < 1e-12, "{found:?}");
        assert_eq!(super::slices(&super::Items::default(), &[], &SETTINGS), []);
    }

    #[test]
    fn nothing_is_said_of_what_nobody_asked() {
        assert_eq!(leanings(&items(Facets::default()), "gpt-4", &SAID, &SETTINGS), []);
    }
}
