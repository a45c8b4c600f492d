//! How measures are written: `ndcg@10`, `rbp(p=.8)`, `p(rel=2)@5`, `ndcg(gain=exp)@10`.

use std::fmt;
use std::str::FromStr;

use super::nearest::nearest;
use super::table::{At, MEASURES, Takes, family};
use super::{Family, Gain, Measure, MeasureError, Settings, trec};

impl FromStr for Measure {
    type Err = MeasureError;

    /// Reads the usual notation, or one of `trec_eval`'s own names such as `ndcg_cut_10`.
    fn from_str(text: &str) -> Result<Self, MeasureError> {
        let parts = Parts::split(text.trim())?;
        match family(parts.name) {
            Some(family) => parts.measure(family),
            None => trec::single(text.trim()).unwrap_or_else(|| Err(unknown(parts.name))),
        }
    }
}

fn unknown(name: &str) -> MeasureError {
    let lower = name.to_ascii_lowercase();
    let names = MEASURES
        .iter()
        .flat_map(|family| [family.name].into_iter().chain(family.aliases.iter().copied()));
    MeasureError::Unknown { name: name.to_owned(), nearest: nearest(&lower, names) }
}

/// A measure taken apart, nothing understood yet.
struct Parts<'a> {
    text: &'a str,
    name: &'a str,
    arguments: Option<&'a str>,
    at: Option<&'a str>,
}

impl<'a> Parts<'a> {
    /// The brackets may stand before the cutoff or behind it.
    fn split(text: &'a str) -> Result<Self, MeasureError> {
        let form = || MeasureError::Form { text: text.to_owned() };
        let end = text.find(['(', '@']).unwrap_or(text.len());
        let (name, mut rest) = text.split_at(end);
        let mut parts = Self { text, name: name.trim(), arguments: None, at: None };
        while !rest.is_empty() {
            if let Some(inside) = rest.strip_prefix('(') {
                let (arguments, after) = inside.split_once(')').ok_or_else(form)?;
                if parts.arguments.replace(arguments).is_some() {
                    return Err(form());
                }
                rest = after;
            } else if let Some(after) = rest.strip_prefix('@') {
                let end = after.find(['(', '@']).unwrap_or(after.len());
                let (at, after) = after.split_at(end);
                if parts.at.replace(at.trim()).is_some() {
                    return Err(form());
                }
                rest = after;
            } else {
                return Err(form());
            }
        }
        if parts.name.is_empty() { Err(form()) } else { Ok(parts) }
    }

    fn measure(&self, family: &'static Family) -> Result<Measure, MeasureError> {
        let mut settings = Settings { numbers: default_numbers(family), ..Settings::default() };
        self.read_at(family, &mut settings)?;
        for argument in self.arguments.iter().flat_map(|arguments| arguments.split(',')) {
            if !argument.trim().is_empty() {
                read_argument(family, argument.trim(), &mut settings)?;
            }
        }
        if let Some(arguments) = self.arguments {
            read_numbers(family, arguments, &mut settings)?;
        }
        Ok(Measure::new(family, settings))
    }

    fn read_at(
        &self,
        family: &'static Family,
        settings: &mut Settings,
    ) -> Result<(), MeasureError> {
        let name = family.name;
        let wrong = |expected, text: &str| {
            Err(MeasureError::Cutoff { name, expected, text: text.to_owned() })
        };
        match (family.at, self.at) {
            (At::Nothing | At::RankOrAll, None) => {}
            (At::Rank, None) => return Err(MeasureError::CutoffMissing { name, example: "10" }),
            (At::Number(_), None) => {
                return Err(MeasureError::CutoffMissing { name, example: "0.5" });
            }
            (At::Nothing, Some(text)) => return wrong("nothing", text),
            (At::RankOrAll | At::Rank, Some(text)) => match text.parse() {
                Ok(0) => return Err(MeasureError::CutoffZero { text: self.text.to_owned() }),
                Ok(rank) => settings.cutoff = Some(rank),
                Err(_) => return wrong("a rank such as 10", text),
            },
            (At::Number(max), Some(text)) => match text.parse::<f64>() {
                Ok(number) if (0.0..=max).contains(&number) => settings.numbers = vec![number],
                _ if max == 1.0 => return wrong("a share from 0 to 1", text),
                _ => return wrong("a number of 0 or more", text),
            },
        }
        Ok(())
    }
}

/// Reads `key=value`; bare numbers are left to [`read_numbers`].
fn read_argument(
    family: &'static Family,
    argument: &str,
    settings: &mut Settings,
) -> Result<(), MeasureError> {
    let wrong = || wrong_parameter(family, argument);
    let Some((key, value)) = argument.split_once('=') else {
        return Ok(());
    };
    let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
    if key == "rel" {
        settings.relevant_from = Some(value.parse().map_err(|_| wrong())?);
        return Ok(());
    }
    if let Takes::Number(parameter) | Takes::NumberAndGains(parameter) = family.takes
        && key == parameter.key
    {
        let number: f64 = value.parse().map_err(|_| wrong())?;
        let in_range = (parameter.min..=parameter.max).contains(&number);
        settings.numbers = vec![number];
        return if in_range { Ok(()) } else { Err(wrong()) };
    }
    if !matches!(family.takes, Takes::Gains | Takes::NumberAndGains(_)) {
        return Err(wrong());
    }
    if key == "gain" {
        settings.gain = match value.to_ascii_lowercase().as_str() {
            "linear" | "lin" => Gain::Linear,
            "exponential" | "exp" | "exp2" => Gain::Exponential,
            _ => return Err(wrong()),
        };
        return Ok(());
    }
    let level: i32 = key.parse().map_err(|_| wrong())?;
    let worth: f64 = value.parse().map_err(|_| wrong())?;
    if !worth.is_finite() {
        return Err(wrong());
    }
    match &mut settings.gain {
        Gain::Levels(levels) => levels.push((level, worth)),
        other => *other = Gain::Levels(vec![(level, worth)]),
    }
    Ok(())
}

/// Reads the numbers that stand without a key: prices, or shares of recall.
fn read_numbers(
    family: &'static Family,
    arguments: &str,
    settings: &mut Settings,
) -> Result<(), MeasureError> {
    let bare = || {
        arguments.split(',').map(str::trim).filter(|text| !text.is_empty() && !text.contains('='))
    };
    let Some(first) = bare().next() else {
        return Ok(());
    };
    let numbers: Option<Vec<f64>> = bare().map(|text| text.parse().ok()).collect();
    let numbers = numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()));
    let numbers = numbers.ok_or_else(|| wrong_parameter(family, first))?;
    let fits = match family.takes {
        Takes::Numbers(defaults) => numbers.len() == defaults.len(),
        Takes::Shares(_) => numbers.iter().all(|share| (0.0..=1.0).contains(share)),
        _ => false,
    };
    if !fits {
        return Err(wrong_parameter(family, arguments));
    }
    settings.numbers = numbers;
    Ok(())
}

fn wrong_parameter(family: &'static Family, text: &str) -> MeasureError {
    let more = match family.takes {
        Takes::Nothing => String::new(),
        Takes::Gains => " or `gain=exponential` or `level=gain`".to_owned(),
        Takes::Number(parameter) => range(&parameter),
        Takes::NumberAndGains(parameter) => range(&parameter) + " or gains",
        Takes::Numbers(defaults) => format!(" or {} numbers", defaults.len()),
        Takes::Shares(_) => " or shares of recall from 0 to 1".to_owned(),
    };
    MeasureError::Parameter {
        name: family.name,
        expected: format!("`rel=level`{more}"),
        text: text.to_owned(),
    }
}

fn range(parameter: &super::table::Parameter) -> String {
    format!(" or `{}=` {} to {}", parameter.key, parameter.min, parameter.max)
}

pub(super) fn default_numbers(family: &Family) -> Vec<f64> {
    match family.takes {
        Takes::Nothing | Takes::Gains => Vec::new(),
        Takes::Number(parameter) | Takes::NumberAndGains(parameter) => vec![parameter.default],
        Takes::Numbers(defaults) | Takes::Shares(defaults) => defaults.to_vec(),
    }
}

impl fmt::Display for Measure {
    /// Writes the notation that reads back as the same measure. A persistence is always
    /// shown, because tools disagree on its default.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (family, settings) = (self.family(), self.settings());
        formatter.write_str(family.name)?;
        let arguments = arguments(family, settings);
        if !arguments.is_empty() {
            write!(formatter, "({})", arguments.join(","))?;
        }
        match (family.at, settings.cutoff) {
            (At::Number(_), _) => write!(formatter, "@{}", settings.number()),
            (_, Some(cutoff)) => write!(formatter, "@{cutoff}"),
            (_, None) => Ok(()),
        }
    }
}

fn arguments(family: &Family, settings: &Settings) -> Vec<String> {
    let mut arguments = Vec::new();
    let changed = settings.numbers != default_numbers(family);
    match family.takes {
        Takes::Number(parameter) | Takes::NumberAndGains(parameter)
            if changed || parameter.key == "p" =>
        {
            arguments.push(format!("{}={}", parameter.key, settings.number()));
        }
        Takes::Numbers(_) | Takes::Shares(_) if changed => {
            arguments.extend(settings.numbers.iter().map(ToString::to_string));
        }
        _ => {}
    }
    match &settings.gain {
        Gain::Linear => {}
        Gain::Exponential => arguments.push("gain=exponential".to_owned()),
        Gain::Levels(levels) => {
            arguments.extend(levels.iter().map(|(level, gain)| format!("{level}={gain}")));
        }
    }
    arguments.extend(settings.relevant_from.map(|level| format!("rel={level}")));
    arguments
}
