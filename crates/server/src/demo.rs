//! The bundled samples of all four instruments, for whoever wants to look first.

use assize_engine::Workspace;
use assize_engine::store::{Instrument, Run};

use crate::auth::Caller;
use crate::error::Result;
use crate::state::AppState;
use crate::work::offload;

/// Fills the database with the samples. Nothing is fetched and no model is asked.
pub async fn fill(state: &AppState) -> Result<()> {
    samples(state.workspace(&Caller::local(&state.secret))).await.map(|_| ())
}

/// Makes a sample of every instrument.
pub(crate) async fn samples(workspace: Workspace) -> Result<Vec<Run>> {
    offload(move || async move {
        use Instrument::{Compliance, Council, Retrieval, Summary};
        let mut runs = Vec::new();
        for instrument in [Retrieval, Summary, Compliance, Council] {
            runs.push(workspace.make_sample(instrument).await?);
        }
        Ok(runs)
    })
    .await
}
