//! The port: what every hotel supplier can be asked, whoever it is.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::Faults;
use wayfare_supply::{AfterSales, Answer, Refusal};

use crate::{
    HotelContent, HotelDetails, HotelResults, Lookup, Query, RoomRate, RoomRequest, StayRequest, SupplierStay,
};

/// Rates read again with their supplier, to be booked together: what will be charged for them if they are booked now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PricedStay {
    /// The rates as they stand now, in the order in which they were asked for; a key may be another one now.
    pub rates: Vec<RoomRate>,
    /// What the adapter needs again to book them; opaque to others.
    #[serde(rename = "memory")]
    pub supplier_context: Value,
    /// When the supplier's price ends, UTC; none where it does not say.
    pub expires_at: Option<DateTime<Utc>>,
}

/// One hotel supplier. Each call is sent at most once; no implementation retries, but for a price that fell at book. A supplier
/// has to search, price, book, look up and cancel; what has a default is for one that can't do it, or does not tell.
/// [`crate::conformance`] tests one.
#[async_trait]
pub trait HotelSupplier: AfterSales {
    /// Why it can't be asked this at all, if it can't: a party that it never takes.
    fn declines(&self, _query: &Query) -> Option<String> {
        None
    }

    /// Everything it sells for this query.
    async fn search(&self, query: &Query) -> Answer<HotelResults>;

    /// All that is told of these hotels, in the order in which they were asked for; one that the supplier does not know
    /// is left out. `language` is ISO 639-1. Not asked for where [`Self::content_language`] tells one.
    async fn details(&self, _hotel_ids: &[&str], _language: &str) -> Answer<Vec<HotelDetails>> {
        Answer::Refused(Refusal::new("this supplier tells nothing more of its hotels"))
    }

    /// In which language of the supplier's it is kept what hotels are, for whom it is told in this one (ISO 639-1). None
    /// where searches and details tell it by themselves: only a supplier that must not be asked for it beside them has one.
    fn content_language(&self, _language: &str) -> Option<&'static str> {
        None
    }

    /// What these hotels are, [`crate::CONTENT_PAGE`] of them at most, in a language of the supplier's; one that it does not
    /// know is left out. Never called while somebody waits.
    async fn content(&self, _hotel_ids: &[&str], _language: &str) -> Answer<Vec<HotelContent>> {
        Answer::Refused(Refusal::new("this supplier tells nothing more of its hotels"))
    }

    /// These rates of one hotel read again with their supplier. They are all that is to be booked: one for each kind of
    /// room of the query, and of one bundle where they have one.
    async fn price(&self, query: &Query, hotel_id: &str, rates: &[&RoomRate]) -> Answer<PricedStay>;

    /// What this supplier would refuse of the guests, so that it is told before anything is held. Fields are named as
    /// the client names them: `rooms[0].guests[1].first_name`.
    fn check_rooms(&self, _rooms: &[RoomRequest]) -> Faults {
        Faults::default()
    }

    /// Books the stay: an effect. For [`StayRequest::total`] or less, or not at all; one that costs more now is
    /// [`wayfare_supply::RefusalKind::PriceChanged`] where the supplier surely made none. What was refused because of its
    /// price is read again and asked for once more where it costs no more.
    async fn book(&self, request: &StayRequest) -> Answer<SupplierStay>;

    /// The stay as it stands; none when the supplier knows of no such order (yet).
    async fn find(&self, lookup: Lookup<'_>) -> Answer<Option<SupplierStay>>;
}
