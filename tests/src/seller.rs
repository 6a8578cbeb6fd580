//! The suppliers of a world: which API each speaks, and where.

use wayfare_launch::{SupplierKind, SupplierSettings};
use wayfare_supply::SupplierConfig;

/// Every kind of supplier that the sandbox plays.
pub fn supplier_kinds() -> impl Iterator<Item = SupplierKind> {
    SupplierSettings::of_sandbox("").map(|settings| settings.kind)
}

/// Whether suppliers of this kind sell hotels; flights otherwise.
pub fn sells_stays(kind: SupplierKind) -> bool {
    match kind {
        SupplierKind::Duffel | SupplierKind::TripJack => false,
        SupplierKind::LiteApi | SupplierKind::Hotelbeds => true,
    }
}

#[derive(Clone, Debug)]
pub struct Seller {
    pub code: &'static str,
    pub kind: SupplierKind,
    /// Where it answers; none is the world's sandbox.
    pub base_url: Option<String>,
}

impl From<SupplierKind> for Seller {
    /// The world's sandbox as a supplier of this kind, under the kind's own name.
    fn from(kind: SupplierKind) -> Self {
        Self::of(kind.into(), kind)
    }
}

impl Seller {
    /// The world's sandbox as each supplier.
    pub fn all() -> Vec<Self> {
        supplier_kinds().map(Self::from).collect()
    }

    /// As each supplier of flights.
    pub fn of_flights() -> impl Iterator<Item = Self> {
        supplier_kinds().filter(|kind| !sells_stays(*kind)).map(Self::from)
    }

    /// As each supplier of stays.
    pub fn of_stays() -> impl Iterator<Item = Self> {
        supplier_kinds().filter(|kind| sells_stays(*kind)).map(Self::from)
    }

    pub fn duffel() -> Self {
        SupplierKind::Duffel.into()
    }

    pub fn tripjack() -> Self {
        SupplierKind::TripJack.into()
    }

    pub fn liteapi() -> Self {
        SupplierKind::LiteApi.into()
    }

    /// The world's sandbox as Hotelbeds.
    pub fn hotelbeds() -> Self {
        SupplierKind::Hotelbeds.into()
    }

    /// The world's sandbox under this code.
    pub fn of(code: &'static str, kind: SupplierKind) -> Self {
        Self { code, kind, base_url: None }
    }

    /// The same elsewhere, where a sandbox answers or nobody.
    #[must_use]
    pub fn at(self, sandbox_url: &str) -> Self {
        Self { base_url: Some(sandbox_url.to_owned()), ..self }
    }

    /// How it is reached where the world's sandbox is at this URL.
    pub(crate) fn config(&self, sandbox_url: &str) -> Option<SupplierConfig> {
        let mut kinds = SupplierSettings::of_sandbox(self.base_url.as_deref().unwrap_or(sandbox_url));
        let settings = kinds.find(|settings| settings.kind == self.kind)?;
        Some(settings.config.with(|config| self.code.clone_into(&mut config.code)))
    }
}
