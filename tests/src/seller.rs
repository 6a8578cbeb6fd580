//! The suppliers of a world: which API each speaks, and where.

/// Which API a seller speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Duffel Flights, version 2.
    Duffel,
    /// TripJack Air API, version 1.
    TripJack,
    /// LiteAPI hotels, version 3.
    LiteApi,
    /// Hotelbeds hotels (APItude), version 1.
    Hotelbeds,
}

impl Wire {
    /// What the sandbox calls who speaks it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Duffel => "duffel",
            Self::TripJack => "tripjack",
            Self::LiteApi => "liteapi",
            Self::Hotelbeds => "hotelbeds",
        }
    }

    /// Whether hotels are sold over it; flights otherwise.
    pub fn sells_stays(self) -> bool {
        matches!(self, Self::LiteApi | Self::Hotelbeds)
    }

    /// Where the sandbox speaks it.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::LiteApi => "liteapi/v3.0",
            flat => flat.name(),
        }
    }

    /// What the sandbox takes for us.
    pub(crate) fn token(self) -> String {
        match self {
            Self::Hotelbeds => "hotelbeds_test_world:sandbox".to_owned(),
            plain => format!("{}_test_world", plain.name()),
        }
    }
}

/// A supplier of the platform.
#[derive(Clone, Debug)]
pub struct Seller {
    /// Its code.
    pub code: &'static str,
    /// What it speaks.
    pub wire: Wire,
    /// Where it answers; none is the world's sandbox.
    pub base_url: Option<String>,
}

impl Seller {
    /// The world's sandbox as Duffel.
    pub fn duffel() -> Self {
        Self::of(Wire::Duffel.name(), Wire::Duffel)
    }

    /// The world's sandbox as TripJack.
    pub fn tripjack() -> Self {
        Self::of(Wire::TripJack.name(), Wire::TripJack)
    }

    /// The world's sandbox as LiteAPI.
    pub fn liteapi() -> Self {
        Self::of(Wire::LiteApi.name(), Wire::LiteApi)
    }

    /// The world's sandbox as Hotelbeds.
    pub fn hotelbeds() -> Self {
        Self::of(Wire::Hotelbeds.name(), Wire::Hotelbeds)
    }

    /// The world's sandbox under this code.
    pub fn of(code: &'static str, wire: Wire) -> Self {
        Self {
            code,
            wire,
            base_url: None,
        }
    }

    /// The same elsewhere, where a sandbox answers or nobody.
    #[must_use]
    pub fn at(self, sandbox_url: &str) -> Self {
        Self {
            base_url: Some(sandbox_url.to_owned()),
            ..self
        }
    }
}
