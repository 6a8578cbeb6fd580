//! Bugs that the survival suite switches on to see that they are found: how silence at a booking is taken wrongly.

use serde_json::Value;
use wayfare_supply::{Answer, Refusal};

use crate::{
    Result,
    engine::{product::OrderSupplier, step::OrderMade},
    tools::failpoints::seeded_bug,
};

/// The answer as a service with one of these bugs takes it.
pub(crate) async fn after_booking(
    supplier: &dyn OrderSupplier,
    request: &Value,
    mut answer: Result<Answer<OrderMade>>,
) -> Result<Answer<OrderMade>> {
    if seeded_bug("bug:retry-blindly") && matches!(answer, Ok(Answer::Unknown(_))) {
        answer = supplier.book(request).await;
    }
    match answer {
        Ok(Answer::Unknown(reason)) if seeded_bug("bug:silence-is-refusal") => {
            Ok(Answer::Refused(Refusal::new(reason)))
        }
        answer => answer,
    }
}
