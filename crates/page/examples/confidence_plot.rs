//! The table of confidence that `compliance_development … confidence` prints, as a picture for the guide.
//!
//! `cargo run --release -p assize-methods --example compliance_development … confidence | cargo run -p assize-page
//! --example confidence_plot > docs/images/confidence.svg`

#![expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]

use std::error::Error;
use std::io::stdin;

use assize_page::plots::{Group, reliability};

/// What a page has in its style sheet; a picture stands alone.
const STYLE: &str = "text{font:12px sans-serif;fill:#444}.grid{stroke:#ddd}.zero{stroke:#999;stroke-dasharray:4}\
                     .s1{stroke:#2563eb;fill:#2563eb}.thin{fill:none}";

fn main() -> Result<(), Box<dyn Error>> {
    let printed = std::io::read_to_string(stdin())?;
    let table = printed.lines().skip_while(|line| !line.starts_with("confidence ")).skip(1);
    let groups: Vec<Group> = table.map_while(group).collect();
    let plot = reliability(&groups, ("confidence", "share of right tiers"), &[0.0, 1.0]);
    let html = plot.into_string();
    let (start, end) = html.find("<svg").zip(html.find("</svg>")).ok_or("there is no table")?;
    let svg = html[start..end].replacen("<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"", 1);
    let (head, drawn) = svg.split_once('>').ok_or("the picture has no head")?;
    println!(
        "{head}><style>{STYLE}</style><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>{drawn}</svg>"
    );
    Ok(())
}

/// A line of the table: the confidence, the number of results, and the share of right tiers, in percent.
fn group(line: &str) -> Option<Group> {
    let [confidence, count, share, ..] = line.split_whitespace().collect::<Vec<_>>()[..] else {
        return None;
    };
    let part = |percent: &str| Some(percent.parse::<f64>().ok()? / 100.0);
    let (score, rating) = (part(confidence)?, part(share)?);
    Some(Group { score, rating, interval: None, count: count.parse().ok()? })
}
