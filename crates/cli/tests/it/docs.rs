//! The reference pages say what the code says.

use crate::support::{assize, examples};

#[test]
fn reference_pages_are_those_that_the_code_prints() {
    let pages = [
        ("measures.md", &["measures", "--format", "markdown"][..]),
        ("cli.md", &["reference"]),
        ("errors.md", &["reference", "errors"]),
    ];
    for (page, arguments) in pages {
        let path = examples().join("../docs/reference").join(page);
        let stored = std::fs::read_to_string(path).unwrap();
        assert_eq!(
            assize(arguments).stdout,
            stored,
            "run `cargo xtask docs` to bring {page} up to date"
        );
    }
}
