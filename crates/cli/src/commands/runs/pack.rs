//! `assize runs pack` and `assize runs import`: a run as evidence, and back.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use assize_engine::runs::package::manifest::PackageKey;
use assize_engine::runs::package::pack::PackRequest;
use assize_engine::runs::package::verify::verify;
use assize_engine::runs::package::{ENDING, Package};
use assize_wire::package::PackageResult;

use super::args::{Import, Pack};
use crate::commands::evaluate::session::{with_reader, with_workspace};
use crate::commands::verify::{read, shown};
use crate::exit::Done;
use crate::model_args::variables;
use crate::output::{files, terminal};

/// Packs a run.
pub(super) fn run(arguments: &Pack) -> Result<Done> {
    files::check(arguments.output.as_deref(), &[])?;
    let key = PackageKey::from_variables(&variables())?;
    with_reader(&arguments.which.database, async |workspace| {
        let run = workspace.find_run(&arguments.which.run).await?;
        let without_material = arguments.without_material;
        let request = PackRequest { without_material, key: key.as_ref() };
        let packed = workspace.pack(&run, &request).await?;
        let default = || PathBuf::from(format!("run-{}.{ENDING}", run.number));
        let path = arguments.output.clone().unwrap_or_else(default);
        files::write(&path, &packed.bytes)?;
        files::print(&shown(&path.display().to_string(), &packed.report))?;
        if packed.report.result == PackageResult::Refused {
            terminal::notice("the run contradicts itself; verifying the package says the same");
        }
        Ok(Done::Fine)
    })
}

/// Verifies a package, and takes its run in.
pub(super) fn import(arguments: &Import) -> Result<Done> {
    let bytes = read(&arguments.package)?;
    with_workspace(&arguments.database, async |workspace, _| {
        let report = verify(&bytes).await?;
        ensure!(
            report.result != PackageResult::Refused,
            "{} is not sound, and nothing was imported; see `assize verify {0}`",
            arguments.package.display()
        );
        if report.result == PackageResult::Unconfirmed {
            terminal::notice(&report.unchecked.join("; "));
        }
        let run = workspace.import_package(&Package::open(&bytes)?).await?;
        files::report(&format!("run #{}: {} items imported\n", run.number, run.items))
    })
}
