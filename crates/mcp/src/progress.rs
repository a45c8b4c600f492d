//! What happens during a long call, told to a client that asked to be told.

use assize_engine::council::step::{Progress, Stage, Step};
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

/// One more thing is done.
pub(crate) struct ProgressNote {
    message: String,
    total: usize,
}

/// Tells when a participant is done; `total` of them have something to do.
pub(crate) fn watch(steps: &UnboundedSender<ProgressNote>, total: usize) -> impl Fn(&Step) + Sync {
    let steps = steps.clone();
    move |step| {
        let did = match step.stage {
            Stage::Answer => "answered",
            Stage::Review => "reviewed",
            Stage::Revise => "reviewed again",
            Stage::Chair => "wrote the final answer",
        };
        let message = match &step.progress {
            Progress::Begun => return,
            Progress::Done => format!("{} {did}", step.participant),
            Progress::Failed(because) => format!("{} failed: {because}", step.participant),
        };
        // Nobody listens any more when the call was cancelled.
        let _ = steps.send(ProgressNote { message, total });
    }
}

/// Passes on what is told until nobody tells any more.
pub(crate) async fn pass_on(
    mut steps: UnboundedReceiver<ProgressNote>,
    context: &RequestContext<RoleServer>,
) {
    let token = context.meta.get_progress_token();
    let mut done = 0.0;
    while let Some(ProgressNote { message, total }) = steps.recv().await {
        let Some(token) = token.clone() else { continue };
        done += 1.0;
        let note = ProgressNotificationParam::new(token, done)
            .with_total(total as f64)
            .with_message(message);
        // A client that is gone is noticed elsewhere.
        let _ = context.peer.notify_progress(note).await;
    }
}
