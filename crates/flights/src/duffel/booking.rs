//! Making an order.

use std::time::Duration;

use tokio::time::{Instant, timeout};
use wayfare_domain::{Money, Traveller};
use wayfare_supply::{Answer, Method, Refusal, RefusalKind};

use super::errors::Asked;
use super::order::{self, Memory};
use super::words::new_services;
use super::{Duffel, read, wire};
use crate::{AncillaryKind, Extra, FlightSupplier, OrderRequest, SupplierOrder, Wanted};

/// A fall in price is followed so soon after the order was asked for, or never: who asked counts the supplier's longest
/// processing time from then on, and takes the order for not made when it is over.
const FOLLOWED_WITHIN: Duration = Duration::from_secs(10);

impl Duffel {
    /// Orders the offer and what is bought with it.
    pub(super) async fn make(&self, request: &OrderRequest) -> Answer<SupplierOrder> {
        let memory = match Memory::read(&request.memory) {
            Ok(memory) => memory,
            Err(reason) => return Answer::Refused(Refusal::new(reason)),
        };
        let seated = match memory.seat(&request.travellers) {
            Ok(seated) => seated,
            Err(reason) => return Answer::Refused(Refusal::new(reason)),
        };
        let asked_at = Instant::now();
        let answer = match self.order(request, &seated).await {
            // Refused surely made no order. Duffel takes no other amount than its own, so a fall in price has to be
            // followed; a rise is not.
            Answer::Refused(refusal) if refusal.kind == RefusalKind::PriceChanged => {
                let left = FOLLOWED_WITHIN.saturating_sub(asked_at.elapsed());
                match timeout(left, self.at_a_lower_fare(request)).await {
                    Ok(Some(cheaper)) => self.order(&cheaper, &seated).await,
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

    /// Orders the offer for what is due, which must be the supplier's own amount.
    async fn order(&self, request: &OrderRequest, seated: &[(&str, &Traveller)]) -> Answer<SupplierOrder> {
        let parts = new_services(&request.extras).and_then(|services| {
            let due = request.due().map_err(|error| error.to_string())?;
            Ok((services, due))
        });
        let (services, due) = match parts {
            Ok(parts) => parts,
            Err(reason) => return Answer::Refused(Refusal::new(reason)),
        };
        let phone = request.contact.e164();
        let body = wire::Envelope {
            data: order::new_order(request, seated, services, &phone, due),
        };
        let answer = self.ask(
            self.request(Method::POST, "/air/orders").json(&body),
            Asked::Order,
        );
        let seated = order::indices(seated);
        answer
            .await
            .and_read(|body| read::order(&body, &seated, self.now()))
    }

    /// The same order at the fare as it is now, where that has fallen, with its services under their present ids: a look at
    /// the offer renews them. None when any of it can't be told.
    async fn at_a_lower_fare(&self, request: &OrderRequest) -> Option<OrderRequest> {
        let has_seats = request
            .extras
            .iter()
            .any(|extra| extra.ancillary.kind == AncillaryKind::Seat);
        let (offer, seat_maps) = if has_seats {
            self.offer_and_seat_maps(&request.offer_token).await
        } else {
            (self.offer(&request.offer_token).await, None)
        };
        let now = offer.and_read(|body| read::offer(&body, seat_maps.as_deref(), self.test_mode));
        let Answer::Done(now) = now else {
            return None;
        };
        let total: Money = now.offers.first()?.charge.total;
        if total.currency() != request.total.currency() || total.amount() >= request.total.amount() {
            return None;
        }
        let extras = request.extras.iter();
        let wanted: Vec<Wanted<'_>> = extras
            .map(|extra| Wanted {
                traveller: extra.traveller,
                ancillary: &extra.ancillary,
                quantity: extra.quantity,
            })
            .collect();
        let words = self
            .order_words(&now.memory, &now.shelf, &request.travellers, &wanted)
            .ok()?;
        let extras = request.extras.iter().zip(words);
        Some(OrderRequest {
            total,
            extras: extras
                .map(|(extra, words)| Extra {
                    words,
                    ..extra.clone()
                })
                .collect(),
            ..request.clone()
        })
    }
}
