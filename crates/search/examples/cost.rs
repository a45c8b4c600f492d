#![allow(clippy::all, clippy::print_stdout, clippy::unwrap_used, missing_docs)]
use assize_methods::retrieval::passages::input::Gold;
use assize_search::corpus::{Limits, read_folder};
use assize_search::{Chunking, Collection, Method, Retriever};
use std::path::Path;
fn cpu() -> f64 {
    // utime + stime of the process, in ticks of 10 ms
    let s = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = s.rsplit_once(')').unwrap().1.split_whitespace().collect();
    (f[11].parse::<f64>().unwrap() + f[12].parse::<f64>().unwrap()) * 10.0
}
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(&a[0]).unwrap();
    let Gold(tests) = serde_json::from_str(&text).unwrap();
    let corpus = read_folder(Path::new(&a[1]), Limits::default()).unwrap().0;
    let collection = Collection::new(corpus, Chunking::default());
    let start = cpu();
    println!("read and cut: {start} ms");
    let method: Method = a[2].parse().unwrap();
    let r = Retriever::new(collection, method);
    println!("index: {} ms", cpu() - start);
    let mid = cpu();
    let q: Vec<&str> = tests.iter().map(|t| &*t.query).collect();
    let answers = r.search_all(&q, 10).unwrap();
    println!(
        "queries: {} ms; routed {}",
        cpu() - mid,
        answers.iter().filter(|a| a.route.is_some()).count()
    );
}
