//! `assize models`: who can be asked, and whether they answer.

use crate::clerk::{Clerk, forms};
use crate::support::assize;

#[test]
fn providers_are_listed_with_the_variable_of_their_key_and_never_the_key() {
    let said = assize(&["models", "list", "--endpoint", "hub=http://127.0.0.1:9/v1"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let known = ["openai", "ANTHROPIC_API_KEY", "hub", "http://127.0.0.1:9/v1/"];
    let priced = ["openai/gpt-4o-mini*", "$0.15", "2025-10-01", "verify them"];
    for words in known.into_iter().chain(priced) {
        assert!(said.stdout.contains(words), "{words}: {}", said.stdout);
    }
}

#[test]
fn a_model_that_answers_is_told_from_one_that_is_not_there() {
    let mut clerk = Clerk::start(forms("nothing"));
    let url = clerk.url();
    let test = ["models", "test", "local/clerk", "--endpoint", &url];
    let said = assize(&test);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("local/clerk answered “ready”"), "{}", said.stdout);
    let unknown = assize(&["models", "test", "nobody/x"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("[endpoints.nobody]"), "{}", unknown.stderr);
    clerk.server.follow(
        forms("nothing")
            .with(assize_injector::When::Always, assize_injector::Fault::status(401, "no")),
    );
    assert_eq!(assize(&test).code, 3);
    clerk.die();
}
