//! From arguments to the request that the engine takes.

use anyhow::{Context, Result};
use assize_engine::retrieval::ranked::RankedOptions;
use assize_engine::retrieval::request::{self, FIELDS, ScoreRequest, split_list};
use assize_methods::retrieval::passages::{F1, NdcgIdeal, PassageOptions, Whitespace};
use assize_methods::retrieval::ranked::Ties;

use crate::map_args;

use super::args::{self, Mode, PassageArguments, RankedArguments, Scoring};

impl Scoring {
    /// The request, without intervals and groups.
    pub(crate) fn to_request(&self) -> Result<ScoreRequest> {
        map_args::known(&self.map, &FIELDS)?;
        Ok(ScoreRequest {
            measures: split_list(&self.measures),
            mode: match self.mode {
                Mode::Auto => request::Mode::Auto,
                Mode::Passages => request::Mode::Passages,
                Mode::Spans => request::Mode::Spans,
                Mode::Ranked => request::Mode::Ranked,
            },
            passages: self.passage_options()?,
            more_ks: self.k.numbers().unwrap_or_default().into_iter().skip(1).collect(),
            span_compat: self.passages.compat,
            require_all: self.passages.require_all,
            ranked: self.ranked_options(),
            map: self.map.iter().cloned().collect(),
            ..ScoreRequest::default()
        })
    }

    fn passage_options(&self) -> Result<PassageOptions> {
        let PassageArguments { whitespace, f1, ndcg_ideal, ndcg_unclipped, .. } = &self.passages;
        let ks = self.k.numbers().unwrap_or_default();
        Ok(PassageOptions {
            k: *ks.first().context("--k must be at least 1")?,
            whitespace: match whitespace {
                args::WhiteSpace::Collapse => Whitespace::Collapse,
                args::WhiteSpace::Strip => Whitespace::Strip,
            },
            f1: match f1 {
                args::F1Tokens::Set => F1::Set,
                args::F1Tokens::Bag => F1::Bag,
            },
            ndcg_ideal: match ndcg_ideal {
                args::NdcgIdeal::Gold => NdcgIdeal::Gold,
                args::NdcgIdeal::Retrieved => NdcgIdeal::Retrieved,
                args::NdcgIdeal::Matched => NdcgIdeal::Matched,
            },
            ndcg_clipped: !ndcg_unclipped,
        })
    }

    fn ranked_options(&self) -> RankedOptions {
        let RankedArguments { level, complete, depth, ties } = &self.ranked;
        RankedOptions {
            relevant_from: *level,
            all_queries: *complete,
            depth: depth.and_then(|depth| usize::try_from(depth).ok()),
            ties: match ties {
                args::Ties::Trec => Ties::DocumentDescending,
                args::Ties::Ascending => Ties::DocumentAscending,
                args::Ties::Input => Ties::InputOrder,
            },
            ..RankedOptions::default()
        }
    }
}
