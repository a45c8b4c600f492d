//! Two halves of rated data: one to tune on, one to look at only at the end.

/// A half. Which one a pair falls into follows from its article alone, so no article has
/// summaries in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Half {
    /// The half to tune on.
    A,
    /// The half to measure on.
    B,
}

impl Half {
    /// The half of an article: the last bit of the first byte of its BLAKE3 hash.
    ///
    /// ```
    /// use assize_methods::summary::half::Half;
    /// assert_eq!(Half::of("It rained."), Half::of("It rained."));
    /// ```
    pub fn of(article: &str) -> Self {
        let first = blake3::hash(article.as_bytes()).as_bytes()[0];
        if first & 1 == 0 { Self::A } else { Self::B }
    }
}
