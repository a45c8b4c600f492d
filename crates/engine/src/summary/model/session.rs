//! Who is asked, through which desk, and under which limits.

use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use assize_models::{
    Budget, EndpointError, Limit, ModelName, ModelNameError, Recorder, Replay, ReplayError,
    Timeouts,
};
use assize_store::{Store, StoreError};
use thiserror::Error;

use super::config::{Config, ConfigError};
use crate::interview::{Account, Desk, Event, Judge, JudgeSettings, Judges, Stop};
use crate::summary::judging::Settings;
use crate::summary::scorecard::Framework;

/// How much several replies of one model may differ.
const SAMPLES_TEMPERATURE: f64 = 0.7;

/// Who sits on the bench.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Member {
    /// The rule judge.
    Rules,
    /// A model.
    Model(ModelName),
}

impl FromStr for Member {
    type Err = ModelNameError;

    fn from_str(text: &str) -> Result<Self, ModelNameError> {
        if text == "rules" { Ok(Self::Rules) } else { text.parse().map(Self::Model) }
    }
}

/// How models are asked.
#[derive(Debug, Clone)]
pub struct Options {
    /// Who is asked.
    pub members: Vec<Member>,
    /// How pairs are scored.
    pub settings: Settings,
    /// Where exchanges are kept; nowhere for replays.
    pub store: Option<PathBuf>,
    /// What may be spent.
    pub budget: Option<Limit>,
    /// A transcript to write.
    pub record: Option<PathBuf>,
    /// A transcript to answer from, instead of the network.
    pub replay: Option<PathBuf>,
    /// How many replies of each model.
    pub samples: u32,
    /// Whether replies that are kept are left aside.
    pub is_fresh: bool,
    /// How many pairs at once.
    pub concurrency: usize,
    /// How long a reply may take.
    pub reply_timeout: Duration,
}

/// A desk with everyone who is asked.
pub struct Session {
    pub(super) desk: Desk,
    pub(super) bench: Vec<Seat>,
    pub(super) settings: Settings,
    pub(super) concurrency: usize,
    stop: Stop,
}

/// One judge on the bench: a model and one of its samples, or the rules.
#[derive(Clone)]
pub(super) struct Seat {
    pub(super) name: String,
    pub(super) judge: Option<Judge>,
    pub(super) attempt: u32,
}

/// Why nobody can be asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The configuration is faulty.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A provider cannot be used.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The store cannot.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The transcript cannot be read.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The transcript cannot be written.
    #[error("the transcript {} could not be begun; one that exists is not overwritten", .0.display())]
    Record(PathBuf, #[source] io::Error),
    /// Nobody was named, and the transcript does not say who it was.
    #[error("name the judge with --judge: the transcript holds replies of {0}")]
    WhoseTranscript(String),
    /// There is no model among the judges.
    #[error("no model was named: --judge takes provider/model, or panel:A,B,C")]
    Nobody,
}

impl Session {
    /// Opens everything that is needed. Nothing is sent.
    pub async fn open(
        options: &Options,
        config: Config,
        stop: Stop,
        listener: impl Fn(&Event) + Send + Sync + 'static,
    ) -> Result<Self, SessionError> {
        let mut judge_settings = JudgeSettings::default();
        judge_settings.timeouts =
            Timeouts { reply: options.reply_timeout, ..judge_settings.timeouts };
        judge_settings.throttle.concurrency_max =
            u32::try_from(options.concurrency).unwrap_or(u32::MAX).max(1);
        if options.samples > 1 {
            judge_settings.parameters.temperature = Some(SAMPLES_TEMPERATURE);
        }
        let mut members = options.members.clone();
        let judges = match &options.replay {
            Some(path) => {
                let replay = Replay::open(path)?;
                name_from_transcript(&mut members, &replay)?;
                Judges::recorded(replay, config.catalogue, judge_settings)
            }
            None => Judges::new(config.endpoints, config.catalogue, judge_settings),
        };
        let store = match (&options.store, &options.replay) {
            (Some(path), None) => Some(Arc::new(Store::open(path).await?)),
            _ => None,
        };
        let attempt = match &store {
            Some(store) if options.is_fresh => store.highest_attempt().await?.map_or(0, |a| a + 1),
            _ => 0,
        };
        let is_panel = options.settings.framework == Framework::JudgeLockUltra;
        if is_panel && !members.contains(&Member::Rules) {
            // The anchor: a judge that never has a bad day.
            members.push(Member::Rules);
        }
        let bench = bench(&members, judges, attempt, options.samples.max(1))?;
        let mut desk = Desk::new(store, Budget::new(options.budget, 0), stop.clone());
        if let Some(path) = &options.record {
            let recorder = Recorder::create(path)
                .map_err(|error| SessionError::Record(path.clone(), error))?;
            desk = desk.recording(recorder);
        }
        desk = desk.telling(listener);
        let (settings, concurrency) = (options.settings, options.concurrency.max(1));
        Ok(Self { desk, bench, settings, concurrency, stop })
    }

    /// A session that answers from a transcript in memory: one model, no store, no network.
    pub fn recorded(origin: &str, text: &str, settings: Settings) -> Result<Self, SessionError> {
        let replay = Replay::from_text(origin, text)?;
        let mut members = Vec::new();
        name_from_transcript(&mut members, &replay)?;
        let catalogue = assize_models::Catalogue::built_in();
        let judges = Judges::recorded(replay, catalogue, JudgeSettings::default());
        let bench = bench(&members, judges, 0, 1)?;
        let stop = Stop::default();
        let desk = Desk::new(None, Budget::new(None, 0), stop.clone());
        Ok(Self { desk, bench, settings, concurrency: 1, stop })
    }

    /// What was done so far.
    pub fn account(&self) -> Account {
        self.desk.account()
    }

    /// Who sits on the bench.
    pub fn judges(&self) -> impl Iterator<Item = &str> {
        self.bench.iter().map(|seat| seat.name.as_str())
    }

    pub(super) fn stop(&self) -> &Stop {
        &self.stop
    }
}

/// Without a name, the model whose replies a transcript holds.
fn name_from_transcript(members: &mut Vec<Member>, replay: &Replay) -> Result<(), SessionError> {
    if members.iter().any(|member| matches!(member, Member::Model(_))) {
        return Ok(());
    }
    let mut models = replay.models();
    if let (Some(only), None) = (models.next(), models.next()) {
        members.push(Member::Model(only.clone()));
        return Ok(());
    }
    let names: Vec<String> = replay.models().map(ToString::to_string).collect();
    Err(SessionError::WhoseTranscript(names.join(", ")))
}

fn bench(
    members: &[Member],
    mut judges: Judges,
    first_attempt: u32,
    samples: u32,
) -> Result<Vec<Seat>, SessionError> {
    let mut bench = Vec::new();
    for member in members {
        let Member::Model(name) = member else {
            bench.push(Seat { name: "rules".to_owned(), judge: None, attempt: 0 });
            continue;
        };
        let judge = judges.judge(name)?;
        for sample in 0..samples {
            let name =
                if samples > 1 { format!("{name}#{}", sample + 1) } else { name.to_string() };
            let attempt = first_attempt + sample;
            bench.push(Seat { name, judge: Some(judge.clone()), attempt });
        }
    }
    if bench.iter().all(|seat| seat.judge.is_none()) {
        return Err(SessionError::Nobody);
    }
    Ok(bench)
}
