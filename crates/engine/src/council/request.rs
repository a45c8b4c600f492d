//! How a council is held and counted.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;

use assize_methods::council::{
    ByDimension, Dimension, Gating, Jury, Profile, ProfileError, Settings,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::evidence::EvidenceGiven;
use super::file::{CouncilRun, Participants};
use super::hearing::Hearing;
use super::participant::Participant;
use super::plan::{AUTO, Plan};
use super::safety_gate::SafetyGate;
use super::timeouts::Timeouts;
use super::trust_file::TrustGiven;
use crate::request::FieldError;

/// How a council is held and counted: what every door fills; what is not said is as the operator,
/// the profile or the record has it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct CouncilRequest {
    /// Models that answer (two or more), as PROVIDER/MODEL or NAME=PROVIDER/MODEL; a model listed
    /// twice is asked twice
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "MODEL,…", value_delimiter = ',', help_heading = "Council")
    )]
    pub members: Vec<String>,
    /// Models that review the answers, written like members; a model listed twice reviews twice
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "MODEL,…", value_delimiter = ',', help_heading = "Council")
    )]
    pub reviewers: Vec<String>,
    /// Model that writes the final answer from the answers that pass
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MODEL", help_heading = "Council"))]
    pub chair: Option<String>,
    /// Random seed for resampling and for the order in which reviewers see answers [default: 0]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NUMBER", help_heading = "Council"))]
    pub seed: Option<u64>,
    /// What reviewers are asked for: rubric (default), holistic (one overall score), or both (marks
    /// and an overall score, to compare)
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "rubric|holistic|both", help_heading = "Council")
    )]
    pub scoring: Option<String>,
    /// Rounds of review: in the second, reviewers see each other's marks without names and may
    /// revise their own, and only it counts: 1 (default) or 2
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "1|2", help_heading = "Council"))]
    pub rounds: Option<u8>,
    /// Text that members and reviewers are to judge by (repeatable): a file on the command line and
    /// in assize.toml, elsewhere {"name": …, "text": …}
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(
        feature = "clap",
        arg(
            id = "council_evidence",
            long = "evidence",
            value_name = "FILE",
            help_heading = "Council"
        )
    )]
    pub evidence: Vec<EvidenceGiven>,
    /// How long each stage may take, in seconds: answers, reviews, chair, and total for all of them; or
    /// a tier (quick, balanced, high, reasoning), alone or before stages that differ
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "TIER|STAGE=SECONDS,…", help_heading = "Council")
    )]
    pub timeouts: Option<Timeouts>,
    /// Question that reviewers also answer with yes or no about every answer; a majority decides
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "QUESTION", help_heading = "Council"))]
    pub jury: Option<String>,
    /// Share of the votes that decides for a jury, 0.5 (more than half) to 1 [default: 0.5]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", help_heading = "Ranking"))]
    pub majority: Option<f64>,
    /// Minimum number of answers required [default: 2]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = "Ranking"))]
    pub quorum: Option<usize>,
    /// Rubric: default, classic, factual, code, creative, refusal-expected, or auto (chosen by words in
    /// the question, and the result names why); on the command line and in assize.toml also a file
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME|FILE", help_heading = "Ranking"))]
    pub profile: Option<String>,
    /// Weights that override the profile's, each from 0 to 1, for accuracy, relevance, completeness,
    /// conciseness and clarity; together with the remaining ones they must sum to 1
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "DIMENSION=WEIGHT,…", help_heading = "Ranking")
    )]
    pub weights: Option<WeightChoices>,
    /// How to aggregate reviews into a ranking: additive (default), mean, trimmed, z-score, borda,
    /// copeland, schulze, kemeny, bradley-terry, plackett-luce
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "METHOD", help_heading = "Ranking"))]
    pub aggregate: Option<String>,
    /// Rank answers that give harmful instructions or expose personal data below all others: true
    /// or rules (by rules alone), learned (rules and a classifier), or false
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "rules|learned|BOOL", num_args = 0..=1, require_equals = true,
            default_missing_value = "true", help_heading = "Ranking")
    )]
    pub safety_gate: Option<SafetyGate>,
    /// False-positive rate that the learned stage of the gate aims at, 0.002 to 0.05 [default: 0.01]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATE", help_heading = "Ranking"))]
    pub gate_rate: Option<f64>,
    /// Maximum score of an answer that fails the safety gate, 0 to 10 [default: 0]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SCORE", help_heading = "Ranking"))]
    pub safety_score_cap: Option<f64>,
    /// File with additional safety gate rules (repeatable)
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE", help_heading = "Ranking"))]
    pub gate_patterns: Vec<PathBuf>,
    /// Reviewer weights made by `assize council bench --save-trust`: a file on the command line and in
    /// assize.toml, elsewhere {"source": …, "weights": {REVIEWER: WEIGHT, …}}
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE", help_heading = "Ranking"))]
    pub trust: Option<TrustGiven>,
    /// Also count reviews of answers by the reviewer's own model
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long = "count-own", alias = "include-self", value_name = "BOOL", num_args = 0..=1,
            require_equals = true, default_missing_value = "true", help_heading = "Ranking")
    )]
    pub include_self: Option<bool>,
    /// Which reviews to exclude as self-reviews: of the reviewer's own model (`model`, the default),
    /// or of its vendor's model family (`family`)
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "model|family", help_heading = "Ranking"))]
    pub recuse: Option<String>,
    /// Break ties by the score before caps, then by accuracy
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
            default_missing_value = "true", help_heading = "Ranking")
    )]
    pub break_ties: Option<bool>,
}

/// The fields that say how a council is held, which a council that was held does not change.
pub const SEATS: [&str; 9] =
    ["members", "reviewers", "chair", "seed", "scoring", "rounds", "jury", "evidence", "timeouts"];
/// The field that names files alone, which a caller on another machine may not.
pub(crate) const FILES: [&str; 1] = ["gate_patterns"];

impl CouncilRequest {
    /// This request, and where it is silent another.
    #[must_use]
    pub fn over(self, lower: Self) -> Self {
        let mut weights = lower.weights.unwrap_or_default();
        weights.0.extend(self.weights.unwrap_or_default().0);
        let list = |ours: Vec<String>, theirs| if ours.is_empty() { theirs } else { ours };
        Self {
            profile: self.profile.or(lower.profile),
            weights: (!weights.0.is_empty()).then_some(weights),
            safety_gate: SafetyGate::over(self.safety_gate, lower.safety_gate),
            safety_score_cap: self.safety_score_cap.or(lower.safety_score_cap),
            gate_patterns: [lower.gate_patterns, self.gate_patterns].concat(),
            gate_rate: self.gate_rate.or(lower.gate_rate),
            trust: self.trust.or(lower.trust),
            aggregate: self.aggregate.or(lower.aggregate),
            seed: self.seed.or(lower.seed),
            quorum: self.quorum.or(lower.quorum),
            include_self: self.include_self.or(lower.include_self),
            break_ties: self.break_ties.or(lower.break_ties),
            recuse: self.recuse.or(lower.recuse),
            scoring: self.scoring.or(lower.scoring),
            rounds: self.rounds.or(lower.rounds),
            jury: self.jury.or(lower.jury),
            majority: self.majority.or(lower.majority),
            evidence: [lower.evidence, self.evidence].concat(),
            timeouts: Timeouts::over(self.timeouts, lower.timeouts),
            members: list(self.members, lower.members),
            reviewers: list(self.reviewers, lower.reviewers),
            chair: self.chair.or(lower.chair),
        }
    }

    /// This request under an operator's policy: in everything else the caller comes first, but the
    /// safety gate can only be made stricter.
    #[must_use]
    pub fn under(self, operator: Self) -> Self {
        let gate = operator.safety_gate.filter(|gate| gate.is_on());
        let cap = operator.safety_score_cap.or(gate.map(|_| Gating::CAP));
        let (asked, rates) = (self.safety_score_cap, (self.gate_rate, operator.gate_rate));
        let mut all = self.over(operator);
        if let Some(gate) = gate {
            let is_stricter = gate != SafetyGate::Learned;
            all.safety_gate =
                all.safety_gate.filter(|own| is_stricter && own.is_on()).or(Some(gate));
            // A higher rate fails more answers, so the higher one is the stricter.
            all.gate_rate = rates.0.map(|asked| asked.max(rates.1.unwrap_or(asked))).or(rates.1);
            all.safety_score_cap = cap.map(|cap| asked.map_or(cap, |asked| asked.min(cap)));
        }
        all
    }

    /// The part of a policy that holds for records that are there already.
    #[must_use]
    pub fn gate_only(self) -> Self {
        Self {
            safety_gate: self.safety_gate,
            safety_score_cap: self.safety_score_cap,
            gate_patterns: self.gate_patterns,
            gate_rate: self.gate_rate,
            ..Self::default()
        }
    }

    /// Refuses what names a file: a caller on another machine does not read this one's.
    pub fn check_remote(&self) -> Result<(), FieldError> {
        if let Some(name) = &self.profile
            && !Profile::names().contains(&name.as_str())
            && name != AUTO
        {
            return Err(FieldError::new(
                "profile",
                ProfileError::Unknown(name.clone()).to_string(),
            ));
        }
        if self.evidence.iter().any(|given| matches!(given, EvidenceGiven::File(_))) {
            let problem = "expected a name and a text: only the operator names files";
            return Err(FieldError::new("evidence", problem));
        }
        if matches!(self.trust, Some(TrustGiven::File(_))) {
            let problem = "expected a source and weights: only the operator names files";
            return Err(FieldError::new("trust", problem));
        }
        self.refuse_given(&FILES, "only the operator names files")
    }

    /// Refuses members where the answers are given.
    pub fn check_review(&self) -> Result<(), FieldError> {
        self.refuse_given(&["members"], "the answers are given")
    }

    /// Refuses what is told to reviewers before they review, where the reviews are given.
    pub(crate) fn check_recorded(&self) -> Result<(), FieldError> {
        let asked = ["members", "reviewers", "chair", "scoring", "rounds", "timeouts"];
        self.refuse_given(&asked, "the reviews are given, so nobody is asked")
    }

    /// Refuses what cannot change in a council that was held.
    pub(crate) fn check_rescoring(&self) -> Result<(), FieldError> {
        self.refuse_given(&SEATS, "a council that was held cannot change it")
    }

    fn refuse_given(&self, fields: &[&'static str], problem: &str) -> Result<(), FieldError> {
        let given = serde_json::to_value(self).unwrap_or_default();
        match fields.iter().find(|field| given.get(**field).is_some()) {
            Some(field) => Err(FieldError::new(field, problem)),
            None => Ok(()),
        }
    }
}

impl From<&CouncilRun> for CouncilRequest {
    fn from(run: &CouncilRun) -> Self {
        complete(&run.plan(), &run.participants)
    }
}

impl From<&Hearing> for CouncilRequest {
    fn from(hearing: &Hearing) -> Self {
        complete(&hearing.plan, &hearing.seats())
    }
}

/// The request with every default in it, as it is stored with a run. Rules and anchors that
/// came from files stand in the record.
fn complete(plan: &Plan, seats: &Participants) -> CouncilRequest {
    let Plan { settings, gate_cap, seed, evidence, timeouts, .. } = plan;
    let Settings { profile, aggregation, quorum, .. } = settings;
    let Participants { members, reviewers, chair } = seats;
    let typed = |seats: &[Participant]| seats.iter().map(Participant::typed).collect();
    let stage = match settings.gate_learned {
        Some(_) => SafetyGate::Learned,
        None => SafetyGate::Rules,
    };
    CouncilRequest {
        members: typed(members),
        reviewers: typed(reviewers),
        chair: chair.as_ref().map(Participant::typed),
        seed: Some(*seed),
        scoring: Some(settings.scoring.to_string()),
        rounds: Some(settings.rounds),
        jury: settings.jury.as_ref().map(|jury| jury.question.clone()),
        majority: settings.jury.as_ref().map(Jury::majority),
        evidence: evidence.iter().cloned().map(EvidenceGiven::from).collect(),
        timeouts: Some(*timeouts).filter(|given| *given != Timeouts::default()),
        quorum: Some(*quorum),
        profile: Some(match settings.profile_choice {
            Some(_) => AUTO.to_owned(),
            None => profile.name.clone(),
        }),
        weights: Some(WeightChoices(profile.weights.as_map().clone())),
        aggregate: Some(aggregation.to_string()),
        safety_gate: Some(gate_cap.map_or(SafetyGate::Off, |_| stage)),
        gate_rate: settings.gate_learned,
        safety_score_cap: *gate_cap,
        gate_patterns: Vec::new(),
        trust: settings.trust.as_ref().map(TrustGiven::from),
        include_self: Some(settings.count_own),
        recuse: Some(settings.recuse.to_string()),
        break_ties: Some(settings.break_ties),
    }
}

/// Weights by dimension, as far as they were chosen: `accuracy=0.4,clarity=0.2` on the command line.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "BTreeMap<String, f64>")]
#[schemars(with = "BTreeMap<String, f64>", inline)]
pub struct WeightChoices(pub ByDimension<f64>);

impl FromStr for WeightChoices {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut named = BTreeMap::new();
        for one in text.split(',') {
            let example = || {
                format!("invalid weight `{one}`: expected something like accuracy=0.4,clarity=0.2")
            };
            let (name, value) = one.split_once('=').ok_or_else(example)?;
            named.insert(name.to_owned(), value.trim().parse().map_err(|_| example())?);
        }
        Self::try_from(named)
    }
}

impl TryFrom<BTreeMap<String, f64>> for WeightChoices {
    type Error = String;

    fn try_from(named: BTreeMap<String, f64>) -> Result<Self, String> {
        let known = Dimension::ALL.map(Dimension::name).join(", ");
        let read = |(name, weight): (String, f64)| {
            let unknown = || format!("unknown dimension `{name}`; the dimensions are {known}");
            Ok((Dimension::named(&name).ok_or_else(unknown)?, weight))
        };
        named.into_iter().map(read).collect::<Result<_, String>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(json: serde_json::Value) -> Result<CouncilRequest, String> {
        serde_json::from_value(json).map_err(|error| error.to_string())
    }

    #[test]
    fn a_weight_is_a_known_dimension_and_a_number() {
        let weights: WeightChoices = "Clarity=0.25,accuracy=0.5".parse().unwrap();
        assert_eq!(weights.0[&Dimension::Clarity], 0.25);
        assert!("beauty=1".parse::<WeightChoices>().unwrap_err().contains("accuracy"));
        assert!("clarity".parse::<WeightChoices>().is_err());
        let error = request(serde_json::json!({"weights": {"beauty": 1}})).unwrap_err();
        assert!(error.contains("unknown dimension `beauty`; the dimensions are"), "{error}");
        // Not a number is a number as typed; the rubric refuses it and names the sum.
        assert!("clarity=NaN".parse::<WeightChoices>().unwrap().0[&Dimension::Clarity].is_nan());
    }

    #[test]
    fn a_caller_makes_an_operators_gate_stricter_and_never_weaker() {
        use SafetyGate::{Learned, Off, On, Rules};
        let gate = |safety_gate: Option<SafetyGate>, cap: Option<f64>| CouncilRequest {
            safety_gate,
            safety_score_cap: cap,
            ..CouncilRequest::default()
        };
        let both = |caller: CouncilRequest, operator: CouncilRequest| {
            let all = caller.under(operator);
            (all.safety_gate, all.safety_score_cap)
        };
        let on = Some(On);
        assert_eq!(both(gate(Some(Off), Some(9.0)), gate(on, None)), (on, Some(0.0)));
        assert_eq!(both(gate(None, Some(9.0)), gate(on, Some(4.0))), (on, Some(4.0)));
        assert_eq!(both(gate(None, Some(2.0)), gate(on, Some(4.0))), (on, Some(2.0)));
        // Where the operator has no policy, the caller has.
        assert_eq!(both(gate(on, Some(4.0)), gate(None, None)), (on, Some(4.0)));
        assert_eq!(both(gate(Some(Off), None), gate(Some(Off), None)), (Some(Off), None));
        // How far it looks: the further of the two.
        for (caller, operator, stage) in [
            (Rules, Learned, Learned),
            (Learned, Rules, Learned),
            (On, Rules, Rules),
            (Off, Rules, Rules),
        ] {
            let (found, _) = both(gate(Some(caller), None), gate(Some(operator), None));
            assert_eq!(found, Some(stage), "{caller:?} under {operator:?}");
        }
    }

    #[test]
    fn the_gate_is_a_switch_or_a_stage_and_a_request_survives_being_stored() {
        for (json, gate) in [
            (serde_json::json!(true), SafetyGate::On),
            (serde_json::json!(false), SafetyGate::Off),
            (serde_json::json!("learned"), SafetyGate::Learned),
        ] {
            let found = request(serde_json::json!({"safety_gate": json})).unwrap();
            assert_eq!(found.safety_gate, Some(gate));
            let stored = serde_json::to_value(&found).unwrap();
            assert_eq!(stored, serde_json::json!({"safety_gate": json}));
            assert_eq!(request(stored).unwrap(), found);
        }
        assert!(
            request(serde_json::json!({"safety_gate": "far"})).unwrap_err().contains("learned")
        );
        assert!(request(serde_json::json!({"safety_gate": 3})).unwrap_err().contains("learned"));
    }

    #[test]
    fn files_are_refused_from_afar_and_seats_where_a_council_was_held() {
        let far = |json| request(json).unwrap().check_remote().unwrap_err().to_string();
        for name in ["/etc/secret.toml", "../secret.toml", "secret.toml", "poetry"] {
            let refused = far(serde_json::json!({"profile": name}));
            assert!(refused.contains("the profiles are default, classic"), "{refused}");
        }
        assert!(far(serde_json::json!({"trust": "a.toml"})).starts_with("trust: "));
        assert!(far(serde_json::json!({"gate_patterns": ["a"]})).starts_with("gate_patterns: "));
        let weights = serde_json::json!({"source": "a bench", "weights": {"local/a": 2.0}});
        let given = request(serde_json::json!({"trust": weights})).unwrap();
        assert_eq!(given.check_remote(), Ok(()));
        assert_eq!(serde_json::to_value(&given).unwrap(), serde_json::json!({"trust": weights}));
        let again = request(serde_json::json!({"scoring": "both"})).unwrap();
        assert!(again.check_rescoring().unwrap_err().to_string().starts_with("scoring: "));
        let again = request(serde_json::json!({"profile": "classic", "quorum": 3})).unwrap();
        assert_eq!((again.check_rescoring(), again.check_remote()), (Ok(()), Ok(())));
    }
}
