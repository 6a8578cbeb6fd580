//! The booking desk: bookings of all agencies, found, seen, corrected and ruled on.

use std::time::Duration;

use actix_web::web::Path;
use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use wayfare_contract::operator::{self as contract, DeskBooking, Looked, Ruling, WithdrawRuling};
use wayfare_domain::{AgencyCode, BookingRef, FeesRuling, IncidentId, PageRequest, RulingKind};
use wayfare_operations::{
    Error,
    access::operators::{Desk, OperatorProof, Viewer},
    operator::desk::{self, Also, Correction, RulingRequest, Search, shown},
};

use super::incidents::{LONGEST_NOTE, take_over};
use crate::{
    http::{
        App,
        extract::{Ask, Body, Keyed, Nothing, Query},
        json_body::{FromJson, JsonObject},
        query::{FromQuery, Parameters},
        reply::{DataReply, Paged, Replied, data, paged},
    },
    resources::common::{booking_ref, record_id},
};

/// The request for a poll waits no longer for a server that asks suppliers.
const LOOK_PATIENCE: Duration = Duration::from_secs(20);

/// `GET /bookings`.
pub async fn find(
    app: App,
    ask: Ask<Viewer, Query<(PageRequest, FindQuery)>>,
) -> Replied<Paged<Map<String, Value>>> {
    let Query((page, FindQuery { text, search })) = ask.what;
    let found = match text {
        Some(text) => desk::find_any(&app, &text, search, page).await?,
        None => desk::find(&app, search, page).await?,
    };
    paged(found)
}

/// `GET /bookings/{ref}`.
pub async fn get(app: App, _: Ask<Viewer, Nothing>, reference: Path<String>) -> DataReply<DeskBooking> {
    let found = desk::overview(&app, &booking_ref(&reference)?).await?;
    data(DeskBooking { booking: found.booking, happened: found.happened })
}

/// `POST /bookings/{ref}/people`: it is written down that they were read, so it is no `GET`.
pub async fn people(
    app: App,
    ask: Ask<Desk, Nothing>,
    reference: Path<String>,
) -> DataReply<Map<String, Value>> {
    let also = Also { people: true, answers: false };
    let reference = booking_ref(&reference)?;
    let found = desk::show(&app, ask.who.by(), &reference, also, |_, _| None).await?;
    match serde_json::to_value(found.people).map_err(Error::from)? {
        Value::Object(people) => data(people),
        _ => Err(Error::NotFound.into()),
    }
}

/// `POST /bookings/{ref}/look`.
pub async fn look(app: App, _: Ask<Desk, Nothing>, reference: Path<String>) -> DataReply<Looked> {
    data(desk::look(&app, &booking_ref(&reference)?, None, LOOK_PATIENCE).await?)
}

/// `POST /bookings/{ref}/correct`.
pub async fn correct(
    app: App,
    ask: Ask<Desk, Body<CorrectBody>>,
    reference: Path<String>,
) -> DataReply<DeskBooking> {
    let Body(body) = ask.what;
    let reference = booking_ref(&reference)?;
    desk::correct(&app, ask.who.by(), &reference, body.order, &body.correction, &body.note).await?;
    let found = desk::overview(&app, &reference).await?;
    data(DeskBooking { booking: found.booking, happened: found.happened })
}

/// `POST /bookings/{ref}/rulings`.
pub async fn rule(
    app: App,
    ask: Ask<Desk, Keyed<Body<RulingRequest>>>,
    reference: Path<String>,
) -> DataReply<Ruling> {
    let (Body(request), key) = (ask.what.body, ask.what.key);
    let request = RulingRequest { key: key.map(|key| format!("operator:{}", key.text())), ..request };
    let reference = booking_ref(&reference)?;
    let made = match request.kind {
        RulingKind::DebitNote => {
            let who = ask.who.confirmed(&app.core)?;
            desk::debit(&app, who.by(), &reference, request).await?
        }
        RulingKind::SupplierCancelled | RulingKind::Refund | RulingKind::WriteOff => {
            desk::rule(&app, ask.who.by(), &reference, request).await?
        }
    };
    let reply = data(shown::ruling(made.ruling))?;
    Ok(match made.repeated {
        true => reply.replayed(),
        false => reply,
    })
}

/// `POST /bookings/{ref}/rulings/{id}/withdraw`.
pub async fn withdraw(
    app: App,
    ask: Ask<Desk, Body<WithdrawRuling>>,
    path: Path<(String, String)>,
) -> DataReply<Ruling> {
    let Body(WithdrawRuling { note }) = ask.what;
    let (reference, id) = (booking_ref(&path.0)?, record_id(&path.1)?);
    let ruling = desk::withdraw(&app, ask.who.by(), &reference, id, &note).await?;
    data(shown::ruling(ruling))
}

impl FromJson for WithdrawRuling {
    const NAME: &str = "WithdrawRulingRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        Some(Self { note: body.text("note", LONGEST_NOTE)? })
    }
}

/// `GET /bookings`.
pub struct FindQuery {
    text: Option<String>,
    search: Search,
}

impl FromQuery for FindQuery {
    fn read(query: &mut Parameters) -> Self {
        let text = query.text("q");
        let days = |from: Option<NaiveDate>, to: Option<NaiveDate>| match (from, to) {
            (None, None) => None,
            (from, to) => Some((from.or(to)?, to.or(from)?)),
        };
        let reference = query.text("reference").map(BookingRef::from);
        let (supplier, order) = (query.text("supplier"), query.text("order_id"));
        let travel = (query.date("travel_from"), query.date("travel_to"));
        let booked = (query.date("booked_from"), query.date("booked_to"));
        Self {
            text,
            search: Search {
                reference,
                pnr: query.text("pnr"),
                ticket: query.text("ticket"),
                name: query.text("name"),
                email: query.text("email"),
                order: supplier.zip(order),
                agency: query.text("agency").map(AgencyCode::from),
                travel: days(travel.0, travel.1),
                booked: days(booked.0, booked.1),
                status: query.word("status"),
            },
        }
    }
}

wayfare_domain::word_enum! { closed
    /// What is corrected of an order.
    pub enum CorrectedField {
        /// Its locator.
        Pnr,
        /// The number of a traveller's ticket.
        Ticket,
        /// The hotel's own number of a room.
        HotelNumber,
    }
}

/// `POST /bookings/{ref}/correct`.
pub struct CorrectBody {
    order: u16,
    correction: Correction,
    note: String,
}

impl FromJson for CorrectBody {
    const NAME: &str = "CorrectBookingRequest";
    type Declared = contract::Correction;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let order = body.number("order", 1..=u16::MAX);
        let order = body.required("order", order);
        let field = body.word::<CorrectedField>("field");
        let number = body.text("number", 40);
        let traveller = body.number("traveller", 0..=u32::from(u16::MAX));
        let room = body.number("room", 1..=u16::MAX);
        let note = body.text("note", LONGEST_NOTE);
        let (field, number) = (field?, number?);
        let correction = match field {
            CorrectedField::Pnr => Correction::Pnr(number),
            CorrectedField::Ticket => {
                Correction::Ticket { traveller: body.required("traveller", traveller)?, number }
            }
            CorrectedField::HotelNumber => {
                Correction::HotelNumber { room: body.required("room", room)?, number }
            }
        };
        Some(Self { order: order?, correction, note: note? })
    }
}

/// `POST /bookings/{ref}/rulings`.
impl FromJson for RulingRequest {
    const NAME: &str = "RuleRequest";
    type Declared = contract::RulingRequest;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let number = body.number("order", 1..=u16::MAX);
        let number = body.required("order", number);
        let kind = body.word::<RulingKind>("kind");
        let amount: Option<Decimal> = body.decimal("amount");
        let amount = body.required("amount", amount);
        let fees = match body.has("fees") {
            true => body.word::<FeesRuling>("fees"),
            false => Some(FeesRuling::Return),
        };
        let from_loss = body.boolean("from_loss").unwrap_or_default();
        let note = body.text("note", LONGEST_NOTE);
        let incident = incident(body);
        let amount_again: Option<Decimal> = body.decimal("amount_again");
        let take_over = take_over(body);
        Some(Self {
            number: number?,
            kind: kind?,
            amount: amount?,
            fees: fees?,
            from_loss,
            amount_again,
            take_over,
            note: note?,
            incident,
            key: None,
        })
    }
}

fn incident(body: &mut JsonObject<'_>) -> Option<IncidentId> {
    let text = body.short_text("incident_id", 36)?;
    body.or_fault("incident_id", text.parse().ok(), "must be a UUID")
}
