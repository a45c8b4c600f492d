//! Pages of figures print what the command line prints: accuracy, series, comparison, leaderboard,
//! and the line about the baseline on the first page. Values are those of the command line's JSON,
//! rounded here as the pages say they round.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::serve::Server;
use crate::support::assize;

/// A database that the command line fills, and a server over it.
struct Stored {
    server: Server,
    database: String,
    _folder: TempDir,
}

impl Stored {
    fn filled(by: &[&[&str]]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("assize.db").to_str().unwrap().to_owned();
        for words in by {
            let said = assize(&[words, &["--database", &database][..]].concat());
            assert_eq!(said.code, 0, "{words:?}: {}", said.stderr);
        }
        let server = Server::start(folder.path(), &["--database", &database]);
        Self { server, database, _folder: folder }
    }

    fn fine(&self, words: &[&str]) -> String {
        let said = assize(&[words, &["--database", &self.database]].concat());
        assert_eq!(said.code, 0, "{words:?}: {}", said.stderr);
        said.stdout
    }

    fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.fine(&[words, &["--format", "json"]].concat())).unwrap()
    }

    fn page(&self, path: &str) -> String {
        let (status, page) = self.server.ask("GET", path, "");
        assert_eq!(status, 200, "{path}: {page}");
        page
    }
}

/// Words without markup, with single spaces.
fn plain(html: &str) -> String {
    let mut text = String::new();
    for (place, piece) in html.split('<').enumerate() {
        let words = match piece.split_once('>') {
            Some((_, words)) if place > 0 => words,
            _ => piece,
        };
        text.push(' ');
        text.push_str(words);
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The cells of each row in the body of the table that comes first after a piece of a page.
fn rows(page: &str, after: &str) -> Vec<Vec<String>> {
    let (_, rest) = page.split_once(after).unwrap_or_else(|| panic!("no {after} in {page}"));
    let body = rest.split_once("<tbody>").unwrap().1.split_once("</tbody>").unwrap().0;
    let cells = |row: &str| {
        let row = row.replace("<th", "<td").replace("</th>", "</td>");
        let cells = row.split("</td>").filter(|cell| cell.contains("<td"));
        cells.map(|cell| plain(&format!("<{}", cell.split_once("<td").unwrap().1))).collect()
    };
    body.split("</tr>").filter(|row| row.contains("<td")).map(cells).collect()
}

/// As pages print a measure of retrieval: the largest of what stands together decides the places.
fn places(values: &[f64]) -> usize {
    match values.iter().map(|value| value.abs()).fold(0.0, f64::max) {
        size if size <= 1.0 => 3,
        size if size <= 10.0 => 2,
        _ => 1,
    }
}

fn number(value: f64, places: usize) -> String {
    format!("{value:.places$}").replace('-', "−")
}

fn difference(value: f64, places: usize) -> String {
    let text = format!("{:.places$}", value.abs());
    match value {
        _ if text.chars().all(|letter| "0.".contains(letter)) => text,
        value if value < 0.0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}

fn real(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Analysts who differ, so that averages, disputes and the ceiling are there.
#[test]
fn the_page_of_accuracy_prints_what_the_command_line_prints() {
    let sets = ["--documents", "policies", "--criteria", "library"];
    let keys = tempfile::tempdir().unwrap();
    let path = keys.path().join("ben.csv");
    let text = "document,criteria_id,expected_score,analyst\naccess-policy.md,LIB-2,30,Ben\n\
        access-policy.md,LIB-3,95,Ben\naccess-policy.md,LIB-10,5,Ben\n";
    std::fs::write(&path, text).unwrap();
    let import = |file| [&["truth", "import", file][..], &sets].concat();
    let stored = Stored::filled(&[
        &["criteria", "import", "compliance/criteria.csv", "--name", "library"],
        &[
            "documents",
            "add",
            "compliance/access-policy.md",
            "compliance/continuity-plan.md",
            "--set",
            "policies",
        ],
        &[&["evaluate"][..], &sets].concat(),
        &import("compliance/truth.csv"),
        &import(path.to_str().unwrap()),
    ]);
    let page = stored.page("/accuracy");
    let table = stored.fine(&["accuracy", "latest"]);
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = table.lines().map(flat).collect();
    let mut compared = 0;
    for id in ["figures", "differences", "by-document", "by-criterion"] {
        let shown = rows(&page, &format!("id=\"{id}\""));
        assert!(shown.len() > 1, "{id}: {shown:?}");
        for row in shown {
            let line = flat(&row.join(" "));
            assert!(lines.contains(&line), "{id}: {line} is not in\n{table}");
            compared += 1;
        }
    }
    // What the command line has in tables is there, and every sentence.
    let words = plain(&page);
    let all = flat(&table);
    for sentence in
        ["truth keys have a score", "distinct scores among", "analysts judged", "different tiers"]
    {
        assert!(words.contains(sentence) && all.contains(sentence), "{sentence}: {table}");
    }
    let is_row = |line: &&String| {
        let last = line.rsplit(' ').next().unwrap_or_default();
        !line.is_empty()
            && last.parse::<f64>().is_ok_and(|_| line.contains('.') || line.contains('–'))
    };
    assert!(compared >= lines.iter().filter(is_row).count(), "{compared} rows of\n{table}");
    // And the numbers are those of the JSON.
    let report = stored.json(&["accuracy", "latest"]);
    assert!(report["basis"]["disputed"] == json!(1), "{report}");
    let figures = rows(&page, "id=\"figures\"");
    let of = |name: &str| figures.iter().find(|row| row[0] == name).unwrap().clone();
    let near = |value: &Value, places| number(real(value), places);
    assert_eq!(of("accuracy")[1], near(&report["overall"]["mean"], 3));
    assert_eq!(of("accuracy")[3], near(&report["ceiling"]["accuracy"], 3));
    assert_eq!(of("bias, points")[1], near(&report["bias"]["mean"], 1));
    let slices = report["by_criterion"].as_array().unwrap();
    for row in rows(&page, "id=\"by-criterion\"") {
        let slice = slices.iter().find(|one| one["name"] == row[0].as_str()).unwrap();
        assert_eq!(row[3..], [slice["scored"].to_string(), slice["unscored"].to_string()]);
    }
}

/// Three runs of one name; the second is another retriever's, the first the baseline.
fn nightly() -> Stored {
    let score = |run, name| ["score", run, "retrieval/gold.json", "--save", "--name", name];
    Stored::filled(&[
        &score("retrieval/keyword.json", "nightly 1"),
        &score("retrieval/semantic.json", "nightly 2"),
        &score("retrieval/keyword.json", "nightly 3"),
        &["runs", "baseline", "1"],
    ])
}

/// A measure of a comparison, as `assize runs compare` gives it.
fn compared(stored: &Stored, base: &str, with: &str, name: &str) -> Value {
    let found = stored.json(&["runs", "compare", base, with]);
    found["measures"].as_array().unwrap().iter().find(|one| one["measure"] == name).unwrap().clone()
}

/// The mean of a measure with its interval, as `assize runs show` gives it.
fn mean(stored: &Stored, run: &str, name: &str) -> [f64; 3] {
    let shown = stored.json(&["runs", "show", run]);
    let means = shown["means"].as_array().unwrap();
    let one = means.iter().find(|one| one["measure"] == name).unwrap();
    [real(&one["mean"]), real(&one["interval"][0]), real(&one["interval"][1])]
}

fn verdict(one: &Value) -> &'static str {
    let is_clear = one["p_corrected"].as_f64().is_some_and(|p| p < 0.05);
    match (is_clear, real(&one["difference"]) > 0.0) {
        (true, true) => "clearly better",
        (true, false) => "clearly worse",
        (false, _) => "no clear difference",
    }
}

#[test]
fn a_series_and_the_first_page_print_what_the_command_line_compares() {
    let stored = nightly();
    let name = "ndcg@10";
    let path = "/series/name-retrieval-nightly";
    let page = stored.page(&format!("{path}?measure={name}"));
    let shown = rows(&page, "id=\"runs\"");
    assert_eq!(shown.len(), 3, "{shown:?}");
    let means: Vec<[f64; 3]> = ["1", "2", "3"].map(|run| mean(&stored, run, name)).to_vec();
    let decimals = places(&means.concat());
    let csv = stored.server.ask("GET", &format!("{path}/table.csv?measure={name}"), "").1;
    let lines: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    for (place, [value, low, high]) in means.iter().enumerate() {
        // The newest comes first on the page, last in the file.
        let row = &shown[2 - place];
        assert_eq!(row[2], number(*value, decimals));
        assert_eq!(row[3], format!("[{}, {}]", number(*low, decimals), number(*high, decimals)));
        assert_eq!(row[4], difference(value - means[0][0], decimals));
        let cells: Vec<f64> = lines[place][4..7].iter().map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(cells, [*value, *low, *high]);
        if place > 0 {
            let (base, with) = (place.to_string(), (place + 1).to_string());
            let step = compared(&stored, &base, &with, name);
            let moved = difference(real(&step["difference"]), decimals);
            assert_eq!(row[5], format!("{moved} {}", verdict(&step)));
            assert_eq!(lines[place][9].parse::<f64>().unwrap(), real(&step["difference"]));
            assert_eq!(lines[place][10].parse::<f64>().ok(), step["p_corrected"].as_f64());
        }
    }
    // What was computed once is kept, and the same the second time.
    assert_eq!(rows(&stored.page(&format!("{path}?measure={name}")), "id=\"runs\""), shown);

    let home = rows(&stored.page("/"), "id=\"since-baseline\"");
    let row = home.first().unwrap();
    let main = row[1].split(' ').next().unwrap().to_owned();
    let step = compared(&stored, "1", "3", &main);
    let pair = [real(&step["first"]), real(&step["second"])];
    let decimals = places(&pair);
    let [first, second] = pair.map(|value| number(value, decimals));
    assert_eq!(row[1], format!("{main} {first} → {second} , baseline #1").replace(" ,", ","));
    assert_eq!(row[2], difference(real(&step["difference"]), decimals));
    assert_eq!(row[3], verdict(&step).trim_start_matches("clearly "));
}

#[test]
fn comparison_and_leaderboard_print_what_the_command_line_compares() {
    let stored = nightly();
    let found = stored.json(&["runs", "compare", "1", "2"]);
    let page = stored.page("/compare?base=1&with=2");
    let shown = rows(&page, "<th scope=\"col\">Measure</th>");
    let measures = found["measures"].as_array().unwrap();
    assert_eq!(shown.len(), measures.len());
    for one in measures {
        let name = one["measure"].as_str().unwrap().replace('_', " ");
        let row = shown.iter().find(|row| row[0] == name).unwrap();
        let pair = [real(&one["first"]), real(&one["second"])];
        let decimals = places(&pair);
        assert_eq!(row[1..3], pair.map(|value| number(value, decimals)), "{name}");
        assert_eq!(row[3], difference(real(&one["difference"]), decimals), "{name}");
        let [low, high] = [0, 1].map(|at| difference(real(&one["interval"][at]), decimals));
        assert!(row[4].ends_with(&format!("[{low}, {high}]")), "{name}: {row:?}");
        let p = match one["p_corrected"].as_f64() {
            Some(p) if p < 0.001 => "< 0.001".to_owned(),
            Some(p) => format!("{p:.3}"),
            None => "–".to_owned(),
        };
        assert_eq!(
            row[5..7],
            [p, verdict(one).trim_start_matches("clearly ").to_owned()],
            "{name}"
        );
        let counts = ["better", "same", "worse"].map(|what| one[what].to_string()).join(" / ");
        assert_eq!(row[7], counts, "{name}");
    }

    let board = stored.page("/compare?run=1&run=2&run=3");
    let (_, rest) = board.split_once("id=\"leaderboard\"").unwrap();
    let head = rest.split_once("</thead>").unwrap().0;
    let columns: Vec<String> = head
        .split("scope=\"col\">")
        .skip(2)
        .map(|one| plain(one.split('<').next().unwrap()))
        .collect();
    let shown = rows(&board, "id=\"leaderboard\"");
    assert_eq!((shown.len(), columns.len()), (3, measures.len()));
    for (place, column) in (1..).zip(&columns) {
        // A page has blanks where the name of a measure has underscores.
        let mut names = measures.iter().filter_map(|one| one["measure"].as_str());
        let name = names.find(|name| name.replace('_', " ") == *column).unwrap();
        let all = ["1", "2", "3"].map(|run| mean(&stored, run, name));
        let decimals = places(&all.concat());
        for (run, [value, low, high]) in (1..).zip(all) {
            let row = shown.iter().find(|row| row[0].contains(&format!("nightly {run}"))).unwrap();
            let [value, low, high] = [value, low, high].map(|value| number(value, decimals));
            let mark = match run {
                1 => "",
                run => match verdict(&compared(&stored, "1", &run.to_string(), name)) {
                    "clearly better" => " ▲",
                    "clearly worse" => " ▼",
                    _ => "",
                },
            };
            assert_eq!(row[place], format!("{value} [{low}, {high}]{mark}"), "{name} of {run}");
        }
    }
}
