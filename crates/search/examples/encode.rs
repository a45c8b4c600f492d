//! Turns texts into vectors with the model of a folder, and says how quickly.
//!
//! ```text
//! cargo run --release -p assize-search --features encoder --example encode -- MODEL TEXTS.json [REPEAT]
//! ```
//!
//! `TEXTS.json` is a list of texts. The first dimensions of each vector are printed; with `REPEAT`
//! the texts are embedded so many times, and only the speed is printed. The processor time is that
//! of all threads.
#![expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use assize_search::dense::Embedder;
use assize_search::encoder::Encoder;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, texts, repeat @ ..] = &arguments[..] else {
        return Err("a model's folder and a file of texts are needed".into());
    };
    let texts: Vec<String> = serde_json::from_slice(&fs::read(texts)?)?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let started = Instant::now();
    let encoder = Encoder::open(Path::new(model))?;
    let opened = started.elapsed();
    let times: usize = repeat.first().map_or(Ok(0), |times| times.parse())?;
    if times == 0 {
        for (text, vector) in texts.iter().zip(encoder.embed(&texts)?) {
            println!("{:?} {text:.60}", &vector[..vector.len().min(4)]);
        }
        return Ok(());
    }
    let (started, before) = (Instant::now(), processor_seconds()?);
    for _ in 0..times {
        encoder.embed(&texts)?;
    }
    let (count, used) = ((texts.len() * times) as f64, processor_seconds()? - before);
    println!(
        "{} dimensions, read in {opened:.2?}; {count} texts in {:.2?}: {:.1} a second, {:.1} a second of the processor",
        encoder.dimensions(),
        started.elapsed(),
        count / started.elapsed().as_secs_f64(),
        count / used
    );
    Ok(())
}

/// What all threads of this process have used so far, from the system's account.
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    let mut total = 0.0;
    for thread in fs::read_dir("/proc/self/task")? {
        let account = fs::read_to_string(thread?.path().join("schedstat"))?;
        total += account.split(' ').next().unwrap_or_default().parse::<f64>()? / 1e9;
    }
    Ok(total)
}
