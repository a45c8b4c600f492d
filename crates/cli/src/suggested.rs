//! What was meant: a command that was typed without its group (`assize agree` is `assize summary
//! agree`), and a file that was typed without its flag.

use std::ffi::OsString;
use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// Flags that take the file a command is about.
const FILE_FLAGS: [&str; 2] = ["input", "items"];

/// Adds what may be meant to what clap said about these words.
pub(crate) fn add(said: &mut Error, root: &Command, words: &[OsString]) {
    match said.kind() {
        ErrorKind::InvalidSubcommand => add_group(said, root),
        ErrorKind::UnknownArgument => add_flag(said, root, words),
        _ => {}
    }
}

/// Names the flag for a file that stands alone where the command takes it by one.
fn add_flag(said: &mut Error, root: &Command, words: &[OsString]) {
    let Some(ContextValue::String(typed)) = said.get(ContextKind::InvalidArg) else { return };
    let is_file = !typed.starts_with('-') && (typed.contains('.') || Path::new(typed).exists());
    let mut command = root;
    for word in words.iter().skip(1).filter_map(|word| word.to_str()) {
        let Some(below) = command.find_subcommand(word) else { break };
        command = below;
    }
    let flags = command.get_arguments().filter_map(clap::Arg::get_long);
    let flag = flags.into_iter().find(|flag| FILE_FLAGS.contains(flag));
    if let (true, Some(flag)) = (is_file, flag) {
        let tip = StyledStr::from(format!("give the file with '--{flag} {typed}'"));
        said.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
}

/// Names the groups that have the unknown command: the very word in a group is nearer than a
/// similar word outside of it.
fn add_group(said: &mut Error, root: &Command) {
    let Some(ContextValue::String(typed)) = said.get(ContextKind::InvalidSubcommand) else {
        return;
    };
    let groups = root.get_subcommands();
    let has_it = groups.filter(|group| group.find_subcommand(typed).is_some());
    let names: Vec<String> = has_it.map(|group| format!("{} {typed}", group.get_name())).collect();
    if !names.is_empty() {
        said.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(names));
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::Arguments;

    #[test]
    fn a_command_without_its_group_is_told_the_group() {
        let told = |words: &[&str]| {
            let mut said = Arguments::command().try_get_matches_from(words).unwrap_err();
            let words: Vec<OsString> = words.iter().map(Into::into).collect();
            add(&mut said, &Arguments::command(), &words);
            said.to_string()
        };
        let text = told(&["assize", "agree"]);
        assert!(text.contains("'summary agree'"), "{text}");
        assert!(!told(&["assize", "nonsense"]).contains("tip: a similar"));
    }
}
