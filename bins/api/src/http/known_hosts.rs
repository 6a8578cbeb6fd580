//! For which hosts a listener answers: a page of another site that gets its own name resolved to this machine asks for that name,
//! and learns nothing.

use std::net::{IpAddr, SocketAddr};

use actix_web::{
    Error, ResponseError,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{StatusCode, header, uri::Authority},
    middleware::Next,
    web::Data,
};
use url::Url;

use super::refusal::Refusal;

/// The hosts that are answered; all of them unless some are named.
#[derive(Clone, Debug, Default)]
pub struct KnownHosts(Option<Vec<String>>);

impl KnownHosts {
    /// Those of this machine alone, the address that is listened on where it is one, where browsers are said to find it, and what
    /// else is named.
    pub fn of(listens_at: SocketAddr, public_url: Option<&Url>, named: &[String]) -> Self {
        let mut known = vec!["localhost".to_owned()];
        if !listens_at.ip().is_unspecified() {
            known.push(listens_at.ip().to_string());
        }
        known.extend(public_url.and_then(Url::host_str).map(plain));
        known.extend(named.iter().map(|host| plain(host)));
        Self(Some(known))
    }

    fn knows(&self, host: Option<&str>) -> bool {
        let Some(known) = &self.0 else { return true };
        let authority: Option<Authority> = host.and_then(|host| host.parse().ok());
        let Some(authority) = authority else { return false };
        let host = plain(authority.host());
        let is_loopback = host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
        is_loopback || known.contains(&host)
    }
}

/// A host as it is compared: in small letters, without the brackets of an address and the dot of a name.
fn plain(host: &str) -> String {
    let host = host.trim().trim_start_matches('[').trim_end_matches([']', '.']);
    host.to_ascii_lowercase()
}

/// Middleware: refuses what asks for a host that is not known here.
///
/// # Errors
/// What the service behind it returns.
pub async fn check(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let asked = request.headers().get(header::HOST);
    let asked = asked.and_then(|host| host.to_str().ok());
    let asked = asked.or_else(|| request.uri().authority().map(Authority::as_str));
    let known = request.app_data::<Data<KnownHosts>>();
    if known.is_none_or(|known| known.knows(asked)) {
        return next.call(request).await.map(ServiceResponse::map_into_boxed_body);
    }
    tracing::warn!(host = asked.unwrap_or_default(), "a request for an unknown host was refused");
    let refusal = Refusal::new(StatusCode::MISDIRECTED_REQUEST, "this host is not known here");
    let response = refusal.error_response();
    Ok(request.into_response(response))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_known_by_name_whatever_its_port_and_case() {
        let public = Url::parse("https://desk.example.com").unwrap();
        let known = KnownHosts::of(
            "10.0.0.7:8081".parse().unwrap(),
            Some(&public),
            &["Ops.example.com".to_owned(), "[2001:db8::7]".to_owned()],
        );
        for (host, expected) in [
            (Some("localhost:8081"), true),
            (Some("LOCALHOST"), true),
            (Some("localhost."), true),
            (Some("127.0.0.1:8081"), true),
            (Some("127.0.0.2"), true),
            (Some("[::1]:8081"), true),
            (Some("10.0.0.7:8081"), true),
            (Some("desk.example.com"), true),
            (Some("ops.EXAMPLE.com:443"), true),
            (Some("[2001:db8::7]:8081"), true),
            (Some("10.0.0.8:8081"), false),
            (Some("evil.example"), false),
            (Some("localhost.evil.example"), false),
            (Some("desk.example.com.evil.example"), false),
            (Some("localhost@evil.example"), false),
            (Some(""), false),
            (Some("a b"), false),
            (None, false),
        ] {
            assert_eq!(known.knows(host), expected, "{host:?}");
        }
        assert!(KnownHosts::default().knows(Some("evil.example")));
        // All addresses are no host.
        let every = KnownHosts::of("0.0.0.0:8081".parse().unwrap(), None, &[]);
        assert!(!every.knows(Some("0.0.0.0:8081")));
        assert!(every.knows(Some("localhost:8081")));
    }
}
