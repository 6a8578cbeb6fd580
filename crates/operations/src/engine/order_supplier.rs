//! What the engine asks of a supplier, whatever it sells: flights and hotels implement it for their ports.

use async_trait::async_trait;
use wayfare_domain::{OrderPart, Product};
use wayfare_store::JsonText;
use wayfare_supply::{Answer, PartToCancel, PendingChange};

use crate::{
    Error, Result,
    engine::{step::OrderMade, steps::accept_change::ChangeFate},
    people::sealed::BookingPeople,
};

/// A supplier of orders. Requests are those that its product wrote into the steps; whom they are for is added when they are
/// sent.
#[async_trait]
pub(crate) trait OrderSupplier: Send + Sync {
    async fn book(&self, request: &JsonText, people: &BookingPeople) -> Result<Answer<OrderMade>>;

    /// The order as it stands; by its id at the supplier, where the operator has named it.
    async fn find(
        &self,
        order_id: Option<&str>,
        request: &JsonText,
        people: &BookingPeople,
    ) -> Result<Answer<Option<OrderMade>>>;

    /// The order as it stands, by the id that its supplier has given it.
    async fn find_by_id(
        &self,
        order_id: &str,
        request: &JsonText,
        people: &BookingPeople,
    ) -> Result<Answer<Option<OrderMade>>> {
        self.find(Some(order_id), request, people).await
    }

    async fn ticket(&self, _request: &JsonText, _people: &BookingPeople) -> Result<Answer<OrderMade>> {
        Err(unsupported())
    }

    /// The held order, if it is paid.
    async fn find_ticketed(
        &self,
        _request: &JsonText,
        _people: &BookingPeople,
    ) -> Result<Answer<Option<OrderMade>>> {
        Err(unsupported())
    }

    async fn add_services(&self, _request: &JsonText, _people: &BookingPeople) -> Result<Answer<OrderMade>> {
        Err(unsupported())
    }

    /// The order, if the services are on it.
    async fn find_added(
        &self,
        _request: &JsonText,
        _people: &BookingPeople,
    ) -> Result<Answer<Option<OrderMade>>> {
        Err(unsupported())
    }

    /// Accepts what an airline has changed of an order.
    async fn accept_change(&self, _request: &JsonText) -> Result<Answer<()>> {
        Err(unsupported())
    }

    /// A part of an order as the supplier is told of it.
    fn part_to_cancel(&self, _part: &OrderPart, _people: &BookingPeople) -> Result<PartToCancel> {
        Err(unsupported())
    }

    /// What became of that change, as the order shows it.
    async fn find_change(&self, _request: &JsonText, _people: &BookingPeople) -> Result<Answer<ChangeFate>> {
        Err(unsupported())
    }

    /// Has a change of an order's journeys made ready.
    async fn prepare_change(
        &self,
        _request: &JsonText,
        _people: &BookingPeople,
    ) -> Result<Answer<PendingChange>> {
        Err(unsupported())
    }

    async fn confirm_change(
        &self,
        _request: &JsonText,
        _people: &BookingPeople,
        _change: &PendingChange,
    ) -> Result<Answer<PendingChange>> {
        Err(unsupported())
    }

    /// Whether a change may be confirmed once more to which no answer came: its id makes both one.
    fn confirms_changes_again(&self) -> bool {
        false
    }

    async fn find_pending_change(&self, _id: &str) -> Answer<PendingChange> {
        Answer::Unknown(UNSUPPORTED.to_owned())
    }

    /// The order after the change of this id.
    async fn find_changed(
        &self,
        _request: &JsonText,
        _people: &BookingPeople,
        _change: &str,
    ) -> Result<Answer<Option<OrderMade>>> {
        Err(unsupported())
    }
}

const UNSUPPORTED: &str = "a step of this kind is not for this product";

fn unsupported() -> Error {
    Error::Internal(UNSUPPORTED.to_owned())
}

/// What the supplier said, as every product's orders are known.
///
/// # Errors
/// When the order is no JSON.
pub(crate) fn made<P: Product>(answer: Answer<P::Order>) -> Result<Answer<OrderMade>> {
    Ok(match answer {
        Answer::Done(order) => Answer::Done(OrderMade::of::<P>(order)?),
        Answer::Refused(refusal) => Answer::Refused(refusal),
        Answer::Unavailable(outage) => Answer::Unavailable(outage),
        Answer::Unknown(reason) => Answer::Unknown(reason),
    })
}

/// The same of a look-up.
///
/// # Errors
/// When the order is no JSON.
pub(crate) fn found<P: Product>(answer: Answer<Option<P::Order>>) -> Result<Answer<Option<OrderMade>>> {
    Ok(match answer {
        Answer::Done(order) => Answer::Done(order.map(OrderMade::of::<P>).transpose()?),
        Answer::Refused(refusal) => Answer::Refused(refusal),
        Answer::Unavailable(outage) => Answer::Unavailable(outage),
        Answer::Unknown(reason) => Answer::Unknown(reason),
    })
}
