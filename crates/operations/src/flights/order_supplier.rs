//! Flight suppliers as the booking engine asks them.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::Value;
use wayfare_domain::BookingPapers;
use wayfare_flights::{FlightSupplier, Itinerary, Lookup, OrderRequest};
use wayfare_supply::{Answer, Refusal};

use super::after_sales::{ssr::ServiceRequest, ticket::TicketRequest};
use crate::{
    Result,
    engine::{
        order_supplier::{OrderSupplier, found, made},
        step::OrderMade,
    },
};

/// Without papers that were given the supplier would refuse the order, or make another one than was asked for.
const PAPERS_GONE: &str = "the travellers' papers are no longer at hand";

#[async_trait]
impl OrderSupplier for Arc<dyn FlightSupplier> {
    async fn book(&self, request: &Value, papers: Option<&BookingPapers>) -> Result<Answer<OrderMade>> {
        let mut request = OrderRequest::deserialize(request)?;
        if request.has_papers {
            let Some(papers) = papers else {
                return Ok(Answer::Refused(Refusal::new(PAPERS_GONE)));
            };
            request.papers = papers.clone();
        }
        made::<Itinerary>((**self).book(&request).await)
    }

    async fn find(&self, order_id: Option<&str>, request: &Value) -> Result<Answer<Option<OrderMade>>> {
        let request = OrderRequest::deserialize(request)?;
        let lookup = Lookup {
            reference: &request.reference,
            order_id,
            request: &request,
        };
        found::<Itinerary>((**self).find(lookup).await)
    }

    async fn ticket(&self, request: &Value) -> Result<Answer<OrderMade>> {
        let TicketRequest {
            booked,
            order_id,
            total,
        } = TicketRequest::deserialize(request)?;
        made::<Itinerary>((**self).ticket(&order_id, &booked, total).await)
    }

    async fn find_ticketed(&self, request: &Value) -> Result<Answer<Option<OrderMade>>> {
        let TicketRequest { booked, order_id, .. } = TicketRequest::deserialize(request)?;
        found::<Itinerary>((**self).find_ticketed(&order_id, &booked).await)
    }

    async fn add_services(&self, request: &Value) -> Result<Answer<OrderMade>> {
        let request = ServiceRequest::deserialize(request)?;
        let ServiceRequest {
            booked,
            order_id,
            added,
            ..
        } = &request;
        made::<Itinerary>((**self).add_services(order_id, booked, added).await)
    }

    async fn find_added(&self, request: &Value) -> Result<Answer<Option<OrderMade>>> {
        let request = ServiceRequest::deserialize(request)?;
        let ServiceRequest {
            booked,
            order_id,
            added,
            ..
        } = &request;
        found::<Itinerary>((**self).find_added(order_id, booked, added).await)
    }
}
