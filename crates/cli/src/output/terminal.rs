//! Talking to the person at the terminal: notices, complaints, emphasis.

use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};

const QUIET: Style = Style::new().dimmed();
const WARNING: Style = AnsiColor::Yellow.on_default();
const ERROR: Style = AnsiColor::Red.on_default().bold();

/// A remark on stderr that the user may want to act on.
pub(crate) fn notice(text: &str) {
    write_error_line("note", WARNING, text);
}

/// What was done and how fast, on stderr; not a word of it matters to a program.
pub(crate) fn remark(text: &str) {
    let stderr = io::stderr();
    let text = styled(QUIET, text, stderr.is_terminal());
    // When stderr is gone there is nobody left to tell.
    let _ = writeln!(stderr.lock(), "{text}");
}

/// A failure on stderr: what was wrong, and each cause beneath it once.
pub(crate) fn complain(error: &anyhow::Error) {
    let mut text = error.to_string();
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        if !text.contains(&cause) {
            text.push_str("\n  because ");
            text.push_str(&cause);
        }
    }
    write_error_line("error", ERROR, &text);
}

/// Text that steps back, on terminals that can show it.
pub(crate) fn quiet(text: &str) -> String {
    styled(QUIET, text, io::stdout().is_terminal())
}

/// Text that stands out, on terminals that can show it.
pub(crate) fn strong(text: &str) -> String {
    styled(Style::new().bold(), text, io::stdout().is_terminal())
}

fn styled(style: Style, text: &str, terminal: bool) -> String {
    if terminal && std::env::var_os("NO_COLOR").is_none() {
        format!("{style}{text}{style:#}")
    } else {
        text.to_owned()
    }
}

fn write_error_line(word: &str, style: Style, text: &str) {
    let stderr = io::stderr();
    let word = styled(style, word, stderr.is_terminal());
    // When stderr is gone there is nobody left to tell.
    let _ = writeln!(stderr.lock(), "{word}: {text}");
}
