//! Whether the parts of a record agree: what was said, in which order it was asked, what the gate
//! makes of the texts, and what the whole came to.
//!
//! Every door that takes a record comes through here. Nothing that can be derived is believed:
//! ballots are read again from the replies, orders are drawn again from the seed, the gate looks
//! at the texts again, and the verdict must be the one that was noted.

use assize_methods::council::jury::Decision;
use assize_methods::council::verdict::Status;
use assize_methods::council::{
    CouncilRecord, Gating, Heard, HolisticAsk, METHOD, Profile, ReviewAsk, Reviewer, Scoring,
    Settings, decide, profile_for, seatings,
};
use assize_score::{Finding, MethodVersion};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::file::{CouncilRun, Participants};
use super::participant::Participant;
use super::plan::ROUNDS_MAX;

/// A part of a record that the rest contradicts.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{part} does not match the rest of the record: {problem}")]
pub struct Disagreement {
    pub part: String,
    /// What it says, and what it should.
    pub problem: String,
}

/// What a council came to when it was written down. It decides nothing; it has to agree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    pub method: MethodVersion,
    /// Whether everything came.
    pub status: Status,
    /// The cap of the safety gate; `None` if it was off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate_cap: Option<f64>,
    /// What the jury decided about each answer, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jury: Option<Vec<Decision>>,
    /// Who would have won after the first of two rounds, by their numbers in the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_winners: Option<Vec<usize>>,
    /// One line for each answer, in the order of the record.
    pub answers: Vec<TallyLine>,
}

/// What one answer came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TallyLine {
    /// Whose.
    pub model: String,
    /// Its rank, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// Its score, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Whether the gate let it pass, if it was on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate_passed: Option<bool>,
}

impl Tally {
    /// What a run comes to by today's arithmetic.
    pub fn new(run: &CouncilRun) -> Self {
        // How sure the ranking is takes long, and is not noted.
        let settings = Settings { resamples: 0, ..run.settings.clone() };
        let verdict = decide(&run.record, &settings);
        let line = |answer: &assize_methods::council::verdict::AnswerVerdict| TallyLine {
            model: answer.model.clone(),
            rank: answer.rank,
            score: answer.score.as_ref().map(|score| score.value),
            gate_passed: answer.gate_passed,
        };
        Self {
            method: verdict.method,
            status: verdict.status,
            gate_cap: verdict.safety_gate.as_ref().map(|gate| gate.cap),
            jury: verdict
                .jury
                .as_ref()
                .map(|jury| jury.answers.iter().map(|answer| answer.decision).collect()),
            first_winners: verdict.revision.as_ref().map(|found| found.first_winners.clone()),
            answers: verdict.answers.iter().map(line).collect(),
        }
    }

    /// The first thing in which two differ, in words.
    fn difference(&self, other: &Self) -> Option<String> {
        if self.gate_cap != other.gate_cap {
            let cap = |cap: Option<f64>| cap.map_or("off".to_owned(), |cap| format!("cap {cap}"));
            let (noted, found) = (cap(self.gate_cap), cap(other.gate_cap));
            return Some(format!("the safety gate was noted as {noted} and is {found}"));
        }
        if self.answers.len() != other.answers.len() {
            let (noted, found) = (self.answers.len(), other.answers.len());
            return Some(format!("{noted} answers were noted, and there are {found}"));
        }
        let mut pairs = self.answers.iter().zip(&other.answers);
        if let Some((noted, found)) = pairs.find(|(noted, found)| noted != found) {
            return Some(format!("noted was {}, and it comes to {}", noted.words(), found.words()));
        }
        if self.jury.is_some() && self.jury != other.jury {
            let (noted, found) = (self.jury.as_ref(), other.jury.as_ref());
            return Some(format!("the jury was noted as {noted:?} and decides {found:?}"));
        }
        if self.first_winners.is_some() && self.first_winners != other.first_winners {
            let (noted, found) = (self.first_winners.as_ref(), other.first_winners.as_ref());
            return Some(format!(
                "the winners of the first round were noted as {noted:?} and are {found:?}"
            ));
        }
        let differs = self.status != other.status;
        differs.then(|| format!("noted was {:?}, and it is {:?}", self.status, other.status))
    }
}

impl TallyLine {
    fn words(&self) -> String {
        let number = |value: Option<String>| value.unwrap_or("none".to_owned());
        let rank = number(self.rank.map(|rank| rank.to_string()));
        let score = number(self.score.map(|score| score.to_string()));
        let gate = match self.gate_passed {
            None => "",
            Some(true) => ", passing the gate",
            Some(false) => ", failing the gate",
        };
        format!("`{}` with rank {rank} and score {score}{gate}", self.model)
    }
}

/// Checks a run against what was noted about it, and says what a reader should know. What an
/// earlier method read or counted differently is done again, not refused.
pub(super) fn verify(
    run: &mut CouncilRun,
    noted: Option<&Tally>,
) -> Result<Vec<Finding>, Disagreement> {
    let is_current = noted.is_some_and(|noted| noted.method == METHOD);
    let mut findings = Vec::new();
    seats(&run.record, &run.participants)?;
    profile(&run.settings.profile)?;
    choice(&run.settings, &run.record.question)?;
    orders(&run.record, &run.participants)?;
    rounds(&run.record, run.settings.rounds)?;
    ballots(run, is_current, &mut findings)?;
    if is_current {
        gate(run)?;
    }
    let found = Tally::new(run);
    match noted.map(|noted| (noted.difference(&found), noted)) {
        None => {
            let message = "an earlier program wrote this record without what it came to; its \
                           ballots were read again, and nothing else confirms its settings";
            findings.push(Finding::new("outcome_not_noted", message));
        }
        Some((Some(problem), _)) if is_current => return Err(disagreement("outcome", problem)),
        Some((Some(problem), noted)) => {
            let MethodVersion { name, version } = &noted.method;
            let message = format!("{name} {version} counted it differently: {problem}");
            findings.push(Finding::new("outcome_differs", message));
        }
        // Earlier programs noted neither; whoever takes a note out is told of like them.
        Some((None, noted))
            if (&noted.jury, &noted.first_winners) != (&found.jury, &found.first_winners) =>
        {
            let message = "the record does not note what its jury decided or who won its first \
                           round; both were counted again, and nothing else confirms them";
            findings.push(Finding::new("outcome_not_noted", message));
        }
        Some((None, _)) => {}
    }
    Ok(findings)
}

/// The same for a run that a store kept: its ballots and orders, its rubric and its gate.
pub(crate) fn again(run: &mut CouncilRun) -> Result<(), Disagreement> {
    let noted = Tally::new(run);
    verify(run, Some(&noted)).map(drop)
}

fn disagreement(part: impl Into<String>, problem: impl Into<String>) -> Disagreement {
    Disagreement { part: part.into(), problem: problem.into() }
}

/// Answers and reviewers are those of the participants who were asked.
fn seats(record: &CouncilRecord, participants: &Participants) -> Result<(), Disagreement> {
    let names = |those: &[Participant]| -> Vec<(String, String)> {
        those.iter().map(|one| (one.name.clone(), one.model.to_string())).collect()
    };
    let matches = |asked: &[(String, String)], found: &[(&str, Option<&str>)]| {
        let both = asked.iter().zip(found);
        let same = |((name, model), (seat, known)): (&(String, String), &(&str, Option<&str>))| {
            name == seat && known.is_none_or(|known| known == model)
        };
        asked.len() == found.len() && both.clone().all(same)
    };
    let authors: Vec<(&str, Option<&str>)> =
        record.answers.iter().map(|one| (one.model.as_str(), one.written_by.as_deref())).collect();
    if !participants.members.is_empty() && !matches(&names(&participants.members), &authors) {
        return Err(disagreement("seats.members", "the answers are by others"));
    }
    let speakers: Vec<(&str, Option<&str>)> =
        record.reviewers.iter().map(|one| (one.model.as_str(), one.spoken_by.as_deref())).collect();
    let asked = names(&participants.reviewers);
    if !speakers.is_empty() && !asked.is_empty() && !matches(&asked, &speakers) {
        return Err(disagreement("seats.reviewers", "the reviews are by others"));
    }
    Ok(())
}

/// A rubric that bears the name of ours has our ceiling and our anchors; weights may be chosen.
fn profile(profile: &Profile) -> Result<(), Disagreement> {
    let sound = profile.clone().with_weights(&profile.weights.as_map().clone());
    if let Err(error) = sound {
        return Err(disagreement("settings.profile", error.to_string()));
    }
    let Ok(ours) = Profile::built_in(&profile.name) else { return Ok(()) };
    let same = ours.ceiling == profile.ceiling && ours.anchors == profile.anchors;
    if ours.version == profile.version && !same {
        let problem = format!(
            "the profile `{} {}` has another ceiling or other anchors",
            profile.name, profile.version
        );
        return Err(disagreement("settings.profile", problem));
    }
    Ok(())
}

/// A rubric that the question chose is the one that it chooses.
fn choice(settings: &Settings, question: &str) -> Result<(), Disagreement> {
    let Some(noted) = &settings.profile_choice else { return Ok(()) };
    let (name, choice) = profile_for(question);
    if *noted == choice && name == settings.profile.name || noted.rule != choice.rule {
        return Ok(());
    }
    let problem = format!("the question chooses the profile `{name}`: {}", choice.because);
    Err(disagreement("settings.profile_choice", problem))
}

/// Each reviewer saw the answers in the order that the seed gives; who reviewed elsewhere saw
/// them in the order of the record.
fn orders(record: &CouncilRecord, participants: &Participants) -> Result<(), Disagreement> {
    let given = record.given();
    let drawn = seatings(&given, record.reviewers.len(), record.seed);
    let was_elsewhere = participants.reviewers.is_empty();
    for (index, (reviewer, seating)) in record.reviewers.iter().zip(&drawn).enumerate() {
        let is_plain = was_elsewhere && reviewer.seating.order == given;
        if reviewer.seating != *seating && !is_plain {
            let part = format!("record.reviewers[{index}].seating");
            let problem = format!(
                "the seed {} gives {:?}, and {:?} is written",
                record.seed, seating.order, reviewer.seating.order
            );
            return Err(disagreement(part, problem));
        }
    }
    Ok(())
}

/// Whoever gave a ballot in the first of two rounds was asked again, and nobody else was; without
/// this, a second round could pass for the first by leaving that out.
fn rounds(record: &CouncilRecord, rounds: u8) -> Result<(), Disagreement> {
    if !(1..=ROUNDS_MAX).contains(&rounds) {
        let problem = format!("{rounds} rounds; reviewers are asked in 1 or {ROUNDS_MAX}");
        return Err(disagreement("settings.rounds", problem));
    }
    let asked = if rounds == ROUNDS_MAX { record.before_second().revisers() } else { Vec::new() };
    for (index, reviewer) in record.reviewers.iter().enumerate() {
        let problem = match (asked.contains(&index), reviewer.first.is_some()) {
            (true, false) => "two rounds were asked for, and it is missing",
            (false, true) => "there was no second round for this reviewer",
            _ => continue,
        };
        return Err(disagreement(format!("record.reviewers[{index}].first"), problem));
    }
    Ok(())
}

/// Every ballot is the one that its replies hold, in each round.
fn ballots(
    run: &mut CouncilRun,
    is_current: bool,
    findings: &mut Vec<Finding>,
) -> Result<(), Disagreement> {
    let mut read = Vec::with_capacity(run.record.reviewers.len());
    for (index, reviewer) in run.record.reviewers.iter().enumerate() {
        let part = |name: &str| format!("record.reviewers[{index}].{name}");
        let heard =
            reread(run, reviewer).map_err(|(name, problem)| disagreement(part(name), problem))?;
        if heard.as_ref().is_some_and(|heard| *heard != reviewer.heard) {
            let problem = format!("the replies of {} say something else", reviewer.model);
            if is_current {
                return Err(disagreement(part("heard"), problem));
            }
            findings.push(Finding::new("ballot_read_again", format!("{problem}; they count")));
        }
        read.push(heard);
    }
    for (reviewer, heard) in run.record.reviewers.iter_mut().zip(read) {
        reviewer.heard = heard.unwrap_or_else(|| reviewer.heard.clone());
    }
    Ok(())
}

/// What a reviewer's replies say now; `None` if it did not reply. An error names the part.
fn reread(run: &CouncilRun, reviewer: &Reviewer) -> Result<Option<Heard>, (&'static str, String)> {
    let shown = run.record.under_review(&reviewer.seating);
    let settle = |replies: &[String]| {
        (!replies.is_empty()).then(|| match run.settings.scoring {
            Scoring::Holistic => HolisticAsk { shown: shown.clone() }.settle(replies),
            Scoring::Rubric | Scoring::Both => {
                ReviewAsk::new(shown.clone(), &run.settings.profile).settle(replies)
            }
        })
    };
    let last = settle(&reviewer.replies);
    let Some(first) = &reviewer.first else {
        let is_unfounded = last.is_none() && reviewer.ballot().is_some();
        let problem = "there is a ballot and no reply that it was read from";
        return if is_unfounded { Err(("heard", problem.to_owned())) } else { Ok(last) };
    };
    if settle(&first.replies).as_ref() != Some(&first.heard) {
        return Err(("first", format!("the replies of {} say something else", reviewer.model)));
    }
    let first = &first.heard;
    Ok(Some(last.map_or_else(|| first.clone(), |last| Reviewer::after_second(last, first))))
}

/// The gate says of the texts what was noted.
fn gate(run: &CouncilRun) -> Result<(), Disagreement> {
    let Some(noted) = &run.record.gate else { return Ok(()) };
    let found = run.plan().gating(&run.record.answers);
    let passed = |gate: &Gating| -> Vec<bool> {
        gate.outcomes.iter().map(|outcome| outcome.passed).collect()
    };
    if found.as_ref().map(passed) == Some(passed(noted)) {
        return Ok(());
    }
    Err(disagreement("record.gate", "the gate says something else of the texts"))
}
