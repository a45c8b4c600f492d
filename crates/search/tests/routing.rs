//! A query leads to the document that it names, wherever and however it names it; a query
//! that names none is ranked as if there were no routing.

use std::sync::Arc;

use assize_search::{Chunking, Collection, Corpus, Document, Method, Retriever};

/// Agreements of one kind, so that only names tell them apart.
const PARTIES: [(&str, &str, &str); 6] = [
    ("harbour_lease_2017.txt", "Lindhaven Port Authority", "Marrow Tide Shipping"),
    ("orrery-licence.txt", "Orrery Instruments", "Quillfeather Press"),
    ("NDA%20SaltmarshVeil.txt", "Saltmarsh Veil", "Brackwater Foods"),
    ("vale-contract-final-v2.txt", "Kingdom of Vale", "Tessaly Horn"),
    ("copperline_supply.txt", "Copperline Mills", "Dunmere Yarn"),
    ("fenwick.txt", "Fenwick Glass", "Ostrava Optics"),
];

fn agreement(first: &str, second: &str, number: usize) -> String {
    let filler = "The parties act in good faith and keep each other informed of all that matters. ";
    format!(
        "Agreement between {first} and {second}. {}\n\
         Termination. Either party may end this agreement with notice of {} days.\n{}\n\
         Confidentiality. The receiving party keeps all information secret for {} years.\n{}\n\
         Payment. Fees are due within {} days of the invoice; late fees bear interest.\n",
        filler.repeat(3),
        10 + number,
        filler.repeat(3),
        2 + number,
        filler.repeat(3),
        20 + number,
    )
}

fn collection(name: impl Fn(usize) -> String) -> Arc<Collection> {
    let documents = PARTIES.iter().enumerate().map(|(number, (_, first, second))| {
        Document::new(&name(number), agreement(first, second, number))
    });
    Arc::new(Collection::new(Corpus::new(documents.collect()), Chunking::Lines))
}

fn named() -> Retriever {
    Retriever::new(collection(|number| PARTIES[number].0.to_owned()), Method::Hybrid)
}

fn anonymous() -> Retriever {
    Retriever::new(collection(|number| format!("{:04}.txt", 7 * number)), Method::Hybrid)
}

const OFFLINE: &str = "no network is needed";

/// The text of the best passage.
fn first(retriever: &Retriever, query: &str) -> String {
    let answer = retriever.search(query, 1).expect(OFFLINE);
    retriever.collection().text(answer.hits[0].passage).to_owned()
}

fn ranking(retriever: &Retriever, query: &str) -> Vec<(usize, f64)> {
    let hits = retriever.search(query, 100).expect(OFFLINE).hits;
    hits.iter().map(|hit| (hit.passage, hit.score)).collect()
}

/// One question about one agreement, put in many ways.
fn forms(name: &str) -> Vec<String> {
    vec![
        format!("Consider {name}; how many days of notice end the agreement?"),
        format!("In {name}, how many days of notice end the agreement?"),
        format!("Under {name} how many days of notice end the agreement?"),
        format!("How many days of notice end the agreement in {name}?"),
        format!("how many days of notice end {name}"),
        format!("According to {name}: how many days of notice end the agreement?"),
    ]
}

#[test]
fn the_named_document_is_found_in_every_form() {
    let retriever = named();
    for (number, (_, one, other)) in PARTIES.iter().enumerate() {
        for name in [
            format!("the agreement between {one} and {other}"),
            format!("{one}'s agreement"),
            format!("the Agreement of {other}"),
        ] {
            for query in forms(&name) {
                let expected = format!("notice of {} days", 10 + number);
                assert!(first(&retriever, &query).contains(&expected), "{query}");
            }
        }
    }
}

#[test]
fn file_names_count_where_the_text_does_not_say_them() {
    let retriever = named();
    for query in forms("the Harbour lease") {
        assert!(first(&retriever, &query).contains("notice of 10 days"), "{query}");
    }
}

#[test]
fn parties_lead_to_documents_whose_files_have_no_names() {
    let retriever = anonymous();
    for (number, (_, one, other)) in PARTIES.iter().enumerate() {
        for query in forms(&format!("the agreement between {one} and {other}")) {
            let expected = format!("notice of {} days", 10 + number);
            assert!(first(&retriever, &query).contains(&expected), "{query}");
        }
    }
}

#[test]
fn all_forms_of_a_question_rank_alike() {
    let retriever = named();
    let name = "the agreement between Fenwick Glass and Ostrava Optics";
    let order = |query: &str| -> Vec<usize> {
        ranking(&retriever, query).into_iter().take(4).map(|(passage, _)| passage).collect()
    };
    let semicolon = order(&format!("Consider {name}; who pays interest on late fees?"));
    for query in [
        format!("In {name}, who pays interest on late fees?"),
        format!("who pays interest on late fees under {name}"),
    ] {
        assert_eq!(order(&query), semicolon, "{query}");
    }
}

#[test]
fn a_beginning_that_names_nothing_changes_no_score() {
    for retriever in [named(), anonymous()] {
        let question = "who pays interest; and when are fees due?";
        let plain = ranking(&retriever, question);
        for before in
            ["Consider the following; ", "Consider this question; ", "Question: ", "In general, "]
        {
            assert_eq!(ranking(&retriever, &format!("{before}{question}")), plain, "{before}");
        }
        let absent = format!("Consider the contract of Zorblax Quarnith; {question}");
        let known = format!("Consider Zorblax Quarnith; {question}");
        assert_eq!(ranking(&retriever, &known), plain);
        assert!(retriever.search(&absent, 1).unwrap().route.is_none());
    }
}

#[test]
fn a_semicolon_is_a_sign_like_any_other() {
    let retriever = named();
    for query in ["fees are due; interest", "when is notice given; who keeps information secret"] {
        let plain = ranking(&retriever, query);
        for sign in [",", ":", ".", " –", ""] {
            let other = query.replace(';', sign);
            assert_eq!(ranking(&retriever, &other), plain, "{query} | {other}");
        }
    }
}

#[test]
fn a_query_that_names_nothing_is_led_nowhere() {
    for retriever in [named(), anonymous()] {
        for query in [
            "how long is information secret?",
            "late fees; interest",
            "Does the Receiving Party keep Confidential Information?",
            "notice of 2017 days",
            "the final version",
        ] {
            assert_eq!(retriever.search(query, 1).unwrap().route, None, "{query}");
        }
    }
}

#[test]
fn what_two_documents_share_does_not_decide_between_them() {
    let twin = |path: &str| Document::new(path, agreement("Fenwick Glass", "Ostrava Optics", 1));
    let other = |path: &str| Document::new(path, agreement("Vale", "Tessaly Horn", 2));
    let documents = vec![twin("a.txt"), twin("b.txt"), other("c.txt"), other("d.txt")];
    let collection = Collection::new(Corpus::new(documents), Chunking::Lines);
    let retriever = Retriever::new(collection, Method::Hybrid);
    let answer = retriever.search("In the agreement of Fenwick Glass, who pays?", 1).unwrap();
    assert_eq!(answer.route, None);
}

/// Abstracts under numbers: nothing in them is the name of a document.
#[test]
fn collections_without_documents_to_name_are_ranked_as_they_are() {
    let texts = [
        "BRCA1 mutations raise the risk of Tamoxifen resistance in 1999 patients.",
        "Foxp3 cells protect against colitis; transfer of Treg cells is enough.",
        "Vitamin D lowers the risk of Crohn disease in Sweden.",
        "Statins reduce LDL in patients of 65 years.",
    ];
    let documents = texts.iter().zip([4983, 1999, 65, 5]);
    let documents =
        documents.map(|(text, id)| Document::new(&format!("{id}.txt"), (*text).to_owned()));
    let collection =
        Arc::new(Collection::new(Corpus::new(documents.collect()), Chunking::default()));
    let hybrid = Retriever::new(Arc::clone(&collection), Method::Hybrid);
    for query in [
        "BRCA1; what is the risk of 1999?",
        "In Sweden, does Vitamin D help patients of 65 years?",
        "Treg transfer; 5 cells",
    ] {
        assert_eq!(hybrid.search(query, 1).unwrap().route, None, "{query}");
    }
}

/// Policies of products, some of which are called by ordinary words.
const PRODUCTS: [&str; 6] =
    ["Keep.txt", "Signal.txt", "Fair Share.txt", "Zoom In.txt", "Word.txt", "It.txt"];

fn policy(number: usize) -> String {
    let name = PRODUCTS[number].trim_end_matches(".txt");
    let filler =
        "We keep a fair record of each signal that you share, word for word, and zoom in on none. ";
    format!(
        "Privacy policy. {}\n{name} may sell your data to {} partners.\n{}\n\
         You may ask us to delete what we keep within {} days.\n{}\n",
        filler.repeat(3),
        3 + number,
        filler.repeat(4),
        30 + number,
        filler.repeat(3),
    )
}

fn products() -> Retriever {
    let documents =
        (0..PRODUCTS.len()).map(|number| Document::new(PRODUCTS[number], policy(number)));
    let collection = Collection::new(Corpus::new(documents.collect()), Chunking::Lines);
    Retriever::new(collection, Method::Hybrid)
}

fn led_to(retriever: &Retriever, query: &str) -> Option<String> {
    let route = retriever.search(query, 1).expect(OFFLINE).route?;
    Some(retriever.collection().corpus().documents()[route.document].path.clone())
}

#[test]
fn names_of_ordinary_words_are_found_in_quotes_and_with_their_ending() {
    let retriever = products();
    for (number, file) in PRODUCTS.iter().enumerate() {
        let name = file.trim_end_matches(".txt");
        for query in [
            format!("Consider \"{name}\"'s privacy policy; do you sell my data?"),
            format!("Consider \u{201c}{name}\u{201d}'s privacy policy, do you sell my data?"),
            format!("do you sell my data in '{name}'"),
            format!("In {file}, do you sell my data?"),
            format!("do you sell my data, according to \"{file}\"?"),
        ] {
            for query in [query.clone(), query.to_lowercase(), query.to_uppercase()] {
                assert_eq!(led_to(&retriever, &query).as_deref(), Some(*file), "{query}");
                let expected = format!("sell your data to {} partners", 3 + number);
                assert!(first(&retriever, &query).contains(&expected), "{query}");
            }
        }
    }
}

#[test]
fn a_word_of_the_question_stays_when_it_is_also_the_name() {
    let retriever = products();
    let answer = retriever.search("In \"Keep\", how long do you keep my data?", 1).expect(OFFLINE);
    let question = answer.route.expect("a name in quotes").question;
    assert!(question.contains("keep my data") && !question.contains("Keep"), "{question}");
}

#[test]
fn ordinary_words_and_absent_names_lead_nowhere() {
    let retriever = products();
    for query in [
        "do you keep my data?",
        "what signal do you share",
        "is it a fair word",
        "Do you zoom out of it?",
        "Consider \"Drift\"'s privacy policy; do you sell my data?",
        "consider drift's privacy policy, do you sell my data?",
        "In Drift.txt, do you keep my word?",
    ] {
        assert_eq!(led_to(&retriever, query), None, "{query}");
    }
}

#[test]
fn no_sign_between_words_changes_a_ranking() {
    for retriever in [named(), anonymous(), products()] {
        let questions = [
            "what is the notice of the Receiving Party when fees are due",
            "Fees are due Interest is",
        ];
        for question in questions {
            let words: Vec<&str> = question.split(' ').collect();
            let plain = ranking(&retriever, question);
            for at in 1..words.len() {
                for sign in [";", ",", ":", " -", "."] {
                    let (before, after) = (words[..at].join(" "), words[at..].join(" "));
                    let query = format!("{before}{sign} {after}");
                    assert_eq!(ranking(&retriever, &query), plain, "{query}");
                }
            }
        }
    }
}
