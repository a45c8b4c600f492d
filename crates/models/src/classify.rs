//! From what the line or the provider said to one of our errors.

use std::error::Error as _;
use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;

use crate::error::ProviderError;

/// So much of a provider's message is kept.
const MESSAGE_CHARACTERS_MAX: usize = 300;
/// Nobody waits longer than a day, whatever a header says.
const WAIT_MAX: Duration = Duration::from_hours(24);
/// How providers say that a request does not fit the model.
const TOO_LONG: [&str; 6] = [
    "context_length_exceeded",
    "maximum context length",
    "context size",
    "prompt is too long",
    "input is too long",
    "exceeds the maximum number of tokens",
];
/// How providers say that waiting will not help. Codes and whole phrases: Gemini's ordinary limit
/// of requests a minute tells people to check "billing details" too.
const EMPTY_ACCOUNT: [&str; 4] =
    ["insufficient_quota", "credit balance is too low", "billing_hard_limit", "billing_not_active"];

/// Sorts a failure of the line. `timeout` is what it was told to wait at most.
pub(crate) fn body_error(cause: &reqwest::Error, timeout: Duration) -> ProviderError {
    match cause {
        // A time-out while connecting is a connection that was not made.
        cause if cause.is_timeout() && !cause.is_connect() => {
            ProviderError::TimedOut { after: timeout }
        }
        cause if cause.is_builder() => {
            ProviderError::Refused { status: None, message: innermost(cause) }
        }
        cause if cause.is_connect() => ProviderError::Unreachable { message: innermost(cause) },
        // The connection stood: the request may have arrived, and been worked on.
        cause => ProviderError::BrokenOff { message: innermost(cause) },
    }
}

/// Sorts a reply whose status says that it is none.
pub(crate) fn status_error(status: u16, body: &str, headers: &HeaderMap) -> ProviderError {
    let message = said(body);
    let retry_after = retry_after(headers, SystemTime::now());
    let mentions = |words: &[&str]| words.iter().any(|word| contains(body, word));
    match status {
        429 | 402 | 400 if mentions(&EMPTY_ACCOUNT) => ProviderError::Rejected { status, message },
        429 => ProviderError::RateLimited { retry_after, message },
        400 | 413 | 422 if status == 413 || mentions(&TOO_LONG) => {
            ProviderError::TooLong { message }
        }
        401 | 402 | 404 => ProviderError::Rejected { status, message },
        408 | 409 | 425 | 500.. => ProviderError::Server { status, retry_after, message },
        _ => ProviderError::Refused { status: Some(status), message },
    }
}

/// Something that is not the protocol.
pub(crate) fn malformed(message: &str) -> ProviderError {
    ProviderError::Malformed { message: shortened(message) }
}

/// How long the provider wants to be left alone.
///
/// `retry-after` holds seconds or a date; `retry-after-ms` and the reset of the rate limit
/// (`6m0s`, `20ms`) are what some providers send instead.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let header = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let milliseconds = || seconds(header("retry-after-ms")?).map(|wait| wait / 1_000);
    let plain = || {
        let value = header("retry-after")?;
        seconds(value).or_else(|| {
            let date = httpdate::parse_http_date(value).ok()?;
            Some(date.duration_since(now).unwrap_or_default())
        })
    };
    let reset = || {
        let resets = ["x-ratelimit-reset-requests", "x-ratelimit-reset-tokens"];
        resets.into_iter().filter_map(|name| with_units(header(name)?)).max()
    };
    milliseconds().or_else(plain).or_else(reset).map(|wait| wait.min(WAIT_MAX))
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

/// Reads `1h2m3.5s` and `20ms`.
fn with_units(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
        let (number, unit) = rest.split_at(digits);
        let end = unit.find(|letter: char| letter.is_ascii_digit()).unwrap_or(unit.len());
        let (unit, after) = unit.split_at(end);
        let seconds = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3_600.0,
            _ => return None,
        };
        let number: f64 = number.parse().ok()?;
        total = total.checked_add(Duration::try_from_secs_f64(number * seconds).ok()?)?;
        rest = after;
    }
    (!text.is_empty()).then_some(total)
}

/// The sentence in a provider's error body, or the body itself.
fn said(body: &str) -> String {
    let json: Option<serde_json::Value> = serde_json::from_str(body).ok();
    let places = ["/error/message", "/message", "/error", "/detail"];
    let sentence = json
        .as_ref()
        .and_then(|json| places.iter().find_map(|place| json.pointer(place)?.as_str()));
    shortened(sentence.unwrap_or(body))
}

/// One line, not too long, without control characters.
pub(crate) fn shortened(text: &str) -> String {
    let line: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    let line = line.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MESSAGE_CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None if line.is_empty() => "no reason given".to_owned(),
        None => line,
    }
}

/// The last of a chain of causes says what happened; the others say who noticed. The
/// address is left out: it may carry a key as a parameter.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause = error.source();
    while let Some(deeper) = cause.and_then(std::error::Error::source) {
        cause = Some(deeper);
    }
    cause
        .map_or_else(|| "the connection was lost".to_owned(), |cause| shortened(&cause.to_string()))
}

fn contains(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    fn wait(pairs: &[(&'static str, &str)]) -> Option<Duration> {
        let now = httpdate::parse_http_date("Wed, 21 Oct 2026 07:28:00 GMT").unwrap();
        retry_after(&headers(pairs), now)
    }

    #[test]
    fn a_wait_is_read_from_seconds_dates_milliseconds_and_resets() {
        let seconds = |number| Some(Duration::from_secs(number));
        assert_eq!(wait(&[("retry-after", "7")]), seconds(7));
        assert_eq!(wait(&[("retry-after", "0.25")]), Some(Duration::from_millis(250)));
        assert_eq!(wait(&[("retry-after", "Wed, 21 Oct 2026 07:28:30 GMT")]), seconds(30));
        assert_eq!(wait(&[("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")]), seconds(0));
        assert_eq!(
            wait(&[("retry-after-ms", "1500"), ("retry-after", "9")]),
            Some(Duration::from_millis(1_500))
        );
        assert_eq!(
            wait(&[("x-ratelimit-reset-requests", "20ms"), ("x-ratelimit-reset-tokens", "1m2.5s")]),
            Some(Duration::from_millis(62_500))
        );
    }

    #[test]
    fn nonsense_in_a_header_is_no_wait_and_a_year_is_a_day() {
        for nonsense in ["", "soon", "-5", "nan", "1e400"] {
            assert_eq!(wait(&[("retry-after", nonsense)]), None, "{nonsense}");
        }
        assert_eq!(wait(&[("x-ratelimit-reset-tokens", "5 parsecs")]), None);
        assert_eq!(wait(&[("retry-after", "31536000")]), Some(WAIT_MAX));
    }

    #[test]
    fn each_status_has_its_class() {
        let class = |status, body: &str| status_error(status, body, &HeaderMap::new()).class();
        for (status, expected) in [
            (400, "refused"),
            (401, "shut_out"),
            (402, "shut_out"),
            (403, "refused"),
            (404, "shut_out"),
            (413, "too_long"),
            (422, "refused"),
            (429, "rate_limited"),
            (500, "server"),
            (503, "server"),
            (529, "server"),
            (302, "refused"),
        ] {
            assert_eq!(class(status, "{}"), expected, "{status}");
        }
        assert_eq!(class(429, r#"{"error":{"code":"insufficient_quota"}}"#), "shut_out");
        assert_eq!(class(400, r#"{"error":{"code":"context_length_exceeded"}}"#), "too_long");
        assert_eq!(class(400, "This model's Maximum Context Length is 8192"), "too_long");
    }

    /// The bodies are those that the providers send.
    #[test]
    fn a_limit_that_passes_is_told_from_an_account_that_is_empty() {
        let class = |status, body: &str| status_error(status, body, &HeaderMap::new()).class();
        let gemini = r#"{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "You
            exceeded your current quota, please check your plan and billing details.", "details": [
            {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId":
            "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}]},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "26s"}]}}"#;
        assert_eq!(class(429, gemini), "rate_limited");
        let openai = r#"{"error": {"message": "You exceeded your current quota, please check your
            plan and billing details.", "type": "insufficient_quota"}}"#;
        let anthropic = r#"{"type": "error", "error": {"type": "invalid_request_error", "message":
            "Your credit balance is too low to access the Anthropic API."}}"#;
        assert_eq!(class(429, openai), "shut_out");
        assert_eq!(class(400, anthropic), "shut_out");
        assert_eq!(class(400, r#"{"error":{"code":"billing_hard_limit_reached"}}"#), "shut_out");
        assert_eq!(class(429, r#"{"error":{"code":"billing_not_active"}}"#), "shut_out");
    }

    #[test]
    fn the_sentence_of_the_provider_is_kept_in_one_short_line() {
        let error = status_error(500, r#"{"error":{"message":"on\nfire"}}"#, &HeaderMap::new());
        assert_eq!(error.to_string(), "the provider failed (500): on fire");
        let page = format!("<html>{}</html>", "x".repeat(100_000));
        assert!(status_error(502, &page, &HeaderMap::new()).to_string().len() < 400);
        let silent = status_error(500, "", &HeaderMap::new());
        assert_eq!(silent.to_string(), "the provider failed (500): no reason given");
    }
}
