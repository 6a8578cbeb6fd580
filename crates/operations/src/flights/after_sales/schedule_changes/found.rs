//! What a poll of an order finds of what its airlines have changed.

use chrono::{DateTime, Duration, Utc};
use diesel_async::AsyncPgConnection;
use serde_json::json;
use sha2::{Digest, Sha256};
use wayfare_domain::{
    Actor, AuditEvent, BookingId, ChangeId, ChangeKind, ChangeState, EventKind, OrganizationId, Product as _,
    TELLS_ADMINS, TELLS_PEOPLE, UserId,
};
use wayfare_flights::{
    AirlineChange, Flown, Itinerary, Segment, SupplierOrder, departs_at, kind_of_change, share_a_flight,
};
use wayfare_store::{
    JsonText,
    batch::writes::Writes,
    booking::{
        bookings::Booking,
        order_changes::{Decision, OrderChange},
    },
};

use crate::{Core, Result, agency::settings, flights::Booked, tools::audit_event};

/// From so many minutes on a change of times is one that nobody has to bear.
pub(super) const LARGE: i32 = 120;
/// So long before a change has to be decided on somebody is reminded of it.
const REMINDED_BEFORE: Duration = Duration::hours(24);

/// What is new of what airlines have changed of an order.
#[derive(Debug, Default)]
pub(crate) struct News {
    new: Vec<OrderChange>,
    /// Changes that are open here and were decided at their supplier, by its ids.
    decided: Vec<(String, ChangeState)>,
}

impl News {
    pub(crate) fn is_empty(&self) -> bool {
        self.new.is_empty() && self.decided.is_empty()
    }
}

/// Which order is polled, and what is known of its booking.
pub(crate) struct Polled<'a> {
    pub organization: OrganizationId,
    pub booking: BookingId,
    pub user: UserId,
    pub number: u16,
    pub itinerary: &'a Itinerary,
    /// All changes of the booking that were found before.
    pub known: &'a [OrderChange],
    /// The flights of journeys that were given back.
    pub given_back: Vec<Segment>,
}

impl<'a> Polled<'a> {
    pub(crate) fn at(booked: &'a Booked, number: u16, known: &'a [OrderChange]) -> Self {
        Self {
            organization: booked.booking.organization,
            booking: booked.booking.id,
            user: booked.booking.user,
            number,
            itinerary: &booked.booking.product,
            known,
            given_back: given_back(booked, number),
        }
    }
}

/// The flights of an order's journeys that nobody flies any more by it.
fn given_back(booked: &Booked, number: u16) -> Vec<Segment> {
    let product = &booked.booking.product;
    let mut orders = booked.orders.iter();
    let Some(order) = orders.find(|order| order.number == number && !order.given_back.is_empty()) else {
        return Vec::new();
    };
    let remaining = order.remaining(&product.whole_order(number)).journeys();
    let gone = product.whole_order(number).journeys().into_iter();
    let gone = gone.filter(|place| !remaining.contains(place));
    gone.filter_map(|place| product.journeys().nth(place))
        .flat_map(|journey| journey.segments.iter().cloned())
        .collect()
}

/// The flights of a booking as they stand.
///
/// # Errors
/// When what is stored can't be read.
pub(crate) fn flown(itinerary: &Itinerary, changes: &[OrderChange]) -> Result<Flown> {
    let mut flown = Flown::sold(itinerary);
    for change in changes {
        let (before, after) = segments(change)?;
        flown.change(change.number, &before, &after);
    }
    Ok(flown)
}

/// The flights of a change: what was flown, and what is.
///
/// # Errors
/// When what is stored can't be read.
pub(crate) fn segments(change: &OrderChange) -> Result<(Vec<Segment>, Vec<Segment>)> {
    let before = change.before.read("order_changes.before")?;
    Ok((before, change.after.read("order_changes.after")?))
}

/// What an order shows that is not known yet: first what its supplier lists, then what it only shows.
///
/// # Errors
/// When what is stored can't be read.
pub(crate) fn news(core: &Core, polled: &Polled<'_>, shown: &SupplierOrder) -> Result<News> {
    let mut flown = flown(polled.itinerary, polled.known)?;
    let mut news = News::default();
    for listed in &shown.airline_changes {
        let mut known = polled.known.iter().filter(|known| known.number == polled.number);
        match known.find(|known| known.supplier_id == listed.id) {
            Some(known) if known.state == ChangeState::Open => {
                news.decided.extend(taken(listed).map(|state| (listed.id.clone(), state)));
            }
            Some(_) => {}
            None => {
                news.overtake(polled, listed)?;
                let state = taken(listed).unwrap_or(match listed.is_open() {
                    true => ChangeState::Open,
                    false => ChangeState::Informed,
                });
                let actions = listed.available_actions.clone();
                news.add(core, polled, &listed.id, (&listed.removed, &listed.added), state, actions)?;
                flown.change(polled.number, &listed.removed, &listed.added);
            }
        }
    }
    let unlike = flown.unlike(polled.number, &shown.flights);
    let unlike = unlike.map(|(mut gone, new)| {
        gone.retain(|flight| !polled.given_back.contains(flight));
        (gone, new)
    });
    if let Some((gone, new)) = unlike.filter(|(gone, _)| !gone.is_empty()) {
        let id = own_id(polled.known.len() + news.new.len(), &gone, &new);
        news.add(core, polled, &id, (&gone, &new), ChangeState::Informed, Vec::new())?;
    }
    Ok(news)
}

/// What was done about a change, by its supplier's word.
fn taken(listed: &AirlineChange) -> Option<ChangeState> {
    listed.action_taken.as_deref().map(|action| match action {
        AirlineChange::ACCEPTED => ChangeState::Accepted,
        _ => ChangeState::Refused,
    })
}

impl News {
    /// Changes of the same flights that are still open can't be accepted any more.
    fn overtake(&mut self, polled: &Polled<'_>, newer: &AirlineChange) -> Result<()> {
        let is_overtaken = |older: &OrderChange| -> Result<bool> {
            let (before, after) = segments(older)?;
            let is_open = older.number == polled.number && older.state == ChangeState::Open;
            Ok(is_open && (share_a_flight(&after, &newer.removed) || share_a_flight(&before, &newer.removed)))
        };
        for older in polled.known {
            let is_decided = self.decided.iter().any(|(id, _)| *id == older.supplier_id);
            if !is_decided && is_overtaken(older)? {
                self.decided.push((older.supplier_id.clone(), ChangeState::Superseded));
            }
        }
        for older in &mut self.new {
            if is_overtaken(older)? {
                (older.state, older.due_at) = (ChangeState::Superseded, None);
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        core: &Core,
        polled: &Polled<'_>,
        supplier_id: &str,
        (before, after): (&[Segment], &[Segment]),
        state: ChangeState,
        actions: Vec<String>,
    ) -> Result<()> {
        let now = core.shared_time.now();
        let (kind, minutes) = kind_of_change(before, after);
        let decide_by = match state {
            ChangeState::Open => departs_at(before.iter().chain(after)),
            _ => None,
        };
        let state = match decide_by {
            Some(end) if end <= now => ChangeState::Ended,
            _ => state,
        };
        let place = polled.known.len() + self.new.len() + 1;
        self.new.push(OrderChange {
            id: ChangeId::new(&core.clock),
            organization: polled.organization,
            booking: polled.booking,
            user: polled.user,
            number: polled.number,
            supplier_id: supplier_id.to_owned(),
            place: u16::try_from(place).unwrap_or(u16::MAX),
            kind,
            minutes,
            before: JsonText::of(&before)?,
            after: JsonText::of(&after)?,
            state,
            actions,
            decide_by,
            due_at: decide_by.filter(|_| state == ChangeState::Open).map(|end| due_at(end, now)),
            found_at: core.clock.now(),
            decided_at: None,
            decided_by: None,
            step: None,
        });
        Ok(())
    }
}

/// When something is to be done about a change that has to be decided on by then: first to remind of it, then to close it.
fn due_at(decide_by: DateTime<Utc>, now: DateTime<Utc>) -> DateTime<Utc> {
    let reminder = decide_by - REMINDED_BEFORE;
    if reminder > now { reminder } else { decide_by }
}

/// Ours of a change that its supplier does not list. The same flights may be changed to and fro: which change it is counts.
fn own_id(place: usize, before: &[Segment], after: &[Segment]) -> String {
    let mut hash = Sha256::new();
    hash.update(place.to_be_bytes());
    for (side, segments) in [(b'-', before), (b'+', after)] {
        for segment in segments {
            hash.update([side]);
            let (from, to) = (&segment.origin, &segment.destination);
            let (leaves, lands) = (segment.departure, segment.arrival);
            let name = (&segment.airline, &segment.flight_number);
            hash.update(format!("{}{} {from} {leaves} {to} {lands}", name.0.as_str(), name.1.as_str()));
        }
    }
    let digest = hash.finalize();
    let hex: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("w-{hex}")
}

/// Writes what is new, with an event for each change.
pub(crate) async fn write(
    core: &Core,
    connection: &mut AsyncPgConnection,
    booking: &Booking<()>,
    number: u16,
    news: &News,
    writes: &mut Writes,
) -> Result<()> {
    for (supplier_id, state) in &news.decided {
        writes.decide(&Decision {
            organization: booking.organization,
            booking: booking.id,
            number,
            supplier_id: Some(supplier_id),
            state: *state,
            due_at: None,
            decided_at: Some(core.clock.now()),
            decided_by: None,
            step: None,
        });
    }
    if news.new.is_empty() {
        return Ok(());
    }
    let told_from = settings::airline_change_minutes(connection, booking.organization).await?;
    for change in &news.new {
        writes.new_change(change);
        writes.event(&event(core, booking, change, told_from));
    }
    Ok(())
}

fn event(core: &Core, booking: &Booking<()>, change: &OrderChange, told_from: u16) -> AuditEvent {
    let action = EventKind::BookingAirlineChanged;
    let mut event = audit_event::of_booking(core, &Actor::system(), booking, action, None);
    describe(&mut event, change);
    let moved = change.minutes.unwrap_or_default().abs();
    let is_told = change.kind != ChangeKind::Time || moved >= i32::from(told_from);
    event.add(TELLS_PEOPLE, is_told);
    event.add(TELLS_ADMINS, is_told && is_large(change));
    event
}

pub(super) fn describe(event: &mut AuditEvent, change: &OrderChange) {
    event.add("change_id", change.id.to_string());
    event.add("kind", change.kind.as_ref());
    event.add("minutes", json!(change.minutes));
    event.add("state", change.state.as_ref());
    event.add("decide_by", json!(change.decide_by));
}

/// Whether nobody has to bear it: a flight that is cancelled, or moved by hours.
pub(super) fn is_large(change: &OrderChange) -> bool {
    change.kind == ChangeKind::FlightCancelled || change.minutes.unwrap_or_default().abs() >= LARGE
}
