//! What must hold for the compliance rules on policies of our own: a list of keywords states nothing,
//! a paraphrase is left open, and the number of threads changes no byte.

use assize_methods::compliance::read::Stated;
use assize_methods::compliance::rules::Reading;
use assize_methods::compliance::{Criterion, ResponseStructure, RuleAssessment, RuleJudge};

const CRITERIA: [(&str, &str); 9] = [
    ("1", "Every user has an individual account; shared accounts are prohibited."),
    ("2", "Multi-factor authentication is required for remote access."),
    ("3", "Passwords have at least 12 characters."),
    ("4", "Backups are made daily and stored off-site."),
    ("5", "Restoration of backups is tested at least once a year."),
    ("6", "Security incidents are reported within 24 hours."),
    ("7", "Laptops are encrypted."),
    ("8", "All staff are trained in information security every year."),
    ("9", "Accounts of leavers are disabled on their last working day."),
];

/// The same subjects in other words than those of the criteria.
const PARAPHRASED: &str = "# How we work at Gull Quay Boatyard

Each of us signs in under a name of our own, and lending it to a colleague is not allowed. Whoever \
dials in from home types a one-time code in addition to the passphrase. A passphrase consists of \
fifteen letters or more.

Every night a second copy of all drawings goes to a data centre in another town. Each spring the \
yard office brings a few drawings back from that copy and checks whether they are still readable.

Whoever notices something suspicious rings the duty officer at once. The hard disks of notebooks \
cannot be read by a thief because they are encrypted.

Every January everybody attends an afternoon course on how fraudsters work. When somebody leaves us, \
their login is blocked the same day.
";

/// The words of the criteria, and no sentence.
const KEYWORDS: &str = "# Security

Individual accounts, no shared accounts, multi-factor authentication, remote access, passwords, 12 \
characters, daily backups, off-site storage

- Restoration of backups, yearly test
- Security incidents, report within 24 hours
- Encrypted laptops
- Staff training, information security, annual
- Leavers, disabled accounts, last working day
";

/// The same between semicolons, and as phrases with a full stop.
const TERMS: [&str; 2] = [
    "Individual accounts; multi-factor authentication for remote access; passwords of 12 characters; \
     daily backups stored off-site; restore tests once a year; incidents reported within 24 hours; \
     laptops encrypted; staff trained every year; leavers disabled on the last working day.",
    "Individual accounts. Multi-factor authentication for remote access. Passwords with 12 \
     characters. Daily backups off-site. Yearly test of restoration of backups. Report of security \
     incidents within 24 hours. Encryption of laptops. Annual training of all staff in information \
     security. Disabling of leavers' accounts on the last working day.",
];

fn criteria() -> Vec<Criterion> {
    CRITERIA.iter().map(|(id, requirement)| Criterion::new(*id, *requirement, "")).collect()
}

fn scores(document: &str) -> Vec<(String, f64)> {
    let judge = RuleJudge::new(&criteria());
    let reading = Reading::new(document);
    let score = |(place, (id, _)): (usize, &(&str, &str))| {
        let found = judge.judge(place, &reading, None, &ResponseStructure::default());
        ((*id).to_owned(), found.coverage.value)
    };
    CRITERIA.iter().enumerate().map(score).collect()
}

#[test]
fn a_list_of_keywords_meets_no_criterion() {
    for document in [KEYWORDS, TERMS[0], TERMS[1]] {
        for (id, score) in scores(document) {
            assert!(score <= 20.0, "{id}: {score} in {document}");
        }
    }
}

/// Words alone cannot tell a paraphrase from another subject: none of it is called
/// met, and nothing denied.
#[test]
fn a_paraphrase_is_left_to_a_reader_or_a_person() {
    let judge = RuleJudge::new(&criteria());
    let reading = Reading::new(PARAPHRASED);
    let judged = |place| judge.judge(place, &reading, None, &ResponseStructure::default());
    let all: Vec<_> = (0..CRITERIA.len()).map(judged).collect();
    let is_left = |one: &RuleAssessment| match one.assessment.stated {
        Stated::Score { given } => given <= 20.0,
        _ => true,
    };
    assert!(all.iter().all(is_left));
    assert!(all.iter().any(|one| one.assessment.stated == Stated::NeedsInformation));
    let findings = all.iter().flat_map(|one| &one.assessment.findings);
    assert!(findings.into_iter().all(|finding| finding.code != "contradicted"));
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let judge = RuleJudge::new(&criteria());
    let written = |place: usize, document: &str| {
        let found =
            judge.judge(place, &Reading::new(document), None, &ResponseStructure::default());
        serde_json::to_string(&found).unwrap()
    };
    let pairs: Vec<(usize, &str)> = [PARAPHRASED, KEYWORDS]
        .into_iter()
        .flat_map(|document| (0..CRITERIA.len()).map(move |place| (place, document)))
        .collect();
    let alone: Vec<String> = pairs.iter().map(|(place, text)| written(*place, text)).collect();
    let together: Vec<String> = std::thread::scope(|scope| {
        let written = &written;
        let started: Vec<_> = pairs
            .chunks(5)
            .map(|chunk| {
                scope.spawn(move || {
                    chunk.iter().map(|(place, text)| written(*place, text)).collect::<Vec<_>>()
                })
            })
            .collect();
        started.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(alone, together);
}
