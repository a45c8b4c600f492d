//! The protocol's side: who we are, which tools there are, and a call from beginning to end.

use std::sync::Arc;

use assize_engine::asking::Stop;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, JsonObject, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc};
use tokio::{select, task};

use crate::form::{Form, check_length};
use crate::progress::pass_on;
use crate::reply::{Refusal, Reply, to_result};
use crate::state::{Call, McpState};
use crate::{council, retrieval, summary};

/// How many calls are worked on at once; others wait.
pub(crate) const CALLS_MAX: u32 = 4;

const INSTRUCTIONS: &str = "\
Assize measures what AI systems produce and shows how each number was computed.
council_review and council_ask call models and may cost money: pass dry_run first to see calls, tokens and price.
council_rescore, council_compare, council_bench, summary_score (by rules) and retrieval_score call no models.
Every tool takes content, never a path. Structured results are what the command `assize … --format json` prints.";

#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) state: Arc<McpState>,
    pub(crate) places: Arc<Semaphore>,
    pub(crate) closing: Stop,
}

impl Server {
    /// A server over what all calls share.
    pub(crate) fn new(state: McpState) -> Self {
        let places = Arc::new(Semaphore::new(CALLS_MAX as usize));
        Self { state: Arc::new(state), places, closing: Stop::default() }
    }

    /// Does the work on a thread of its own: it may compute for long, and if it fails in a way
    /// nobody foresaw, only this call does.
    async fn work(
        &self,
        name: String,
        arguments: JsonObject,
        context: RequestContext<RoleServer>,
    ) -> Result<Reply, Refusal> {
        check_length(&arguments)?;
        let place = Arc::clone(&self.places).acquire_owned().await?;
        let (state, handle) = (Arc::clone(&self.state), Handle::current());
        let stop = Stop::default();
        let (steps, told) = mpsc::unbounded_channel();
        let call = Call { stop: stop.clone(), steps };
        let mut work = task::spawn_blocking(move || {
            let _place = place;
            handle.block_on(run(&state, &call, &name, arguments))
        });
        let end = select! {
            () = pass_on(told, &context) => (&mut work).await,
            end = &mut work => end,
            () = context.ct.cancelled() => { stop.ask(); work.await }
            () = self.closing.asked() => { stop.ask(); work.await }
        };
        end.unwrap_or_else(|_| {
            Err(Refusal::because(
                "the tool failed because of a bug in assize; please report it with your arguments \
                 and its log on standard error",
            ))
        })
    }
}

/// Every tool there is.
fn forms() -> Vec<(&'static Form, Tool)> {
    let council = council::FORMS.iter().map(|form| (*form, form.tool::<council::Arguments>()));
    let mut forms: Vec<(&'static Form, Tool)> = council.collect();
    forms.push((&summary::FORM, summary::FORM.tool::<summary::Arguments>()));
    forms.push((&retrieval::FORM, retrieval::FORM.tool::<retrieval::Arguments>()));
    forms
}

async fn run(
    state: &McpState,
    call: &Call,
    name: &str,
    arguments: JsonObject,
) -> Result<Reply, Refusal> {
    match name {
        "council_review" => council::review(state, call, arguments).await,
        "council_ask" => council::ask(state, call, arguments).await,
        "council_rescore" => council::rescore(state, arguments),
        "council_compare" => council::compare(state, arguments),
        "council_bench" => council::measure(arguments),
        "summary_score" => summary::score(state, call, arguments).await,
        "retrieval_score" => retrieval::score(arguments),
        unknown => Err(Refusal::because(format!("unknown tool `{unknown}`"))),
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let version = env!("CARGO_PKG_VERSION");
        let about = Implementation::new("assize", version).with_title("Assize");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(about)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = forms().into_iter().map(|(_, tool)| tool).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let forms = forms();
        if !forms.iter().any(|(form, _)| form.name == request.name) {
            let names: Vec<&str> = forms.iter().map(|(form, _)| form.name).collect();
            let words =
                format!("unknown tool `{}`; the tools are {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(words, None));
        }
        let arguments = request.arguments.unwrap_or_default();
        let end = self.work(request.name.into_owned(), arguments, context).await;
        Ok(to_result(end).into())
    }
}
