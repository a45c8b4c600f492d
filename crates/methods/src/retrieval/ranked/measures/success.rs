//! Whether the reader finds anything at all.

use assize_score::Working;

use super::count;
use crate::retrieval::ranked::{JudgedRanking, Settings};

/// 1 when a relevant document stands in the first k ranks, otherwise 0. Also known as hit@k.
pub fn success<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    let first = ranking.hits(settings.cutoff).next();
    let value = f64::from(u8::from(first.is_some()));
    let inputs = first.map(|(_, rank)| count("rank of the first relevant", rank));
    N::computed("success", "1 if a relevant document was found", value, inputs)
}

#[cfg(test)]
mod tests {
    use super::super::testing::value;

    #[test]
    fn the_cutoff_itself_still_counts() {
        let levels = [None, Some(1)];
        assert_eq!(value("success@2", &levels, &[0, 1]), 1.0);
        assert_eq!(value("hit@1", &levels, &[0, 1]), 0.0);
    }
}
