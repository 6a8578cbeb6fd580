//! Flight suppliers as the booking engine asks them.

use std::sync::Arc;

use async_trait::async_trait;
use wayfare_domain::OrderPart;
use wayfare_flights::{
    AirlineChange, FlightSupplier, Itinerary, ItineraryPeople, Lookup, OrderRequest, StoredOrder,
    SupplierOrder,
};
use wayfare_store::JsonText;
use wayfare_supply::{Answer, JourneyToCancel, PartToCancel, PendingChange, TravellerToCancel};

use super::after_sales::order::ticket::TicketRequest;
use crate::{
    Error, Result,
    engine::{
        order_supplier::{AfterSaleSteps, OrderSupplier, found, made},
        step::OrderMade,
        steps::{
            accept_change::{AcceptRequest, ChangeFate},
            add_service::ServiceRequest,
            change::ChangeRequest,
        },
    },
    people::sealed::BookingPeople,
};

#[async_trait]
impl OrderSupplier for Arc<dyn FlightSupplier> {
    async fn book(&self, request: &JsonText, people: &BookingPeople) -> Result<Answer<OrderMade>> {
        let request = composed(request.parse::<StoredOrder>()?, people)?;
        made::<Itinerary>((**self).book(&request).await)
    }

    async fn find(
        &self,
        order_id: Option<&str>,
        request: &JsonText,
        people: &BookingPeople,
    ) -> Result<Answer<Option<OrderMade>>> {
        let request = composed(request.parse::<StoredOrder>()?, people)?;
        let lookup = Lookup { order_id, is_named_by_operator: order_id.is_some(), request: &request };
        found::<Itinerary>((**self).find(lookup).await)
    }

    async fn find_by_id(
        &self,
        order_id: &str,
        request: &JsonText,
        people: &BookingPeople,
    ) -> Result<Answer<Option<OrderMade>>> {
        let request = composed(request.parse::<StoredOrder>()?, people)?;
        found::<Itinerary>((**self).find(Lookup::by_id(order_id, &request)).await)
    }

    fn after_sale(&self) -> Option<&dyn AfterSaleSteps> {
        Some(self)
    }
}

#[async_trait]
impl AfterSaleSteps for Arc<dyn FlightSupplier> {
    async fn ticket(&self, request: &JsonText, people: &BookingPeople) -> Result<Answer<OrderMade>> {
        let TicketRequest { booked, order_id, total } = request.parse::<TicketRequest>()?;
        let booked = composed(booked, people)?;
        made::<Itinerary>((**self).ticket(&order_id, &booked, total).await)
    }

    async fn find_ticketed(
        &self,
        request: &JsonText,
        people: &BookingPeople,
    ) -> Result<Answer<Option<OrderMade>>> {
        let TicketRequest { booked, order_id, .. } = request.parse::<TicketRequest>()?;
        let booked = composed(booked, people)?;
        found::<Itinerary>((**self).find_ticketed(&order_id, &booked).await)
    }

    async fn add_services(&self, request: &JsonText, people: &BookingPeople) -> Result<Answer<OrderMade>> {
        let ServiceRequest { booked, order_id, added, .. } = request.parse::<ServiceRequest>()?;
        let booked = composed(booked.parse()?, people)?;
        made::<Itinerary>((**self).add_services(&order_id, &booked, &added.parse()?).await)
    }

    async fn find_added(
        &self,
        request: &JsonText,
        people: &BookingPeople,
    ) -> Result<Answer<Option<OrderMade>>> {
        let ServiceRequest { booked, order_id, added, .. } = request.parse::<ServiceRequest>()?;
        let booked = composed(booked.parse()?, people)?;
        found::<Itinerary>((**self).find_added(&order_id, &booked, &added.parse()?).await)
    }

    fn part_to_cancel(&self, part: &OrderPart, people: &BookingPeople) -> Result<PartToCancel> {
        let people: ItineraryPeople = people.of()?;
        let named = |index: &u32| {
            let mut known = people.travellers.iter();
            let who = known.find(|who| who.index == *index)?;
            Some(TravellerToCancel { index: who.index, kind: who.kind })
        };
        let journeys = part.0.iter().map(|one| {
            let travellers: Option<_> = one.travellers.iter().map(named).collect();
            Some(JourneyToCancel { journey: one.clone(), travellers: travellers? })
        });
        let journeys: Option<_> = journeys.collect();
        let lost = || Error::Internal("a part is of somebody who is not on its booking".to_owned());
        Ok(PartToCancel { journeys: journeys.ok_or_else(lost)?, party: people.travellers.clone() })
    }

    async fn accept_change(&self, request: &JsonText) -> Result<Answer<()>> {
        let request = request.parse::<AcceptRequest>()?;
        Ok((**self).accept_change(&request.supplier_id).await)
    }

    async fn find_change(&self, request: &JsonText, people: &BookingPeople) -> Result<Answer<ChangeFate>> {
        let AcceptRequest { booked, order_id, supplier_id, .. } = request.parse()?;
        let booked = composed(booked.parse()?, people)?;
        let found = (**self).find(Lookup::by_id(&order_id, &booked)).await;
        Ok(found.and_then(|order| match order {
            Some(order) => fate_of(&order, &supplier_id),
            None => Answer::Unknown("the order is not found".to_owned()),
        }))
    }

    async fn prepare_change(
        &self,
        request: &JsonText,
        people: &BookingPeople,
    ) -> Result<Answer<PendingChange>> {
        let asked = request.parse::<ChangeRequest>()?;
        let booked = composed(asked.booked.parse()?, people)?;
        let order = Lookup::by_id(&asked.order_id, &booked);
        Ok((**self).prepare_change(order, &asked.token).await)
    }

    async fn confirm_change(
        &self,
        request: &JsonText,
        people: &BookingPeople,
        change: &PendingChange,
    ) -> Result<Answer<PendingChange>> {
        let asked = request.parse::<ChangeRequest>()?;
        let booked = composed(asked.booked.parse()?, people)?;
        let order = Lookup::by_id(&asked.order_id, &booked);
        Ok((**self).confirm_change(order, change).await)
    }

    fn confirms_changes_again(&self) -> bool {
        (**self).confirms_changes_again()
    }

    async fn find_pending_change(&self, id: &str) -> Answer<PendingChange> {
        (**self).find_pending_change(id).await
    }

    async fn find_changed(
        &self,
        request: &JsonText,
        people: &BookingPeople,
        change: &str,
    ) -> Result<Answer<Option<OrderMade>>> {
        let asked = request.parse::<ChangeRequest>()?;
        let booked = composed(asked.booked.parse()?, people)?;
        let order = Lookup::by_id(&asked.order_id, &booked);
        found::<Itinerary>((**self).find_changed(order, change).await)
    }
}

/// What became of a change of an airline's. One that its supplier shows no more is overtaken by another.
fn fate_of(order: &SupplierOrder, change: &str) -> Answer<ChangeFate> {
    let shown = order.airline_changes.iter().find(|shown| shown.id == change);
    Answer::Done(match shown {
        None => ChangeFate::Superseded,
        Some(shown) => match shown.action_taken.as_deref() {
            None => ChangeFate::Open,
            Some(AirlineChange::ACCEPTED) => ChangeFate::Accepted,
            Some(other) => ChangeFate::Other(other.to_owned()),
        },
    })
}

/// What is sent: what is stored of it, with whom it is for.
fn composed(stored: StoredOrder, people: &BookingPeople) -> Result<OrderRequest> {
    let reference = stored.reference.clone();
    let lost = || Error::Internal(format!("order {reference} is for somebody who is not on its booking"));
    stored.with(&people.of()?, people.papers()).ok_or_else(lost)
}
