//! The image without a container engine: what the last stage of the `Containerfile` says is done in
//! an unpacked root, and its program is started as an engine would.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::debian::Debian;
use crate::checks::root;
use crate::dist::output;
use crate::say;

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// Whom distroless calls `nonroot`.
const NOBODY: &str = "65532";

/// The last stage of a `Containerfile`.
#[derive(Debug, Default, PartialEq)]
struct Stage<'a> {
    /// What is copied from the first stage: from, to.
    copies: Vec<(&'a str, &'a str)>,
    variables: Vec<(&'a str, &'a str)>,
    folder: &'a str,
    port: u16,
    words: Vec<String>,
}

/// Starts the image's program in a root, asks it whether it is alive, and stops it.
pub(super) fn check(system: &Debian, binary: &Path) -> Result<()> {
    let text = fs::read_to_string(root().join("Containerfile")).context("no Containerfile")?;
    let stage = Stage::last(&text)?;
    for (from, to) in &stage.copies {
        let place = system.place(to);
        if from.ends_with("/assize") {
            fs::copy(binary, place).with_context(|| (*to).to_owned())?;
        } else {
            fs::create_dir_all(&place)?;
            output(
                std::process::Command::new("chown").arg(format!("{NOBODY}:{NOBODY}")).arg(place),
            )?;
        }
    }
    let mut words = vec!["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"];
    words.extend(["env", "--chdir", stage.folder]);
    words.extend(stage.words.iter().map(String::as_str));
    let mut command = system.command(&words);
    command.envs(stage.variables.iter().copied()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut server = command.spawn().context("could not start the image's program")?;
    let answered = wait(&mut server, stage.port);
    let _ = server.kill();
    let mut said = String::new();
    if let Some(mut stderr) = server.stderr.take() {
        let _ = stderr.read_to_string(&mut said);
    }
    let _ = server.wait();
    let seconds = answered.with_context(|| format!("the image's program: {}", said.trim()))?;
    say(&format!("== release: image: `{}` answered after {seconds:.1} s", stage.words.join(" ")));
    Ok(())
}

/// Waits for the server to say that it can work.
fn wait(server: &mut Child, port: u16) -> Result<f64> {
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        if server.try_wait()?.is_some() {
            bail!("it ended");
        }
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) {
            let mut reply = String::new();
            stream.write_all(
                b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            )?;
            let _ = stream.read_to_string(&mut reply);
            if reply.starts_with("HTTP/1.1 200") {
                return Ok(started.elapsed().as_secs_f64());
            }
        }
        sleep(Duration::from_millis(200));
    }
    bail!("it did not answer on port {port}")
}

impl<'a> Stage<'a> {
    fn last(text: &'a str) -> Result<Self> {
        let start = text.rfind("\nFROM ").context("the Containerfile has no second stage")?;
        let mut stage = Self::default();
        for line in
            text[start + 1..].lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "COPY" => {
                    let paths: Vec<&str> =
                        rest.split(' ').filter(|word| !word.starts_with("--")).collect();
                    let [from, to] = paths[..] else {
                        bail!("COPY with more than two paths: {line}")
                    };
                    stage.copies.push((from, to));
                }
                "ENV" => stage.variables.extend(rest.split_once('=')),
                "WORKDIR" => stage.folder = rest,
                "EXPOSE" => stage.port = rest.parse().context("a port is a number")?,
                "ENTRYPOINT" | "CMD" => stage.words.extend(listed(rest)),
                "FROM" | "VOLUME" => {}
                _ => bail!(
                    "the Containerfile's last stage has a step that is not understood here: {line}"
                ),
            }
        }
        Ok(stage)
    }
}

/// The words of a list as JSON writes it; none of ours has a quote within.
fn listed(text: &str) -> impl Iterator<Item = String> {
    text.split('"').skip(1).step_by(2).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_stage_is_read_from_our_own_file() {
        let text = fs::read_to_string(root().join("Containerfile")).unwrap();
        let stage = Stage::last(&text).unwrap();
        assert_eq!(stage.port, 8780);
        assert_eq!(stage.words[..2], ["/usr/bin/assize", "serve"]);
        assert!(
            stage.copies.iter().any(|(_, to)| *to == stage.folder),
            "the server may write in its folder"
        );
        assert!(Stage::last("FROM a\nRUN b\n").is_err());
        assert!(Stage::last("FROM a\nFROM b\nRUN c\n").is_err());
    }
}
