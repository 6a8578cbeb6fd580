//! The calls that give a booking back.
//!
//! A simulation tells what is kept and changes nothing. It is no offer that could lapse: what became of a cancellation of
//! which no answer came only the booking says. One that still stands when Hotelbeds has had all its time was not cancelled.

use wayfare_domain::OrderStatus;
use wayfare_supply::{
    Answer, CancellationQuote, Method, OrderToCancel, Refusal, RefusalKind, Request, done_or_return,
    reading::Unreadable,
};

use super::errors::{Call, tells_failure};
use super::order::{Booked, Sold, quoted_sale, unclear_quote};
use super::{Hotelbeds, codes, read};

/// What comes back is the total less what is kept. The total is the one that was sold: a booking need not repeat what its
/// hotel dictates. Where that is not known it is asked for first, since once a booking is cancelled it is gone.
pub(super) async fn quote_cancellation(
    hotelbeds: &Hotelbeds,
    order: OrderToCancel<'_>,
) -> Answer<CancellationQuote> {
    let order_id = order.id;
    if !codes::is_reference(order_id) {
        return no_such("order");
    }
    // One that can't be read is asked for again, and in the end goes by the terms that were sold (D-582).
    let look = hotelbeds.look(order_id);
    let looked = hotelbeds
        .ask(look, Call::Read, |body| {
            let booked =
                Booked::read(body).and_then(|booked| booked.checked(order_id, None).map_err(Unreadable::new));
            match (booked, order.charged) {
                (Err(reason), Some(total)) => {
                    unclear_at(body, reason, Sold { total, charged: total }).map(Err)
                }
                (booked, _) => booked.map(Ok),
            }
        })
        .await;
    let booked = match done_or_return!(looked) {
        Ok(booked) => booked,
        Err(unclear) => return Answer::Done(unclear),
    };
    if booked.status() == OrderStatus::Cancelled {
        return Answer::Refused(Refusal::new("the order is cancelled"));
    }
    let told = || hotelbeds.http.reading(|| booked.total());
    let sold = match order.charged.map_or_else(told, Ok) {
        Ok(total) => hotelbeds.http.reading(|| booked.sold_at(total)),
        Err(reason) => return Answer::unreadable(reason),
    };
    let simulation = hotelbeds.deletion(order_id, "SIMULATION");
    hotelbeds
        .ask(simulation, Call::Read, |body| {
            let quote = read::cancellation_quote(body, order_id, sold);
            quote.or_else(|reason| unclear_at(body, reason, sold))
        })
        .await
}

/// What there is of an answer that can't be read.
///
/// # Errors
/// Where it says itself that it failed.
fn unclear_at(body: &[u8], reason: Unreadable, sold: Sold) -> Result<CancellationQuote, Unreadable> {
    match tells_failure(body) {
        true => Err(reason),
        false => Ok(unclear_quote(body, reason, sold)),
    }
}

/// Carries out what was quoted under this id.
pub(super) async fn cancel(
    hotelbeds: &Hotelbeds,
    order_id: &str,
    cancellation_id: &str,
) -> Answer<CancellationQuote> {
    if !codes::is_reference(order_id) {
        return no_such("order");
    }
    if quoted_sale(cancellation_id).is_none() {
        return no_such("cancellation");
    }
    let cancellation = hotelbeds.deletion(order_id, "CANCELLATION");
    hotelbeds
        .ask(cancellation, Call::Cancel, |body| read::cancellation(body, order_id, cancellation_id))
        .await
}

/// The cancellation as the booking tells it.
pub(super) async fn find_cancellation(
    hotelbeds: &Hotelbeds,
    order_id: &str,
    cancellation_id: &str,
) -> Answer<CancellationQuote> {
    match hotelbeds.booking(order_id, Call::Lookup, None).await {
        Answer::Refused(Refusal { kind: RefusalKind::Gone, .. }) => {
            Answer::Unknown("the order is not found".to_owned())
        }
        found => found
            .unless_refused()
            .and_read(|booked| hotelbeds.http.reading(|| booked.cancellation(cancellation_id))),
    }
}

impl Hotelbeds {
    /// The flag is never left out: without it the booking is cancelled.
    fn deletion(&self, order_id: &str, flag: &str) -> Request {
        self.request(Method::DELETE, &format!("/hotel-api/1.0/bookings/{order_id}"))
            .query(&[("cancellationFlag", flag)])
    }
}

fn no_such<T>(what: &str) -> Answer<T> {
    Answer::Refused(Refusal::new(format!("there is no such {what}")))
}
