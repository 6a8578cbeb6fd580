//! The calls that reissue an order's ticket for another flight.
//!
//! One journey at a time, and once in an order's life. A review opens a session under the id that the order has after the
//! reissue, so that whatever became of the last call is looked up by it. It is sent once. Where our setting `reissue` is off
//! nothing is sent at all.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use wayfare_domain::{Money, OrderStatus, PassengerType, SaidTraveller, whose};
use wayfare_supply::amounts::money;
use wayfare_supply::lenient::parse_leniently;
use wayfare_supply::reading::{Unreadable, code, parse};
use wayfare_supply::{
    AfterSales, Answer, ChangePrice, LossKind, PendingChange, Refusal, RefusalKind, done_or_return, note_loss,
};

use super::booking::{NotDone, may_stand, says_no};
use super::change_wire::{
    NewReissue, NewReissuePayment, NewReissueQuery, NewReissueReview, NewReissueRoute, NewReissueSearch,
    NewReissuedTraveller, ReissueAmounts, ReissueFare, ReissuePassenger, ReissueQueries, ReissueReview,
    ReissueTrip, ReissuedTraveller,
};
use super::errors::{Call, NO_REISSUE_FLIGHTS};
use super::journey::flown_journey;
use super::offers::CURRENCY;
use super::order::{self, Details, State};
use super::parts::{OFFERED, REVIEWED};
use super::review::SupplierContext;
use super::wire::{self, Code, Passengers, Text};
use super::{TripJack, read, remembered};
use crate::{ChangeOffer, JourneyChange, Lookup, OrderRequest, SupplierOrder, shared_parts::SharedParts};

/// So long after a search its prices can be reviewed.
const PRICE_VALIDITY: TimeDelta = TimeDelta::minutes(30);
/// So long a review is good that does not say it; those that do say 840 or 900 seconds.
const SESSION_SECONDS: u32 = 900;

/// What is remembered of a reissue's review until it is made.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Reviewed {
    /// TripJack's ids of the travellers by our indices, where it tells them.
    travellers: Vec<(u32, String)>,
}

/// An order that may be reissued, and what was sent when it was made.
struct Reissuable<'a> {
    id: &'a str,
    request: &'a OrderRequest,
    context: SupplierContext,
}

/// The order, where nothing that we know of it stands against a reissue.
fn reissuable<'a>(
    tripjack: &TripJack,
    id: Option<&'a str>,
    request: &'a OrderRequest,
) -> Result<Reissuable<'a>, Refusal> {
    let unchangeable = |reason: &str| Refusal::of(RefusalKind::NotChangeable, reason);
    if !tripjack.config().reissue {
        return Err(unchangeable("tickets of this supplier are not reissued"));
    }
    let id = id.ok_or_else(|| Refusal::new("there is no such order"))?;
    let context = remembered(&request.supplier_context).map_err(Refusal::new)?;
    match id == context.booking_id {
        true => Ok(Reissuable { id, request, context }),
        // Its id is that of a reissue.
        false => Err(unchangeable("an order is reissued once")),
    }
}

/// Other flights for the only journey of an order.
pub(super) async fn offers(
    tripjack: &TripJack,
    id: &str,
    request: &OrderRequest,
    wanted: &[JourneyChange],
) -> Answer<Vec<ChangeOffer>> {
    let order = done_or_return!(Answer::or_refused(reissuable(tripjack, Some(id), request)));
    let Some(details) = done_or_return!(tripjack.details(order.id).await) else {
        return Answer::Refused(Refusal::new("there is no such order"));
    };
    let query = match query(&order, &details, wanted) {
        Ok(query) => query,
        Err(failed) => return failed,
    };
    let path = "/fms/v1/reissue/poll/searchquery-list";
    let names = done_or_return!(tripjack.ask(path, &query, Call::Read, search_names).await);
    let mut offers = Vec::new();
    for name in &names {
        let body = NewReissueSearch { request_id: name };
        let expires_at = tripjack.now() + PRICE_VALIDITY;
        let read = |body: &[u8]| reissue_offers(body, request, expires_at);
        match tripjack.ask("/fms/v1/reissue/poll/search", &body, Call::Read, read).await {
            Answer::Done(found) => offers.extend(found),
            // Nothing is flown that day.
            Answer::Refused(refusal) if refusal.code.as_deref() == Some(NO_REISSUE_FLIGHTS) => {}
            failed => return failed,
        }
    }
    Answer::Done(offers)
}

/// The question for other flights. What stands against it is the answer.
fn query<'a>(
    order: &Reissuable<'a>,
    details: &Details,
    wanted: &'a [JourneyChange],
) -> Result<NewReissueQuery<'a>, Answer<Vec<ChangeOffer>>> {
    let unchangeable = |reason: &str| Answer::Refused(Refusal::of(RefusalKind::NotChangeable, reason));
    if details.state != State::Confirmed {
        return Err(unchangeable("only a ticketed order is reissued"));
    }
    let [change] = wanted else { return Err(unchangeable("one journey is reissued at a time")) };
    // Nobody says in which order the other journeys are after it (D-303).
    if change.journey > 0 || details.journeys() > 1 {
        return Err(unchangeable("only an order of one journey is reissued"));
    }
    let pax_ids = details.traveller_ids();
    let (Some(pax_ids), Some(pnr)) = (pax_ids, details.airline_pnrs().into_iter().next()) else {
        return Err(Answer::Unknown("the order names no traveller or no locator to reissue".to_owned()));
    };
    let count = |kind| {
        let of_kind = order.request.travellers.iter().filter(|who| who.kind == kind);
        u8::try_from(of_kind.count()).unwrap_or(u8::MAX)
    };
    Ok(NewReissueQuery {
        old_booking_id: order.id,
        pnr,
        pax_ids,
        pax_info: Passengers {
            adult: Some(count(PassengerType::Adult)),
            child: Some(count(PassengerType::Child)),
            infant: Some(count(PassengerType::Infant)),
        },
        route_infos: [NewReissueRoute {
            from_city_or_airport: Code { code: &change.origin },
            to_city_or_airport: Code { code: &change.destination },
            travel_date: change.date,
        }],
    })
}

/// A name that they write now as a number and now as a text.
fn name(theirs: &Value) -> Option<String> {
    match theirs {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn search_names(body: &[u8]) -> Result<Vec<String>, Unreadable> {
    let theirs = parse::<ReissueQueries>(body)?;
    let all = theirs.request_ids.into_iter().flatten().chain(theirs.request_id);
    let mut names: Vec<String> = all.filter_map(|theirs| name(&theirs)).collect();
    names.dedup();
    match names.is_empty() {
        true => Err(Unreadable::new("requestIds is empty")),
        false => Ok(names),
    }
}

/// The flights of an answer, at their prices. What can't be read is left out with a warning: it must not cost the others.
pub fn reissue_offers(
    body: &[u8],
    request: &OrderRequest,
    expires_at: DateTime<Utc>,
) -> Result<Vec<ChangeOffer>, Unreadable> {
    let lists = parse_leniently::<wire::Search<&RawValue>>(body, "", &OFFERED)?;
    let lists = lists.search_result.trip_infos;
    let trips = lists.into_iter().flat_map(|lists| lists.0);
    let mut offers = Vec::new();
    for text in trips.flat_map(|(_, trips)| trips) {
        let trip =
            parse_leniently::<ReissueTrip<Text>>(text.get().as_bytes(), "reissue.tripInfos.*[]", &OFFERED);
        let trip = trip.map_err(|error| error.to_string());
        let found = trip.and_then(|trip| {
            let fares = trip.fares.iter();
            let offers = fares.map(|fare| offer(&trip, fare, request, expires_at));
            offers.collect::<Result<Vec<_>, _>>()
        });
        match found {
            Ok(found) => offers.extend(found),
            Err(error) => note_loss(LossKind::LeftOut, "reissue.tripInfos.*[]", error),
        }
    }
    Ok(offers)
}

fn offer(
    trip: &ReissueTrip<Text>,
    fare: &ReissueFare<Text>,
    request: &OrderRequest,
    expires_at: DateTime<Utc>,
) -> Result<ChangeOffer, String> {
    let first = trip.segments.first().ok_or("sI is empty")?;
    let seller = fare.seller.as_ref().unwrap_or(&first.flight.airline);
    Ok(ChangeOffer {
        token: fare.id.to_string(),
        carrier: code(&seller.code).into_owned(),
        journeys: vec![flown_journey(&trip.segments, &mut SharedParts::default())],
        price: price(&fare.passengers, request)?,
        expires_at: Some(expires_at),
    })
}

/// What the reissue costs for all travellers: TripJack says it of one of each type.
fn price(theirs: &Passengers<ReissuePassenger>, request: &OrderRequest) -> Result<ChangePrice, String> {
    let nothing = Money::zero(CURRENCY);
    let mut sum = change_price(nothing, nothing);
    for who in &request.travellers {
        let word = wire::passenger_word(who.kind);
        let one = theirs.of(who.kind).ok_or_else(|| format!("fd.{word} is missing"))?;
        let (total, fees) = amounts(&one.amounts).map_err(|reason| format!("fd.{word}.fC {reason}"))?;
        let add = |sum: Money, one| sum.plus(one).map_err(|error| format!("fd.{word}.fC {error}"));
        sum = change_price(add(sum.total, total)?, add(sum.penalty, fees.unwrap_or(nothing))?);
    }
    Ok(sum)
}

fn amounts(theirs: &ReissueAmounts) -> Result<(Money, Option<Money>), String> {
    let total = money("fC.TF", theirs.total, CURRENCY).map_err(|error| format!("TF {error}"))?;
    let fees = theirs.fees.map(|fees| money("fC.AFS", fees, CURRENCY));
    let fees = fees.transpose().map_err(|error| format!("AFS {error}"))?;
    Ok((total, fees))
}

/// Nobody says that anything comes back as money, or how: what is below zero is nothing to us.
fn change_price(total: Money, penalty: Money) -> ChangePrice {
    ChangePrice { total, penalty, is_money: false }
}

/// Opens a session for the flights of a price id, under the id of the order after its reissue.
pub(super) async fn prepare(tripjack: &TripJack, order: Lookup<'_>, token: &str) -> Answer<PendingChange> {
    let order = reissuable(tripjack, order.order_id, order.request);
    let Reissuable { id, request, .. } = done_or_return!(Answer::or_refused(order));
    let body = NewReissueReview { old_booking_id: id, price_ids: [token], price_validation: true };
    let now = tripjack.now();
    let read = |body: &[u8]| reissue_review(body, request, now);
    let answer = tripjack.ask("/fms/v1/reissue/review", &body, Call::Offer, read).await;
    answer.and_then(|pending| match pending.id == id {
        // By its own id nothing would tell what became of the reissue.
        true => Answer::Unknown("the reissue has the order's own id".to_owned()),
        false => Answer::Done(pending),
    })
}

/// The answer to a review that came now.
pub fn reissue_review(
    body: &[u8],
    request: &OrderRequest,
    now: DateTime<Utc>,
) -> Result<PendingChange, Unreadable> {
    let theirs = parse_leniently::<ReissueReview<Text>>(body, "", &REVIEWED)?;
    let of_all = &theirs.total_price_info.total_fare_detail.amounts;
    let (total, fees) = amounts(of_all)
        .map_err(|reason| Unreadable::new(format!("totalPriceInfo.totalFareDetail.fC.{reason}")))?;
    let penalty = match (fees, theirs.trip_infos.iter().flat_map(|trip| &trip.fares).next()) {
        (Some(fees), _) => fees,
        (None, Some(fare)) => price(&fare.passengers, request).map_err(Unreadable::new)?.penalty,
        (None, None) => return Err(Unreadable::new("tripInfos has no fare")),
    };
    let seconds = theirs.conditions.and_then(|conditions| conditions.st);
    let reviewed = Reviewed { travellers: ids_of(request, theirs.travellers.as_deref().unwrap_or_default()) };
    Ok(PendingChange {
        id: theirs.booking_id,
        price: change_price(total, penalty),
        expires_at: Some(now + TimeDelta::seconds(seconds.unwrap_or(SESSION_SECONDS).into())),
        is_confirmed: false,
        supplier_context: serde_json::to_value(reviewed).map_err(Unreadable::new)?,
    })
}

/// TripJack's ids of our travellers, as far as it names them.
fn ids_of(request: &OrderRequest, theirs: &[ReissuedTraveller]) -> Vec<(u32, String)> {
    let said = |one: &ReissuedTraveller| {
        let [first, last] = [&one.first_name, &one.last_name].map(|name| name.as_deref().unwrap_or_default());
        order::said_traveller(one.kind.as_deref(), one.title.as_deref(), first, last)
    };
    let named: Vec<SaidTraveller> = theirs.iter().map(said).collect();
    let ours: Vec<SaidTraveller> = request.travellers.iter().map(SaidTraveller::from).collect();
    let owners = whose(&named, &ours).into_iter().zip(theirs);
    let ids = owners.filter_map(|(place, theirs)| {
        let ours = request.travellers.get(place?)?;
        Some((ours.index, theirs.id.as_ref().and_then(name)?))
    });
    let mut ids: Vec<(u32, String)> = ids.collect();
    ids.sort();
    ids
}

/// Has the ticket reissued that was reviewed, paid from our balance. A refusal is not believed where the new order stands all the
/// same.
pub(super) async fn confirm(
    tripjack: &TripJack,
    order: Lookup<'_>,
    change: &PendingChange,
) -> Answer<PendingChange> {
    let order = reissuable(tripjack, order.order_id, order.request);
    let order = done_or_return!(Answer::or_refused(order));
    let phone = order.request.contact.e164();
    let reviewed = Reviewed::deserialize(&change.supplier_context);
    let reviewed = reviewed.map_err(|error| format!("the review's memory: {error}"));
    let reviewed = done_or_return!(Answer::or_refused(reviewed));
    let body = done_or_return!(Answer::or_refused(new_reissue(&order, change, &reviewed, &phone)));
    let path = "/oms/v1/air/amendment/auto-reissue";
    let answer = tripjack.ask(path, &body, Call::Reissue, read::acknowledged).await;
    match says_no(answer) {
        Ok(()) => match tripjack.settled(&change.id).await {
            Answer::Done(Some(details)) if details.state == State::Confirmed => {
                Answer::Done(confirmed(change, true))
            }
            Answer::Done(Some(details)) => {
                Answer::Unknown(format!("reissued, but the order is {}", details.state.status().as_ref()))
            }
            Answer::Done(None) => Answer::Unknown("reissued, but the order is not found".to_owned()),
            failed => Answer::Unknown(format!("reissued, but {}", failed.problem().unwrap_or_default())),
        },
        Err(NotDone::Refused(refused)) => match tripjack.details(&change.id).await {
            Answer::Done(Some(details)) if may_stand(&details) => {
                let reason = refused.problem().unwrap_or_default();
                Answer::Unknown(format!("refused ({reason}), but the order is there"))
            }
            _ => refused.map(|()| confirmed(change, false)),
        },
        Err(NotDone::Other(answer)) => answer.map(|()| confirmed(change, false)),
    }
}

fn confirmed(change: &PendingChange, is_confirmed: bool) -> PendingChange {
    PendingChange { is_confirmed, ..change.clone() }
}

fn new_reissue<'a>(
    order: &'a Reissuable<'a>,
    change: &'a PendingChange,
    reviewed: &'a Reviewed,
    phone: &'a str,
) -> Result<NewReissue<'a>, String> {
    let id_of = |index: u32| {
        let mut pairs = reviewed.travellers.iter();
        let (_, id) = pairs.find(|(of, _)| *of == index)?;
        Some(id.as_str())
    };
    let Reissuable { id, request, context } = order;
    let travellers = request.travellers.iter().map(|who| {
        Ok(NewReissuedTraveller {
            id: id_of(who.index),
            traveller: order::reissued_traveller(who, request, &context.taken)?,
        })
    });
    let due = change.price.total.at_least(Money::zero(CURRENCY));
    Ok(NewReissue {
        booking_id: &change.id,
        old_booking_id: id,
        payments: [NewReissuePayment {
            amount: due.map_err(|error| error.to_string())?.number(),
            booking_id: &change.id,
        }],
        travellers: travellers.collect::<Result<_, String>>()?,
        delivery: order::contact(request, phone, None),
        gst: context.taken.gst(request.papers.gst.as_ref()),
    })
}

/// What became of a reissue, by the order that it made or did not. One that was given back since was made.
pub(super) async fn find(tripjack: &TripJack, id: &str) -> Answer<PendingChange> {
    let nothing = Money::zero(CURRENCY);
    let change = PendingChange {
        id: id.to_owned(),
        price: change_price(nothing, nothing),
        expires_at: None,
        is_confirmed: false,
        supplier_context: Value::Null,
    };
    tripjack.details(id).await.and_then(|details| {
        let Some(details) = details else { return Answer::Done(change) };
        match details.state {
            State::Confirmed => Answer::Done(confirmed(&change, true)),
            State::Failed => Answer::Done(change),
            State::Pending | State::Unconfirmed | State::Held | State::Cancelled => {
                let status = details.state.status();
                Answer::Unknown(format!("the reissued order is {}", status.as_ref()))
            }
        }
    })
}

/// The order after its reissue, by its new id.
pub(super) async fn find_changed(
    tripjack: &TripJack,
    request: &OrderRequest,
    id: &str,
) -> Answer<Option<SupplierOrder>> {
    let found = tripjack.details(id).await;
    let order = found.map(|details| details.map(|details| details.order_of(request)));
    order.and_then(|order| match order {
        Some(order) if order.status != OrderStatus::Confirmed => {
            Answer::Unknown(format!("the reissued order is {}", order.status.as_ref()))
        }
        order => Answer::Done(order),
    })
}
