//! The rule judge: evidence about a pair of texts, found without any model.

use assize_readers::{Reader, ReaderError};
use assize_score::Finding;
use assize_text::tokens::count_alnum_tokens;

use super::centrality::sentence_weights;
use super::claims::{self, LabelledClaim, LabelledStatement};
use super::evidence_sentence::{Best, Finder};
use super::index::Index;
use super::kinds::Kinds;
use super::language::{self, Language};
use super::meanings::Meanings;
use super::names::{Names, has_no_capitals};
use super::numbers::Numbers;
use super::pieces::told;
use super::quoting::Quoter;
use super::read::{consult, named};
use super::reading::{Reading, Sentence};
use super::regime::Extract;
use super::ruling::Why;
use super::soft_recall::{Holdings, content_said, recall};
use super::statement::{Sources, Statement};
use super::vocabulary::{Stem, Vocabulary};
use super::{alignment, bias_toxicity, coverage, extraneous, notes, questions, relevance};
use crate::summary::asks::suspicion::addresses_of_summary;
use crate::summary::evidence::{
    AlignmentEvidence, BiasToxicityEvidence, Claim, CoverageEvidence, Evidence, Format,
    HallucinationEvidence, OverlapWith, QagReading, QuestionAnswer, RelevanceEvidence, Totals,
};
use crate::summary::input::SummaryPair;
use crate::summary::labels::Tone;
use crate::summary::limits::Limits;

/// Both texts, read, indexed and ready to be compared.
pub(super) struct Case<'a> {
    /// The article.
    pub article: &'a Reading<'a>,
    /// The summary.
    pub summary: &'a Reading<'a>,
    /// The article's index.
    pub index: &'a Index,
    /// The words of both.
    pub vocabulary: &'a Vocabulary,
    /// The weight of each sentence of the article.
    pub weights: &'a [f64],
    /// The content of each sentence of the article, by rarity; `None` without any.
    pub contents: &'a [Option<f64>],
    /// How much of each sentence of the article the summary says; `None` without content.
    pub shares: &'a [Option<f64>],
    /// What the summary holds.
    pub holdings: &'a Holdings,
    /// What segments are compared with.
    pub overlap_with: OverlapWith,
    /// Quotes from the article.
    pub from_article: Quoter<'a>,
    /// Quotes from the summary.
    pub from_summary: Quoter<'a>,
}

/// Finds and labels everything a framework counts.
///
/// Deterministic, and linear in the length of both texts.
///
/// ```
/// use assize_methods::summary::{SummaryPair, rules, twin_lock};
/// let pair = SummaryPair::new(
///     "The bridge opened in 1932. It cost nine million pounds. It is painted grey.",
///     "The bridge opened in 1932.",
/// )?;
/// let evidence = rules::judge(&pair, &twin_lock::LIMITS);
/// assert_eq!(twin_lock::score::<f64>(&evidence)?.hallucination.overall, Ok(10.0));
/// # Ok::<(), assize_methods::summary::Refusal>(())
/// ```
pub fn judge(pair: &SummaryPair<'_>, limits: &Limits) -> Evidence {
    judge_with(pair, limits, OverlapWith::default())
}

/// The same, with a choice of what the segments of the summary are compared with.
pub fn judge_with(pair: &SummaryPair<'_>, limits: &Limits, overlap_with: OverlapWith) -> Evidence {
    let judged = judge_by(None, pair, limits, overlap_with);
    judged.expect("only a reader can fail, and none was asked")
}

/// The same with a reader, which decides what rules cannot.
pub fn read_and_judge(
    reader: &dyn Reader,
    pair: &SummaryPair<'_>,
    limits: &Limits,
) -> Result<Evidence, ReaderError> {
    judge_by(Some(reader), pair, limits, OverlapWith::default())
}

fn judge_by(
    reader: Option<&dyn Reader>,
    pair: &SummaryPair<'_>,
    limits: &Limits,
    overlap_with: OverlapWith,
) -> Result<Evidence, ReaderError> {
    let language = language::detect(pair.article());
    let mut vocabulary = Vocabulary::new(language == Language::English);
    let article = Reading::of(pair.article(), &mut vocabulary);
    let summary = Reading::of(pair.summary(), &mut vocabulary);
    let mut findings =
        language::findings(language, language::detect_beside(pair.summary(), language));
    findings.extend(addresses_of_summary(pair.summary()));
    if article.words.is_empty() || summary.words.is_empty() {
        return Ok(nothing_to_compare(&article, &summary, findings));
    }
    let index = Index::of(&article, &vocabulary);
    let weights = sentence_weights(&article, &index, &vocabulary);
    let holdings = Holdings::of(&summary, &vocabulary);
    let said = |sentence| content_said(article.stems_of(sentence), &holdings, &index, &vocabulary);
    let said: Vec<Option<(f64, f64)>> = article.sentences.iter().map(said).collect();
    let contents: Vec<Option<f64>> = said.iter().map(|one| one.map(|(all, _)| all)).collect();
    let shares: Vec<Option<f64>> =
        said.iter().map(|one| one.map(|(all, said)| said / all)).collect();
    let case = Case {
        article: &article,
        summary: &summary,
        index: &index,
        vocabulary: &vocabulary,
        weights: &weights,
        contents: &contents,
        shares: &shares,
        holdings: &holdings,
        overlap_with,
        from_article: Quoter::of(article.text),
        from_summary: Quoter::of(summary.text),
    };
    case.evidence(reader, limits, findings)
}

/// Evidence about texts of which one holds no word outside its markup: the frameworks
/// refuse it for the reason that the counts give.
fn nothing_to_compare(article: &Reading, summary: &Reading, findings: Vec<Finding>) -> Evidence {
    let totals = Totals {
        summary_tokens: summary.words.len(),
        extraneous_tokens: 0,
        article_sentences: article.sentences.len(),
    };
    Evidence {
        format: Format,
        coverage: Some(CoverageEvidence::default()),
        alignment: Some(AlignmentEvidence::default()),
        hallucination: Some(HallucinationEvidence::default()),
        relevance: Some(RelevanceEvidence::default()),
        bias_toxicity: Some(BiasToxicityEvidence { tone: Tone::Unclear, issues: Vec::new() }),
        totals,
        findings,
    }
}

impl Case<'_> {
    fn evidence(
        &self,
        reader: Option<&dyn Reader>,
        limits: &Limits,
        findings: Vec<Finding>,
    ) -> Result<Evidence, ReaderError> {
        let numbers = Numbers::of(self.article, self.vocabulary);
        let meanings = Meanings::of(self.vocabulary);
        let kinds = Kinds::of(self.vocabulary);
        let is_comparable = |stem: &Stem| meanings.knows(*stem) || kinds.knows(*stem);
        let comparable: Vec<Stem> = self.index.stems().filter(is_comparable).collect();
        let sources = Sources {
            article: self.article,
            index: self.index,
            vocabulary: self.vocabulary,
            numbers: &numbers,
            names: &Names::of(self.article),
            meanings: &meanings,
            kinds: &kinds,
            comparable: &comparable,
            article_meaning: &meanings.held_by(self.index.stems()),
            holdings: self.holdings,
            has_no_capitals: has_no_capitals(self.summary),
        };
        let (bias_toxicity, invented) = bias_toxicity::evidence(self);
        let mut statements = self.statements(&sources);
        for statement in &mut statements {
            statement.doubt_prejudices(&invented);
        }
        let mut read_by = Vec::new();
        if let Some(reader) = reader.filter(|_| self.vocabulary.is_english()) {
            consult(reader, self, &mut statements)?;
            read_by = reader.identities().iter().map(named).collect();
        }
        let contradicted = contradicted_sentences(&statements);
        let key_points = coverage::key_points(self, &contradicted, limits);
        let asked = limits.questions.unwrap_or(0);
        let relevance =
            relevance::evidence(self, &key_points, recall(self.shares, self.weights), limits);
        let alignment = alignment::evidence(self, &key_points, &statements, limits);
        let questions = questions::about_claims(self, &statements, asked);
        let (mut hallucination, totals) =
            self.hallucination(&statements, &sources, questions, limits);
        hallucination.read_by = read_by;
        let questions = questions::about_article(self, asked);
        Ok(Evidence {
            format: Format,
            coverage: Some(CoverageEvidence { key_points, questions, qag: QagReading::default() }),
            alignment: Some(alignment),
            hallucination: Some(hallucination),
            relevance: Some(relevance),
            bias_toxicity: Some(bias_toxicity),
            totals,
            findings,
        })
    }

    /// All statements of the summary, read against the article.
    fn statements(&self, sources: &Sources) -> Vec<Statement> {
        let mut finder = Finder::new(self.article.sentences.len());
        claims::statements(self.summary, self.index, self.vocabulary)
            .into_iter()
            .map(|sentence| Statement::read(self.summary, sentence, sources, &mut finder))
            .collect()
    }

    /// The claims with their labels, and the tokens of the summary that nothing supports.
    fn hallucination(
        &self,
        statements: &[Statement],
        sources: &Sources,
        questions: Vec<QuestionAnswer>,
        limits: &Limits,
    ) -> (HallucinationEvidence, Totals) {
        let extract = Extract::of(statements);
        let labelled = claims::label(statements, self.summary, extract, sources);
        let soft_support = soft_support(&labelled);
        let summary_tokens = count_alnum_tokens(self.summary.text).max(1);
        let totals = Totals {
            summary_tokens,
            extraneous_tokens: extraneous::of_summary(self, &labelled).min(summary_tokens),
            article_sentences: self.article.sentences.len(),
        };
        let weight =
            |stretch: &Sentence| claims::weight(self.summary, stretch, self.index, self.vocabulary);
        let tokens: Vec<usize> =
            labelled.iter().map(|one| extraneous::of_statement(self, one)).collect();
        let starts: Vec<usize> =
            statements.iter().map(|statement| statement.sentence.words.start).collect();
        let chosen = claims::choose(labelled, extract, limits.claims_max, weight);
        let mut finder = Finder::new(self.article.sentences.len());
        let mut claim = |judged: &LabelledClaim| {
            let of_statement = starts.binary_search(&judged.claim.words.start);
            let extraneous = match of_statement {
                Ok(place) if !judged.is_fact => tokens[place],
                _ => extraneous::of_fact(self, judged),
            };
            self.claim(judged, extraneous, &mut finder)
        };
        let evidence = HallucinationEvidence {
            claims: chosen.iter().map(&mut claim).collect(),
            questions,
            qag: QagReading::default(),
            soft_support,
            regime: Some(extract.regime()),
            read_by: Vec::new(),
        };
        (evidence, totals)
    }

    fn claim(
        &self,
        judged: &LabelledClaim,
        extraneous_tokens: usize,
        finder: &mut Finder,
    ) -> Claim {
        let best = self.evidence_for(judged, finder);
        let in_article = self
            .article
            .sentences
            .get(best.sentence)
            .filter(|_| best.share > 0.0 || judged.ruling.why == Why::Read)
            .map(|sentence| self.from_article.quote(sentence.bytes.clone()));
        Claim {
            text: if judged.is_fact {
                told(self.summary, judged.statement, judged.claim)
            } else {
                self.summary.text_of(judged.claim).to_owned()
            },
            support: judged.ruling.support,
            extraneous_tokens,
            note: notes::about(self, judged),
            in_summary: Some(self.from_summary.quote(judged.claim.bytes.clone())),
            in_article,
            soft_support: Some(judged.ruling.soft.clamp(0.0, 1.0)),
            confidence: Some(judged.ruling.confidence),
        }
    }

    /// The sentence that a claim is shown beside. A fact may stand in another sentence than most of
    /// its statement does, so it has its own; what contradicts it is a matter of the statement's.
    fn evidence_for(&self, judged: &LabelledClaim, finder: &mut Finder) -> Best {
        let of_statement = judged.statement.best;
        if let (Why::Read, Some(read)) = (judged.ruling.why, &judged.statement.read) {
            return Best { sentence: read.sentence, ..of_statement };
        }
        if !judged.is_fact || matches!(judged.ruling.why, Why::Contradicted(_)) {
            return of_statement;
        }
        let mut stems: Vec<Stem> = self.summary.stems_of(judged.claim).collect();
        stems.sort_unstable();
        stems.dedup();
        let own = finder.best(&stems, self.index);
        // Of sentences that hold the same of it, the one that its statement is nearest to.
        let held = |sentence: usize| finder.held().nth(sentence).unwrap_or(0.0);
        if held(of_statement.sentence) < held(own.sentence) { own } else { of_statement }
    }
}

/// The sentences of the article that some statement contradicts and none repeats, in order.
fn contradicted_sentences(statements: &[Statement]) -> Vec<usize> {
    let best = |statement: &Statement| statement.best.sentence;
    let (against, with): (Vec<&Statement>, Vec<&Statement>) =
        statements.iter().partition(|statement| statement.is_contradicted());
    let mut found: Vec<usize> = against.into_iter().map(best).collect();
    found.sort_unstable();
    found.dedup();
    found.retain(|sentence| !with.iter().any(|statement| best(statement) == *sentence));
    found
}

/// The weight of the weakest statement beside the mean of all.
const WEAKEST_SHARE: f64 = 0.25;

/// How well the article backs the whole summary; `None` without any claim.
///
/// Statements and their facts count alike: the ones tell how the summary is put
/// together, the others what it adds.
fn soft_support(labelled: &[LabelledStatement]) -> Option<f64> {
    let of_statements = labelled.iter().map(|one| one.whole.ruling.soft);
    let facts = labelled.iter().flat_map(|one| &one.facts);
    let of_facts: Vec<f64> = facts.map(|fact| fact.ruling.soft).collect();
    let weakest = of_statements.clone().min_by(f64::total_cmp)?;
    let mean_of_statements = of_statements.sum::<f64>() / labelled.len() as f64;
    let mean_of_facts = of_facts.iter().sum::<f64>() / of_facts.len().max(1) as f64;
    let mean = f64::midpoint(mean_of_statements, mean_of_facts);
    Some(((1.0 - WEAKEST_SHARE) * mean + WEAKEST_SHARE * weakest).clamp(0.0, 1.0))
}
