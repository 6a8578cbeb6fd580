//! The calls that make a stay: rates are checked, booked, and looked for.

use chrono::NaiveDate;
use futures_util::future::join_all;
use serde_json::Value;
use tokio::time::Instant;
use wayfare_domain::{Money, Remarks};
use wayfare_supply::{Answer, Method, Refusal, RefusalKind, Request, done_or_return, reading::read_tree};

use super::errors::Call;
use super::order::Booked;
use super::read::{self, Checked, SupplierContext};
use super::{Hotelbeds, codes, wire};
use crate::rate_matching::at_the_price_of_now;
use crate::{Guest, GuestKind, Lookup, PricedStay, Query, RoomRate, RoomRequest, StayRequest, SupplierStay};

/// One page of the list of bookings: those of one reference on one day of arrival are one, or none.
const PAGE: u32 = 25;

/// Each rate by a call of its own: so keys that must be rechecked never come together with others, which they refuse,
/// and the answer's rate is the one that was asked for, though its key may be new.
pub(super) async fn price(
    hotelbeds: &Hotelbeds,
    query: &Query,
    hotel_id: &str,
    rates: &[&RoomRate],
) -> Answer<PricedStay> {
    if rates.is_empty() {
        return Answer::Refused(Refusal::new("there is nothing to be priced"));
    }
    let checks = rates.iter().map(|rate| hotelbeds.check(query, hotel_id, rate));
    let mut priced = Vec::with_capacity(rates.len());
    for answer in join_all(checks).await {
        priced.push(done_or_return!(answer));
    }
    let expires_at = priced.iter().filter_map(|rate| rate.expires_at).min();
    Answer::Done(priced).and_read(|rates| {
        Ok::<_, String>(PricedStay { supplier_context: supplier_context(&rates)?, rates, expires_at })
    })
}

/// Books what was priced. Without a tolerance Hotelbeds refuses a price that has moved, a fall as well; what it made at
/// another one all the same is told as it is.
pub(super) async fn book(hotelbeds: &Hotelbeds, request: &StayRequest) -> Answer<SupplierStay> {
    let asked_at = Instant::now();
    // Whoever looks for the booking later knows this margin, also of one that was asked for once more.
    let margin = done_or_return!(Answer::or_refused(remembered(&request.supplier_context))).margin;
    match hotelbeds.make_once(request, margin).await {
        Answer::Refused(refusal) if refusal.kind == RefusalKind::PriceChanged => {
            match at_the_price_of_now(hotelbeds, request, asked_at, refusal).await {
                Ok(again) => hotelbeds.make_once(&again, margin).await,
                Err(refusal) => Answer::Refused(refusal),
            }
        }
        answer => answer,
    }
}

/// The stay by its reference, else by ours.
pub(super) async fn find(hotelbeds: &Hotelbeds, lookup: Lookup<'_>) -> Answer<Option<SupplierStay>> {
    let request = lookup.request;
    let supplier_context = done_or_return!(Answer::or_unknown(remembered(&request.supplier_context)));
    let own_id;
    let id = match lookup.order_id {
        Some(id) => id,
        None => match hotelbeds.find_by_reference(request).await {
            Answer::Done(Some(id)) => {
                own_id = id;
                &own_id
            }
            failed => return failed.map(|_| None).unless_refused(),
        },
    };
    let reference = Some(request.reference.as_ref());
    match hotelbeds.booking(id, Call::Lookup, reference).await {
        Answer::Refused(Refusal { kind: RefusalKind::Gone, .. }) => Answer::Done(None),
        found => found.unless_refused().map(|booked| {
            let read = || booked.stay(request, supplier_context.margin, hotelbeds.now());
            Some(hotelbeds.http.reading(read))
        }),
    }
}

impl Hotelbeds {
    async fn check(&self, query: &Query, hotel_id: &str, rate: &RoomRate) -> Answer<RoomRate> {
        let body = wire::NewCheck {
            rooms: [wire::NewKey { rate_key: &rate.token }],
            upselling: false,
            language: codes::language(&query.language),
        };
        let request = self.request(Method::POST, "/hotel-api/1.0/checkrates").json(&body);
        let read = |body: &[u8]| read::check(body, query, hotel_id, rate, self.now());
        let checked = self.ask(request, Call::Rate, read).await;
        checked.and_then(|checked| match checked {
            Checked::Stands(rate) => Answer::Done(*rate),
            Checked::Gone => Answer::Refused(Refusal::of(RefusalKind::Gone, "the rate is no longer sold")),
            Checked::WantsCard => {
                Answer::Refused(Refusal::new("the hotel wants a guest's card for this rate"))
            }
        })
    }

    /// Asks for it once. `margin` is what its price has above what is charged, where the booking does not say.
    async fn make_once(&self, request: &StayRequest, margin: Money) -> Answer<SupplierStay> {
        let body = done_or_return!(Answer::or_refused(new_booking(request)));
        let read = |body: &[u8]| read::stay(body, request, margin, self.now());
        let request = self.request(Method::POST, "/hotel-api/1.0/bookings").json(&body);
        self.ask(request, Call::Book, read).await
    }

    /// Under which of their references our booking is listed. The day of arrival bounds the list, since that is known
    /// whenever it is looked for; a day more on either side, whatever zone they count it in.
    async fn find_by_reference(&self, request: &StayRequest) -> Answer<Option<String>> {
        let ours = request.reference.as_ref();
        let near = |day: Option<NaiveDate>| day.unwrap_or(request.check_in).to_string();
        let (start, end) = (near(request.check_in.pred_opt()), near(request.check_in.succ_opt()));
        let to = PAGE.to_string();
        let request = self.request(Method::GET, "/hotel-api/1.0/bookings").query(&[
            ("clientReference", ours),
            ("filterType", "CHECKIN"),
            ("status", "ALL"),
            ("start", &start),
            ("end", &end),
            ("from", "1"),
            ("to", &to),
        ]);
        let page = self.ask(request, Call::Lookup, |body| read::listing(body, ours)).await;
        page.and_then(|(mut references, has_more)| match (references.pop(), references.is_empty()) {
            (Some(reference), true) => Answer::Done(Some(reference)),
            (Some(_), false) => Answer::Unknown(format!("several bookings have the reference {ours}")),
            (None, _) if has_more => {
                Answer::Unknown("not among the first bookings of that day, and there are more".to_owned())
            }
            (None, _) => Answer::Done(None),
        })
    }

    /// The booking of theirs as it stands, which is ours where a reference is given.
    pub(super) async fn booking(&self, id: &str, call: Call, reference: Option<&str>) -> Answer<Booked> {
        if !codes::is_reference(id) {
            return Answer::Unknown(format!("{id:?} is no reference of a booking"));
        }
        let booked = self.ask(self.look(id), call, Booked::read).await;
        booked.and_read(|booked| booked.checked(id, reference))
    }

    /// The question for the booking that has this reference of theirs.
    pub(super) fn look(&self, id: &str) -> Request {
        self.request(Method::GET, &format!("/hotel-api/1.0/bookings/{id}"))
    }
}

fn supplier_context(rates: &[RoomRate]) -> Result<Value, String> {
    let mut margin: Option<Money> = None;
    for rate in rates {
        let total = rate.parts.total().map_err(|error| error.to_string())?;
        let ours = rate.commission.unwrap_or(Money::zero(total.currency()));
        let sum = margin.map_or(Ok(ours), |margin| margin.plus(ours));
        margin = Some(sum.map_err(|error| error.to_string())?);
    }
    let supplier_context = SupplierContext {
        rates: rates.iter().map(|rate| (rate.token.clone(), rate.rooms)).collect(),
        margin: margin.ok_or("nothing was priced")?,
    };
    serde_json::to_value(supplier_context).map_err(|error| error.to_string())
}

fn remembered(supplier_context: &Value) -> Result<SupplierContext, String> {
    read_tree(supplier_context).map_err(|error| format!("the memory of the price is unreadable: {error}"))
}

/// The request as they read it: rooms of one rate are one entry.
fn new_booking(request: &StayRequest) -> Result<wire::NewBooking<'_>, String> {
    let supplier_context = remembered(&request.supplier_context)?;
    let mut by_key: Vec<(&str, Vec<&RoomRequest>)> = Vec::new();
    for room in &request.rooms {
        match by_key.iter_mut().find(|(key, _)| *key == room.token) {
            Some((_, rooms)) => rooms.push(room),
            None => by_key.push((&room.token, vec![room])),
        }
    }
    let is_priced = |(key, rooms): &(&str, Vec<&RoomRequest>)| {
        let mut priced = supplier_context.rates.iter().filter(|(priced, _)| priced == key);
        priced.any(|(_, count)| usize::from(*count) == rooms.len())
    };
    if by_key.len() != supplier_context.rates.len() || !by_key.iter().all(is_priced) {
        return Err("the rooms are not those that were priced".to_owned());
    }
    // Whoever checks in, as they ask for it: the hotel knows the booking by that name.
    let lead = request.rooms.first().and_then(|room| room.guests.first());
    let lead = lead.ok_or("nobody is to sleep in the rooms")?;
    let rooms =
        by_key.into_iter().map(|(rate_key, rooms)| Ok(wire::NewRoom { rate_key, paxes: paxes(&rooms)? }));
    Ok(wire::NewBooking {
        holder: wire::NewHolder { name: &lead.first_name, surname: &lead.last_name },
        client_reference: request.reference.as_ref(),
        remark: request.remarks.as_ref().map(Remarks::as_str),
        rooms: rooms.collect::<Result<_, String>>()?,
    })
}

fn paxes<'a>(rooms: &[&'a RoomRequest]) -> Result<Vec<wire::NewPax<'a>>, String> {
    let numbered = (1_u16..).zip(rooms);
    let guests = numbered.flat_map(|(number, room)| room.guests.iter().map(move |guest| (number, guest)));
    guests.map(|(number, guest)| pax(number, guest)).collect()
}

fn pax(room: u16, guest: &Guest) -> Result<wire::NewPax<'_>, String> {
    let (kind, age) = match guest.kind {
        GuestKind::Adult => ("AD", None),
        GuestKind::Child => ("CH", Some(guest.age.ok_or("a child's age is missing")?)),
    };
    Ok(wire::NewPax {
        room_id: Some(room),
        kind,
        age,
        name: Some(&guest.first_name),
        surname: Some(&guest.last_name),
    })
}
