//! The names that `trec_eval` gives its measures, read and written.

use super::table::{At, family};
use super::{Measure, MeasureError};

/// One measure of `trec_eval`, or a row of them that differ in their cutoffs.
#[derive(Debug)]
struct Name {
    /// What `trec_eval` calls it.
    trec: &'static str,
    /// What it is called here.
    ours: &'static str,
    /// The cutoffs it is reported at when nobody states any; empty where it has none.
    cutoffs: &'static [f64],
}

const RANKS: &[f64] = &[5.0, 10.0, 15.0, 20.0, 30.0, 100.0, 200.0, 500.0, 1000.0];
const TENTHS: &[f64] = &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
const FIFTHS: &[f64] = &[0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0];

/// How many of [`NAMES`] make up the set `official`: the first ones.
const OFFICIAL: usize = 11;

/// `trec_eval`'s standard measures in the order it prints them.
#[rustfmt::skip]
const NAMES: &[Name] = &[
    Name { trec: "num_q", ours: "num_q", cutoffs: &[] },
    Name { trec: "num_ret", ours: "num_ret", cutoffs: &[] },
    Name { trec: "num_rel", ours: "num_rel", cutoffs: &[] },
    Name { trec: "num_rel_ret", ours: "num_rel_ret", cutoffs: &[] },
    Name { trec: "map", ours: "map", cutoffs: &[] },
    Name { trec: "gm_map", ours: "gm_map", cutoffs: &[] },
    Name { trec: "Rprec", ours: "r_prec", cutoffs: &[] },
    Name { trec: "bpref", ours: "bpref", cutoffs: &[] },
    Name { trec: "recip_rank", ours: "mrr", cutoffs: &[] },
    Name { trec: "iprec_at_recall", ours: "iprec", cutoffs: TENTHS },
    Name { trec: "P", ours: "p", cutoffs: RANKS },
    Name { trec: "recall", ours: "recall", cutoffs: RANKS },
    Name { trec: "infAP", ours: "infap", cutoffs: &[] },
    Name { trec: "gm_bpref", ours: "gm_bpref", cutoffs: &[] },
    Name { trec: "Rprec_mult", ours: "r_prec_mult", cutoffs: FIFTHS },
    Name { trec: "utility", ours: "utility", cutoffs: &[] },
    Name { trec: "11pt_avg", ours: "11pt_avg", cutoffs: &[] },
    Name { trec: "binG", ours: "bing", cutoffs: &[] },
    Name { trec: "G", ours: "g", cutoffs: &[] },
    Name { trec: "ndcg", ours: "ndcg", cutoffs: &[] },
    Name { trec: "ndcg_rel", ours: "ndcg_rel", cutoffs: &[] },
    Name { trec: "Rndcg", ours: "rndcg", cutoffs: &[] },
    Name { trec: "ndcg_cut", ours: "ndcg", cutoffs: RANKS },
    Name { trec: "map_cut", ours: "map", cutoffs: RANKS },
    Name { trec: "relative_P", ours: "relative_p", cutoffs: RANKS },
    Name { trec: "success", ours: "success", cutoffs: &[1.0, 5.0, 10.0] },
    Name { trec: "set_P", ours: "set_p", cutoffs: &[] },
    Name { trec: "set_relative_P", ours: "set_relative_p", cutoffs: &[] },
    Name { trec: "set_recall", ours: "set_recall", cutoffs: &[] },
    Name { trec: "set_map", ours: "set_map", cutoffs: &[] },
    Name { trec: "set_F", ours: "set_f", cutoffs: &[] },
    Name { trec: "num_nonrel_judged_ret", ours: "num_nonrel_judged_ret", cutoffs: &[] },
    Name { trec: "rbp", ours: "rbp", cutoffs: &[] },
    Name { trec: "rbp_resid", ours: "rbp_resid", cutoffs: &[] },
    Name { trec: "unj", ours: "unj", cutoffs: &[5.0, 10.0, 20.0] },
];

impl Measure {
    /// Reads what may stand for several measures: `official` and `all_trec` for `trec_eval`'s
    /// sets, `P` or `ndcg_cut` for all its default cutoffs, `P.5,10` for stated ones; or one
    /// measure in the usual notation.
    ///
    /// ```
    /// use assize_methods::retrieval::ranked::Measure;
    /// let names: Vec<String> =
    ///     Measure::parse_all("P.5,10").unwrap().iter().map(ToString::to_string).collect();
    /// assert_eq!(names, ["p@5", "p@10"]);
    /// ```
    pub fn parse_all(text: &str) -> Result<Vec<Self>, MeasureError> {
        let text = text.trim();
        let names = match text {
            "official" => &NAMES[..OFFICIAL],
            "all_trec" => NAMES,
            _ => &[],
        };
        if !names.is_empty() {
            let measures: Result<Vec<_>, _> = names.iter().map(Name::defaults).collect();
            return Ok(measures?.into_iter().flatten().collect());
        }
        if let Some(name) = NAMES.iter().find(|name| name.trec == text && !name.cutoffs.is_empty())
        {
            return name.defaults();
        }
        match text.split_once('.').and_then(|(name, rest)| Some((known(name)?, rest))) {
            Some((name, parameters)) => name.with_parameters(parameters),
            None => text.parse().map(|measure| vec![measure]),
        }
    }

    /// What `trec_eval` would call it, if it has it: `ndcg_cut_10` for `ndcg@10`.
    pub fn trec_name(&self) -> Option<String> {
        let (family, settings) = (self.family(), self.settings());
        let is_cut = settings.cutoff.is_some() || matches!(family.at, At::Number(_));
        let name = NAMES
            .iter()
            .find(|name| name.ours == family.name && name.cutoffs.is_empty() != is_cut)?;
        let plain = settings.relevant_from.is_none();
        let parameters = match (settings.cutoff, family.at) {
            (Some(cutoff), _) => format!("_{cutoff}"),
            (None, At::Number(_)) => format!("_{:.2}", settings.number()),
            (None, _) => {
                let written = self.to_string();
                let default = name.defaults().ok()?.into_iter().next()?;
                match written.split_once('(') {
                    Some((_, inside)) if *self != default => {
                        format!("_{}", inside.trim_end_matches(')'))
                    }
                    _ => String::new(),
                }
            }
        };
        plain.then(|| format!("{}{parameters}", name.trec))
    }
}

fn known(name: &str) -> Option<&'static Name> {
    NAMES.iter().find(|known| known.trec == name)
}

/// One measure under its full name: `P_5`, `ndcg_cut_10`, `utility_2,-1,0,0`.
pub(super) fn single(text: &str) -> Option<Result<Measure, MeasureError>> {
    let split = |(index, _)| Some((known(&text[..index])?, &text[index + 1..]));
    let (name, parameters) = text.rmatch_indices('_').find_map(split)?;
    let one = |mut measures: Vec<Measure>| match (measures.pop(), measures.is_empty()) {
        (Some(measure), true) => Ok(measure),
        _ => Err(MeasureError::Form { text: text.to_owned() }),
    };
    Some(name.with_parameters(parameters).and_then(one))
}

impl Name {
    /// The measures it stands for when nobody states a cutoff.
    fn defaults(&self) -> Result<Vec<Measure>, MeasureError> {
        if self.cutoffs.is_empty() {
            return Ok(vec![self.ours.parse()?]);
        }
        self.cutoffs.iter().map(|cutoff| format!("{}@{cutoff}", self.ours).parse()).collect()
    }

    /// The measures it stands for with these parameters, as they follow `-m name.`.
    fn with_parameters(&self, parameters: &str) -> Result<Vec<Measure>, MeasureError> {
        if self.cutoffs.is_empty() {
            let parameters = match family(self.ours).map(|family| family.takes) {
                Some(super::table::Takes::Number(parameter)) if !parameters.contains('=') => {
                    format!("{}={parameters}", parameter.key)
                }
                _ => parameters.to_owned(),
            };
            return Ok(vec![format!("{}({parameters})", self.ours).parse()?]);
        }
        let is_rank = !matches!(family(self.ours).map(|family| family.at), Some(At::Number(_)));
        let mut cutoffs = Vec::new();
        for text in parameters.split(',') {
            // A rank with decimals loses them, as in C's atol.
            let text = if is_rank { text.split('.').next().unwrap_or(text) } else { text };
            cutoffs.push(format!("{}@{text}", self.ours).parse::<Measure>()?);
        }
        cutoffs.sort_by(|a, b| {
            let key = |measure: &Measure| (measure.settings().cutoff, measure.settings().number());
            let ((a_rank, a_share), (b_rank, b_share)) = (key(a), key(b));
            a_rank.cmp(&b_rank).then(a_share.total_cmp(&b_share))
        });
        cutoffs.dedup();
        Ok(cutoffs)
    }
}
