//! Holds of bookings: how they stand, and having them ticketed by themselves.

use actix_web::web::Path;
use wayfare_contract::flights::{AutoTicketSet, BookingHold, SetAutoTicket};
use wayfare_operations::{Caller, flights};

use crate::{
    http::{
        App,
        extract::{Ask, Body},
        json_body::{FromJson, JsonObject},
        reply::{DataReply, data},
    },
    resources::common::booking_ref,
};

/// What became of the hold of a booking.
pub fn shown(hold: flights::BookingHold) -> BookingHold {
    BookingHold {
        state: hold.state.as_ref().into(),
        pay_by: hold.pay_by,
        price_guaranteed_until: hold.price_guaranteed_until,
        auto_ticket: hold.auto_ticket,
        next_reminder_at: hold.next_reminder_at,
    }
}

impl FromJson for SetAutoTicket {
    const NAME: &str = "SetAutoTicketRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let enabled = body.boolean("enabled");
        let enabled = body.required("enabled", enabled)?;
        Some(Self { enabled })
    }
}

/// `PUT /flights/bookings/{ref}/auto-ticket`.
pub async fn set_auto_ticket(
    app: App,
    ask: Ask<Caller, Body<SetAutoTicket>>,
    reference: Path<String>,
) -> DataReply<AutoTicketSet> {
    let Body(SetAutoTicket { enabled }) = ask.what;
    let booked = flights::set_auto_ticket(&app.core, &ask.who, &booking_ref(&reference)?, enabled).await?;
    let hold = flights::hold(&app.core, &booked).await?;
    data(AutoTicketSet { booking_ref: booked.booking.reference.to_string(), hold: hold.map(shown) })
}
