//! One form for all spellings of a model's name, so that a model is known under every one of them.
//!
//! Case, width, look-alike and invisible characters, separators, provider and the tag `latest`
//! never tell two models apart. A date, a quantisation or a remark may or may not: names that
//! differ in nothing else are doubtful, and who is in doubt does not review.

use std::sync::LazyLock;

use assize_text::word_list;

use crate::gate::plain;

/// Words before a name that say where a model is served or who made it.
static PROVIDERS: LazyLock<Vec<&str>> =
    LazyLock::new(|| word_list(include_str!("../../data/providers.txt")));

/// Tags that name a way to be served, not a model.
const SERVING_TAGS: [&str; 7] = ["free", "nitro", "floor", "online", "extended", "beta", "0"];

/// Forms in which the weights of one model are stored.
const QUANTISATIONS: [&str; 22] = [
    "fp32", "fp16", "fp8", "f32", "f16", "bf16", "int8", "int4", "nf4", "mxfp4", "8bit", "4bit",
    "gguf", "ggml", "awq", "gptq", "exl2", "mlx", "bnb", "w4a16", "w8a8", "qat",
];

/// What may follow `q4` and its like.
const QUANTISATION_ENDS: [&str; 9] = ["k", "m", "s", "l", "xs", "xxs", "0", "1", "nl"];

/// Words for one reply of several by the same model; a number follows.
const SAMPLING: [&str; 8] =
    ["temp", "temperature", "seed", "run", "sample", "copy", "attempt", "instance"];

/// Words that only say what kind of snapshot a date names.
const PREVIEWS: [&str; 3] = ["preview", "exp", "experimental"];

/// A name in its one form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ModelName {
    /// Without what never tells models apart.
    strict: String,
    /// Also without what may tell them apart; more than one if it can be read in several ways.
    loose: Vec<String>,
    /// What was left out of the loose forms, in words.
    doubts: Vec<&'static str>,
}

impl ModelName {
    pub(super) fn new(name: &str) -> Self {
        let mut doubts = Vec::new();
        let whole = words(name, &mut doubts);
        let strict = joined(&whole);
        let (kept, dated) = without_doubtful(&whole, &mut doubts);
        let mut loose = vec![joined(&kept), sorted(&kept)];
        if dated {
            let is_preview = |word: &String| PREVIEWS.contains(&word.as_str());
            let rest: Vec<String> = kept.into_iter().filter(|word| !is_preview(word)).collect();
            loose.push(joined(&rest));
        }
        Self { strict, loose, doubts }
    }

    /// Whether both are spellings of one name.
    pub(super) fn is(&self, other: &Self) -> bool {
        !self.strict.is_empty() && self.strict == other.strict && self.doubts == other.doubts
    }

    /// Why both may be one model although they are spelled differently; `None` if they are not.
    pub(super) fn doubt(&self, other: &Self) -> Option<&'static str> {
        let alike = |one: &String| {
            other.loose.iter().any(|two| !one.is_empty() && (one == two || look(one) == look(two)))
        };
        if !self.loose.iter().any(alike) {
            return None;
        }
        let doubts = self.doubts.iter().chain(&other.doubts);
        Some(doubts.copied().next().unwrap_or("the same words in another order or spelling"))
    }
}

/// The words of a name without provider, sample number and the tag `latest`.
fn words(name: &str, doubts: &mut Vec<&'static str>) -> Vec<String> {
    let folded = plain(name.trim());
    let mut name = folded.trim();
    if let Some((model, number)) = name.rsplit_once('#')
        && number.trim().bytes().all(|byte| byte.is_ascii_digit())
    {
        name = model;
    }
    if let Some(open) = name.find(['(', '[', '{', '<']).filter(|open| *open > 0) {
        doubts.push("a remark in brackets");
        name = &name[..open];
    }
    let last = name.rsplit('/').find(|part| !part.trim().is_empty()).unwrap_or_default();
    let (model, version) = last.split_once('@').unwrap_or((last, ""));
    if !version.is_empty() && !PROVIDERS.contains(&version.trim()) {
        doubts.push("a version");
    }
    let mut parts: Vec<&str> = model.split(':').map(str::trim).collect();
    while parts.len() > 1 && PROVIDERS.contains(&parts[0]) {
        parts.remove(0);
    }
    let model = parts.first().copied().unwrap_or_default();
    let mut found = split(without_dotted_provider(model));
    for tag in parts.iter().skip(1).flat_map(|tag| split(tag)) {
        if SERVING_TAGS.contains(&tag.as_str()) {
            doubts.push("a tag");
        } else {
            found.push(tag);
        }
    }
    while found.len() > 1 && PROVIDERS.contains(&found[0].as_str()) {
        found.remove(0);
    }
    if let Some(at) = found.iter().position(|word| word == "via" || word == "by")
        && at > 0
    {
        found.truncate(at);
    }
    found.retain(|word| word != "latest");
    found
}

/// `us.anthropic.claude` without where and whose: a dot elsewhere is part of a number.
fn without_dotted_provider(mut model: &str) -> &str {
    while let Some((provider, rest)) = model.split_once('.') {
        if rest.is_empty() || !PROVIDERS.contains(&provider) {
            break;
        }
        model = rest;
    }
    model
}

/// Letters and digits; a plus sign is the word.
fn split(text: &str) -> Vec<String> {
    let text = text.replace('+', " plus ");
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The words without dates, quantisations and settings, and whether a date was among them. The
/// first word is the model's in any case.
fn without_doubtful(words: &[String], doubts: &mut Vec<&'static str>) -> (Vec<String>, bool) {
    let mut kept: Vec<String> = words.iter().take(1).cloned().collect();
    let mut dated = false;
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let rest = &words[at..];
        let (length, doubt) = match (date(rest), quantisation(rest), sampling(rest)) {
            (length @ 1.., _, _) => (length, "a dated snapshot"),
            (_, length @ 1.., _) => (length, "a quantisation"),
            (_, _, length @ 1..) => (length, "a sampling setting"),
            _ => (0, ""),
        };
        if length == 0 {
            // Amazon counts the releases of a snapshot after its date.
            if !(dated && matches!(word.as_str(), "v1" | "v2")) {
                kept.push(word.clone());
            }
            at += 1;
            continue;
        }
        dated |= doubt == "a dated snapshot";
        doubts.push(doubt);
        at += length;
    }
    (kept, dated)
}

/// How many words at the start are a date: 20240513, 2024 05 13, 05 2024, 0613, 2407, 001.
fn date(words: &[String]) -> usize {
    let number = |at: usize, length: usize| {
        let word = words.get(at).filter(|word| word.len() == length)?;
        word.parse::<u32>().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is_year = |year: u32| (2019..2040).contains(&year);
    let is_month = |month: u32| (1..=12).contains(&month);
    let is_day = |day: u32| (1..=31).contains(&day);
    if number(0, 4).is_some_and(is_year) {
        return match (number(1, 2).filter(|month| is_month(*month)), number(2, 2)) {
            (Some(_), Some(day)) if is_day(day) => 3,
            (Some(_), _) => 2,
            _ => 1,
        };
    }
    if number(0, 2).is_some_and(is_month) && number(1, 4).is_some_and(is_year) {
        return 2;
    }
    if number(0, 2).is_some_and(is_month) && number(1, 2).is_some_and(is_day) {
        return 2;
    }
    let is_whole = number(0, 8).is_some_and(|date| is_year(date / 10_000))
        || number(0, 6).is_some_and(|date| is_year(date / 100) || is_year(2000 + date / 10_000))
        || number(0, 4).is_some_and(|date| is_month(date / 100) && is_day(date % 100))
        || number(0, 4).is_some_and(|date| is_year(2000 + date / 100) && is_month(date % 100))
        || number(0, 3).is_some_and(|number| number < 10);
    usize::from(is_whole)
}

/// How many words at the start say how weights are stored: `q4_k_m`, `awq`, `4 bit`.
fn quantisation(words: &[String]) -> usize {
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    let Some(first) = words.first() else { return 0 };
    if is_number(first) && words.get(1).is_some_and(|word| word == "bit") {
        return 2;
    }
    let bits = first.strip_prefix("iq").or_else(|| first.strip_prefix('q'));
    if bits.is_some_and(|bits| !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit())) {
        let is_end = |word: &&String| QUANTISATION_ENDS.contains(&word.as_str());
        return 1 + words[1..].iter().take_while(is_end).count();
    }
    usize::from(QUANTISATIONS.contains(&first.as_str()))
}

/// How many words at the start name one of several replies: `temp 0.7`, `run 2`.
fn sampling(words: &[String]) -> usize {
    let Some(first) = words.first() else { return 0 };
    if !SAMPLING.contains(&first.trim_end_matches(|letter: char| letter.is_ascii_digit())) {
        return 0;
    }
    let is_number = |word: &&String| word.bytes().all(|byte| byte.is_ascii_digit());
    1 + words[1..].iter().take_while(is_number).count()
}

/// One string, with a dot where two numbers would run together: `3-8b` is not `38b`.
fn joined(words: &[String]) -> String {
    let mut whole = String::new();
    for word in words {
        let ends = whole.chars().next_back().is_some_and(|letter| letter.is_ascii_digit());
        if ends && word.starts_with(|letter: char| letter.is_ascii_digit()) {
            whole.push('.');
        }
        whole.push_str(word);
    }
    whole
}

/// The same whatever the order of the words; numbers that follow each other are one word.
fn sorted(words: &[String]) -> String {
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    let groups = words.chunk_by(|one, other| is_number(one) && is_number(other));
    let mut groups: Vec<String> = groups.map(|group| group.join(".")).collect();
    groups.sort();
    groups.join(" ")
}

/// How a name looks: zero like o, one like l.
fn look(name: &str) -> String {
    let look = |letter| match letter {
        '0' => 'o',
        '1' | 'i' => 'l',
        other => other,
    };
    name.chars().map(look).collect()
}
