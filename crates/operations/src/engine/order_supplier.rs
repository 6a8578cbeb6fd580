//! What the engine asks of a supplier, whatever it sells: flights and hotels implement it for their ports.

use async_trait::async_trait;
use wayfare_domain::{OrderPart, Product};
use wayfare_store::JsonText;
use wayfare_supply::{Answer, PartToCancel, PendingChange};

use crate::{
    Result,
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

    /// What may be done with its orders after their sale, where it is anything.
    fn after_sale(&self) -> Option<&dyn AfterSaleSteps> {
        None
    }
}

/// Steps on orders that are sold.
#[async_trait]
pub(crate) trait AfterSaleSteps: Send + Sync {
    async fn ticket(&self, request: &JsonText, people: &BookingPeople) -> Result<Answer<OrderMade>>;

    /// The held order, if it is paid.
    async fn find_ticketed(
        &self,
        request: &JsonText,
        people: &BookingPeople,
    ) -> Result<Answer<Option<OrderMade>>>;

    async fn add_services(&self, request: &JsonText, people: &BookingPeople) -> Result<Answer<OrderMade>>;

    /// The order, if the services are on it.
    async fn find_added(
        &self,
        request: &JsonText,
        people: &BookingPeople,
    ) -> Result<Answer<Option<OrderMade>>>;

    /// A part of an order as the supplier is told of it.
    fn part_to_cancel(&self, part: &OrderPart, people: &BookingPeople) -> Result<PartToCancel>;

    /// Accepts a schedule change.
    async fn accept_change(&self, request: &JsonText) -> Result<Answer<()>>;

    /// What became of that change, as the order shows it.
    async fn find_change(&self, request: &JsonText, people: &BookingPeople) -> Result<Answer<ChangeFate>>;

    /// Has an exchange made ready.
    async fn prepare_change(
        &self,
        request: &JsonText,
        people: &BookingPeople,
    ) -> Result<Answer<PendingChange>>;

    async fn confirm_change(
        &self,
        request: &JsonText,
        people: &BookingPeople,
        change: &PendingChange,
    ) -> Result<Answer<PendingChange>>;

    /// Whether an exchange may be confirmed once more to which no answer came: its id makes both one.
    fn confirms_changes_again(&self) -> bool;

    async fn find_pending_change(&self, id: &str) -> Answer<PendingChange>;

    /// The order after the exchange of this id.
    async fn find_changed(
        &self,
        request: &JsonText,
        people: &BookingPeople,
        change: &str,
    ) -> Result<Answer<Option<OrderMade>>>;
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
