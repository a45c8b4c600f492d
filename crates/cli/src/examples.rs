//! Examples for the help of every command, from one table that a test runs.

use std::fmt::Write;

use clap::Command;

use crate::args::HELP_WIDTH;

/// One block a command; the file's head says how it is written.
const TABLE: &str = include_str!("examples.txt");

/// One example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Example<'a> {
    /// What to type.
    command: &'a str,
    /// What it does, or why a test cannot run it.
    remark: &'a str,
}

/// Puts the examples under the help of a command and of all below it.
pub(crate) fn added(command: Command) -> Command {
    let name = command.get_name().to_owned();
    below(command, &name)
}

fn below(command: Command, name: &str) -> Command {
    let below_it: Vec<String> =
        command.get_subcommands().map(|one| one.get_name().to_owned()).collect();
    let command = below_it.iter().fold(command, |command, one| {
        command.mut_subcommand(one, |found| below(found, &format!("{name} {one}")))
    });
    let command = with_usage_in_lines(command, name);
    let more = command.get_after_help().map(|more| paragraphs(&more.to_string()));
    let examples = of(name);
    if examples.is_empty() {
        return match more {
            Some(more) => command.after_help(more),
            None => command,
        };
    }
    let mut text = String::from("Examples, from the project's folder:\n");
    for example in examples {
        let line = format!("  {}", example.command);
        let _ = match example.remark {
            "" => writeln!(text, "{line}"),
            // A remark beside a long command would be broken by the terminal; it goes above.
            remark if line.chars().count() > REMARK_COLUMN => {
                writeln!(text, "  # {remark}\n{line}")
            }
            remark => writeln!(text, "{line:<REMARK_COLUMN$}  {remark}"),
        };
    }
    let more = more.map(|more| format!("\n{more}")).unwrap_or_default();
    command.after_help(format!("{text}{more}"))
}

/// clap wraps everything but the usage.
fn with_usage_in_lines(command: Command, name: &str) -> Command {
    const HEADING: &str = "Usage: ";
    let usage = command.clone().bin_name(name).render_usage().to_string();
    if usage.chars().count() <= HELP_WIDTH {
        return command;
    }
    let words = usage.strip_prefix(HEADING).unwrap_or(&usage).split(' ');
    let mut lines = vec![String::new()];
    for word in words.filter(|word| !word.is_empty()) {
        let last = lines.len() - 1;
        if HEADING.len() + lines[last].chars().count() + 1 + word.chars().count() > HELP_WIDTH {
            lines.push(word.to_owned());
        } else {
            if !lines[last].is_empty() {
                lines[last].push(' ');
            }
            lines[last].push_str(word);
        }
    }
    command.override_usage(lines.join(&format!("\n{:1$}", "", HEADING.len())))
}

/// The lines of a paragraph as one, so that they are wrapped at the width of the terminal and not
/// at that of the source; what is indented stays as it is.
fn paragraphs(text: &str) -> String {
    let mut all = String::new();
    let mut goes_on = false;
    for line in text.lines() {
        let is_prose = !line.is_empty() && !line.starts_with(' ');
        if !all.is_empty() {
            all.push(if goes_on && is_prose { ' ' } else { '\n' });
        }
        all.push_str(line);
        goes_on = is_prose;
    }
    all
}

/// Where remarks begin when they stand beside a command.
const REMARK_COLUMN: usize = 44;

/// The examples of a command, in order.
fn of(name: &str) -> Vec<Example<'static>> {
    let heading = format!("## {name}");
    let lines = TABLE.lines().skip_while(|line| *line != heading).skip(1);
    let block = lines.take_while(|line| !line.starts_with("## "));
    block.filter(|line| !line.is_empty()).map(example).collect()
}

fn example(line: &str) -> Example<'_> {
    let (command, remark) = line.split_once("  ").unwrap_or((line, ""));
    let remark = remark.trim().trim_start_matches('(').trim_end_matches(')');
    Example { command: command.trim_start_matches('!'), remark }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::Arguments;

    #[test]
    fn a_paragraph_is_one_line_and_a_list_is_not() {
        let text = "One\ntwo.\n\nThree:\n  four\n  five\nsix";
        assert_eq!(paragraphs(text), "One two.\n\nThree:\n  four\n  five\nsix");
    }

    #[test]
    fn every_command_has_two_examples_at_least() {
        fn check(command: &Command, name: &str, missing: &mut Vec<String>) {
            let below: Vec<&Command> = command.get_subcommands().collect();
            let is_group =
                command.is_subcommand_required_set() || command.is_arg_required_else_help_set();
            if (below.is_empty() || !is_group) && of(name).len() < 2 {
                missing.push(name.to_owned());
            }
            for one in below.iter().filter(|one| !one.is_hide_set() && one.get_name() != "help") {
                check(one, &format!("{name} {}", one.get_name()), missing);
            }
        }
        let mut missing = Vec::new();
        check(&Arguments::command(), "assize", &mut missing);
        assert!(missing.is_empty(), "examples.txt lacks {missing:?}");
    }

    #[test]
    fn every_block_is_a_command() {
        let mut whole = Arguments::command();
        whole.build();
        for name in TABLE.lines().filter_map(|line| line.strip_prefix("## ")) {
            let mut found = Some(&whole);
            for word in name.split(' ').skip(1) {
                found = found.and_then(|command| command.find_subcommand(word));
            }
            assert!(found.is_some(), "there is no command `{name}`");
        }
    }

    #[test]
    fn a_line_is_a_command_and_a_remark() {
        assert_eq!(
            example("assize demo    one screen"),
            Example { command: "assize demo", remark: "one screen" }
        );
        let kept = example("!assize mcp  (speaks on standard input)");
        assert_eq!(kept, Example { command: "assize mcp", remark: "speaks on standard input" });
    }
}
