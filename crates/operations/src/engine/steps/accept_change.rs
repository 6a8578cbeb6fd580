//! Schedule changes as they are accepted at their suppliers.

use serde::{Deserialize, Serialize};
use wayfare_domain::ChangeId;
use wayfare_store::{JsonText, booking::steps::Step};
use wayfare_supply::{Answer, RefusalKind};

use crate::{
    Engine, Result,
    engine::step::{self, StepOutcome},
    people::sealed::BookingPeople,
    tools::failpoints::moment,
};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AcceptRequest {
    /// What was sent when the order was made, without people, as its product has it: to find the order by.
    pub booked: JsonText,
    pub order_id: String,
    pub change: ChangeId,
    pub supplier_id: String,
}

/// What became of a change, as its order shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChangeFate {
    Accepted,
    /// Nobody has decided on it yet.
    Open,
    Superseded,
    /// Something else was done about it, in the supplier's word.
    Other(String),
}

pub(super) async fn send(engine: &Engine, step: &Step, people: &BookingPeople) -> Result<StepOutcome> {
    let supplier = engine.after_sale(&step.supplier)?;
    moment("accept:opened");
    if !step::in_time(&engine.core, step) {
        return Ok(StepOutcome::too_late());
    }
    let answer = supplier.accept_change(&step.request).await?;
    moment("accept:answered");
    if let Answer::Refused(refusal) = &answer
        && refusal.kind == RefusalKind::Superseded
    {
        return Ok(StepOutcome::ChangeSuperseded);
    }
    Ok(StepOutcome::of(engine, step, people, answer, None, |()| StepOutcome::ChangeAccepted))
}

/// Finds out whether it was accepted, from the order: never from the supplier's list of changes.
pub(super) async fn look_up(
    engine: &Engine,
    step: &Step,
    people: &BookingPeople,
    too_late: bool,
) -> Result<StepOutcome> {
    let supplier = engine.after_sale(&step.supplier)?;
    Ok(match supplier.find_change(&step.request, people).await? {
        Answer::Done(ChangeFate::Accepted) => StepOutcome::ChangeAccepted,
        Answer::Done(ChangeFate::Superseded) if too_late => StepOutcome::ChangeSuperseded,
        Answer::Done(ChangeFate::Open) if too_late => {
            StepOutcome::Refused("the supplier has not accepted it".to_owned(), None)
        }
        Answer::Done(ChangeFate::Other(word)) => {
            StepOutcome::Refused(format!("the supplier says that it was {word}"), None)
        }
        Answer::Done(ChangeFate::Open | ChangeFate::Superseded) => {
            StepOutcome::Unknown("not accepted yet".to_owned())
        }
        other => StepOutcome::Unknown(other.problem().unwrap_or_default().to_owned()),
    })
}
