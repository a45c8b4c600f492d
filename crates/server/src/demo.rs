//! The bundled samples of all four instruments, for whoever wants to look first.

use assize_engine::store::Instrument;

use crate::auth::Caller;
use crate::error::AppError;
use crate::state::AppState;
use crate::work::apart;

/// Fills the database with the samples. Nothing is fetched and no model is asked.
pub async fn fill(state: &AppState) -> Result<(), AppError> {
    let registry = state.registry(&Caller::local(&state.secret));
    apart(move || async move {
        use Instrument::{Compliance, Council, Retrieval, Summary};
        for instrument in [Retrieval, Summary, Compliance, Council] {
            registry.make_sample(instrument).await?;
        }
        Ok(())
    })
    .await
}
