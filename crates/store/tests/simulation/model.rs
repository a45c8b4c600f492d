//! The tables of the protocol in memory, and its transactions, each at one moment.

use std::collections::{BTreeMap, BTreeSet};

use assize_store::{LOSSES_MAX, LOSSES_TOGETHER};

/// How far an item has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Pending,
    Leased,
    Done,
}

#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) state: State,
    pub(crate) lease: Option<i64>,
    pub(crate) until: u64,
    pub(crate) losses: i64,
    pub(crate) claims: u64,
    /// Who committed, and from which reply; none if it was given up.
    pub(crate) verdicts: Vec<Option<u64>>,
}

/// What a claim gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) position: usize,
    pub(crate) token: i64,
    pub(crate) losses: i64,
}

/// The database: everything that outlives a process.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) items: Vec<Item>,
    pub(crate) items_done: usize,
    pub(crate) is_done: bool,
    /// Replies that are kept: of which request.
    pub(crate) exchanges: BTreeMap<usize, u64>,
    /// Requests that were noted, by number: for which item.
    pub(crate) sends: Vec<usize>,
    /// Those that came too late with a reply.
    pub(crate) late: BTreeSet<u64>,
    /// The database's own clock.
    pub(crate) now: u64,
    next_token: i64,
    is_fenced: bool,
}

impl Tables {
    pub(crate) fn new(items: usize, is_fenced: bool) -> Self {
        let item = Item {
            state: State::Pending,
            lease: None,
            until: 0,
            losses: 0,
            claims: 0,
            verdicts: Vec::new(),
        };
        Self {
            items: vec![item; items],
            items_done: 0,
            is_done: false,
            exchanges: BTreeMap::new(),
            sends: Vec::new(),
            late: BTreeSet::new(),
            now: 0,
            next_token: 1,
            is_fenced,
        }
    }

    /// `Leases::claim` and `Leases::claim_alone`.
    pub(crate) fn claim(&mut self, count: usize, hold: u64, is_alone: bool) -> Vec<Claim> {
        let (now, token) = (self.now, self.next_token);
        self.next_token += 1;
        let mut claimed = Vec::new();
        for (position, item) in self.items.iter_mut().enumerate() {
            let is_open = match item.state {
                State::Done => false,
                State::Pending => true,
                State::Leased => item.until < now,
            };
            let lost = i64::from(item.state == State::Leased);
            let is_apart = item.losses + lost >= LOSSES_TOGETHER;
            if is_open && is_apart == is_alone && claimed.len() < count {
                item.losses += lost;
                item.claims += 1;
                (item.state, item.lease, item.until) = (State::Leased, Some(token), now + hold);
                claimed.push(Claim { position, token, losses: item.losses });
            }
        }
        claimed
    }

    /// `Leases::heartbeat`.
    pub(crate) fn heartbeat(&mut self, token: i64, hold: u64) -> u64 {
        let until = self.now + hold;
        let ours = self.items.iter_mut().filter(|item| item.lease == Some(token));
        ours.map(|item| item.until = until).count() as u64
    }

    /// `Leases::release`.
    pub(crate) fn release(&mut self, token: i64) {
        for item in self.items.iter_mut().filter(|item| item.lease == Some(token)) {
            (item.state, item.lease) = (State::Pending, None);
        }
    }

    /// `Store::finish`: the verdict, the state and the count in one transaction, only where the
    /// token is still the item's.
    pub(crate) fn finish(&mut self, claim: Claim, reply: Option<u64>) -> bool {
        let item = &mut self.items[claim.position];
        if self.is_fenced && item.lease != Some(claim.token) {
            return false;
        }
        item.verdicts.push(reply);
        (item.state, item.lease) = (State::Done, None);
        self.items_done += 1;
        self.is_done |= self.items_done >= self.items.len();
        true
    }

    /// `Store::begin_send`.
    pub(crate) fn begin_send(&mut self, position: usize) -> u64 {
        self.sends.push(position);
        self.sends.len() as u64 - 1
    }

    /// `Store::keep`: the first reply stays, and all compute from it.
    pub(crate) fn keep(&mut self, send: u64) -> u64 {
        let position = self.sends[usize::try_from(send).unwrap()];
        let kept = *self.exchanges.entry(position).or_insert(send);
        if kept != send {
            self.late.insert(send);
        }
        kept
    }

    /// Whether an item may only be finished, not worked on.
    pub(crate) fn is_given_up(claim: &Claim) -> bool {
        claim.losses >= LOSSES_MAX
    }
}
