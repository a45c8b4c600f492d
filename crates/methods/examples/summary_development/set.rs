//! Rated summaries in the forms in which they come, in parts that share no article.

use std::error::Error;
use std::path::Path;

use serde_json::Value;

/// The parts: which one a row falls into follows from its article alone.
pub(crate) const PARTS: [&str; 3] = ["a", "b1", "b2"];

/// What people say about a summary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Rating {
    /// Good or bad.
    Label(bool),
    /// A number among all summaries, and the best there is.
    Pooled(f64, f64),
    /// A number among the summaries of one article, and the best there is.
    Within(f64, f64),
}

impl Rating {
    /// Whether people call the summary perfect.
    pub(crate) fn is_perfect(self) -> bool {
        match self {
            Self::Label(good) => good,
            Self::Pooled(value, best) | Self::Within(value, best) => value >= best,
        }
    }

    /// The number.
    pub(crate) fn value(self) -> f64 {
        match self {
            Self::Label(good) => f64::from(u8::from(good)),
            Self::Pooled(value, _) | Self::Within(value, _) => value,
        }
    }
}

/// A summary with its article and what people say.
pub(crate) struct Rated {
    pub(crate) document: String,
    pub(crate) article: String,
    pub(crate) summary: String,
    pub(crate) rating: Rating,
    /// How relevant people call it, where they say.
    pub(crate) relevance: Option<f64>,
}

/// A set by its name.
type Set = (String, Vec<Rated>);

/// The rows of every set of a folder that fall into a part, by name of the set.
pub(crate) fn read(folder: &Path, part: &str, most: usize) -> Result<Vec<Set>, Box<dyn Error>> {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    paths.sort();
    let mut sets = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut rows = Vec::new();
        for line in std::fs::read_to_string(&path)?.lines() {
            let record: Value = serde_json::from_str(line)?;
            rows.extend(rated(&record).filter(|row| is_in(part, &row.article)));
        }
        sets.push((name, sample(rows, most)));
    }
    Ok(sets)
}

/// At most so many rows, by a hash of both texts; of labels as many good as bad ones at most.
fn sample(mut rows: Vec<Rated>, most: usize) -> Vec<Rated> {
    rows.sort_by_cached_key(|row| {
        *blake3::hash(format!("{}\n{}", row.article, row.summary).as_bytes()).as_bytes()
    });
    let is_label = rows.iter().all(|row| matches!(row.rating, Rating::Label(_)));
    let each = if is_label { most / 2 } else { most };
    let mut counts = [0, 0];
    rows.retain(|row| {
        let count = &mut counts[usize::from(is_label && row.rating.is_perfect())];
        *count += 1;
        *count <= each
    });
    rows
}

fn is_in(part: &str, article: &str) -> bool {
    match blake3::hash(article.as_bytes()).as_bytes()[0] & 3 {
        1 => part == "b1",
        3 => part == "b2",
        _ => part == "a",
    }
}

fn rated(record: &Value) -> Option<Rated> {
    let number = |name: &str| record["human"][name].as_f64();
    let rating = if let Some(error) = record["error_type"].as_str() {
        Rating::Label(error == "correct")
    } else if let Some(value) = number("consistent") {
        Rating::Label(value >= 1.0)
    } else if let Some(value) = number("faith_frac") {
        Rating::Pooled(value, 1.0)
    } else {
        Rating::Within(number("consistency")?, 5.0)
    };
    let text = |name: &str| record[name].as_str().map(str::to_owned);
    let article = text("article")?;
    Some(Rated {
        document: text("doc_id").unwrap_or_else(|| article.clone()),
        summary: text("summary")?,
        relevance: number("relevance"),
        rating,
        article,
    })
}
