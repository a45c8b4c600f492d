//! The rule judge of summaries on hostile text: time grows in line with length.

use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use assize_methods::summary::{SummaryPair, judge_lock, rules};

/// Texts that have no end of sentence, nothing but pieces, numbers, hyphens or prejudices, or the
/// same words in every sentence.
const HOSTILE: [&str; 9] = [
    "a:",
    "and in of ",
    "The council voted on Tuesday. ",
    "86_000_000 ",
    "made-for-",
    "women are too emotional to decide. ",
    "Jan 15 not 3 never two, ",
    "a.B ",
    "<a>&amp;",
];

/// The longer text, in bytes: without optimisation a megabyte takes too long for a test.
const LONG: usize = if cfg!(debug_assertions) { 60_000 } else { 1_000_000 };

/// How long this process has computed. Other programs on the machine do not count, where the system
/// tells; elsewhere it is the time on the clock.
fn worked() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let of_thread = |thread: fs::DirEntry| -> Option<u64> {
        let account = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        account.split(' ').next()?.parse().ok()
    };
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return START.elapsed() };
    let all: Option<u64> = threads.map(|thread| of_thread(thread.ok()?)).sum();
    all.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

fn best_time(article: &str, summary: &str) -> Duration {
    let times = (0..3).map(|_| {
        let start = worked();
        if let Ok(pair) = SummaryPair::new(article, summary) {
            let _ = rules::judge(&pair, &judge_lock::LIMITS);
        }
        worked() - start
    });
    times.min().expect("three times")
}

#[test]
fn time_grows_with_length_and_a_megabyte_takes_less_than_a_second() {
    let news = "The council of Lindhaven voted on Tuesday to build a barrier. It costs 86 million.";
    for piece in HOSTILE {
        let text = |bytes: usize| piece.repeat(bytes / piece.len());
        for is_summary in [false, true] {
            let time = |bytes: usize| {
                let hostile = text(bytes);
                if is_summary { best_time(news, &hostile) } else { best_time(&hostile, news) }
            };
            let (long, short) = (time(LONG), time(LONG / 4));
            let ratio = long.as_secs_f64() / short.as_secs_f64();
            // Four in theory, sixteen if it were quadratic.
            assert!(ratio < 10.0, "{piece:?}: {ratio:.1}");
            if !cfg!(debug_assertions) {
                assert!(long < Duration::from_secs(1), "{piece:?}: {long:?}");
            }
        }
    }
}
