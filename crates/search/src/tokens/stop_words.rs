//! The lists of words that recipes leave out, compiled in.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// NLTK's English stop words.
pub(super) static NLTK: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| include_str!("../../assets/stop_words/nltk_english.txt").lines().collect());

/// The English stop words of Lucene, which bm25s has too.
pub(super) static LUCENE: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| include_str!("../../assets/stop_words/lucene_english.txt").lines().collect());

/// scikit-learn's English stop words.
pub(super) static SKLEARN: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| include_str!("../../assets/stop_words/sklearn_english.txt").lines().collect());
