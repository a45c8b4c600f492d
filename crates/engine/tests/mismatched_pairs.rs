//! Pairs of files that do not fit each other: each is refused by name, read rightly, or remarked
//! on. None gives a zero in silence.

use std::fs;
use std::path::Path;

use assize_engine::retrieval::request::{Inputs, ScoreRequest};

/// What becomes of a pair.
enum Outcome {
    /// It is refused, and the message says this.
    Refused(&'static str),
    /// It is read, and the reciprocal rank is this.
    Read(f64),
    /// It is scored, and a note says this.
    Noted(&'static str),
}

use Outcome::{Noted, Read, Refused};

struct Pair {
    name: &'static str,
    run: Vec<u8>,
    gold: Vec<u8>,
    outcome: Outcome,
}

fn pair(name: &'static str, run: &str, gold: &str, outcome: Outcome) -> Pair {
    Pair { name, run: run.into(), gold: gold.into(), outcome }
}

/// Relevant is the second of two documents: a reciprocal rank of one half.
const RUN: &str = "q1 Q0 d1 1 9.5 t\nq1 Q0 d2 2 3.5 t\nq2 Q0 d1 1 2.5 t\nq2 Q0 d2 2 1.5 t\n";
const QRELS: &str = "q1 0 d2 1\nq2 0 d2 1\n";
const CSV_RUN: &str = "qid,docid,score\nq1,d1,9.5\nq1,d2,3.5\nq2,d1,2.5\nq2,d2,1.5\n";
const CSV_QRELS: &str = "qid,docid,relevance\nq1,d2,1\nq2,d2,1\n";

fn utf16(text: &str, big: bool) -> Vec<u8> {
    let unit = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(unit).collect()
}

/// Twenty queries, of which the first retrieves its document under its own name.
fn one_of_twenty() -> (String, String) {
    let run = |query: usize| match query {
        0 => "q0 Q0 doc-0 1 1.5 t\n".to_owned(),
        query => format!("q{query} Q0 d{query} 1 1.5 t\n"),
    };
    let gold = |query: usize| format!("q{query} 0 doc-{query} 1\n");
    ((0..20).map(run).collect(), (0..20).map(gold).collect())
}

fn document_names() -> Vec<Pair> {
    let qrels = |from: &str, to: &str| QRELS.replace(from, to);
    vec![
        pair(
            "prefix in qrels",
            RUN,
            &qrels(" d", " doc-"),
            Refused("`d2`, the judgements have `doc-2`: they share their number"),
        ),
        pair(
            "prefix in run",
            &RUN.replace(" d", " doc-"),
            QRELS,
            Refused("has `doc-2`, the judgements have `d2`"),
        ),
        pair(
            "number alone",
            &RUN.replace(" d", " "),
            QRELS,
            Refused("has `2`, the judgements have `d2`"),
        ),
        pair("upper case", &RUN.replace(" d", " D"), QRELS, Refused("they differ in case")),
        pair(
            "zero padding",
            &RUN.replace(" d", " d00"),
            QRELS,
            Refused("they differ in leading zeros"),
        ),
        pair("ending", RUN, &qrels("d2", "d2.txt"), Refused("one has an ending")),
        pair("path", RUN, &qrels("d2", "corpus/d2"), Refused("one has a path")),
        pair(
            "chunk number",
            &RUN.replace("d2", "d2#1").replace("d1", "d1#1"),
            QRELS,
            Refused("one has an ending"),
        ),
        pair(
            "underscore for hyphen",
            &RUN.replace(" d", " d_"),
            &qrels(" d", " d-"),
            Refused("they differ in punctuation"),
        ),
        pair(
            "quotes in cells",
            "qid,docid,score\nq1,'d1',9.5\nq1,'d2',3.5\n",
            CSV_QRELS,
            Refused("they differ in spaces or quotes"),
        ),
        pair(
            "another collection",
            RUN,
            "q1 0 clueweb-x 1\nq2 0 clueweb-y 1\n",
            Refused("the judgements have `clueweb-x`"),
        ),
    ]
}

fn query_names() -> Vec<Pair> {
    let (little_run, little_gold) = one_of_twenty();
    vec![
        pair(
            "query prefix",
            &RUN.replace('q', "query-"),
            QRELS,
            Refused(
                "no query of the run has judgements; the run has query `query-1`, the judgements have `q1`: they share their number",
            ),
        ),
        pair(
            "query case",
            &RUN.replace("q1 ", "Q1 ").replace("q2 ", "Q2 "),
            QRELS,
            Refused("they differ in case"),
        ),
        pair(
            "queries of another set",
            RUN,
            "t7 0 d2 1\n",
            Refused("no query of the run has judgements"),
        ),
        pair(
            "queries count from 0",
            "0 Q0 d1 1 2.5 t\n1 Q0 d2 1 2.5 t\n",
            "1 0 d1 1\n2 0 d2 1\n",
            Noted("only 0 of 1 queries"),
        ),
        pair(
            "one of twenty",
            &little_run,
            &little_gold,
            Noted(
                "only 1 of 20 queries retrieves a document that was judged for them; the run has `d1`, the judgements have `doc-1`",
            ),
        ),
        pair(
            "query left out",
            &RUN.replace("q2", "q3"),
            QRELS,
            Noted("1 query in the run has no judgements"),
        ),
    ]
}

fn columns() -> Vec<Pair> {
    let both = "qid,docid,docno,score\nq1,0,d1,9.5\nq1,1,d2,3.5\nq2,0,d1,2.5\nq2,1,d2,1.5\n";
    let by_number =
        "qid,docno,docid,score\nq1,x1,d1,9.5\nq1,x2,d2,3.5\nq2,x1,d1,2.5\nq2,x2,d2,1.5\n";
    let two_queries =
        "query_id,qid,docid,score\n7,q1,d1,9.5\n7,q1,d2,3.5\n8,q2,d1,2.5\n8,q2,d2,1.5\n";
    let with_text =
        "query,qid,docid,score\nwho?,q1,d1,9.5\nwho?,q1,d2,3.5\nwhat?,q2,d1,2.5\nwhat?,q2,d2,1.5\n";
    let twice = "qid,docid,docid,score\nq1,d1,x,9.5\nq1,d2,y,3.5\n";
    let lines = "{\"qid\":\"q1\",\"docid\":7,\"docno\":\"d1\",\"score\":2}\n{\"qid\":\"q1\",\"docid\":8,\"docno\":\"d2\",\"score\":1}\n";
    let listed = "[{\"query\":\"who?\",\"qid\":\"q1\",\"docno\":\"d1\",\"score\":2},{\"query\":\"who?\",\"qid\":\"q1\",\"docno\":\"d2\",\"score\":1}]";
    vec![
        pair("docno beside docid", both, CSV_QRELS, Read(0.5)),
        pair("docid is the shared one", by_number, CSV_QRELS, Read(0.5)),
        pair(
            "both columns in the judgements",
            CSV_RUN,
            "qid,docno,docid,relevance\nq1,x2,d2,1\nq2,x2,d2,1\n",
            Read(0.5),
        ),
        pair("columns beside TREC judgements", by_number, QRELS, Read(0.5)),
        pair("two columns for the query", two_queries, CSV_QRELS, Read(0.5)),
        pair("the query's text beside its name", with_text, CSV_QRELS, Read(0.5)),
        pair("one name twice", twice, CSV_QRELS, Refused("two columns are called `docid`")),
        pair(
            "one name twice in the judgements",
            CSV_RUN,
            "qid,qid,docid,relevance\nq1,a,d2,1\n",
            Refused("two columns are called `qid`"),
        ),
        pair("records with two names", lines, CSV_QRELS, Read(0.5)),
        pair("a list of records with two queries", listed, CSV_QRELS, Read(0.5)),
        pair("neither column fits", by_number, &CSV_QRELS.replace('d', "z"), Refused("column")),
    ]
}

fn shapes() -> Vec<Pair> {
    let swapped = "swapped";
    let whole = |documents: usize| -> String {
        let line = |document: usize| format!("\"d{document}\": {}", 20 - document);
        let documents: Vec<String> = (0..documents).map(line).collect();
        format!("{{\"q1\": {{{}}}}}", documents.join(", "))
    };
    let passages = r#"[{"query": "q", "retrieved_passages": [{"page_content": "x"}, {"page_content": "a", "metadata": {"source": "f"}}]}]"#;
    let tests = r#"{"tests": [{"query": "q", "snippets": ["a"]}]}"#;
    vec![
        pair("TREC files swapped", QRELS, RUN, Refused("looks like a run, not judgements")),
        pair(
            "five columns swapped",
            QRELS,
            &RUN.replace(" t\n", "\n"),
            Refused("looks like a run, not judgements"),
        ),
        pair(
            "tables swapped",
            CSV_QRELS,
            "qid,docid,rank\nq1,d2,1\n",
            Refused("looks like a run, not judgements"),
        ),
        pair(
            "JSON swapped",
            r#"{"q1": {"d2": 1}}"#,
            r#"{"q1": {"d1": 9.5, "d2": 3.5}}"#,
            Refused(swapped),
        ),
        pair(
            "tables of scores swapped",
            "qid,docid,score\nq1,d2,1\n",
            "qid,docid,score\nq1,d1,9.5\n",
            Refused(swapped),
        ),
        pair("whole scores swapped", r#"{"q1": {"d2": 1, "d3": 0}}"#, &whole(8), Noted(swapped)),
        pair("passages swapped", tests, passages, Refused("swapped")),
        pair("the run twice", RUN, RUN, Refused("looks like a run, not judgements")),
        pair("no tag", &RUN.replace(" t\n", "\n"), QRELS, Read(0.5)),
        pair("no tag, CRLF", &RUN.replace(" t\n", "\r\n"), QRELS, Read(0.5)),
        Pair { name: "UTF-16 run", run: utf16(RUN, false), gold: QRELS.into(), outcome: Read(0.5) },
        Pair {
            name: "UTF-16 judgements",
            run: RUN.into(),
            gold: utf16(QRELS, true),
            outcome: Read(0.5),
        },
        Pair {
            name: "UTF-16 tables",
            run: utf16(CSV_RUN, false),
            gold: utf16(&CSV_QRELS.replace('\n', "\r\n"), false),
            outcome: Read(0.5),
        },
        pair(
            "a document twice",
            &format!("{RUN}q2 Q0 d2 3 0.5 t\n"),
            QRELS,
            Refused("run:5: document `d2` appears twice for query `q2`"),
        ),
        pair(
            "a judgement twice",
            RUN,
            &format!("{QRELS}q1 0 d2 0\n"),
            Refused("gold:3: document `d2` appears twice for query `q1`"),
        ),
    ]
}

/// A benchmark and a run that found all of it: by place where it says no text.
const SPANS_RUN: &str = r#"[
    {"query": "who?", "retrieved_passages": [{"file_path": "acme/keep.txt", "span": [0, 10]}]},
    {"query": "when?", "retrieved_passages": [{"file_path": "acme/lease.txt", "span": [5, 15]}]}]"#;
const SPANS_GOLD: &str = r#"{"tests": [
    {"query": "who?", "snippets": [{"file_path": "acme/keep.txt", "span": [0, 10]}]},
    {"query": "when?", "snippets": [{"file_path": "acme/lease.txt", "span": [5, 15]}]}]}"#;
const TEXTS_RUN: &str = r#"[
    {"query": "who?", "retrieved_passages": ["Harbour dues are paid by the owner."]},
    {"query": "when?", "retrieved_passages": ["The lease ends in May 2031."]}]"#;
const TEXTS_GOLD: &str = r#"{"tests": [
    {"query": "who?", "snippets": ["paid by the owner"]},
    {"query": "when?", "snippets": ["in May 2031"]}]}"#;

/// Passages by their places: a path that is written otherwise is another file.
fn passage_places() -> Vec<Pair> {
    let gold = |from: &str, to: &str| SPANS_GOLD.replace(from, to);
    let one_renamed = SPANS_RUN.replace("acme/keep.txt", "other/keep.txt");
    vec![
        pair("places that fit", SPANS_RUN, SPANS_GOLD, Read(1.0)),
        pair(
            "path in the gold alone",
            &SPANS_RUN.replace("acme/", ""),
            SPANS_GOLD,
            Refused("has `keep.txt`, the gold has `acme/keep.txt`: one has a path"),
        ),
        pair("path in the run alone", SPANS_RUN, &gold("acme/", ""), Refused("one has a path")),
        pair(
            "path from the root",
            SPANS_RUN,
            &gold("acme/", "/data/acme/"),
            Refused("no retrieved passage stands in a file of the gold"),
        ),
        pair("case of the path", SPANS_RUN, &gold("acme/", "Acme/"), Refused("differ in case")),
        pair(
            "folders divided otherwise",
            SPANS_RUN,
            &gold("acme/", r"acme\\"),
            Refused(r"the gold has `acme\keep.txt`: one has a path before the name"),
        ),
        pair(
            "files without ending",
            &SPANS_RUN.replace(".txt", ""),
            SPANS_GOLD,
            Refused("one has an ending"),
        ),
        pair(
            "places in another collection",
            SPANS_RUN,
            &gold("acme/keep", "x/y").replace("acme/lease", "x/z"),
            Refused("the gold has `x/y.txt`"),
        ),
        pair("one file of two", &one_renamed, SPANS_GOLD, Read(0.5)),
        pair(
            "other places of the right files",
            &SPANS_RUN.replace("[0, 10]", "[20, 30]").replace("[5, 15]", "[20, 30]"),
            SPANS_GOLD,
            Noted("only 0 of 2 queries retrieve a character of their gold"),
        ),
    ]
}

/// Passages by their texts: whatever matches nothing is a result, and is said.
fn passage_texts() -> Vec<Pair> {
    let none = r#"[{"query": "who?", "retrieved_passages": []},
        {"query": "when?", "retrieved_passages": []}]"#;
    let with_places =
        |run: &str| run.replace(r#"{"file_path""#, r#"{"text": "found", "file_path""#);
    let renamed = with_places(&SPANS_RUN.replace("acme/", ""));
    vec![
        pair(
            "texts of another corpus",
            &TEXTS_RUN
                .replace("Harbour dues are paid by the owner.", "Ships are fast.")
                .replace("The lease ends in May 2031.", "Trains are faster."),
            TEXTS_GOLD,
            Noted(
                "only 0 of 2 queries retrieve a passage that matches their gold; `who?` retrieves `Ships are fast.`, its gold is `paid by the owner`",
            ),
        ),
        pair(
            "texts with other punctuation",
            &TEXTS_RUN.replace("paid by", "paid (by)"),
            &TEXTS_GOLD.replace("in May", "in \u{201c}May\u{201d}"),
            Noted("; 2 of 2 have the same letters and digits"),
        ),
        pair(
            "lists with nothing",
            none,
            TEXTS_GOLD,
            Noted("queries without retrieved passages, which score 0: 2"),
        ),
        pair(
            "blank passages",
            &TEXTS_RUN
                .replace("Harbour dues are paid by the owner.", " ")
                .replace("The lease ends in May 2031.", ""),
            TEXTS_GOLD,
            Noted("blank passages, which match nothing: 2"),
        ),
        pair(
            "texts that match in files that do not",
            &renamed,
            &with_places(SPANS_GOLD),
            Noted("no retrieved passage stands in a file of the gold"),
        ),
    ]
}

fn outcome(request: &ScoreRequest, pair: &Pair) -> (Option<f64>, String) {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let (run, gold) = (folder.path().join("run"), folder.path().join("gold"));
    let write = |path: &Path, bytes: &[u8]| fs::write(path, bytes).expect("the folder is writable");
    write(&run, &pair.run);
    write(&gold, &pair.gold);
    match request.score(Inputs::Files(&run, &gold)) {
        Ok(report) => (Some(report.summaries[0].value), report.board.notices.join("\n")),
        Err(error) => {
            let message = error.to_string();
            let folder = format!("{}/", folder.path().display());
            (None, message.replace(&folder, ""))
        }
    }
}

#[test]
fn no_pair_of_files_gives_a_zero_in_silence() {
    let ranked = ScoreRequest { measures: vec!["mrr".to_owned()], ..ScoreRequest::default() };
    let passages = ScoreRequest::default();
    let of_documents = document_names().into_iter().chain(query_names()).chain(columns());
    let of_documents = of_documents.chain(shapes()).map(|pair| (&ranked, pair));
    let of_passages = passage_places().into_iter().chain(passage_texts());
    let pairs: Vec<(&ScoreRequest, Pair)> =
        of_documents.chain(of_passages.map(|pair| (&passages, pair))).collect();
    assert!(pairs.len() >= 55, "{} pairs", pairs.len());
    let mut wrong = Vec::new();
    for (request, pair) in &pairs {
        let (value, said) = outcome(request, pair);
        let is_right = match pair.outcome {
            Refused(words) => value.is_none() && said.contains(words),
            Read(expected) => value == Some(expected),
            Noted(words) => value.is_some() && said.contains(words),
        };
        if !is_right {
            wrong.push(format!("{}: {value:?} {said}", pair.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_run_out_of_order_and_every_depth_count_what_was_judged() {
    let runs = [
        (RUN.to_owned(), None, (2, 4)),
        (RUN.to_owned(), Some(1), (0, 2)),
        // A query that comes again is gathered first.
        (format!("{RUN}q1 Q0 d3 3 1 t\n"), None, (2, 5)),
    ];
    for (run, depth, expected) in runs {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let (run_file, gold_file) = (folder.path().join("run"), folder.path().join("gold"));
        fs::write(&run_file, run).expect("the folder is writable");
        fs::write(&gold_file, QRELS).expect("the folder is writable");
        let request = ScoreRequest { depth, ..ScoreRequest::default() };
        let report = request.score(Inputs::Files(&run_file, &gold_file)).expect("it is scored");
        let judged = report.board.judged.expect("a ranked run");
        assert_eq!((judged.judged, judged.retrieved), expected);
        assert_eq!(report.to_wire(false).judged, Some(judged));
    }
}
