//! `assize serve`: the API and the pages over HTTP.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use assize_engine::configuration::OidcTable;
use assize_engine::council::OperatorPolicy;
use assize_engine::database::Place;
use assize_engine::store::Role;
#[cfg(feature = "oidc")]
use assize_server::auth::oidc::OidcSettings;
use assize_server::auth::proxy::{HeaderName, ProxySettings};
use assize_server::logs::{self, LogFormat};
use assize_server::{ModelSettings, ServeError, Settings, demo, serve};
use clap::{Args, ValueEnum};
use tokio::runtime::Builder;
use tokio::select;
use tokio::signal::unix::{SignalKind, signal};

use crate::commands::verify;
use crate::configured;
use crate::database_args::DatabaseArguments;
use crate::exit::Done;
use crate::model_args::{ModelArguments, variables};
use crate::output::{files, terminal};

const PORT: u16 = 8780;

const NOTES: &str = "\
Ctrl-C or SIGTERM stops the server after it has finished the requests in progress.";

/// Serve the API and the web interface over HTTP.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// Address to listen on; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value_t = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT), value_parser = socket_address)]
    bind: SocketAddr,
    /// Port to listen on, at 127.0.0.1; short for --bind 127.0.0.1:PORT
    #[arg(long, value_name = "PORT", conflicts_with = "bind", value_parser = port_number)]
    port: Option<u16>,
    /// Address at which /healthz, /readyz and /metrics are answered besides, without sign-in and
    /// for any host name; keep it within the operator's network
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = socket_address)]
    probe_bind: Option<SocketAddr>,
    /// Use a temporary database filled with the bundled samples of all four instruments
    #[arg(long, conflicts_with_all = ["database", "store"])]
    demo: bool,
    /// Show the run of an evidence package, after it was verified, in a copy that goes with the
    /// server
    #[arg(long, value_name = "FILE", conflicts_with_all = ["demo", "database", "store"])]
    package: Option<PathBuf>,
    /// Log format on stderr
    #[arg(long, value_enum, default_value_t = Log::Text)]
    log: Log,
    /// Host name to accept requests for, besides localhost, 127.0.0.1 and `[::1]` (repeatable)
    /// [default: only those when listening on loopback, otherwise any]
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Mark cookies as Secure, because clients connect through a TLS proxy
    #[arg(long)]
    behind_tls: bool,
    /// How users authenticate [default: accounts; on loopback, no sign-in]
    #[arg(long, value_enum, help_heading = "Authentication")]
    auth: Option<Auth>,
    /// Address of a trusted proxy (repeatable); its X-Forwarded-For header and, with --auth proxy,
    /// its user header are accepted
    #[arg(long, value_name = "ADDRESS", help_heading = "Authentication")]
    proxy: Vec<IpAddr>,
    /// Header in which the proxy passes the user name
    #[arg(
        long,
        value_name = "NAME",
        default_value = "X-Forwarded-User",
        help_heading = "Authentication"
    )]
    proxy_header: HeaderName,
    /// Role for users who sign in through the proxy or identity provider but have no account;
    /// without it, they are rejected
    #[arg(long, value_enum, value_name = "ROLE", help_heading = "Authentication")]
    newcomer_role: Option<Role>,
    /// Model that users may select as judge, as PROVIDER/MODEL or PROVIDER/* (repeatable) [default:
    /// all]
    #[arg(long, value_name = "MODEL", help_heading = "Models")]
    allow_model: Vec<String>,
    #[command(flatten)]
    models: ModelArguments,
    #[command(flatten)]
    database: DatabaseArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Auth {
    /// Accounts with passwords
    Accounts,
    /// A reverse proxy authenticates users and passes the name in a header
    Proxy,
    /// The identity provider configured as [serve.oidc] in assize.toml; no passwords
    Oidc,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Log {
    /// Human-readable
    Text,
    /// One JSON object per line
    Json,
    /// No logging
    Off,
}

impl Arguments {
    /// Where to listen.
    fn address(&self) -> SocketAddr {
        let at_port = |port| SocketAddr::new(self.bind.ip(), port);
        self.port.map_or(self.bind, at_port)
    }
}

fn socket_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        "expected an address of numbers and a port, such as 127.0.0.1:8080 or [::1]:8080".to_owned()
    })
}

fn port_number(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| "expected a number from 0 to 65535, such as 8080".to_owned())
}

/// Serves until a signal ends it.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    match arguments.log {
        Log::Text => logs::start(LogFormat::Text),
        Log::Json => logs::start(LogFormat::Json),
        Log::Off => {}
    }
    ensure!(
        arguments.auth != Some(Auth::Proxy) || !arguments.proxy.is_empty(),
        "--auth proxy needs --proxy with the address the proxy connects from"
    );
    let is_passing = arguments.demo || arguments.package.is_some();
    let folder = is_passing.then(tempfile::tempdir).transpose()?;
    let place = match &folder {
        Some(folder) => Place::from(&folder.path().join("demo.db")),
        None => arguments.database.place(),
    };
    let models = ModelSettings {
        config: arguments.models.providers.load()?,
        options: arguments.models.to_options(),
        councils: OperatorPolicy::load(&variables(), arguments.models.providers.config.as_deref())?,
        allowed: arguments.allow_model.clone(),
    };
    let mut settings = Settings {
        hosts: arguments.host.clone(),
        is_behind_tls: arguments.behind_tls,
        needs_accounts: arguments.auth == Some(Auth::Accounts),
        proxy: ProxySettings {
            addresses: arguments.proxy.iter().map(IpAddr::to_canonical).collect(),
            user_header: (arguments.auth == Some(Auth::Proxy))
                .then(|| arguments.proxy_header.clone()),
        },
        is_read_only: arguments.package.is_some(),
        newcomers: arguments.newcomer_role,
        models,
        probe_bind: arguments.probe_bind,
        ..Settings::new(arguments.address(), place)
    };
    sign_in_with(&mut settings, arguments)?;
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.context("the server could not be started")?;
    runtime.block_on(async {
        let stop = stopped()?;
        if let Some(path) = &arguments.package {
            verify::open_in(path, &settings.database).await?;
        }
        let serving = serve(settings).await.map_err(unwrapped)?;
        if arguments.demo {
            demo::fill(&serving.state).await?;
        }
        let reached = reached(serving.address);
        files::print(&format!("Assize is running at http://{reached}/\n"))?;
        if let Some(probes) = serving.probe_address {
            terminal::notice(&format!("probes and metrics are answered at http://{probes}/"));
        }
        tell_access(&serving.state.settings);
        if let Some(link) = &serving.setup_link {
            let at = public(&arguments.host, arguments.behind_tls, reached);
            terminal::notice(&format!(
                "no accounts yet; create the first one within an hour at {at}{link}"
            ));
        }
        serving.run(stop).await;
        Ok(Done::Fine)
    })
}

/// Says what whoever connects may do without signing in.
fn tell_access(settings: &Settings) {
    if settings.is_read_only {
        terminal::notice("read-only: nothing can be decided, changed or deleted");
    } else if settings.is_open() {
        terminal::notice(
            "no sign-in: everyone on this machine has full access; require accounts with --auth \
             accounts",
        );
    }
}

/// An address that somebody on this machine can ask: `0.0.0.0` is where it listens, and no place.
fn reached(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}

/// Where people find the server: by its name, behind a proxy with TLS at the usual port.
fn public(hosts: &[String], is_behind_tls: bool, reached: SocketAddr) -> String {
    match hosts.first() {
        Some(name) if is_behind_tls => format!("https://{name}"),
        Some(name) => format!("http://{name}:{}", reached.port()),
        None => format!("http://{reached}"),
    }
}

/// The provider of identities that the file names, if it names one.
fn sign_in_with(settings: &mut Settings, arguments: &Arguments) -> Result<()> {
    let Some(table) = configured::identity_provider() else {
        ensure!(
            arguments.auth != Some(Auth::Oidc),
            "--auth oidc needs a [serve.oidc] table in assize.toml with issuer, client_id and \
             public_url"
        );
        return Ok(());
    };
    ensure!(
        arguments.auth != Some(Auth::Proxy),
        "--auth proxy and [serve.oidc] in assize.toml are mutually exclusive"
    );
    sign_in_by(settings, arguments, table)
}

#[cfg(feature = "oidc")]
fn sign_in_by(settings: &mut Settings, arguments: &Arguments, table: &OidcTable) -> Result<()> {
    let newcomers = arguments.newcomer_role;
    let made = OidcSettings::new(table, &variables(), newcomers)?;
    settings.is_behind_tls |= made.public_url.scheme() == "https";
    let allows_passwords = arguments.auth.is_none_or(|auth| auth == Auth::Accounts);
    settings.oidc = Some(OidcSettings { allows_passwords, ..made });
    Ok(())
}

#[cfg(not(feature = "oidc"))]
fn sign_in_by(_: &mut Settings, _: &Arguments, table: &OidcTable) -> Result<()> {
    anyhow::bail!(
        "assize.toml configures [serve.oidc] for {}, but this build of assize does not include \
         it; build with `--features oidc`",
        table.issuer
    )
}

/// The error that has a code, and with it an exit code of its own.
fn unwrapped(error: ServeError) -> anyhow::Error {
    match error {
        ServeError::Store(error) => error.into(),
        ServeError::Account(error) => error.into(),
        other => other.into(),
    }
}

/// Comes to an end with the first signal that asks for it.
fn stopped() -> Result<impl Future<Output = ()>> {
    let mut interrupted = signal(SignalKind::interrupt())?;
    let mut terminated = signal(SignalKind::terminate())?;
    Ok(async move {
        select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_person_gets_a_link_that_the_server_answers_to() {
        let everywhere = |text: &str| reached(text.parse().unwrap());
        let (four, six) = (everywhere("0.0.0.0:8793"), everywhere("[::]:8793"));
        assert_eq!(public(&[], true, four), "http://127.0.0.1:8793");
        assert_eq!(public(&[], false, six), "http://[::1]:8793");
        let hosts = ["assize.example.org".to_owned()];
        assert_eq!(public(&hosts, true, four), "https://assize.example.org");
        assert_eq!(public(&hosts, false, four), "http://assize.example.org:8793");
        assert_eq!(public(&[], true, everywhere("10.0.0.5:80")), "http://10.0.0.5:80");
    }
}
