//! What may be spent: by a run in its life, by an organisation in a day.
//!
//! A budget is a row that all processes share. What a request can cost at most is set aside in
//! it in the same transaction that notes the request, and replaced by what it came to when it
//! ends; so the row always says what the journal adds up to, and no number of processes spends
//! more than it allows. A request of a process that died stays at its ceiling: it may have been
//! paid for.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

use crate::batch::list;
use crate::database::{Database, Row, Transaction};
use crate::error::Result;
use crate::exchanges::Cost;
use crate::ids::{OrganisationId, RunId};
use crate::journal::{Hindrance, whole};
use crate::queue::Batch;
use crate::record::handle;
use crate::value::{Value, values};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BudgetUnit {
    /// Tokens of requests and replies.
    Tokens,
    /// Billionths of a dollar.
    Nanodollars,
}

impl BudgetUnit {
    fn word(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Nanodollars => "nanodollars",
        }
    }

    fn of(self, cost: &Cost) -> i64 {
        match self {
            Self::Tokens => whole(cost.tokens),
            Self::Nanodollars => whole(cost.price_nanodollars.unwrap_or(0)),
        }
    }
}

/// A budget as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetRow {
    /// What is counted.
    pub unit: BudgetUnit,
    /// What may be spent.
    pub ceiling: u64,
    /// What is spent or set aside.
    pub spent: u64,
}

/// Why a budget does not allow a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoRoom {
    /// Which budget: [`run_scope`] or [`day_scope`].
    pub scope: String,
    /// The budget is in money, and what the request costs is not known.
    pub is_unpriced: bool,
}

impl NoRoom {
    /// Whether it is the budget of a day, and not that of a run.
    pub fn is_of_a_day(&self) -> bool {
        self.scope.starts_with(DAY_SCOPE)
    }
}

/// How the scope of a day begins.
const DAY_SCOPE: &str = "day:";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BillPart {
    pub requests: u64,
    /// Their tokens, and those of their replies.
    pub tokens: u64,
    /// What they cost in billionths of a dollar, as far as prices are known.
    pub price_nanodollars: u64,
    /// Requests whose price is not known.
    pub unpriced: u64,
}

/// What a run has cost in its life, by how sure that is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bill {
    /// The provider counted.
    pub certain: BillPart,
    /// The provider counted nothing, and we did: at most so much.
    pub estimated: BillPart,
    /// No reply came, and it may have been paid for all the same: at most so much.
    pub maybe: BillPart,
    /// Requests that cost nothing: turned away, or never arrived.
    pub free: u64,
    /// All of it by the model that was asked, as `provider/model`.
    pub models: BTreeMap<String, BillPart>,
}

impl BillPart {
    fn add(&mut self, more: Self) {
        self.requests += more.requests;
        self.tokens += more.tokens;
        self.price_nanodollars += more.price_nanodollars;
        self.unpriced += more.unpriced;
    }
}

impl Bill {
    /// All of it together.
    pub fn tokens(&self) -> u64 {
        self.certain.tokens + self.estimated.tokens + self.maybe.tokens
    }

    /// All of it together, as far as prices are known.
    pub fn price_nanodollars(&self) -> u64 {
        let [one, two, three] = [self.certain, self.estimated, self.maybe];
        one.price_nanodollars + two.price_nanodollars + three.price_nanodollars
    }
}

/// The budget of a run in its life.
pub fn run_scope(run: &RunId) -> String {
    format!("run:{run}")
}

/// The budget of an organisation on a day.
pub fn day_scope(organisation: &OrganisationId, day: NaiveDate) -> String {
    format!("{DAY_SCOPE}{organisation}:{day}")
}

handle!(Budgets, budgets, "The budgets of a store.");

impl Budgets<'_> {
    /// Sets what a run may spend in its life; what it spent before counts. The last word holds.
    #[boxed]
    pub async fn set_for_run(&self, run: &RunId, unit: BudgetUnit, ceiling: u64) -> Result<()> {
        let column = match unit {
            BudgetUnit::Tokens => "tokens",
            BudgetUnit::Nanodollars => "price_nanodollars",
        };
        let scope = run_scope(run);
        let mut transaction = self.0.database.begin().await?;
        let sql = "INSERT INTO budgets (scope, unit, ceiling, spent) VALUES ($1, $2, $3, 0) \
            ON CONFLICT (scope, unit) DO UPDATE SET ceiling = excluded.ceiling";
        transaction.execute(sql, &values![&scope, unit.word(), whole(ceiling)]).await?;
        // With the row in our hands nobody books anything meanwhile.
        let sql = format!(
            "UPDATE budgets SET spent = (SELECT CAST(COALESCE(SUM({column}), 0) AS BIGINT) \
             FROM sends WHERE run_id = $3) WHERE scope = $1 AND unit = $2"
        );
        transaction.execute(&sql, &values![&scope, unit.word(), run]).await?;
        transaction.commit().await
    }

    /// What an organisation may spend in a day; none takes the ceiling away.
    #[boxed]
    pub async fn set_day_ceiling(
        &self,
        organisation: &OrganisationId,
        unit: BudgetUnit,
        ceiling: Option<u64>,
        now: DateTime<Utc>,
    ) -> Result<()> {
        let mut transaction = self.0.database.begin().await?;
        // Days that are over do not matter any more, and tomorrow begins with what is said here.
        let today = day_scope(organisation, now.date_naive());
        if let Some(ceiling) = ceiling {
            let sql = "INSERT INTO day_ceilings (organisation_id, unit, ceiling) \
                VALUES ($1, $2, $3) ON CONFLICT (organisation_id, unit) \
                DO UPDATE SET ceiling = excluded.ceiling";
            let values = values![organisation, unit.word(), whole(ceiling)];
            transaction.execute(sql, &values).await?;
            let sql = "UPDATE budgets SET ceiling = $3 WHERE scope = $1 AND unit = $2";
            transaction.execute(sql, &values![&today, unit.word(), whole(ceiling)]).await?;
        } else {
            let sql = "DELETE FROM day_ceilings WHERE organisation_id = $1 AND unit = $2";
            transaction.execute(sql, &values![organisation, unit.word()]).await?;
            let sql = "DELETE FROM budgets WHERE scope = $1 AND unit = $2";
            transaction.execute(sql, &values![&today, unit.word()]).await?;
        }
        transaction.commit().await
    }

    /// The budgets that a request for a run must fit into, at this moment; that of the day is
    /// begun if there is none yet.
    #[boxed]
    pub async fn scopes(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
        now: DateTime<Utc>,
    ) -> Result<Vec<String>> {
        let mut scopes = Vec::from_iter(self.day(organisation, now).await?);
        let scope = run_scope(run);
        if !self.rows(&scope).await?.is_empty() {
            scopes.push(scope);
        }
        Ok(scopes)
    }

    /// The budget of an organisation's day, if it has one; begun if it is not yet, with what the
    /// organisation's runs have cost on this day.
    #[boxed]
    pub async fn day(
        &self,
        organisation: &OrganisationId,
        now: DateTime<Utc>,
    ) -> Result<Option<String>> {
        let database = &self.0.database;
        let scope = day_scope(organisation, now.date_naive());
        let sql = "SELECT ceilings.unit FROM day_ceilings AS ceilings LEFT JOIN budgets \
            ON budgets.scope = $2 AND budgets.unit = ceilings.unit \
            WHERE organisation_id = $1 AND budgets.scope IS NULL";
        let missing = database.fetch(sql, &values![organisation, &scope]).await?;
        if missing.is_empty() {
            let has_rows = !self.rows(&scope).await?.is_empty();
            return Ok(has_rows.then_some(scope));
        }
        let midnight = now.date_naive().and_time(NaiveTime::MIN).and_utc();
        let sql = "INSERT INTO budgets (scope, unit, ceiling, spent) SELECT $2, unit, ceiling, \
            (SELECT CAST(COALESCE(SUM(CASE WHEN unit = 'tokens' THEN sends.tokens \
            ELSE sends.price_nanodollars END), 0) AS BIGINT) FROM sends \
            JOIN runs ON runs.id = sends.run_id \
            WHERE runs.organisation_id = $1 AND sends.begun >= $3) \
            FROM day_ceilings WHERE organisation_id = $1 ON CONFLICT (scope, unit) DO NOTHING";
        database.execute(sql, &values![organisation, &scope, midnight]).await?;
        Ok(Some(scope))
    }

    /// What an organisation may spend in a day, in each unit that somebody set.
    #[boxed]
    pub async fn day_ceilings(
        &self,
        organisation: &OrganisationId,
    ) -> Result<Vec<(BudgetUnit, u64)>> {
        let sql = "SELECT unit, ceiling FROM day_ceilings WHERE organisation_id = $1 ORDER BY unit";
        let rows = self.0.database.fetch(sql, &values![organisation]).await?;
        rows.iter().map(|row| Ok((unit(row)?, row.count("ceiling")?))).collect()
    }

    /// A budget as it stands, in each unit that it has.
    #[boxed]
    pub async fn rows(&self, scope: &str) -> Result<Vec<BudgetRow>> {
        let sql = "SELECT unit, ceiling, spent FROM budgets WHERE scope = $1 ORDER BY unit";
        let rows = self.0.database.fetch(sql, &values![scope]).await?;
        let row = |row: &Row| {
            let (ceiling, spent) = (row.count("ceiling")?, row.count("spent")?);
            Ok(BudgetRow { unit: unit(row)?, ceiling, spent })
        };
        rows.iter().map(row).collect()
    }

    /// What a run has cost in its life.
    #[boxed]
    pub async fn bill(&self, run: &RunId) -> Result<Bill> {
        let sql = "SELECT COALESCE(certainty, 'none') AS certainty, \
            COALESCE(provider || '/' || model, '') AS asked, COUNT(*) AS requests, \
            CAST(COALESCE(SUM(tokens), 0) AS BIGINT) AS tokens, \
            CAST(COALESCE(SUM(price_nanodollars), 0) AS BIGINT) AS price, \
            COUNT(*) - COUNT(price_nanodollars) AS unpriced \
            FROM sends WHERE run_id = $1 GROUP BY COALESCE(certainty, 'none'), \
            COALESCE(provider || '/' || model, '')";
        let mut bill = Bill::default();
        for row in self.0.database.fetch(sql, &values![run]).await? {
            let part = BillPart {
                requests: row.count("requests")?,
                tokens: row.count("tokens")?,
                price_nanodollars: row.count("price")?,
                unpriced: row.count("unpriced")?,
            };
            let of_model = bill.models.entry(row.get("asked")?).or_default();
            match row.get::<String>("certainty")?.as_str() {
                "certain" => bill.certain.add(part),
                "estimated" => bill.estimated.add(part),
                "maybe" => bill.maybe.add(part),
                _ => {
                    bill.free += part.requests;
                    of_model.requests += part.requests;
                    continue;
                }
            }
            of_model.add(part);
        }
        Ok(bill)
    }
}

/// Books a batch: gives back what requests that ended did not need, then sets aside what those
/// that begin can cost at most. Says of each that begins whether there is room for it; those
/// that are not free to begin are left out.
pub(crate) async fn book(
    transaction: &mut Transaction,
    database: &Database,
    batch: &Batch,
    free: &[bool],
) -> Result<Vec<Result<(), Hindrance>>> {
    let ended = batch.keeps.iter().map(|keep| (&keep.sent, keep.cost));
    let failed = batch.fails.iter().filter_map(|fail| Some((&fail.sent, fail.failure.cost?)));
    let ended: Vec<_> = ended.chain(failed).collect();
    let scopes = batch.begins.iter().flat_map(|begin| &begin.sending.scopes);
    let scopes = scopes.chain(ended.iter().flat_map(|(sent, _)| &sent.scopes));
    let scopes: std::collections::BTreeSet<&String> = scopes.collect();
    if scopes.is_empty() {
        return Ok(free.iter().map(|free| free.then_some(()).ok_or(Hindrance::Held)).collect());
    }
    let mut rows = Rows::locked(transaction, database, &scopes).await?;
    for (sent, cost) in ended {
        for scope in &sent.scopes {
            rows.change(scope, |unit| unit.of(&cost) - unit.of(&sent.ceiling));
        }
    }
    let begun = batch.begins.iter().zip(free).map(|(begin, free)| {
        if !free {
            return Err(Hindrance::Held);
        }
        let (scopes, ceiling) = (&begin.sending.scopes, &begin.sending.ceiling);
        if let Some(full) = scopes.iter().find_map(|scope| rows.no_room(scope, ceiling)) {
            return Err(Hindrance::NoRoom(full));
        }
        for scope in scopes {
            rows.change(scope, |unit| unit.of(ceiling));
        }
        Ok(())
    });
    let begun = begun.collect();
    rows.write(transaction).await?;
    Ok(begun)
}

fn unit(row: &Row) -> Result<BudgetUnit> {
    Ok(match row.get::<String>("unit")?.as_str() {
        "tokens" => BudgetUnit::Tokens,
        _ => BudgetUnit::Nanodollars,
    })
}

/// The rows of the budgets of a batch, which nobody else changes meanwhile.
struct Rows(BTreeMap<(String, &'static str), Locked>);

struct Locked {
    unit: BudgetUnit,
    ceiling: i64,
    spent: i64,
    change: i64,
}

impl Rows {
    async fn locked(
        transaction: &mut Transaction,
        database: &Database,
        scopes: &std::collections::BTreeSet<&String>,
    ) -> Result<Self> {
        let sql = format!(
            "SELECT scope, unit, ceiling, spent FROM budgets WHERE scope IN ({}) \
             ORDER BY scope, unit {}",
            list(scopes.len()),
            database.for_update()
        );
        let values: Vec<Value<'_>> = scopes.iter().map(|scope| Value::from(*scope)).collect();
        let mut rows = BTreeMap::new();
        for row in transaction.fetch(&sql, &values).await? {
            let unit = unit(&row)?;
            let (ceiling, spent) = (row.get("ceiling")?, row.get("spent")?);
            let locked = Locked { unit, ceiling, spent, change: 0 };
            rows.insert((row.get("scope")?, unit.word()), locked);
        }
        Ok(Self(rows))
    }

    fn of(&mut self, scope: &str) -> impl Iterator<Item = &mut Locked> {
        self.0.iter_mut().filter(move |((name, _), _)| name == scope).map(|(_, row)| row)
    }

    /// What stands against so much, if something does. What costs nobody knows how much has no
    /// room in a budget of money: it could not hold.
    fn no_room(&mut self, scope: &str, cost: &Cost) -> Option<NoRoom> {
        let is_unpriced =
            |row: &Locked| row.unit == BudgetUnit::Nanodollars && cost.price_nanodollars.is_none();
        let is_full = |row: &Locked| row.spent + row.change + row.unit.of(cost) > row.ceiling;
        let against = self.of(scope).find(|row| is_unpriced(row) || is_full(row))?;
        Some(NoRoom { scope: scope.to_owned(), is_unpriced: is_unpriced(against) })
    }

    fn change(&mut self, scope: &str, by: impl Fn(BudgetUnit) -> i64) {
        self.of(scope).for_each(|row| row.change += by(row.unit));
    }

    async fn write(&self, transaction: &mut Transaction) -> Result<()> {
        for ((scope, unit), row) in self.0.iter().filter(|(_, row)| row.change != 0) {
            let sql = "UPDATE budgets SET spent = spent + $3 WHERE scope = $1 AND unit = $2";
            transaction.execute(sql, &values![scope, *unit, row.change]).await?;
        }
        Ok(())
    }
}
