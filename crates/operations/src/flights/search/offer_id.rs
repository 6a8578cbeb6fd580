//! Offer ids: they carry their search, their expiry and a keyed hash bound to the user, so that an id that
//! expired can be told from one that was never given to this caller (P-56).

use chrono::{DateTime, Utc};
use uuid::Uuid;
use wayfare_domain::{OrganizationId, SearchId, UserId};

use crate::{Caller, Core, Error, Result, Secrets};

const PREFIX: &str = "of_";
/// Of the same content: an offer's fare, wherever it is asked for without the offer.
const FARE_PREFIX: &str = "fk_";
const PURPOSE: &str = "offer-id";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OfferId {
    pub search: SearchId,
    /// Its place among the search's offers.
    pub index: u32,
    /// Seconds since 1970.
    expires: u32,
}

impl OfferId {
    pub(crate) fn new(search: SearchId, index: u32, expires_at: DateTime<Utc>) -> Self {
        Self { search, index, expires: u32::try_from(expires_at.timestamp()).unwrap_or(u32::MAX) }
    }

    pub(crate) fn print(self, secrets: &Secrets, organization: OrganizationId, user: UserId) -> String {
        secrets.signed(PREFIX, PURPOSE, &self.bytes(), organization, user)
    }

    /// The key of its fare as this caller sees it.
    pub(crate) fn fare_key(self, secrets: &Secrets, organization: OrganizationId, user: UserId) -> String {
        secrets.signed(FARE_PREFIX, PURPOSE, &self.bytes(), organization, user)
    }

    /// The offer that this text names.
    ///
    /// # Errors
    /// [`Error::NotFound`] for anything we did not give to this caller, [`Error::OfferExpired`] past its time.
    pub(crate) fn read(core: &Core, caller: &Caller, text: &str) -> Result<Self> {
        Self::opened(core, caller, text.strip_prefix(PREFIX))
    }

    /// The offer whose fare this text names.
    ///
    /// # Errors
    /// As [`OfferId::read`].
    pub(crate) fn read_fare_key(core: &Core, caller: &Caller, text: &str) -> Result<Self> {
        Self::opened(core, caller, text.strip_prefix(FARE_PREFIX))
    }

    fn opened(core: &Core, caller: &Caller, sealed: Option<&str>) -> Result<Self> {
        let (secrets, organization, user) = (&core.secrets, caller.organization(), caller.user());
        let content = sealed
            .and_then(|text| secrets.verified(PURPOSE, text, organization, user))
            .and_then(|content| <[u8; 24]>::try_from(content).ok())
            .ok_or(Error::NotFound)?;
        let (search, rest) = content.split_at(16);
        let (index, expires) = rest.split_at(4);
        let id = Self {
            search: SearchId::from_uuid(Uuid::from_slice(search).map_err(|_| Error::NotFound)?),
            index: u32::from_be_bytes(index.try_into().map_err(|_| Error::NotFound)?),
            expires: u32::from_be_bytes(expires.try_into().map_err(|_| Error::NotFound)?),
        };
        if core.clock.now().timestamp() >= i64::from(id.expires) {
            return Err(Error::OfferExpired);
        }
        Ok(id)
    }

    fn bytes(self) -> [u8; 24] {
        let mut bytes = [0; 24];
        let (search, rest) = bytes.split_at_mut(16);
        search.copy_from_slice(self.search.uuid().as_bytes());
        let (index, expires) = rest.split_at_mut(4);
        index.copy_from_slice(&self.index.to_be_bytes());
        expires.copy_from_slice(&self.expires.to_be_bytes());
        bytes
    }
}
