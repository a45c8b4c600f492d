//! A command that was typed without its group: `assize agree` is `assize summary agree`.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// Names the groups that have the unknown command: the very word in a group is nearer than a
/// similar word outside of it.
pub(crate) fn add(said: &mut Error, root: &Command) {
    if said.kind() != ErrorKind::InvalidSubcommand {
        return;
    }
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
            add(&mut said, &Arguments::command());
            said.to_string()
        };
        let text = told(&["assize", "agree"]);
        assert!(text.contains("'summary agree'"), "{text}");
        assert!(!told(&["assize", "nonsense"]).contains("tip: a similar"));
    }
}
