//! Workers on the model, step by step in random order, with faults.

use std::collections::BTreeMap;

use super::chance::Chance;
use super::model::{Claim, State, Tables};

const ITEMS: usize = 12;
const WORKERS: usize = 3;
/// In ticks of the database's clock.
const HOLD: u64 = 40;
const BEAT: u64 = 10;
/// Steps with faults; then the world is calm until everything is done.
const WILD: u64 = 400;
/// Far more than calm workers need.
const STEPS_MAX: u64 = 60_000;

/// One schedule.
pub(crate) struct Schedule {
    pub(crate) seed: u64,
    /// Whether the protocol has its fencing check.
    pub(crate) is_fenced: bool,
}

/// What went wrong in a schedule, on purpose.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    crashes: u64,
    pauses: u64,
    jumps: u64,
    lost_acknowledgements: u64,
    refused_commits: u64,
}

impl Faults {
    pub(crate) fn add(&mut self, other: &Self) {
        self.crashes += other.crashes;
        self.pauses += other.pauses;
        self.jumps += other.jumps;
        self.lost_acknowledgements += other.lost_acknowledgements;
        self.refused_commits += other.refused_commits;
    }

    pub(crate) fn counts(&self) -> [(&'static str, u64); 5] {
        [
            ("crashes", self.crashes),
            ("pauses", self.pauses),
            ("clock jumps", self.jumps),
            ("lost acknowledgements", self.lost_acknowledgements),
            ("commits without a lease", self.refused_commits),
        ]
    }
}

/// How far a worker has come with an item.
#[derive(Debug, Clone, Copy)]
enum Step {
    LookUp,
    Begin,
    /// The request is on its way; the reply is there when it is next looked at.
    Await(u64),
    Finish(u64),
}

/// What a process knows, and loses when it dies.
#[derive(Debug, Default)]
struct Worker {
    work: BTreeMap<usize, (Claim, Step)>,
    /// Its own clock is ahead of the database's by this; it says when to send a heartbeat, and
    /// nothing else.
    ahead: i64,
    next_beat: i64,
    paused_until: u64,
}

struct World {
    tables: Tables,
    workers: Vec<Worker>,
    chance: Chance,
    faults: Faults,
    is_wild: bool,
    /// Requests that were under way when their process died or lost its lease.
    abandoned: u64,
}

/// Runs a schedule; says what does not hold.
pub(crate) fn simulate(schedule: &Schedule) -> Result<Faults, String> {
    let mut world = World {
        tables: Tables::new(ITEMS, schedule.is_fenced),
        workers: (0..WORKERS).map(|_| Worker::default()).collect(),
        chance: Chance::of(schedule.seed),
        faults: Faults::default(),
        is_wild: true,
        abandoned: 0,
    };
    for step in 0..STEPS_MAX {
        world.is_wild = step < WILD;
        world.tables.now += 1 + world.chance.below(3);
        let who = usize::try_from(world.chance.below(WORKERS as u64)).unwrap_or(0);
        if world.is_wild {
            world.trouble(who);
        }
        world.act(who);
        world.check_always()?;
        if world.tables.is_done && !world.is_wild {
            return world.check_in_the_end();
        }
    }
    Err(format!("not done after {STEPS_MAX} steps: {:?}", world.tables))
}

impl World {
    fn trouble(&mut self, who: usize) {
        if self.chance.once_in(60) {
            self.faults.crashes += 1;
            self.abandon(who);
            self.workers[who] = Worker::default();
        }
        if self.chance.once_in(50) {
            // Now and then longer than any lease.
            self.faults.pauses += 1;
            let pause = self.chance.below(3 * HOLD);
            self.workers[who].paused_until = self.tables.now + pause;
        }
        if self.chance.once_in(40) {
            self.faults.jumps += 1;
            let jump = i64::try_from(self.chance.below(2_000)).unwrap_or(0) - 1_000;
            self.workers[who].ahead += jump;
        }
    }

    /// Requests under way that nobody will hear of again.
    fn abandon(&mut self, who: usize) {
        let work = self.workers[who].work.values();
        self.abandoned += work.filter(|(_, step)| matches!(step, Step::Await(_))).count() as u64;
    }

    fn act(&mut self, who: usize) {
        if self.tables.now < self.workers[who].paused_until {
            return;
        }
        self.beat(who);
        let count = self.workers[who].work.len();
        // With an item at hand that may be its death a worker takes nothing else.
        if count == 0 || (count < 3 && self.chance.once_in(3)) {
            self.claim(who);
            return;
        }
        let nth = usize::try_from(self.chance.below(count as u64)).unwrap_or(0);
        let Some(position) = self.workers[who].work.keys().nth(nth).copied() else { return };
        self.advance(who, position);
    }

    fn beat(&mut self, who: usize) {
        let own = i64::try_from(self.tables.now).unwrap_or(0) + self.workers[who].ahead;
        let worker = &mut self.workers[who];
        // A clock that jumped back must not silence a worker for long.
        if own < worker.next_beat && worker.next_beat - own <= i64::try_from(BEAT).unwrap_or(0) {
            return;
        }
        worker.next_beat = own + i64::try_from(BEAT).unwrap_or(0);
        let tokens: Vec<i64> = worker.work.values().map(|(claim, _)| claim.token).collect();
        for token in tokens {
            self.tables.heartbeat(token, HOLD);
        }
    }

    fn claim(&mut self, who: usize) {
        let count = 1 + usize::try_from(self.chance.below(3)).unwrap_or(0);
        let mut claimed = self.tables.claim(count, HOLD, false);
        if claimed.is_empty() && self.workers[who].work.is_empty() {
            claimed = self.tables.claim(1, HOLD, true);
        }
        if self.is_acknowledged() {
            let work = claimed.into_iter().map(|claim| (claim.position, (claim, Step::LookUp)));
            self.workers[who].work.extend(work);
        }
        // Otherwise nobody knows that they are taken, until the leases run out.
    }

    fn advance(&mut self, who: usize, position: usize) {
        let Some(&(claim, step)) = self.workers[who].work.get(&position) else { return };
        if Tables::is_given_up(&claim) {
            self.commit(who, claim, None);
            return;
        }
        let next = match step {
            Step::LookUp => match self.tables.exchanges.get(&position) {
                Some(kept) => Step::Finish(*kept),
                None => Step::Begin,
            },
            Step::Begin => Step::Await(self.tables.begin_send(position)),
            Step::Await(send) => {
                let kept = self.tables.keep(send);
                // Whoever does not hear that it is kept keeps it again, which changes nothing.
                if self.is_acknowledged() { Step::Finish(kept) } else { Step::Await(send) }
            }
            Step::Finish(kept) => {
                self.commit(who, claim, Some(kept));
                return;
            }
        };
        self.workers[who].work.insert(position, (claim, next));
    }

    fn commit(&mut self, who: usize, claim: Claim, reply: Option<u64>) {
        let is_ours = self.tables.finish(claim, reply);
        self.faults.refused_commits += u64::from(!is_ours);
        // Whoever does not hear of it tries again, and is refused.
        if self.is_acknowledged() {
            self.workers[who].work.remove(&claim.position);
        }
    }

    fn is_acknowledged(&mut self) -> bool {
        let is_lost = self.is_wild && self.chance.once_in(30);
        self.faults.lost_acknowledgements += u64::from(is_lost);
        !is_lost
    }

    fn check_always(&self) -> Result<(), String> {
        let mut done = 0;
        for (position, item) in self.tables.items.iter().enumerate() {
            if item.verdicts.len() > 1 {
                return Err(format!("item {position} has {} verdicts", item.verdicts.len()));
            }
            if (item.state == State::Done) != (item.verdicts.len() == 1) {
                return Err(format!("item {position} is {:?} without a verdict", item.state));
            }
            if (item.state == State::Leased) != item.lease.is_some() {
                return Err(format!("item {position} is {:?} with a lease", item.state));
            }
            if let Some(Some(reply)) = item.verdicts.first()
                && self.tables.exchanges.get(&position) != Some(reply)
            {
                return Err(format!("the verdict of item {position} is from a reply not kept"));
            }
            done += usize::from(item.state == State::Done);
        }
        if done != self.tables.items_done || self.tables.is_done != (done == ITEMS) {
            return Err(format!("{done} items are done and {} counted", self.tables.items_done));
        }
        Ok(())
    }

    fn check_in_the_end(mut self) -> Result<Faults, String> {
        for who in 0..WORKERS {
            self.abandon(who);
        }
        let Tables { items, sends, exchanges, late, .. } = &self.tables;
        for (position, item) in items.iter().enumerate() {
            let sent = sends.iter().filter(|one| **one == position).count() as u64;
            // Every claim asks once at most, and not at all where a reply was found.
            if sent > item.claims {
                return Err(format!("item {position}: {sent} requests in {} claims", item.claims));
            }
        }
        let accounted = exchanges.len() + late.len();
        let lost = sends.len().saturating_sub(accounted) as u64;
        if accounted > sends.len() || lost > self.abandoned {
            return Err(format!(
                "{} requests: {} kept, {} late, {} lost on the way",
                sends.len(),
                exchanges.len(),
                late.len(),
                self.abandoned
            ));
        }
        Ok(self.faults)
    }
}
