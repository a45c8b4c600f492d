//! Requests that come through a proxy: from where they really come, and whom it vouches for.

use std::net::{IpAddr, SocketAddr};

use axum::extract::Request;
use axum::http::HeaderMap;
pub use axum::http::HeaderName;

use crate::serve::Client;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Which proxies are believed, and what.
#[derive(Debug, Clone, Default)]
pub struct ProxySettings {
    /// Where they connect from. What anybody else says about others is not believed.
    pub addresses: Vec<IpAddr>,
    /// The header in which they name the person who is signed in there; none if people sign in
    /// here.
    pub user_header: Option<HeaderName>,
}

/// A request came from one of the proxies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProxyMark;

/// Notes whether a request came through a proxy, and from where it came there.
pub(crate) fn arrive(settings: &ProxySettings, request: &mut Request) {
    let is_proxy = |address: IpAddr| settings.addresses.contains(&address.to_canonical());
    let Some(Client(client)) = request.extensions().get::<Client>().copied() else { return };
    if !is_proxy(client.ip()) {
        return;
    }
    request.extensions_mut().insert(ProxyMark);
    // The last one that is no proxy of ours: whatever stands before it, anybody may have written.
    let forwarded = request.headers().get_all(FORWARDED_FOR);
    let addresses = forwarded.iter().filter_map(|value| value.to_str().ok());
    let addresses: Vec<&str> = addresses.flat_map(|value| value.split(',')).collect();
    let addresses = addresses.iter().rev().map_while(|one| one.trim().parse::<IpAddr>().ok());
    if let Some(address) = addresses.into_iter().find(|address| !is_proxy(*address)) {
        request.extensions_mut().insert(Client(SocketAddr::new(address, 0)));
    }
}

/// The person that a proxy vouches for. A header that comes twice is nobody's: one of them may
/// have been there before the proxy.
pub(crate) fn vouched<'h>(settings: &ProxySettings, headers: &'h HeaderMap) -> Option<&'h str> {
    let mut values = headers.get_all(settings.user_header.as_ref()?).iter();
    let (only, None) = (values.next()?, values.next()) else { return None };
    only.to_str().ok().map(str::trim).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn settings() -> ProxySettings {
        ProxySettings {
            addresses: vec!["10.0.0.1".parse().unwrap(), "10.0.0.2".parse().unwrap()],
            user_header: Some(HeaderName::from_static("remote-user")),
        }
    }

    fn arrived(from: &str, forwarded: &str) -> (bool, String) {
        let mut request = Request::new(Body::empty());
        request.headers_mut().insert(FORWARDED_FOR, forwarded.parse().unwrap());
        request.extensions_mut().insert(Client(from.parse().unwrap()));
        arrive(&settings(), &mut request);
        let client = request.extensions().get::<Client>().unwrap().0.ip().to_string();
        (request.extensions().get::<ProxyMark>().is_some(), client)
    }

    #[test]
    fn only_a_listed_proxy_says_from_where_a_request_comes() {
        assert_eq!(arrived("192.0.2.7:1", "203.0.113.5"), (false, "192.0.2.7".to_owned()));
        assert_eq!(arrived("10.0.0.1:1", "203.0.113.5"), (true, "203.0.113.5".to_owned()));
        assert_eq!(arrived("[::ffff:10.0.0.1]:1", "203.0.113.5"), (true, "203.0.113.5".to_owned()));
        let invented = "1.1.1.1, 203.0.113.5, 10.0.0.2";
        assert_eq!(arrived("10.0.0.1:1", invented), (true, "203.0.113.5".to_owned()));
        assert_eq!(arrived("10.0.0.1:1", "1.1.1.1, nonsense"), (true, "10.0.0.1".to_owned()));
    }

    #[test]
    fn a_name_that_comes_twice_is_nobodys() {
        let mut headers = HeaderMap::new();
        assert_eq!(vouched(&settings(), &headers), None);
        headers.append("remote-user", "ann".parse().unwrap());
        assert_eq!(vouched(&settings(), &headers), Some("ann"));
        assert_eq!(vouched(&ProxySettings::default(), &headers), None);
        headers.append("remote-user", "root".parse().unwrap());
        assert_eq!(vouched(&settings(), &headers), None);
    }
}
