//! What models cost: a data file that the user can override.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::chat::Usage;
use crate::name::ModelName;

const BUILT_IN: &str = include_str!("../defaults/models.toml");
const NANODOLLARS: u64 = 1_000_000_000;
/// No model costs a dollar a token; beyond this a price is a slip of the pen.
const DOLLARS_A_MILLION_MAX: f64 = 1_000_000.0;

/// An amount of US dollars, kept in billionths so that sums are exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Money {
    /// Billionths of a dollar.
    pub nanodollars: u64,
}

/// A text that is no amount.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not an amount of US dollars, such as $2.50")]
pub struct NotMoney(String);

/// What a million tokens cost, in millionths of a dollar; the same number is the cost of one
/// token in millionths of a millionth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    input: u64,
    cached_input: u64,
    output: u64,
}

/// What is known about models.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    entries: Vec<Entry>,
}

/// Why a price file was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// Not the format.
    #[error("the price file is not valid")]
    Syntax(#[from] toml::de::Error),
    /// Not a price.
    #[error("the {field} price of `{model}` must be between 0 and a million dollars")]
    Price {
        /// The model's name or pattern in the file.
        model: String,
        /// The price of what: input, cached input or output.
        field: &'static str,
    },
}

/// The price of a model as a configuration states it, in US dollars for a million tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedPrice {
    /// Of a request.
    pub input: f64,
    /// Of what the provider had cached; like `input` if left out.
    pub cached_input: Option<f64>,
    /// Of a reply.
    pub output: f64,
    /// How many tokens fit into the model.
    pub context_tokens: Option<u64>,
    /// The day it was looked up.
    pub as_of: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// The day of all lines that name none.
    #[serde(default)]
    as_of: Option<String>,
    #[serde(default)]
    model: Vec<Line>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    name: String,
    input: f64,
    cached_input: Option<f64>,
    output: f64,
    #[serde(default)]
    context_tokens: Option<u64>,
    #[serde(default)]
    as_of: Option<String>,
}

#[derive(Debug, Clone)]
struct Entry {
    name: String,
    price: Price,
    context_tokens: Option<u64>,
    as_of: Option<String>,
}

impl Catalogue {
    /// What ships with the program.
    pub fn built_in() -> Self {
        Self::default().with(BUILT_IN).expect("a test reads the file that ships")
    }

    /// The same with the lines of another file, which go before those already known.
    pub fn with(mut self, toml: &str) -> Result<Self, CatalogueError> {
        let File { as_of, model } = toml::from_str(toml)?;
        let dated = |line: Line| Line { as_of: line.as_of.or_else(|| as_of.clone()), ..line };
        self.put_first(model.into_iter().map(dated))?;
        Ok(self)
    }

    /// The same with prices by the name of the model, which go before those already known.
    pub fn with_prices(
        mut self,
        prices: BTreeMap<String, StatedPrice>,
    ) -> Result<Self, CatalogueError> {
        let line = |(name, price): (String, StatedPrice)| Line {
            name,
            input: price.input,
            cached_input: price.cached_input,
            output: price.output,
            context_tokens: price.context_tokens,
            as_of: price.as_of,
        };
        // Longer names first: `a/b-mini*` is not to be taken for `a/b*`.
        let mut lines: Vec<Line> = prices.into_iter().map(line).collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.name.len()));
        self.put_first(lines.into_iter())?;
        Ok(self)
    }

    fn put_first(&mut self, lines: impl Iterator<Item = Line>) -> Result<(), CatalogueError> {
        let entries: Result<Vec<_>, _> = lines.map(Line::checked).collect();
        self.entries.splice(0..0, entries?);
        Ok(())
    }

    /// Every line: the name, its price, and the day it was looked up.
    pub fn lines(&self) -> impl Iterator<Item = (&str, Price, Option<&str>)> {
        self.entries.iter().map(|entry| (&*entry.name, entry.price, entry.as_of.as_deref()))
    }

    /// The price of a model, if it is known.
    pub fn price(&self, model: &ModelName) -> Option<Price> {
        self.entry(model).map(|entry| entry.price)
    }

    /// How many tokens fit into the model, if it is known.
    pub fn context_tokens(&self, model: &ModelName) -> Option<u64> {
        self.entry(model)?.context_tokens
    }

    /// The day a price was looked up, if it is known.
    pub fn as_of(&self, model: &ModelName) -> Option<&str> {
        self.entry(model)?.as_of.as_deref()
    }

    fn entry(&self, model: &ModelName) -> Option<&Entry> {
        let name = model.to_string();
        self.entries.iter().find(|entry| match entry.name.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == entry.name,
        })
    }
}

impl Line {
    fn checked(self) -> Result<Entry, CatalogueError> {
        let price = |field, dollars: f64| {
            if !(0.0..=DOLLARS_A_MILLION_MAX).contains(&dollars) {
                return Err(CatalogueError::Price { model: self.name.clone(), field });
            }
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "the range was checked above"
            )]
            Ok((dollars * 1e6 + 0.5) as u64)
        };
        let input = price("input", self.input)?;
        let cached_input = price("cached_input", self.cached_input.unwrap_or(self.input))?;
        let output = price("output", self.output)?;
        Ok(Entry {
            price: Price { input, cached_input, output },
            name: self.name,
            context_tokens: self.context_tokens,
            as_of: self.as_of,
        })
    }
}

impl Price {
    /// What a million tokens cost: of requests, of cached requests, of replies.
    pub fn a_million(&self) -> [Money; 3] {
        // Millionths of a dollar are a thousand billionths.
        let money = |millionths: u64| Money { nanodollars: millionths.saturating_mul(1_000) };
        [self.input, self.cached_input, self.output].map(money)
    }

    /// What an exchange costs; a part of a billionth counts as a whole one.
    pub fn of(&self, usage: &Usage) -> Money {
        let part = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
        let cached = usage.cached_input_tokens.min(usage.input_tokens);
        let parts = part(usage.input_tokens - cached, self.input)
            + part(cached, self.cached_input)
            + part(usage.output_tokens, self.output);
        Money { nanodollars: u64::try_from(parts.div_ceil(1_000)).unwrap_or(u64::MAX) }
    }
}

impl Money {
    /// Every digit, and at least two places: a price of $0.075 is not $0.07.
    pub fn exact(&self) -> String {
        let (dollars, rest) = (self.nanodollars / NANODOLLARS, self.nanodollars % NANODOLLARS);
        let places = format!("{rest:09}");
        let shown = places.trim_end_matches('0').len().max(2);
        format!("${dollars}.{}", &places[..shown])
    }
}

impl fmt::Display for Money {
    /// Two places from a cent upwards, six below.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (dollars, rest) = (self.nanodollars / NANODOLLARS, self.nanodollars % NANODOLLARS);
        if self.nanodollars == 0 || self.nanodollars >= NANODOLLARS / 100 {
            write!(formatter, "${dollars}.{:02}", rest / 10_000_000)
        } else {
            write!(formatter, "${dollars}.{:06}", rest.div_ceil(1_000))
        }
    }
}

impl FromStr for Money {
    type Err = NotMoney;

    fn from_str(text: &str) -> Result<Self, NotMoney> {
        let refused = || NotMoney(text.to_owned());
        let digits = text.trim().trim_start_matches('$');
        let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
        let plain = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !plain(whole) || !plain(part) || part.len() > 9 {
            return Err(refused());
        }
        let whole: u64 = whole.parse().map_err(|_| refused())?;
        let part: u64 = format!("{part:0<9}").parse().map_err(|_| refused())?;
        let whole = whole.checked_mul(NANODOLLARS).ok_or_else(refused)?;
        Ok(Self { nanodollars: whole.checked_add(part).ok_or_else(refused)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "
        [[model]]
        name = 'cloud/large'
        input = 2.5
        cached_input = 1.25
        output = 10
        as_of = '2026-10-01'
        [[model]]
        name = 'cloud/*'
        input = 0.15
        output = 0.6
        context_tokens = 8192
    ";

    fn named(name: &str) -> ModelName {
        name.parse().unwrap()
    }

    fn usage(input: u64, cached: u64, output: u64) -> Usage {
        Usage {
            input_tokens: input,
            cached_input_tokens: cached,
            output_tokens: output,
            counted: true,
        }
    }

    /// Known models by full name: the shorter name of another family must not get in first.
    #[test]
    fn the_file_that_ships_prices_common_models_and_says_of_when() {
        let catalogue = Catalogue::built_in();
        for (name, input, output) in [
            ("openai/gpt-4o-mini-2024-07-18", "$0.15", "$0.60"),
            ("openai/gpt-4o", "$2.50", "$10.00"),
            ("anthropic/claude-sonnet-4-5", "$3.00", "$15.00"),
            ("gemini/gemini-2.5-flash-lite", "$0.10", "$0.40"),
            ("ollama/llama3", "$0.00", "$0.00"),
        ] {
            let price = catalogue.price(&named(name)).unwrap();
            let [stated_input, _, stated_output] = price.a_million().map(|money| money.to_string());
            assert_eq!((&*stated_input, &*stated_output), (input, output), "{name}");
        }
        assert!(catalogue.price(&named("openai/of-tomorrow")).is_none());
        assert!(catalogue.lines().all(|(_, _, as_of)| as_of.is_some_and(|day| day.len() == 10)));
        // A line that an earlier one hides would never be used.
        let names: Vec<&str> = catalogue.lines().map(|(name, ..)| name).collect();
        for (index, name) in names.iter().enumerate() {
            let hides = |other: &&str| other.strip_suffix('*').is_some_and(|b| name.starts_with(b));
            assert!(!names[..index].iter().any(hides), "{name} is hidden");
        }
    }

    #[test]
    fn a_price_is_shown_with_every_digit() {
        let price = Catalogue::built_in().price(&named("openai/gpt-4o-mini")).unwrap();
        assert_eq!(price.a_million().map(|money| money.exact()), ["$0.15", "$0.075", "$0.60"]);
        let price = Catalogue::built_in().price(&named("gemini/gemini-2.5-pro")).unwrap();
        assert_eq!(price.a_million().map(|money| money.exact()), ["$1.25", "$0.3125", "$10.00"]);
    }

    #[test]
    fn a_configured_price_goes_before_the_one_that_ships() {
        let price = StatedPrice {
            input: 1.0,
            cached_input: None,
            output: 2.0,
            context_tokens: None,
            as_of: None,
        };
        let prices = BTreeMap::from([("openai/gpt-4o*".to_owned(), price)]);
        let catalogue = Catalogue::built_in().with_prices(prices).unwrap();
        let found = catalogue.price(&named("openai/gpt-4o")).unwrap();
        assert_eq!(found.a_million().map(|money| money.to_string()), ["$1.00", "$1.00", "$2.00"]);
    }

    /// 1,000 new and 1,000 cached tokens at 2.50 and 1.25 dollars a million are 0.0025 and
    /// 0.00125 dollars; 500 at 10 dollars a million are 0.005. In all 0.00875.
    #[test]
    fn an_exchange_costs_what_the_hand_calculation_says() {
        let catalogue = Catalogue::default().with(FILE).unwrap();
        let price = catalogue.price(&named("cloud/large")).unwrap();
        assert_eq!(price.of(&usage(2_000, 1_000, 500)).nanodollars, 8_750_000);
        assert_eq!(price.of(&usage(0, 0, 0)).nanodollars, 0);
    }

    #[test]
    fn a_star_prices_a_family_and_the_first_line_that_fits_counts() {
        let catalogue = Catalogue::default().with(FILE).unwrap();
        let small = catalogue.price(&named("cloud/small-2026")).unwrap();
        assert_eq!(small.of(&usage(1_000_000, 0, 0)).to_string(), "$0.15");
        assert_eq!(catalogue.context_tokens(&named("cloud/small-2026")), Some(8_192));
        assert_eq!(catalogue.as_of(&named("cloud/large")), Some("2026-10-01"));
        assert!(catalogue.price(&named("elsewhere/x")).is_none());

        let mine = "[[model]]\nname = 'cloud/large'\ninput = 1\noutput = 1";
        let catalogue = catalogue.with(mine).unwrap();
        let price = catalogue.price(&named("cloud/large")).unwrap();
        assert_eq!(price.of(&usage(1_000_000, 0, 0)).to_string(), "$1.00");
    }

    #[test]
    fn a_price_that_cannot_be_one_is_refused_by_name() {
        for bad in ["-1", "nan", "1e9"] {
            let file = format!("[[model]]\nname = 'a/b'\ninput = {bad}\noutput = 1");
            let error = Catalogue::default().with(&file).unwrap_err().to_string();
            assert!(error.contains("the input price of `a/b`"), "{bad}: {error}");
        }
    }

    #[test]
    fn amounts_are_read_and_written() {
        for (text, written) in
            [("$2.50", "$2.50"), ("0", "$0.00"), ("3", "$3.00"), ("0.0000012", "$0.000002")]
        {
            assert_eq!(text.parse::<Money>().unwrap().to_string(), written);
        }
        for text in ["", "$", "-1", "1.", "1.2.3", "five", "99999999999999999999"] {
            assert!(text.parse::<Money>().is_err(), "{text}");
        }
    }
}
