//! From where whoever is served now comes, for entries of the audit that the store writes itself.

tokio::task_local! {
    static ADDRESS: Option<String>;
}

/// Does something for whoever comes from an address.
pub async fn coming_from<F: Future>(address: Option<String>, work: F) -> F::Output {
    ADDRESS.scope(address, work).await
}

/// From where whoever is served now comes, if it is over the network.
pub fn address() -> Option<String> {
    ADDRESS.try_with(Clone::clone).ok().flatten()
}
