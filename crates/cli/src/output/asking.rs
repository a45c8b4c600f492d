//! What is said while models are asked, and what it came to.

use std::fmt::Write;

use anyhow::anyhow;
use assize_engine::ErrorKind;
use assize_engine::asking::{Account, Estimate, Event, Halt};

use super::terminal;
use crate::exit::{self, Done};

/// Ctrl-C was pressed.
pub(crate) fn told_to_stop(count: u32) {
    terminal::notice(if count == 1 {
        "stopping after the requests in progress; press Ctrl-C again to abandon them"
    } else {
        "stopping immediately"
    });
}

/// Something a person would want to know while it happens.
pub(crate) fn tell(event: &Event) {
    if let Event::Waiting(model, error, wait) = event
        && wait.as_secs() >= 5
    {
        terminal::notice(&format!("{model}: {error}; retrying in {} seconds", wait.as_secs()));
    }
}

/// Why work with models ended before its end, and how it goes on.
pub(crate) fn halted(halt: &Halt, how_to_go_on: Option<&str>) -> Done {
    let kind = match halt {
        Halt::Asked => {
            terminal::notice("interrupted");
            ErrorKind::Interrupted
        }
        halt => exit::tell(&anyhow!(halt.clone())),
    };
    if let Some(words) = how_to_go_on {
        terminal::notice(words);
    }
    Done::Ended(kind)
}

/// What was asked and paid, as a line.
pub(crate) fn bill(account: &Account) -> String {
    let Account { from_store, answered, sent, asked_again, usage, price, unpriced, .. } = account;
    let mut text = format!("{sent} requests, {answered} replies, {from_store} from the database");
    if *asked_again > 0 {
        let _ = write!(text, ", {asked_again} repeated because the reply could not be read");
    }
    let _ = write!(text, "; {} tokens", usage.total());
    if *answered > *unpriced {
        let _ = write!(text, ", {price}");
    }
    if *unpriced > 0 {
        let _ = write!(text, ", {unpriced} replies without a known price");
    }
    text
}

/// What a job would take, one figure a line.
pub(crate) fn estimate_lines(estimate: &Estimate) -> String {
    let Estimate { kept, calls, usage, price, unpriced } = estimate;
    let price = match unpriced {
        0 => format!("at most {price}"),
        all if all == calls => "unknown, no price is configured".to_owned(),
        some => format!("at most {price}, and {some} calls unpriced"),
    };
    format!(
        "calls to send     {calls}\ncached replies    {kept}\nrequest tokens    about {}\n\
         reply tokens      at most {}\nprice             {price}\nNothing was sent. A reply that cannot be read is requested once more.\n",
        usage.input_tokens, usage.output_tokens
    )
}
