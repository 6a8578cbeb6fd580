//! The calls about changes of orders, and their answers in our words.

use serde_json::{Value, value::RawValue};
use wayfare_domain::{Currency, Money, OrderStatus};
use wayfare_supply::lenient::parse_leniently;
use wayfare_supply::reading::{Unreadable, is_word, parse, read_tree};
use wayfare_supply::{
    Answer, ChangePrice, LossKind, Method, PendingChange, Refusal, RefusalKind, done_or_return,
    id_or_refused, id_or_unknown, note_loss,
};

use super::Duffel;
use super::change_wire::{
    AddedSlice, Amounts, Change, ChangeOffer as OfferedChange, ChangeRequest, ChangeState, ChangeableSlice,
    Confirmation, NewChange, NewChangeRequest, NewSlices, RemovedSlice,
};
use super::errors::Call;
use super::journey::{cabin_class, journey};
use super::money::money;
use super::parts::OFFERED;
use super::wire::{Envelope, NewPayment, Text};
use crate::shared_parts::SharedParts;
use crate::{ChangeOffer, JourneyChange, OrderRequest, SupplierOrder};

/// Where money goes back to us; the rest is credit that somebody has with an airline.
const MONEY_BACK: &str = "original_form_of_payment";

/// Other flights for slices of an order, by the order as it is now: its slices have new ids after each change.
pub(super) async fn offers(
    duffel: &Duffel,
    id: &str,
    request: &OrderRequest,
    wanted: &[JourneyChange],
) -> Answer<Vec<ChangeOffer>> {
    done_or_return!(id_or_refused(id, "order"));
    let order = done_or_return!(duffel.present_order(id, request, Call::Read).await);
    let removed = done_or_return!(Answer::or_refused(removed_slices(&order, wanted)));
    let added = wanted.iter().map(|change| AddedSlice {
        origin: &change.origin,
        destination: &change.destination,
        departure_date: change.date,
        cabin_class: cabin_class(change.cabin),
    });
    let body = Envelope {
        data: NewChangeRequest {
            order_id: id,
            slices: NewSlices {
                remove: removed.iter().map(|slice| RemovedSlice { slice_id: &slice.id }).collect(),
                add: added.collect(),
            },
        },
    };
    let request = duffel.request(Method::POST, "/air/order_change_requests").json(&body);
    duffel.ask(request, Call::Read).await.and_read(|body| duffel.http.reading(|| change_offers(&body)))
}

/// The slices that go, where the order is paid and none of them is said to stay.
fn removed_slices(order: &SupplierOrder, wanted: &[JourneyChange]) -> Result<Vec<ChangeableSlice>, Refusal> {
    let unchangeable = |reason: &str| Refusal::of(RefusalKind::NotChangeable, reason);
    if order.status != OrderStatus::Confirmed {
        return Err(unchangeable("only a paid order can be changed"));
    }
    let raw = order.raw.tree();
    let slices = raw.get("slices").and_then(Value::as_array);
    let slice = |change: &JourneyChange| {
        let slice = slices.and_then(|slices| slices.get(change.journey));
        let slice = slice.ok_or_else(|| Refusal::new("the order has no such journey"))?;
        let slice: ChangeableSlice = read_tree(slice)
            .map_err(|error| Refusal::new(format!("a slice of the order is unreadable: {error}")))?;
        match slice.changeable {
            Some(false) => Err(unchangeable("the journey can't be changed")),
            Some(true) | None => Ok(slice),
        }
    };
    wanted.iter().map(slice).collect()
}

/// Makes a change ready.
pub(super) async fn prepare(duffel: &Duffel, token: &str) -> Answer<PendingChange> {
    let body = Envelope { data: NewChange { selected_order_change_offer: token } };
    let request = duffel.request(Method::POST, "/air/order_changes").json(&body);
    duffel.ask(request, Call::Offer).await.and_read(|body| duffel.http.reading(|| pending_change(&body)))
}

/// Confirms a change, paid from the balance where it costs anything.
pub(super) async fn confirm(duffel: &Duffel, change: &PendingChange) -> Answer<PendingChange> {
    done_or_return!(id_or_refused(&change.id, "change"));
    let due = change.price.total;
    let body =
        Envelope { data: Confirmation { payment: due.is_positive().then(|| NewPayment::from_balance(due)) } };
    let path = format!("/air/order_changes/{}/actions/confirm", change.id);
    let request = duffel.request(Method::POST, &path).json(&body);
    let answer = duffel.ask(request, Call::ConfirmChange).await;
    answer.and_read(|body| duffel.http.reading(|| known_change(&body))).and_then(|change| {
        match change.is_confirmed {
            true => Answer::Done(change),
            false => Answer::Unknown("answered, but the change is not confirmed".to_owned()),
        }
    })
}

/// A change as it stands.
pub(super) async fn find(duffel: &Duffel, id: &str) -> Answer<PendingChange> {
    done_or_return!(id_or_unknown(id, "a change"));
    let request = duffel.request(Method::GET, &format!("/air/order_changes/{id}"));
    let answer = duffel.ask(request, Call::Lookup).await.unless_refused();
    answer.and_read(|body| duffel.http.reading(|| known_change(&body)))
}

/// The offers of a change request. One that can't be read is left out: it must not cost the others.
pub fn change_offers(body: &[u8]) -> Result<Vec<ChangeOffer>, Unreadable> {
    let found = parse::<Envelope<ChangeRequest<&RawValue>>>(body)?.data.order_change_offers;
    let read = |raw: &&RawValue| {
        let theirs: Result<OfferedChange<Text<'_>>, _> =
            parse_leniently(raw.get().as_bytes(), "order_change_offers[]", &OFFERED);
        let offer = theirs.map_err(|error| error.to_string()).and_then(offer);
        offer.inspect_err(|error| note_loss(LossKind::LeftOut, "order_change_offers[]", error)).ok()
    };
    Ok(found.iter().filter_map(read).collect())
}

fn offer(theirs: OfferedChange<Text<'_>>) -> Result<ChangeOffer, String> {
    let mut parts = SharedParts::default();
    let slices = theirs.slices.add.iter().enumerate();
    let journeys = slices.map(|(place, slice)| journey(place, slice, &mut parts));
    let journeys = journeys.collect::<Result<Vec<_>, _>>()?;
    let first = journeys.iter().flat_map(|journey| &journey.segments).next();
    let carrier = first.map(|flight| flight.airline.to_string());
    Ok(ChangeOffer {
        token: theirs.id,
        carrier: carrier.ok_or("slices.add is empty")?,
        journeys,
        price: price(&theirs.amounts)?,
        expires_at: theirs.expires_at,
    })
}

/// A change whose price is known, pending or confirmed: an amount that can't be read hides none that was carried out. That one
/// was not is believed only of a whole answer.
pub fn known_change(body: &[u8]) -> Result<PendingChange, Unreadable> {
    pending_change(body).or_else(|reason| {
        let state = parse::<Envelope<ChangeState>>(body)?.data;
        if state.confirmed_at.is_none() {
            return Err(reason);
        }
        note_loss(LossKind::LeftOut, "change_total_amount", reason);
        let nothing = Money::zero(Currency::INR);
        let price = ChangePrice { total: nothing, penalty: nothing, is_money: false };
        Ok(state.at(price))
    })
}

/// A change that is made ready, at its price.
pub fn pending_change(body: &[u8]) -> Result<PendingChange, Unreadable> {
    let Change { state, amounts } = parse::<Envelope<Change>>(body)?.data;
    Ok(state.at(price(&amounts).map_err(Unreadable::new)?))
}

impl ChangeState {
    fn at(self, price: ChangePrice) -> PendingChange {
        PendingChange {
            price,
            id: self.id,
            expires_at: self.expires_at,
            is_confirmed: self.confirmed_at.is_some(),
            supplier_context: Value::Null,
        }
    }
}

fn price(theirs: &Amounts) -> Result<ChangePrice, String> {
    let currency = theirs.change_total_currency.0;
    let total = money("change_total_amount", theirs.change_total_amount, currency)?;
    let penalty = match (theirs.penalty_total_amount, &theirs.penalty_total_currency) {
        (Some(amount), Some(of)) if of.0 == currency => money("penalty_total_amount", amount, currency)?,
        // The total is what is paid; how much of it is a penalty is only shown.
        (Some(_), of) => {
            let of = of.as_ref().map(|of| of.0.code());
            note_loss(LossKind::LeftOut, "penalty_total_currency", of.unwrap_or_default());
            Money::zero(currency)
        }
        (None, _) => Money::zero(currency),
    };
    Ok(ChangePrice {
        total,
        penalty,
        is_money: theirs.refund_to.as_deref().is_some_and(|to| is_word(to, MONEY_BACK)),
    })
}
