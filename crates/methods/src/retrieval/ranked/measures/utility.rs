//! Utility: a price for each kind of document.

use assize_score::Working;

use super::count;
use crate::retrieval::ranked::{JudgedRanking, Settings};

/// `a` for each relevant document retrieved, `b` for each other one retrieved, `c` for each
/// relevant one missed, `d` for each of the rest; by default 1, -1, 0, 0.
///
/// The size of the collection is not known, so `d` only takes off what is accounted for, as
/// `trec_eval` does when nobody tells it the size.
pub(crate) fn utility<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    let found = ranking.relevant_found(None);
    let (retrieved, relevant) = (ranking.retrieved, ranking.relevant());
    let rest = found as f64 - retrieved as f64 - relevant as f64;
    let counts = [
        count("relevant retrieved", found),
        count("not relevant retrieved", retrieved - found),
        count("relevant missed", relevant - found),
        N::given("rest", rest),
    ];
    let prices = settings.numbers.iter().zip(&counts);
    let value = prices.fold(0.0, |sum, (price, count)| sum + price * count.value());
    N::computed("utility", "Σ price * count", value, counts)
}

#[cfg(test)]
mod tests {
    use super::super::testing::value;

    /// One relevant and two others retrieved, three relevant missed.
    #[test]
    fn each_kind_has_its_price() {
        let levels = [Some(1), None, Some(0)];
        assert_eq!(value("utility", &levels, &[1, 4]), -1.0);
        assert_eq!(value("utility(2,-1,-0.5,0)", &levels, &[1, 4]), -1.5);
    }
}
