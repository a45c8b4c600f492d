//! Talking to the person at the terminal: notices, complaints, emphasis.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};
use assize_engine::error::without_server_line;
use assize_engine::request::FieldError;

const QUIET: Style = Style::new().dimmed();
const WARNING: Style = AnsiColor::Yellow.on_default();
const ERROR: Style = AnsiColor::Red.on_default().bold();

/// Set when what is printed goes to a file, which no terminal shows.
static PLAIN: AtomicBool = AtomicBool::new(false);

/// From now on text is not emphasised: it goes to a file.
pub(crate) fn no_styles() {
    PLAIN.store(true, Ordering::Relaxed);
}

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

/// Lines on stderr as they are: another program reads them.
pub(crate) fn plain(lines: &str) {
    // When stderr is gone there is nobody left to tell.
    let _ = write!(io::stderr().lock(), "{lines}");
}

/// What became of a threshold, on stderr; a missed one stands out.
pub(crate) fn checked(passed: bool, line: &str) {
    if passed {
        return remark(line);
    }
    let stderr = io::stderr();
    let line = styled(ERROR, &without_controls(line), stderr.is_terminal());
    // When stderr is gone there is nobody left to tell.
    let _ = writeln!(stderr.lock(), "{line}");
}

/// A failure on stderr: what was wrong, each cause beneath it once, and what to do.
pub(crate) fn complain(error: &anyhow::Error, hint: Option<&str>) {
    let mut text = error.to_string();
    // A field of a request is named as it is typed here.
    if let Some(field) = error.chain().find_map(|cause| cause.downcast_ref::<FieldError>()) {
        text = text.replacen(&field.to_string(), &field.with_flag(), 1);
    }
    for cause in error.chain().skip(1) {
        let cause = without_server_line(cause.to_string());
        // The same words once more, with a line of the server's source, are the same cause.
        let bare = cause.rsplit_once(" at line ").map_or(cause.as_str(), |(words, _)| words);
        if !text.contains(bare) {
            text.push_str("\n  because ");
            text.push_str(&cause);
        }
    }
    if let Some(hint) = hint {
        text.push_str("\n  hint: ");
        text.push_str(hint);
    }
    write_error_line("error", ERROR, &text);
}

/// Text that steps back, on terminals that can show it.
pub(crate) fn quiet(text: &str) -> String {
    styled(QUIET, text, stdout_shows_styles())
}

/// Text that stands out, on terminals that can show it.
pub(crate) fn strong(text: &str) -> String {
    styled(Style::new().bold(), text, stdout_shows_styles())
}

fn stdout_shows_styles() -> bool {
    io::stdout().is_terminal() && !PLAIN.load(Ordering::Relaxed)
}

/// A stranger's text on one line: white space collapsed, nothing in it that a terminal
/// would obey, cut to `characters_max`.
pub(crate) fn one_line(text: &str, characters_max: usize) -> String {
    let mut line = String::new();
    let mut count = 0;
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        if word.is_empty() {
            continue;
        }
        if count > 0 {
            line.push(' ');
            count += 1;
        }
        for character in word.chars().filter(|character| !turns_direction(*character)) {
            if count >= characters_max {
                line.push('…');
                return line;
            }
            line.push(character);
            count += 1;
        }
    }
    line
}

/// Marks that make a terminal write the other way, beyond the end of the text.
fn turns_direction(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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
    let text = without_controls(text);
    let word = styled(style, word, stderr.is_terminal());
    // When stderr is gone there is nobody left to tell.
    let _ = writeln!(stderr.lock(), "{word}: {text}");
}

/// Text of a stranger inside a message may not command the terminal.
fn without_controls(text: &str) -> String {
    text.replace(|character: char| character.is_control() && character != '\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_obeys_nothing_in_a_text() {
        assert_eq!(one_line("a\u{1b}[31mred\u{7}\n\n  b\u{202e}c", 40), "a [31mred bc");
    }

    #[test]
    fn long_text_is_cut_by_characters() {
        assert_eq!(one_line("Ærø Ærø", 5), "Ærø Æ…");
        assert_eq!(one_line("Ærø Ærø", 7), "Ærø Ærø");
    }
}
