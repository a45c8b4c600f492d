//! How far apart two tokens are, as models count it: near ones exactly, far ones in buckets.

/// Which row of a table stands for how far a query is behind a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Distances {
    /// As in MPNet: half of the rows for each direction, near distances one by one.
    Halves {
        /// Rows of the table.
        rows: usize,
    },
    /// As in DeBERTa: one row a distance around the middle of the table.
    Around {
        /// Half of the table's rows.
        span: usize,
        /// Where distances are counted in buckets, the largest that a bucket stands for.
        farthest: Option<usize>,
    },
}

/// From where on MPNet puts all distances into its last bucket.
const HALVES_FARTHEST: f32 = 128.0;

impl Distances {
    /// The rows for a text of `count` tokens: from a query that is `count - 1` tokens before its
    /// key to one that is as many behind it.
    pub(super) fn rows(self, count: usize) -> Vec<usize> {
        let ends = isize::try_from(count).unwrap_or(isize::MAX) - 1;
        (-ends..=ends).map(|behind| self.row(behind)).collect()
    }

    fn row(self, behind: isize) -> usize {
        let far = behind.unsigned_abs();
        match self {
            Self::Halves { rows } => {
                let half = rows / 2;
                let first = if behind < 0 { half } else { 0 };
                first + halves_bucket(far, half)
            }
            Self::Around { span, farthest } => {
                let far = farthest.map_or(far, |farthest| logarithmic(far, span, farthest));
                let row = if behind < 0 { span.saturating_sub(far) } else { span + far };
                row.min(2 * span - 1)
            }
        }
    }
}

/// The first half of the buckets holds one distance each, the others hold more and more.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a small number that is not negative, cut as the reference cuts it"
)]
fn halves_bucket(far: usize, buckets: usize) -> usize {
    let exact = buckets / 2;
    if far < exact || exact == 0 {
        return far.min(buckets.saturating_sub(1));
    }
    let (ratio, most) = (far as f32 / exact as f32, HALVES_FARTHEST / exact as f32);
    let above = libm::logf(ratio) / libm::logf(most) * (buckets - exact) as f32;
    (exact + above as usize).min(buckets - 1)
}

/// DeBERTa's buckets: distances up to half of the span count as they are.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a small number that is not negative, raised as the reference raises it"
)]
fn logarithmic(far: usize, span: usize, farthest: usize) -> usize {
    let middle = span / 2;
    if far <= middle || middle == 0 {
        return far;
    }
    let middle_float = middle as f32;
    let share = libm::logf(far as f32 / middle_float)
        / libm::logf((farthest as f32 - 1.0) / middle_float)
        * (middle_float - 1.0);
    share.ceil() as usize + middle
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values: `relative_position_bucket` of `transformers`' MPNet for a key that is
    /// -200, -20, -9, -1, 0, 1, 8, 16, 64 and 128 tokens before the query.
    #[test]
    fn distances_of_mpnet_fall_into_its_buckets() {
        let rows = Distances::Halves { rows: 32 };
        let found = [-200, -20, -9, -1, 0, 1, 8, 16, 64, 128].map(|behind| rows.row(behind));
        assert_eq!(found, [31, 26, 24, 17, 0, 1, 8, 10, 14, 15]);
    }

    /// Expected values: `make_log_bucket_position` of `transformers`' DeBERTa-v2 with 256 buckets
    /// and 512 places, plus 256.
    #[test]
    fn distances_of_deberta_fall_into_its_buckets() {
        let rows = Distances::Around { span: 256, farthest: Some(512) };
        let found = [-511, -300, -129, -128, -1, 0, 1, 128, 129, 200, 511].map(|far| rows.row(far));
        assert_eq!(found, [1, 49, 127, 128, 255, 256, 257, 384, 385, 425, 511]);
        let exact = Distances::Around { span: 4, farthest: None };
        assert_eq!([-9, -4, -1, 0, 3, 4, 9].map(|far| exact.row(far)), [0, 0, 3, 4, 7, 7, 7]);
    }

    #[test]
    fn a_text_of_one_token_is_only_at_its_own_place() {
        assert_eq!(Distances::Halves { rows: 32 }.rows(1), [0]);
        assert_eq!(Distances::Halves { rows: 32 }.rows(2), [17, 0, 1]);
    }
}
