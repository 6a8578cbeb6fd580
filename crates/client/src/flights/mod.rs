//! Flights: search, price, book and what comes after.

use std::time::Duration;

use chrono::NaiveDate;
use futures_util::{StreamExt, TryStreamExt, stream, stream::BoxStream};
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;
use wayfare_boxed::boxed;

pub use wayfare_contract::{PendingStep, RefundRow, flights::*};

use crate::{
    BookingCounts, BookingFilter, Effect, TimelineEntry,
    call::{Ask, Envelope, read},
    enums::{BookingStatus, ChangeState, ChangeWish, RefundStatus},
    error::{Error, Result, cause, unreadable},
    event_stream::{as_events_come, events},
    list::List,
    session::part_of_session,
    waiting::until,
};

part_of_session! {
    /// Flights.
    Flights, flights
}

#[boxed]
impl Flights<'_> {
    /// `GET /airports`: airports and cities that what is typed may mean, the most important first; at most 100.
    pub async fn places(&self, typed: &str, limit: u8) -> Result<Vec<FoundPlace>> {
        let query = vec![("q", typed.to_owned()), ("limit", limit.to_string())];
        self.0.data(Ask::get(&["airports"]).query(query)).await
    }

    /// `POST /flights/search`: waits for all suppliers. One that fails is told of in `provider_status`.
    pub async fn search(&self, search: &FlightSearch) -> Result<FlightsFound> {
        let ask = Ask::reading(&["flights", "search"]);
        self.0.data(ask.body(search)?).await
    }

    /// `POST /flights/search/stream`: all that is found, each time a supplier answers. It ends after the snapshot that
    /// is complete; a stream that breaks before ends with [`Error::CutOff`]. What came before holds: offers can be priced
    /// as soon as they are seen.
    pub async fn search_stream(&self, search: &FlightSearch) -> Result<BoxStream<'static, Result<Snapshot>>> {
        let ask = Ask::reading(&["flights", "search", "stream"]).events();
        let response = self.0.open(ask.body(search)?).await?;
        let status = response.status().as_u16();
        let events = events(as_events_come(response, self.0.client().inner.silence)?, status);
        let snapshots = stream::try_unfold(Some(events), move |events| async move {
            // After the last one nothing is read any more.
            let Some(mut events) = events else { return Ok(None) };
            loop {
                let Some(event) = events.try_next().await? else {
                    let cause = cause("the stream ended before its last event");
                    return Err(Error::CutOff { cause });
                };
                let (is_complete, data) = match (event.event.as_deref(), event.data) {
                    (Some("results"), Some(data)) => (false, data),
                    (Some("done"), Some(data)) => (true, data),
                    _ => continue,
                };
                let answer: Envelope<FlightsFound> =
                    read(data.as_bytes()).map_err(|reason| unreadable(status, reason))?;
                let snapshot = Snapshot { is_complete, message: answer.message, found: answer.data };
                return Ok(Some((snapshot, (!is_complete).then_some(events))));
            }
        });
        Ok(snapshots.boxed())
    }

    /// `POST /flights/fare-rules`: asks the suppliers.
    pub async fn fare_rules(&self, request: &FareRulesRequest) -> Result<FareRules> {
        let ask = Ask::reading(&["flights", "fare-rules"]);
        self.0.data(ask.body(request)?).await
    }

    /// `POST /flights/price`: what the offers cost now, promised for a while. 400 for offers that have expired, 402 when
    /// the wallet can't pay, 409 when they are gone.
    pub async fn price(&self, request: &PriceRequest) -> Result<FlightPrice> {
        let ask = Ask::reading(&["flights", "price"]);
        self.0.data(ask.body(request)?).await
    }

    /// `POST /flights/book`. 402 when the wallet can't pay; 409 in the supplier's words when it refuses, or with
    /// [`Error::booking_ref`] for what was booked already.
    pub async fn book(&self, order: &FlightOrder) -> Effect<FlightBooked> {
        let ask = self.0.effect(&["flights", "book"]);
        self.0.outcome(ask.body(order)?, "").await
    }

    /// `GET /flights/bookings`, newest first; none = in any status.
    pub fn bookings(&self, status: Option<BookingStatus>) -> List<FlightBookingRow> {
        let status = status.map(|status| ("status", status.to_string()));
        List::of(self.0, &["flights", "bookings"], status.into_iter().collect())
    }

    /// The same with other filters, which are Wayfare's addition.
    pub fn bookings_where(&self, filter: &BookingFilter) -> List<FlightBookingRow> {
        List::of(self.0, &["flights", "bookings"], filter.query())
    }

    /// `GET /flights/bookings/counts`. Wayfare's addition.
    pub async fn booking_counts(&self) -> Result<BookingCounts> {
        self.0.data(Ask::get(&["flights", "bookings", "counts"])).await
    }

    /// `GET /flights/bookings/{ref}`: one that is pending is looked up at its supplier first.
    pub async fn booking(&self, booking_ref: &str) -> Result<FlightBooking> {
        self.0.data(Ask::get(&["flights", "bookings", booking_ref])).await
    }

    /// `GET /flights/bookings/{ref}/timeline`: what happened to it, in order of time. Wayfare's addition.
    pub async fn timeline(&self, booking_ref: &str) -> Result<Vec<TimelineEntry>> {
        self.0.data(Ask::get(&["flights", "bookings", booking_ref, "timeline"])).await
    }

    /// Reads the booking, ever more seldom, until it is not pending any more. [`Error::Overdue`] when it still is then.
    pub async fn wait_until_settled(&self, booking_ref: &str, within: Duration) -> Result<FlightBooking> {
        let flights = *self;
        until(within, booking_ref, move || async move {
            let booking = flights.booking(booking_ref).await?;
            Ok((booking.status != BookingStatus::Pending).then_some(booking))
        })
        .await
    }

    /// `GET /flights/bookings/{ref}/retrieve`: as its suppliers show it now.
    pub async fn retrieve(&self, booking_ref: &str) -> Result<Retrieved> {
        self.0.data(Ask::get(&["flights", "bookings", booking_ref, "retrieve"])).await
    }

    /// `GET /flights/bookings/{ref}/track`: in its suppliers' own words.
    pub async fn track(&self, booking_ref: &str) -> Result<Tracked> {
        self.0.data(Ask::get(&["flights", "bookings", booking_ref, "track"])).await
    }

    /// `GET /flights/bookings/{ref}/ssr`: what can still be bought, of the orders of one airline's PNR or of all. 400
    /// where the supplier sells nothing later.
    pub async fn services(&self, booking_ref: &str, airline_pnr: Option<&str>) -> Result<Services> {
        let query = airline_pnr.map(|pnr| ("airline_pnr", pnr.to_owned()));
        let ask = Ask::get(&["flights", "bookings", booking_ref, "ssr"]);
        self.0.data(ask.query(query.into_iter().collect())).await
    }

    /// `POST /flights/bookings/{ref}/ssr`: buys what can still be bought. 402 when the wallet can't pay.
    pub async fn add_services(&self, booking_ref: &str, order: &ServiceOrder) -> Effect<FlightBooking> {
        self.change(booking_ref, "ssr", order).await
    }

    /// `POST /flights/bookings/{ref}/penalty`: what cancelling would cost now.
    pub async fn penalty(&self, booking_ref: &str) -> Result<FlightPenalty> {
        self.part_penalty(booking_ref, &NamedPart::default()).await
    }

    /// `POST /flights/bookings/{ref}/cancel`. While it is pending, [`Flights::refund_status`] tells how it stands.
    pub async fn cancel(&self, booking_ref: &str) -> Effect<FlightCancelled> {
        self.cancel_part(booking_ref, &NamedPart::default()).await
    }

    /// The same, of all of it or of a part, with a remark; Wayfare's addition.
    pub async fn cancel_saying(&self, booking_ref: &str, cancel: &FlightCancel) -> Effect<FlightCancelled> {
        self.change(booking_ref, "cancel", cancel).await
    }

    /// `POST /flights/bookings/{ref}/penalty` of a part: what giving back some journeys, or some travellers, would cost now.
    /// Wayfare's addition.
    pub async fn part_penalty(&self, booking_ref: &str, part: &NamedPart) -> Result<FlightPenalty> {
        let ask = Ask::reading(&["flights", "bookings", booking_ref, "penalty"]);
        self.0.data(ask.body(part)?).await
    }

    /// `POST /flights/bookings/{ref}/penalty` of a schedule change: what refusing it would give back now. Wayfare's addition.
    pub async fn refusal_penalty(&self, booking_ref: &str, change: Uuid) -> Result<FlightPenalty> {
        let ask = Ask::reading(&["flights", "bookings", booking_ref, "penalty"]);
        let request = PenaltyRequest::default().change(change);
        self.0.data(ask.body(&request)?).await
    }

    /// `POST /flights/bookings/{ref}/cancel` of a part: gives some journeys, or some travellers, back. Wayfare's addition.
    pub async fn cancel_part(&self, booking_ref: &str, part: &NamedPart) -> Effect<FlightCancelled> {
        self.change(booking_ref, "cancel", part).await
    }

    /// `POST /flights/bookings/{ref}/issue-ticket`: pays for what is held. 400 when it costs something else by now.
    pub async fn issue_ticket(&self, booking_ref: &str, request: &TicketRequest) -> Effect<TicketsIssued> {
        self.change(booking_ref, "issue-ticket", request).await
    }

    /// `PUT /flights/bookings/{ref}/auto-ticket`: has what is held ticketed by the service itself in time, or no more. 400
    /// where nothing is held. Wayfare's addition.
    pub async fn set_auto_ticket(&self, booking_ref: &str, enabled: bool) -> Result<AutoTicketSet> {
        let ask = Ask::set(&["flights", "bookings", booking_ref, "auto-ticket"]);
        self.0.data(ask.body(&SetAutoTicket { enabled })?).await
    }

    /// `POST /flights/bookings/{ref}/reschedule-avail`: what could be flown instead, the cheapest first.
    pub async fn new_itineraries(
        &self,
        booking_ref: &str,
        journey: &NewJourney,
    ) -> Result<Vec<NewItinerary>> {
        let ask = Ask::reading(&["flights", "bookings", booking_ref, "reschedule-avail"]);
        self.0.data(ask.body(journey)?).await
    }

    /// `POST /flights/bookings/{ref}/reschedule-penalty`: what flying that instead would come to. 402 when the wallet
    /// can't pay for the new one before the old one is refunded.
    pub async fn reschedule_penalty(
        &self,
        booking_ref: &str,
        itinerary: &NewItinerary,
    ) -> Result<ReschedulePenalty> {
        let flights = NewFlights { fare_keys: vec![itinerary.fare_key.clone()], ..NewFlights::default() };
        self.reschedule_penalty_of(booking_ref, &flights).await
    }

    /// The same for several itineraries, or instead of journeys that are named. 409 where a supplier order has other
    /// journeys, which would be given back with them.
    pub async fn reschedule_penalty_of(
        &self,
        booking_ref: &str,
        flights: &NewFlights,
    ) -> Result<ReschedulePenalty> {
        let ask = Ask::reading(&["flights", "bookings", booking_ref, "reschedule-penalty"]);
        self.0.data(ask.body(flights)?).await
    }

    /// `POST /flights/bookings/{ref}/reschedule`: books and pays the new one, then gives the original back. A pending one
    /// names the new booking; the original may be what is awaited: its data tell.
    pub async fn reschedule(&self, booking_ref: &str, to: &Reschedule) -> Effect<Rescheduled> {
        self.change(booking_ref, "reschedule", to).await
    }

    /// `GET /flights/changes`, newest first; none = in any state. Wayfare's addition.
    pub fn changes(&self, state: Option<ChangeState>) -> List<FlightChangeRow> {
        let state = state.map(|state| ("state", state.to_string()));
        List::of(self.0, &["flights", "changes"], state.into_iter().collect())
    }

    /// `POST /flights/bookings/{ref}/changes/{id}/accept`: what an airline has changed. 409 where a newer change is there.
    /// Wayfare's addition.
    pub async fn accept_change(&self, booking_ref: &str, change: Uuid) -> Effect<DecidedChange> {
        let path = ["flights", "bookings", booking_ref, "changes", &change.to_string(), "accept"];
        let ask = self.0.effect(&path);
        self.0.outcome(ask.body(&json!({}))?, booking_ref).await
    }

    /// `POST /flights/bookings/{ref}/changes/{id}/refuse`: the order is given back at what its supplier quotes now, or the
    /// operator is asked. Wayfare's addition.
    pub async fn refuse_change(
        &self,
        booking_ref: &str,
        change: Uuid,
        wish: ChangeWish,
    ) -> Effect<DecidedChange> {
        let path = ["flights", "bookings", booking_ref, "changes", &change.to_string(), "refuse"];
        let ask = self.0.effect(&path);
        self.0.outcome(ask.body(&ChangeRefusal::of(wish))?, booking_ref).await
    }

    /// The same with `wish` `rebook`: what can be flown instead, on this day or on that of the change's flights. Nothing is
    /// decided by it; [`Flights::reschedule`] takes a `fare_key` of it, and its journey. Wayfare's addition.
    pub async fn rebook_change(
        &self,
        booking_ref: &str,
        change: Uuid,
        new_date: Option<NaiveDate>,
    ) -> Result<DecidedChange> {
        let path = ["flights", "bookings", booking_ref, "changes", &change.to_string(), "refuse"];
        let refusal = ChangeRefusal { wish: ChangeWish::Rebook, new_date };
        self.0.data(Ask::reading(&path).body(&refusal)?).await
    }

    /// `GET /flights/refunds`, newest first.
    pub fn refunds(&self) -> List<RefundRow> {
        List::of(self.0, &["flights", "refunds"], Vec::new())
    }

    /// The same in one state; Wayfare's addition.
    pub fn refunds_in(&self, status: &RefundStatus) -> List<RefundRow> {
        let status = vec![("status", status.to_string())];
        List::of(self.0, &["flights", "refunds"], status)
    }

    /// `POST /flights/bookings/{ref}/refund-status`: one that is under way is looked up at its supplier first. 404 where
    /// nothing was ever asked back.
    pub async fn refund_status(&self, booking_ref: &str) -> Result<RefundState> {
        let ask = Ask::reading(&["flights", "bookings", booking_ref, "refund-status"]);
        self.0.data(ask).await
    }

    async fn change<T: serde::de::DeserializeOwned>(
        &self,
        booking_ref: &str,
        what: &str,
        body: &impl Serialize,
    ) -> Effect<T> {
        let ask = self.0.effect(&["flights", "bookings", booking_ref, what]);
        self.0.outcome(ask.body(body)?, booking_ref).await
    }
}

/// Everything that was found until now, as a search stream tells it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Snapshot {
    /// Whether it is the last one.
    pub is_complete: bool,
    /// In words.
    pub message: Option<String>,
    /// All of it: it takes the place of the snapshot before.
    pub found: FlightsFound,
}
