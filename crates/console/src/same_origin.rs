//! Requests that change something come from our own pages: browsers say from where (`Sec-Fetch-Site`, else `Origin`), and
//! no script of another site can make them say otherwise.

use actix_web::{
    Error,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{Method, header},
    middleware::Next,
    web::Data,
};
use url::Url;

use crate::{Console, failure::Failure};

/// Middleware: refuses what another site sends.
pub async fn check(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let value = |name: &str| {
        let value = request.headers().get(name);
        value.map(|value| value.to_str().unwrap_or("?"))
    };
    let public =
        request.app_data::<Data<Console>>().and_then(|console| console.shared.options.public_url.as_ref());
    let is_ours = is_allowed(
        request.method(),
        value("sec-fetch-site"),
        value(header::ORIGIN.as_str()),
        value(header::HOST.as_str()),
        public,
    );
    if !is_ours {
        tracing::warn!(path = request.path(), "a form of another site was refused");
        return Ok(request.error_response(Failure::OtherSite));
    }
    next.call(request).await.map(ServiceResponse::map_into_boxed_body)
}

fn is_allowed(
    method: &Method,
    site: Option<&str>,
    origin: Option<&str>,
    host: Option<&str>,
    public: Option<&Url>,
) -> bool {
    if [Method::GET, Method::HEAD].contains(method) {
        return true;
    }
    match (site, origin) {
        // `none`: the user did it, by a reload.
        (Some(site), _) => ["same-origin", "none"].contains(&site),
        // A browser of before 2023.
        (None, Some(origin)) => Url::parse(origin).is_ok_and(|origin| is_own(&origin, host, public)),
        // No browser.
        (None, None) => true,
    }
}

fn is_own(origin: &Url, host: Option<&str>, public: Option<&Url>) -> bool {
    if let Some(public) = public {
        return origin.origin() == public.origin();
    }
    let port = origin.port().map(|port| format!(":{port}")).unwrap_or_default();
    let own = origin.host_str().map(|name| format!("{name}{port}"));
    host.is_some() && own.as_deref() == host
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_pages_change_something() {
        let public = Url::parse("https://portal.example.com").unwrap();
        for (method, site, origin, host, allowed) in [
            ("GET", Some("cross-site"), Some("https://evil.example"), "localhost:1", true),
            ("HEAD", Some("cross-site"), None, "localhost:1", true),
            ("POST", Some("same-origin"), None, "localhost:1", true),
            ("POST", Some("none"), None, "localhost:1", true),
            ("POST", Some("same-site"), None, "localhost:1", false),
            ("POST", Some("cross-site"), None, "localhost:1", false),
            // What browsers say of the site counts before the origin.
            ("POST", Some("cross-site"), Some("http://localhost:1"), "localhost:1", false),
            ("POST", None, Some("http://localhost:1"), "localhost:1", true),
            ("POST", None, Some("http://localhost:2"), "localhost:1", false),
            ("POST", None, Some("null"), "localhost:1", false),
            ("DELETE", Some("cross-site"), None, "localhost:1", false),
            ("POST", None, None, "localhost:1", true),
        ] {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let passed = is_allowed(&method, site, origin, Some(host), None);
            assert_eq!(passed, allowed, "{method} {site:?} {origin:?} {host}");
        }
        let behind_a_proxy = |origin| {
            let host = Some("10.0.0.7:8080");
            is_allowed(&Method::POST, None, Some(origin), host, Some(&public))
        };
        assert!(behind_a_proxy("https://portal.example.com"));
        assert!(!behind_a_proxy("http://portal.example.com"));
        assert!(!behind_a_proxy("http://10.0.0.7:8080"));
    }
}
