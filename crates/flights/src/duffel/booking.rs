//! Making an order.

use std::time::Duration;

use tokio::time::{Instant, timeout};
use wayfare_domain::{Money, Traveller};
use wayfare_supply::{Answer, Method, RefusalKind, done_or_return};

use super::ancillary_ids::new_services;
use super::errors::Call;
use super::order::{self, SupplierContext};
use super::papers::Taken;
use super::{Duffel, read, wire};
use crate::{AncillaryKind, FlightSupplier, OrderRequest, SupplierOrder};

/// Another price is followed so soon after the order, or its payment, was asked for, or never: who asked counts the
/// supplier's longest processing time from then on, and takes the order for not made when it is over.
pub(super) const FOLLOWED_WITHIN: Duration = Duration::from_secs(10);

/// Orders the offer and what is bought with it.
pub(super) async fn book(duffel: &Duffel, request: &OrderRequest) -> Answer<SupplierOrder> {
    let read = SupplierContext::read(&request.supplier_context);
    let supplier_context = done_or_return!(Answer::or_refused(read));
    let seated = done_or_return!(Answer::or_refused(supplier_context.seat(&request.travellers)));
    let taken = &supplier_context.taken;
    let asked_at = Instant::now();
    let answer = match duffel.order(request, taken, &seated).await {
        // Refused surely made no order. Duffel takes no other amount than its own, so a fall in price has to be
        // followed; a rise is not.
        Answer::Refused(refusal) if refusal.kind == RefusalKind::PriceChanged => {
            let left = FOLLOWED_WITHIN.saturating_sub(asked_at.elapsed());
            match timeout(left, duffel.at_a_lower_fare(request)).await {
                Ok(Some(cheaper)) => duffel.order(&cheaper, taken, &seated).await,
                Ok(None) | Err(_) => Answer::Refused(refusal),
            }
        }
        answer => answer,
    };
    answer.map(|made| {
        if request.due() != Ok(made.total) {
            tracing::warn!(order = made.id, ours = ?request.due(), theirs = ?made.total, "booked at another price");
        }
        made
    })
}

impl Duffel {
    /// Orders the offer for what is due, which must be the supplier's own amount.
    async fn order(
        &self,
        request: &OrderRequest,
        taken: &Taken,
        seated: &[(&str, &Traveller)],
    ) -> Answer<SupplierOrder> {
        let phone = request.contact.e164();
        let order = new_services(&request.ancillaries).and_then(|services| {
            let due = request.due().map_err(|error| error.to_string())?;
            order::new_order(request, taken, seated, services, &phone, due)
        });
        let body = wire::Envelope { data: done_or_return!(Answer::or_refused(order)) };
        let answer = self.ask(self.request(Method::POST, "/air/orders").json(&body), Call::Order);
        let seated = order::indices(seated);
        answer.await.and_read(|body| {
            self.http.reading(|| read::sold_order(&body, &seated, request.due().ok(), self.now()))
        })
    }

    /// The same order at the fare as it is now, where that has fallen, with its services under their present ids: a reading of
    /// the offer renews them. None when any of it can't be told.
    async fn at_a_lower_fare(&self, request: &OrderRequest) -> Option<OrderRequest> {
        let has_seats = request.ancillaries.iter().any(|choice| choice.ancillary.kind == AncillaryKind::Seat);
        let (offer, seat_maps) = if has_seats {
            self.offer_and_seat_maps(&request.offer_token).await
        } else {
            (self.offer(&request.offer_token).await, None)
        };
        let read = |body: Vec<u8>| read::offer(&body, seat_maps.as_deref(), self.test_mode);
        let now = offer.and_read(|body| self.http.reading(|| read(body)));
        let Answer::Done(now) = now else { return None };
        let total: Money = now.offers.first()?.charge.total;
        if total.currency() != request.total.currency() || total.amount() >= request.total.amount() {
            return None;
        }
        let wire_formats = self
            .order_wire_format(
                &now.supplier_context,
                &now.ancillary_catalog,
                &request.travellers,
                &request.ancillaries,
            )
            .ok()?;
        let mut cheaper = OrderRequest { total, ..request.clone() };
        for (choice, wire_format) in cheaper.ancillaries.iter_mut().zip(wire_formats) {
            choice.wire_format = wire_format;
        }
        Some(cheaper)
    }
}
