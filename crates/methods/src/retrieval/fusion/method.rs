//! From what a document is worth in each ranking to one score.

use thiserror::Error;

use super::{Norm, Retrieved};

/// The constant that keeps the first ranks from deciding alone, as its authors chose it.
pub(crate) const RECIPROCAL_RANK_K: f64 = 60.0;

/// How rankings are fused.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// The sum of `1 / (k + rank)`. Reference: Cormack, Clarke & Büttcher (2009), SIGIR.
    ReciprocalRank {
        /// How little the first ranks stand out.
        k: f64,
    },
    /// The sum of the scores. Reference: Fox & Shaw (1994), TREC-2.
    CombSum,
    /// The sum of the scores, times the number of rankings that retrieved the document.
    /// Reference: Fox & Shaw (1994), TREC-2.
    CombMnz,
    /// The sum of `1 / rank²`, times the number of rankings that retrieved the document.
    /// Reference: Mourão, Martins & Magalhães (2014), ICMR workshop.
    InverseSquareRank,
}

/// Why a fusion was refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FusionError {
    /// No method has this name.
    #[error("unknown fusion method `{name}`; expected rrf, combsum, combmnz or isr")]
    Method {
        /// What was asked for.
        name: String,
    },
    /// No norm has this name.
    #[error("unknown norm `{name}`; expected none, min-max, max, sum, z, rank or borda")]
    Norm {
        /// What was asked for.
        name: String,
    },
    /// There are not as many weights as rankings.
    #[error("{weights} weights were given for {rankings} runs")]
    Weights {
        /// How many weights there are.
        weights: usize,
        /// How many rankings there are.
        rankings: usize,
    },
}

impl Method {
    /// The method of a name.
    pub fn named(name: &str) -> Result<Self, FusionError> {
        match name.to_ascii_lowercase().as_str() {
            "rrf" => Ok(Self::ReciprocalRank { k: RECIPROCAL_RANK_K }),
            "combsum" | "weighted" => Ok(Self::CombSum),
            "combmnz" => Ok(Self::CombMnz),
            "isr" => Ok(Self::InverseSquareRank),
            _ => Err(FusionError::Method { name: name.to_owned() }),
        }
    }
}

/// A fusion with all that it was asked to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Fusion {
    /// How.
    pub method: Method,
    /// What makes scores comparable first; methods that look at ranks alone do not use it.
    pub norm: Norm,
    /// How much each ranking counts; empty when all count the same.
    pub weights: Vec<f64>,
}

impl Default for Fusion {
    fn default() -> Self {
        let method = Method::ReciprocalRank { k: RECIPROCAL_RANK_K };
        Self { method, norm: Norm::default(), weights: Vec::new() }
    }
}

impl Fusion {
    /// Refuses weights that do not fit the number of rankings.
    pub fn check(&self, rankings: usize) -> Result<(), FusionError> {
        let weights = self.weights.len();
        if weights == 0 || weights == rankings {
            Ok(())
        } else {
            Err(FusionError::Weights { weights, rankings })
        }
    }

    /// The score of each of a query's documents, given what each system retrieved, best first.
    ///
    /// ```
    /// use assize_methods::retrieval::fusion::{Fusion, Retrieved};
    /// let first = [Retrieved { document: 0, score: 9.0 }, Retrieved { document: 1, score: 8.0 }];
    /// let second = [Retrieved { document: 1, score: 0.3 }];
    /// let scores = Fusion::default().scores(&[first.to_vec(), second.to_vec()], 2);
    /// assert_eq!(scores, [1.0 / 61.0, 1.0 / 62.0 + 1.0 / 61.0]);
    /// ```
    pub fn scores(&self, rankings: &[Vec<Retrieved>], documents: usize) -> Vec<f64> {
        let mut scores = vec![0.0; documents];
        let mut found_by = vec![0_u32; documents];
        for (index, ranking) in rankings.iter().enumerate() {
            let weight = self.weights.get(index).copied().unwrap_or(1.0);
            let (worths, otherwise) = self.worths(ranking, documents);
            let mut is_found = vec![false; documents];
            for (retrieved, worth) in ranking.iter().zip(worths) {
                scores[retrieved.document] += weight * worth;
                found_by[retrieved.document] += 1;
                is_found[retrieved.document] = true;
            }
            if otherwise != 0.0 {
                for (score, _) in scores.iter_mut().zip(is_found).filter(|(_, is_found)| !is_found)
                {
                    *score += weight * otherwise;
                }
            }
        }
        if matches!(self.method, Method::CombMnz | Method::InverseSquareRank) {
            for (score, count) in scores.iter_mut().zip(found_by) {
                *score *= f64::from(count);
            }
        }
        scores
    }

    fn worths(&self, ranking: &[Retrieved], documents: usize) -> (Vec<f64>, f64) {
        let by_rank = |worth: &dyn Fn(f64) -> f64| {
            ((0..ranking.len()).map(|index| worth(index as f64 + 1.0)).collect(), 0.0)
        };
        match self.method {
            Method::ReciprocalRank { k } => by_rank(&|rank| 1.0 / (k + rank)),
            Method::InverseSquareRank => by_rank(&|rank| 1.0 / (rank * rank)),
            Method::CombSum | Method::CombMnz => self.norm.worths(ranking, documents),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two systems; document 2 is found by the second alone.
    fn rankings() -> Vec<Vec<Retrieved>> {
        let ranking = |scores: &[(usize, f64)]| {
            scores
                .iter()
                .map(|(document, score)| Retrieved { document: *document, score: *score })
                .collect()
        };
        vec![ranking(&[(0, 4.0), (1, 2.0)]), ranking(&[(1, 0.9), (2, 0.6), (0, 0.1)])]
    }

    fn fused(method: &str, norm: Norm, weights: &[f64]) -> Vec<f64> {
        let method = Method::named(method).unwrap();
        Fusion { method, norm, weights: weights.to_vec() }.scores(&rankings(), 3)
    }

    #[test]
    fn ranks_alone_decide_in_rrf_and_isr() {
        let (a, b, c) = (1.0 / 61.0 + 1.0 / 63.0, 1.0 / 62.0 + 1.0 / 61.0, 1.0 / 62.0);
        assert_eq!(fused("rrf", Norm::None, &[]), [a, b, c]);
        assert_eq!(fused("isr", Norm::None, &[]), [2.0 * (1.0 + 1.0 / 9.0), 2.0 * 1.25, 0.25]);
    }

    #[test]
    fn scores_are_summed_and_agreement_counts_in_mnz() {
        assert_eq!(
            fused("combsum", Norm::Rank, &[]),
            [1.0 + 1.0 - 2.0 / 3.0, 1.5, 1.0 - 1.0 / 3.0]
        );
        assert_eq!(fused("combmnz", Norm::None, &[]), [2.0 * 4.1, 2.0 * 2.9, 0.6]);
    }

    #[test]
    fn weights_say_how_much_a_ranking_counts() {
        assert_eq!(fused("weighted", Norm::None, &[0.5, 2.0]), [2.0 + 0.2, 1.0 + 1.8, 1.2]);
        let fusion = Fusion { weights: vec![1.0], ..Fusion::default() };
        assert_eq!(fusion.check(2).unwrap_err().to_string(), "1 weights were given for 2 runs");
    }

    /// Three documents: 3, 2, 1 points of 3. The first ranking has none for document 2, which
    /// gets the last point.
    #[test]
    fn borda_gives_points_to_documents_not_retrieved() {
        let third = 1.0 / 3.0;
        assert_eq!(
            fused("combsum", Norm::Borda, &[]),
            [1.0 + third, 2.0 * third + 1.0, third + 2.0 * third]
        );
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        assert!(Method::named("magic").unwrap_err().to_string().contains("combmnz"));
        assert!(Norm::named("magic").unwrap_err().to_string().contains("borda"));
        assert_eq!(Norm::named("Min-Max"), Ok(Norm::MinMax));
    }
}
