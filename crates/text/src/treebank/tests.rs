//! Tests of the rules; every expected value was printed by NLTK 3.10.4.

use super::tokenize;

#[track_caller]
fn check(sentence: &str, tokens: &[&str]) {
    assert_eq!(tokenize(sentence), tokens);
}

#[test]
fn double_quotes_open_after_space_and_brackets_and_close_elsewhere() {
    check("\"a\" b", &["``", "a", "''", "b"]);
    check(
        "x\"y\" (\"z\") <\"q",
        &["x", "''", "y", "''", "(", "``", "z", "''", ")", "<", "``", "q"],
    );
    check("\"\" \"\"a", &["``", "``", "``", "''", "a"]);
    check("“\"a", &["“", "``", "a"]);
}

#[test]
fn two_apostrophes_are_a_double_quote() {
    check("a ''b'' c", &["a", "``", "b", "''", "c"]);
    check("''a''", &["''", "a", "''"]);
    check("x''' y", &["x", "''", "'", "y"]);
    check("'''s", &["''", "'s"]);
    check("(''''", &["(", "``", "''"]);
}

#[test]
fn an_apostrophe_opens_unless_a_clitic_follows() {
    check("'a b'", &["'", "a", "b", "'"]);
    check("'s 'tis 'll 'n 'no", &["'s", "'", "tis", "'ll", "'n", "'", "no"]);
    check("-'x", &["-", "'", "x"]);
    check("x-'y z", &["x-", "'", "y", "z"]);
    check("'ſ 'RE 're-do '_", &["'ſ", "'RE", "'re-do", "'", "_"]);
}

#[test]
fn backticks_go_in_pairs() {
    check("`a` ``b`` ```c", &["`", "a", "`", "``", "b", "``", "``", "`", "c"]);
}

#[test]
fn typographic_quotes_stand_alone() {
    check("„a“ ‘b’ «c»", &["„", "a", "“", "‘", "b", "’", "«", "c", "»"]);
}

#[test]
fn the_full_stop_is_split_only_where_the_sentence_ends() {
    check("a.b. c.", &["a.b.", "c", "."]);
    check("a. b.)", &["a.", "b", ".", ")"]);
    check("a. b.'", &["a.", "b", ".", "'"]);
    check("a. b. ) ’", &["a.", "b", ".", ")", "’"]);
    check("a. b. \"", &["a.", "b.", "``"]);
    check("a. b.\n)", &["a.", "b.", ")"]);
    check("a..", &["a", ".."]);
    check(".", &["."]);
}

#[test]
fn a_comma_stays_before_a_digit() {
    check("1,000 a,b a,5", &["1,000", "a", ",", "b", "a,5"]);
    check("a,,b", &["a", ",", ",b"]);
    check("a,,,b", &["a", ",", ",", ",", "b"]);
    check("a:,5", &["a", ":", ",5"]);
    check("a, b:", &["a", ",", "b", ":"]);
    check("a,,", &["a", ",", ","]);
}

#[test]
fn symbols_stand_alone() {
    check(
        "a;b@c#d$e%f&g?h!i*j",
        &[
            "a", ";", "b", "@", "c", "#", "d", "$", "e", "%", "f", "&", "g", "?", "h", "!", "i",
            "*", "j",
        ],
    );
    check(
        "a[b]c{d}e<f>g(h)",
        &["a", "[", "b", "]", "c", "{", "d", "}", "e", "<", "f", ">", "g", "(", "h", ")"],
    );
    check("50% $5 a_b/c+d", &["50", "%", "$", "5", "a_b/c+d"]);
}

#[test]
fn dots_and_dashes_in_runs_are_tokens() {
    check("a...b", &["a", "...", "b"]);
    check("a--b---c----d", &["a", "--", "b", "--", "-c", "--", "--", "d"]);
    check("a–b—c―d‒e", &["a", "–", "b", "—", "c", "―", "d", "‒", "e"]);
    check("a-b .. c.", &["a-b", "..", "c", "."]);
}

#[test]
fn clitics_are_split_off() {
    check(
        "it's IT'S I'm he'd we'll we're WE'VE don't DON'T",
        &[
            "it", "'s", "IT", "'S", "I", "'m", "he", "'d", "we", "'ll", "we", "'re", "WE", "'VE",
            "do", "n't", "DO", "N'T",
        ],
    );
    check("n't 's x'", &["n't", "'s", "x", "'"]);
    check(
        "can't's x's' x's') we've'",
        &["ca", "n't", "'s", "x", "'s", "'", "x's", "'", ")", "we", "'ve", "'"],
    );
    check("Don'T we'Ll", &["Don'T", "we'Ll"]);
}

#[test]
fn contractions_are_split_where_they_are_words() {
    check(
        "cannot Gimme gonna gotta lemme wanna",
        &["can", "not", "Gim", "me", "gon", "na", "got", "ta", "lem", "me", "wan", "na"],
    );
    check(
        "cannot-do x_cannot wanna-be wanna)",
        &["can", "not", "-do", "x_cannot", "wanna-be", "wan", "na", ")"],
    );
    check("d'ye more'n D'YE.", &["d", "'ye", "more", "'n", "D", "'YE", "."]);
    check("gımme GİMME", &["gım", "me", "GİM", "ME"]);
    check("cannot'tis'twas", &["can", "not", "'t", "is", "'t", "was"]);
}

#[test]
fn separators_of_ascii_end_words_but_not_pieces() {
    check("it's\u{1c}so x'\u{1f}", &["it's", "so", "x'"]);
    check("wanna\u{1d}x", &["wan", "na", "x"]);
}

#[test]
fn white_space_other_than_the_space_ends_a_piece_late() {
    check("x's'\ny", &["x's", "'", "y"]);
    check("x's' y", &["x", "'s", "'", "y"]);
    check("a\u{a0}\"b", &["a", "''", "b"]);
}
