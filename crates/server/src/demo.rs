//! The bundled samples of all four instruments, for whoever wants to look first.

use assize_engine::compliance::Registry;
use assize_engine::store::{AnyRun, Instrument};

use crate::auth::Caller;
use crate::error::AppError;
use crate::state::AppState;
use crate::work::apart;

/// Fills the database with the samples. Nothing is fetched and no model is asked.
pub async fn fill(state: &AppState) -> Result<(), AppError> {
    samples(state.registry(&Caller::local(&state.secret))).await.map(|_| ())
}

/// Makes a sample of every instrument.
pub(crate) async fn samples(registry: Registry) -> Result<Vec<AnyRun>, AppError> {
    apart(move || async move {
        use Instrument::{Compliance, Council, Retrieval, Summary};
        let mut runs = Vec::new();
        for instrument in [Retrieval, Summary, Compliance, Council] {
            runs.push(registry.make_sample(instrument).await?);
        }
        Ok(runs)
    })
    .await
}
