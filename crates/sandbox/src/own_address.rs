//! Addresses of one supplier's own: there its paths stand without the supplier's name before them, as at the real one.

use std::net::{SocketAddr, TcpListener};
use std::str::FromStr;

use actix_web::dev::ServiceRequest;
use actix_web::http::Uri;

use crate::duffel::Duffel;
use crate::faults::Supplier;
use crate::hotelbeds::Hotelbeds;
use crate::liteapi::Liteapi;
use crate::supplier_api::SupplierApi;
use crate::tripjack::Tripjack;

/// Where one supplier listens beside the common port: `duffel=127.0.0.1:9091`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnAddress {
    pub(crate) supplier: Supplier,
    /// Port 0 takes a free one.
    pub bind: SocketAddr,
}

impl FromStr for OwnAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text} is not like duffel=127.0.0.1:9091");
        let (supplier, bind) = text.split_once('=').ok_or_else(wrong)?;
        Ok(Self { supplier: supplier.parse()?, bind: bind.parse().map_err(|_| wrong())? })
    }
}

impl OwnAddress {
    pub fn supplier(&self) -> &'static str {
        self.base().trim_start_matches('/').split('/').next().unwrap_or_default()
    }

    pub(crate) fn listen(self) -> std::io::Result<(Self, TcpListener)> {
        let listener = TcpListener::bind(self.bind)?;
        let bind = listener.local_addr()?;
        Ok((Self { bind, ..self }, listener))
    }

    fn base(self) -> &'static str {
        match self.supplier {
            Supplier::Duffel => Duffel::BASE,
            Supplier::Tripjack => Tripjack::BASE,
            Supplier::Liteapi => Liteapi::BASE,
            Supplier::Hotelbeds => Hotelbeds::BASE,
        }
    }
}

/// Leads a request that came to a supplier's own address to its supplier.
pub(crate) fn lead(own: &[OwnAddress], request: &mut ServiceRequest) {
    let came_to = request.app_config().local_addr();
    let Some(own) = own.iter().find(|own| own.bind == came_to) else { return };
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    if path.starts_with(own.base()) {
        return;
    }
    // It stays a path with one more part before it.
    if let Ok(uri) = format!("{}{path}", own.base()).parse::<Uri>() {
        request.match_info_mut().get_mut().update(&uri);
        request.head_mut().uri = uri;
    }
}
