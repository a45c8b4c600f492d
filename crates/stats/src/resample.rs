//! The seeded generator; the only randomness in pure code.

/// A stream of random numbers that its seed decides down to the last bit.
///
/// Work that is repeated many times takes a stream of its own for each repetition
/// ([`Generator::stream`]), so the answer is the same however many threads share the work.
///
/// Reference: Blackman & Vigna (2021), ACM TOMS 47(4): xoshiro256++, seeded by `SplitMix64`.
///
/// ```
/// use assize_stats::resample::Generator;
/// let mut dice = Generator::new(7);
/// assert!(dice.below(6) < 6);
/// assert_eq!(Generator::new(7).next_u64(), Generator::new(7).next_u64());
/// ```
#[derive(Debug, Clone)]
pub struct Generator {
    state: [u64; 4],
}

impl Generator {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        let mut mixer = seed;
        Self { state: std::array::from_fn(|_| split_mix(&mut mixer)) }
    }

    /// The generator of one repetition among many that share a seed.
    pub fn stream(seed: u64, repetition: u64) -> Self {
        let (mut left, mut right) = (seed, !repetition);
        Self::new(split_mix(&mut left) ^ split_mix(&mut right).rotate_left(32))
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let [first, second, third, fourth] = self.state;
        let output = first.wrapping_add(fourth).rotate_left(23).wrapping_add(first);
        let third = third ^ first;
        let fourth = fourth ^ second;
        self.state =
            [first ^ fourth, second ^ third, third ^ (second << 17), fourth.rotate_left(45)];
        output
    }

    /// A whole number below `bound`, each equally likely; 0 when the bound is 0.
    ///
    /// Reference: Lemire (2019), ACM Transactions on Modeling and Computer Simulation 29(1).
    #[expect(clippy::cast_possible_truncation, reason = "both halves of a product, on purpose")]
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        let mut product = u128::from(self.next_u64()) * u128::from(bound);
        if (product as u64) < bound {
            let uneven = bound.wrapping_neg() % bound;
            while (product as u64) < uneven {
                product = u128::from(self.next_u64()) * u128::from(bound);
            }
        }
        (product >> 64) as usize
    }

    /// A number from 0 up to, but without, 1.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Puts the items into a random order, each equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// One step of `SplitMix64`.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors printed by the authors' C code for these seeds.
    #[test]
    fn the_published_vectors_come_out() {
        let mut state = 1_234_567;
        assert_eq!(split_mix(&mut state), 6_457_827_717_110_365_317);
        assert_eq!(split_mix(&mut state), 3_203_168_211_198_807_973);
        let mut generator = Generator { state: [1, 2, 3, 4] };
        let first: Vec<u64> = (0..4).map(|_| generator.next_u64()).collect();
        assert_eq!(first, [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386]);
    }

    /// 60,000 throws of a die: each face within six standard errors (91) of 10,000.
    #[test]
    fn every_face_is_equally_likely() {
        let mut counts = [0_i32; 6];
        let mut dice = Generator::new(1);
        for _ in 0..60_000 {
            counts[dice.below(6)] += 1;
        }
        assert!(counts.iter().all(|count| (count - 10_000).abs() < 550), "{counts:?}");
    }

    #[test]
    fn streams_of_one_seed_differ() {
        let starts: std::collections::BTreeSet<u64> =
            (0..1000).map(|index| Generator::stream(5, index).next_u64()).collect();
        assert_eq!(starts.len(), 1000);
        assert_ne!(Generator::stream(1, 2).next_u64(), Generator::stream(2, 1).next_u64());
    }

    #[test]
    fn shuffling_keeps_every_item() {
        let mut items: Vec<u32> = (0..50).collect();
        Generator::new(3).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<u32>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<u32>>());
    }

    #[test]
    fn units_stay_below_one() {
        let mut generator = Generator::new(9);
        assert!((0..10_000).all(|_| (0.0..1.0).contains(&generator.unit())));
        assert_eq!(generator.below(1), 0);
        assert_eq!(generator.below(0), 0);
    }
}
