//! The calls that give a booking back.
//!
//! A simulation tells what is kept and changes nothing. It is no offer that could lapse: what became of a cancellation of
//! which no answer came only the booking says. One that still stands when Hotelbeds has had all its time was not cancelled.

use wayfare_domain::OrderStatus;
use wayfare_supply::{Answer, CancellationQuote, Method, OrderToCancel, Refusal, RefusalKind, Request};

use super::errors::Call;
use super::order::{quoted_sale, unclear_quote};
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
    let booked = match hotelbeds.booking(order_id, Call::Read, None).await {
        Answer::Done(booked) => booked,
        failed => return failed.and_read(|_| Err("no booking")),
    };
    if booked.status() == OrderStatus::Cancelled {
        return Answer::Refused(Refusal::new("the order is cancelled"));
    }
    let told = || hotelbeds.http.reading(|| booked.total());
    let sold = match order.charged.map_or_else(told, Ok) {
        Ok(total) => hotelbeds.http.reading(|| booked.sold_at(total)),
        Err(reason) => return Answer::Unknown(format!("unreadable answer: {reason}")),
    };
    let simulation = hotelbeds.deletion(order_id, "SIMULATION");
    hotelbeds
        .ask(simulation, Call::Read, |body| {
            let quote = read::cancellation_quote(body, order_id, sold);
            Ok(quote.unwrap_or_else(|reason| unclear_quote(body, reason, sold)))
        })
        .await
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
        .ask(cancellation, Call::Cancel, |body| {
            read::cancellation(body, order_id, cancellation_id)
        })
        .await
}

/// The cancellation as the booking tells it.
pub(super) async fn find_cancellation(
    hotelbeds: &Hotelbeds,
    order_id: &str,
    cancellation_id: &str,
) -> Answer<CancellationQuote> {
    match hotelbeds.booking(order_id, Call::Lookup, None).await {
        Answer::Refused(Refusal {
            kind: RefusalKind::Gone,
            ..
        }) => Answer::Unknown("the order is not found".to_owned()),
        Answer::Refused(refusal) => Answer::Unknown(format!("the look-up was refused: {}", refusal.text)),
        found => found.and_read(|booked| hotelbeds.http.reading(|| booked.cancellation(cancellation_id))),
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
