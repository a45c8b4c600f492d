//! The guide names every case file, and every case file it names is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{FRAMEWORKS, cases, listing};

#[test]
fn the_guide_names_every_case_file_and_no_other() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/summary-rules.md");
    let text = fs::read_to_string(guide).unwrap();
    let quoted = text.split('`').skip(1).step_by(2);
    let is_case = |piece: &&str| Path::new(piece).extension().is_some_and(|end| end == "toml");
    let named: BTreeSet<String> = quoted.filter(is_case).map(str::to_owned).collect();
    let mut present = BTreeSet::new();
    for framework in FRAMEWORKS {
        for path in listing(&cases().join(framework)) {
            present.insert(format!("{framework}/{}", path.file_name().unwrap().display()));
        }
    }
    assert_eq!(named, present);
}
