//! The fault injector as a program, for benches and for trying a client by hand.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use assize_injector::{Fault, Injector, Script, When};

const USAGE: &str = "assize-injector [--port N] [--delay-ms N] [--say WORDS]
    [--slow-down-every N [--retry-after SECONDS]] [--fail-every N] [--hang-every N]
    [--cut-body-every N] [--cut-message-every N] [--broken-json-every N]

Answers POST /v1/chat/completions on 127.0.0.1; GET /requests tells what it saw.";

#[tokio::main]
async fn main() -> Result<()> {
    let mut port = 0;
    let mut retry_after = 1.0;
    let mut script = Script::saying("{}");
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().with_context(|| format!("{name} needs a value\n\n{USAGE}"))?;
        let number = || value.parse::<u64>().with_context(|| format!("{name} {value}"));
        let every = || number().map(|every| When::Every(every.max(1)));
        script = match name.as_str() {
            "--port" => {
                port = u16::try_from(number()?)?;
                continue;
            }
            "--retry-after" => {
                retry_after = value.parse()?;
                continue;
            }
            "--delay-ms" => script.after(Duration::from_millis(number()?)),
            "--say" => Script { reply: Script::saying(&value).reply, ..script },
            "--slow-down-every" => script.with(every()?, Fault::slow_down(retry_after)),
            "--fail-every" => script.with(every()?, Fault::status(500, "on cue")),
            "--hang-every" => script.with(every()?, Fault::Hang),
            "--cut-body-every" => script.with(every()?, Fault::CutBody),
            "--cut-message-every" => script.with(every()?, Fault::CutMessage),
            "--broken-json-every" => script.with(every()?, Fault::BrokenJson),
            _ => bail!("{name} is unknown\n\n{USAGE}"),
        };
    }
    let injector = Injector::start_at(([127, 0, 0, 1], port).into(), script, false).await?;
    #[expect(clippy::print_stdout, reason = "the address is what this program has to say")]
    {
        println!("{}", injector.base_url());
    }
    std::future::pending().await
}
