//! Texts of like length through the layers together, whatever order they came in.

use rayon::prelude::*;

use super::tokens::Tokens;

/// Tokens that go through the layers together: enough for the products of matrices to be quick,
/// few enough for their results to stay in the processor's caches.
const TOKENS_TOGETHER: usize = 512;

/// What `each` gives for texts, in their order. It is called with texts of like length, on as many
/// threads as there are; since nothing is padded, no text has a say in the result of another.
pub(super) fn in_batches<T: Send>(
    texts: &[Tokens],
    each: impl Fn(&[&Tokens]) -> Vec<T> + Sync,
) -> Vec<T> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    // The longest first: the last batches are short, and no thread waits long for another.
    order.sort_by_key(|index| std::cmp::Reverse(texts[*index].ids.len()));
    let batches = together(texts, &order);
    let results: Vec<Vec<T>> = batches
        .into_par_iter()
        .map(|batch| each(&batch.iter().map(|index| &texts[*index]).collect::<Vec<_>>()))
        .collect();
    let mut placed: Vec<(usize, T)> =
        order.iter().copied().zip(results.into_iter().flatten()).collect();
    placed.sort_by_key(|(index, _)| *index);
    placed.into_iter().map(|(_, result)| result).collect()
}

/// Texts one after the other in batches of about [`TOKENS_TOGETHER`].
fn together<'a>(texts: &[Tokens], order: &'a [usize]) -> Vec<&'a [usize]> {
    let mut batches = Vec::new();
    let (mut first, mut tokens) = (0, 0);
    for (place, index) in order.iter().enumerate() {
        let length = texts[*index].ids.len();
        if place > first && tokens + length > TOKENS_TOGETHER {
            batches.push(&order[first..place]);
            (first, tokens) = (place, 0);
        }
        tokens += length;
    }
    if first < order.len() {
        batches.push(&order[first..]);
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(lengths: &[usize]) -> Vec<Tokens> {
        let of = |length: &usize| Tokens { ids: vec![0; *length], kinds: vec![0; *length] };
        lengths.iter().map(of).collect()
    }

    #[test]
    fn texts_are_put_together_up_to_a_number_of_tokens() {
        let texts = texts(&[300, 212, 1, 600, 2]);
        let sizes: Vec<usize> =
            together(&texts, &[0, 1, 2, 3, 4]).into_iter().map(<[_]>::len).collect();
        assert_eq!(sizes, [2, 1, 1, 1]);
        assert!(together(&[], &[]).is_empty());
    }

    #[test]
    fn results_come_back_in_the_order_of_the_texts() {
        let lengths = [5, 500, 1, 300, 300, 7];
        let found = in_batches(&texts(&lengths), |batch| {
            assert!(batch.windows(2).all(|two| two[0].ids.len() >= two[1].ids.len()));
            batch.iter().map(|text| text.ids.len()).collect()
        });
        assert_eq!(found, lengths);
    }
}
