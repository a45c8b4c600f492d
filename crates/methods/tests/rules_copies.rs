//! A copy of an article says what it says; a copy with one thing turned round does not.

use assize_methods::summary::{FiveMetrics, SummaryPair, judge_lock, rules, twin_lock};

/// Articles of several kinds, written for this test.
const ARTICLES: [&str; 6] = [
    "The town of Velden opened a new tram line on Monday. Mayor Ilse Brandt drove the first \
     tram from the harbour to the station. The line is 7 kilometres long and cost 84 million \
     crowns. Karl Moser, who leads the transport union, praised the drivers. Shopkeepers in \
     Lindgasse complained about two years of dust. The next line will reach the airport in \
     2031.",
    "Harbour United beat Northfield 3-1 in the cup final on Saturday. Ana Duarte scored twice \
     before the break. Northfield lost their captain, Ruth Okoro, to an injury after 20 \
     minutes. Coach Dana Petrov praised the defence. About 41,000 people watched the match. \
     Harbour United will play in Europe next season.",
    "Revenue rose 12 percent to 3.4 billion crowns in the third quarter. The company expects \
     growth of 8 to 10 percent for the full year. Chief executive Lena Hofmann said demand in \
     Asia remained strong. Costs fell because the plant in Graz was closed. The dividend will \
     increase to 1.20 crowns. Shares gained 5 percent in early trading.",
    "A storm hit the island of Sarn on Tuesday night. Winds of 140 kilometres an hour tore \
     roofs from houses in Port Malo. Nine people were injured, and two of them are in \
     hospital. Ferries did not sail until Thursday. Governor Tomas Reyes asked the mainland \
     for help. The army sent 200 soldiers and four helicopters.",
    "Mix 300 grams of flour with 200 millilitres of water. Let the dough rest for two hours in \
     a warm place. Roll it out and cut it into twelve pieces. Fry the pieces in hot oil until \
     they are golden. Serve them with honey or with salt.",
    "Dr. Mei Tanaka has found a beetle that lives only on one mountain in Kenya. Her team \
     caught 37 of them between 2014 and 2019. The beetle eats moss and never flies. Villagers \
     call it the grey walker. Local guide Joseph Mwangi showed the team where to look. The \
     mountain is not protected by law.",
];

fn scores(article: &str, summary: &str) -> [FiveMetrics<Option<f64>>; 2] {
    let pair = SummaryPair::new(article, summary).expect("both texts hold words");
    let twin = rules::judge(&pair, &twin_lock::LIMITS);
    let twin = twin_lock::score::<f64>(&twin).expect("evidence can be scored").overall();
    let judge = rules::judge(&pair, &judge_lock::LIMITS);
    let judge = judge_lock::score::<f64>(&judge).expect("evidence can be scored").overall();
    [twin, judge].map(|five| five.map(|_, scored| scored.ok()))
}

/// The least that the best possible summary gets: ten, or nine by the guard of Judge-Lock.
const TOP: f64 = 9.0;

#[test]
fn a_verbatim_copy_is_at_the_top_in_every_metric() {
    for article in ARTICLES {
        for five in scores(article, article) {
            for (metric, score) in five.in_order() {
                let score = score.expect("every metric of a copy can be scored");
                assert!(score >= TOP, "{metric:?} {score}: {article}");
            }
        }
    }
}

/// Asserts that hallucination is below the top, and coverage capped.
fn is_noticed(article: &str, changed: &str) {
    assert_ne!(article, changed, "something was changed");
    for five in scores(article, changed) {
        let score = five.hallucination.expect("there are claims");
        assert!(score < TOP, "{score}, not below {TOP}: {changed}");
        let capped = five.coverage.expect("there are key points");
        assert!(capped <= 4.0, "coverage {capped}: {changed}");
    }
}

#[test]
fn a_copy_in_which_every_sentence_is_denied_is_noticed() {
    // In each article every verb of this list that occurs is denied.
    let denials = [
        ("opened", "never opened"),
        ("beat", "did not beat"),
        ("rose", "never rose"),
        ("hit", "never hit"),
        ("Mix", "Never mix"),
        ("has found", "has not found"),
    ];
    for (article, (verb, denied)) in ARTICLES.iter().zip(denials) {
        is_noticed(article, &article.replacen(verb, denied, 1));
    }
}

#[test]
fn a_copy_with_other_numbers_is_noticed() {
    let numbers = [
        ("84 million", "48 million"),
        ("3-1", "5-1"),
        ("12 percent", "21 percent"),
        ("140", "104"),
        ("300 grams", "350 grams"),
        ("37 of them", "73 of them"),
    ];
    for (article, (number, other)) in ARTICLES.iter().zip(numbers) {
        is_noticed(article, &article.replacen(number, other, 1));
    }
}

#[test]
fn a_copy_with_two_names_exchanged_is_noticed() {
    let names = [
        (0, "Ilse Brandt", "Karl Moser"),
        (1, "Harbour United", "Northfield"),
        (5, "Mei Tanaka", "Joseph Mwangi"),
    ];
    for (number, one, other) in names {
        let article = ARTICLES[number];
        let changed = article.replace(one, "\u{1}").replace(other, one).replace('\u{1}', other);
        is_noticed(article, &changed);
    }
}

#[test]
fn a_copy_with_an_opposite_is_noticed() {
    let opposites = [
        (0, "praised", "criticised"),
        (2, "rose", "fell"),
        (3, "asked the mainland", "answered the mainland"),
    ];
    for (number, word, opposite) in opposites {
        is_noticed(ARTICLES[number], &ARTICLES[number].replacen(word, opposite, 1));
    }
}
