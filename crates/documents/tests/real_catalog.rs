//! The real catalog and the real policies. Run by `cargo xtask test --data DIR`.

use std::fs;
use std::path::PathBuf;

use assize_documents::criteria::{self, CatalogHead};
use assize_documents::{Limits, MediaType, read, table};

fn data() -> PathBuf {
    let data =
        std::env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    PathBuf::from(data).join("compliance")
}

#[test]
fn the_moderate_baseline_has_287_controls_with_every_blank_filled() {
    let data = data();
    let file = data.join("oscal/rev5_MODERATE_resolved_catalog-min.json");
    let imported = criteria::from_oscal(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(imported.items.len(), 287);
    assert_eq!(imported.bad_rows, []);
    assert_eq!(imported.notices, [] as [&str; 0]);
    for item in &imported.items {
        let text = format!("{}\n{}", item.requirement, item.description);
        assert!(!text.contains("{{") && !text.contains("}}"), "{text}");
        assert!(!text.contains("](#"), "{text}");
        assert!(!item.description.is_empty(), "{}", item.criteria_id);
    }
    let find = |id: &str| imported.items.iter().find(|item| item.criteria_id == id).unwrap();
    assert!(
        find("AC-2(1)").requirement.starts_with("Automated System Account Management\nSupport")
    );
    let lock = "[Selection (one or more): initiating a device lock after [Assignment: time period] \
                of inactivity; requiring the user to initiate a device lock before leaving the \
                system unattended]";
    assert!(find("AC-11").requirement.contains(lock), "{}", find("AC-11").requirement);

    let csv = criteria::to_table(&imported.items).to_csv();
    let again = criteria::from_table(&table::read(csv.as_bytes(), "c.csv").unwrap()).unwrap();
    assert_eq!(again.items, imported.items);
    let head = CatalogHead {
        title: "Moderate".to_owned(),
        version: "5".to_owned(),
        last_modified: "2026-01-01T00:00:00Z".to_owned(),
    };
    let again = criteria::from_oscal(&criteria::to_oscal(&imported.items, &head)).unwrap();
    assert_eq!(again.items, imported.items);
}

#[test]
fn the_sample_catalog_of_nist_is_read() {
    let data = data();
    let json = fs::read_to_string(data.join("oscal/basic-catalog.json")).unwrap();
    let imported = criteria::from_oscal(&json).unwrap();
    assert!(imported.items.iter().any(|item| item.criteria_id == "1.1.1"));
    let json = fs::read_to_string(data.join("oscal/ssp-example.json")).unwrap();
    let error = criteria::from_oscal(&json).unwrap_err().to_string();
    assert!(error.contains("`system-security-plan`"), "{error}");
}

#[test]
fn every_policy_has_headings_and_paragraphs() {
    let data = data();
    let mut count = 0;
    for entry in fs::read_dir(data.join("policies/cloudgov")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let document = read(&fs::read(&path).unwrap(), &name, &Limits::default()).unwrap();
        assert_eq!(document.media_type, MediaType::Markdown);
        assert_eq!(document.notices, []);
        let texts: Vec<&str> = document.paragraph_texts().collect();
        assert!(texts.iter().all(|text| !text.trim().is_empty()));
        count += usize::from(document.paragraphs.iter().any(|it| it.heading == Some(1)));
    }
    assert!(count >= 17, "{count}");
}
