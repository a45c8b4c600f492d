//! `assize runs bill`: what a run has cost in its life, and how sure that is.

use anyhow::Result;
use assize_engine::asking::Money;
use assize_wire::runs::{Bill, BillBudget, BillLine};

use super::args;
use crate::commands::evaluate::session::with_reader;
use crate::exit::Done;
use crate::output::table::{columns, table};

/// Prints the bill.
pub(super) fn run(arguments: &args::ShownRun) -> Result<Done> {
    with_reader(&arguments.which.database, async |workspace| {
        let run = workspace.find_run(&arguments.which.run).await?;
        let bill = workspace.run_bill(&run).await?;
        arguments.format.print(&bill, text)
    })
}

fn text(bill: &Bill) -> String {
    let parts = [
        ("certain", &bill.certain, "reported by the provider"),
        ("estimated", &bill.estimated, "counted by assize, at most"),
        ("maybe paid", &bill.maybe, "no reply received; at most"),
    ];
    let mut rows: Vec<Vec<String>> =
        parts.iter().map(|(name, line, why)| row(name, line, why)).collect();
    let free = BillLine { requests: bill.free_requests, ..bill.total.clone() };
    let none = "rejected or not sent".to_owned();
    rows.push(vec!["free".to_owned(), free.requests.to_string(), "0".into(), "-".into(), none]);
    rows.push(row("total", &bill.total, ""));
    let headings = columns("part | #requests | #tokens | #price | ");
    let mut text = format!("Run #{}: total cost\n\n", bill.number);
    text += &table(&headings, rows);
    for budget in &bill.budgets {
        text += &budget_line("Total budget", budget);
    }
    text
}

fn row(name: &str, line: &BillLine, why: &str) -> Vec<String> {
    let price = match line {
        BillLine { requests: 0, .. } => "-".to_owned(),
        BillLine { requests, unpriced, .. } if unpriced == requests => "unknown".to_owned(),
        BillLine { price_nanodollars, unpriced: 0, .. } => money(*price_nanodollars),
        BillLine { price_nanodollars, unpriced, .. } => {
            format!("{} + {unpriced} unpriced", money(*price_nanodollars))
        }
    };
    let (requests, tokens) = (line.requests.to_string(), line.tokens.to_string());
    vec![name.to_owned(), requests, tokens, price, why.to_owned()]
}

/// One budget: what it is of, what it was and what is left.
pub(super) fn budget_line(of: &str, budget: &BillBudget) -> String {
    let amount = |number| match budget.unit.as_str() {
        "tokens" => format!("{number} tokens"),
        _ => money(number),
    };
    format!("{of}: {}; {} left\n", amount(budget.ceiling), amount(budget.left))
}

fn money(nanodollars: u64) -> String {
    Money { nanodollars }.to_string()
}
