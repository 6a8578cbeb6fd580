//! Journeys of orders as they are changed at their suppliers (D-386, D-583).
//!
//! A change is made ready first, which costs nothing and binds nobody, and its name is written before it is confirmed. So what
//! became of a confirmation without an answer is read from the change, and one whose name was never written was never
//! confirmed. One that nobody has carried out is confirmed once more, under the same name; what is not confirmed when it expires
//! never will be.

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use wayfare_domain::ChangeKind;
use wayfare_pricing::SoldChange;
use wayfare_store::{
    JsonText,
    booking::steps::{self, Step},
};
use wayfare_supply::{Answer, ChangePrice, PendingChange};

use crate::{
    ChangedFare, Core, Engine, Error, Result,
    engine::{
        step::{self, OrderMade, Service, StepOutcome},
        steps::LookUp,
    },
    people::sealed::BookingPeople,
    reason::Fare,
    tools::failpoints::moment,
};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ChangeRequest {
    /// What was sent when the order was made, without people, as its product has it: to find the order by.
    pub booked: JsonText,
    pub order_id: String,
    /// The supplier's name of what was chosen.
    pub token: String,
    /// What it costs there: at another price it is not confirmed.
    pub price: ChangePrice,
    /// What the wallet was told, to be told what has changed.
    pub shown: Fare,
    /// The supplier's change, once it is ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<PendingChange>,
    /// When the supplier, which had kept silent, was asked to confirm it once more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_again_at: Option<DateTime<Utc>>,
    pub cost: SoldChange,
    /// The money that is set aside, where it costs any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<Service>,
    /// What is flown in the place of what, journey by journey.
    pub journeys: Vec<ReplacedFlights>,
}

/// The flights of a journey that others take the place of, as its product has them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ReplacedFlights {
    /// The place of the journey among all of the booking, from 0.
    pub journey: usize,
    /// The place that this has among all changes of the booking, from 1: nothing else is found while the step is under way.
    pub place: u16,
    pub kind: ChangeKind,
    pub minutes: Option<i32>,
    pub before: JsonText,
    pub after: JsonText,
}

/// Makes the change ready, writes its name, and confirms it.
pub(super) async fn send(engine: &Engine, step: &Step, people: &BookingPeople) -> Result<StepOutcome> {
    let supplier = engine.after_sale(&step.supplier)?;
    moment("change:opened");
    if !step::in_time(&engine.core, step) {
        return Ok(StepOutcome::too_late());
    }
    let mut request: ChangeRequest = step.request.parse()?;
    let pending = match supplier.prepare_change(&step.request, people).await? {
        Answer::Done(pending) if pending.price == request.price => pending,
        Answer::Done(_) => return Ok(moved(&request)),
        // One that is ready is nothing until it is confirmed, which only this step would do.
        Answer::Unknown(reason) => {
            return Ok(StepOutcome::refused(reason, Error::SupplierUnavailable(None)));
        }
        other => {
            let changed = Some(price_changed(&request));
            return Ok(StepOutcome::of(engine, step, people, other, changed, |_| moved(&request)));
        }
    };
    request.pending = Some(pending.clone());
    let named = JsonText::keeping(request.clone())?;
    let mut connection = engine.core.database.connection().await?;
    // Who looks it up without a name refuses it: from then on nothing may be confirmed (D-372).
    let is_named = steps::note_while_sending(&mut connection, step, &named).await?;
    drop(connection);
    if !is_named {
        return Ok(StepOutcome::Unknown("somebody else has taken it over".to_owned()));
    }
    moment("change:named");
    let answer = supplier.confirm_change(&named, people, &pending).await?;
    moment("change:answered");
    match answer {
        Answer::Done(_) => changed_order(engine, step, people, pending.id).await,
        other => {
            let changed = Some(price_changed(&request));
            Ok(StepOutcome::of(engine, step, people, other, changed, |_| moved(&request)))
        }
    }
}

/// Finds out whether it was carried out, from the change itself. What was not until it expired never will be.
pub(super) async fn look_up(
    engine: &Engine,
    step: &Step,
    people: &BookingPeople,
    asked: LookUp<'_>,
) -> Result<StepOutcome> {
    let request: ChangeRequest = step.request.parse()?;
    let Some(known) = &request.pending else {
        return Ok(match asked.too_late {
            true => StepOutcome::Refused("it was never confirmed".to_owned(), None),
            false => StepOutcome::Unknown("not made ready yet".to_owned()),
        });
    };
    let supplier = engine.after_sale(&step.supplier)?;
    let mut found = supplier.find_pending_change(&known.id).await;
    if is_to_be_confirmed_again(engine, step, &request, &found, asked)? {
        if let Some(problem) = confirm_again(engine, step, people, &request, asked.now).await? {
            return Ok(StepOutcome::Unknown(problem));
        }
        found = supplier.find_pending_change(&known.id).await;
    }
    match found {
        Answer::Done(change) if change.is_confirmed => {
            changed_order(engine, step, people, known.id.clone()).await
        }
        Answer::Done(change) => {
            let end = change.expires_at.or(known.expires_at);
            let is_expired = end.is_some_and(|end| end <= asked.now);
            let is_over = asked.too_late && is_expired && is_silent(engine, step, &request, asked.now)?;
            Ok(match is_over {
                true => StepOutcome::Refused("it was not confirmed until it expired".to_owned(), None),
                false => StepOutcome::Unknown("not confirmed yet".to_owned()),
            })
        }
        other => Ok(StepOutcome::Unknown(other.problem().unwrap_or_default().to_owned())),
    }
}

/// Whether the supplier has had its longest processing time, and one more deadline, since it was asked at last.
fn is_silent(engine: &Engine, step: &Step, request: &ChangeRequest, now: DateTime<Utc>) -> Result<bool> {
    let config = engine.suppliers.supplier(&step.supplier)?.config();
    let patience = config.processing_time.saturating_add(config.effect_deadline);
    let since = request.confirmed_again_at.unwrap_or(step.sent_at);
    Ok(now - since > Duration::from_std(patience).unwrap_or(Duration::MAX))
}

/// Whether the supplier is asked once more to confirm a change that waits there, as it was silent about the first time.
fn is_to_be_confirmed_again(
    engine: &Engine,
    step: &Step,
    request: &ChangeRequest,
    found: &Answer<PendingChange>,
    asked: LookUp<'_>,
) -> Result<bool> {
    let is_waiting =
        |change: &PendingChange| !change.is_confirmed && change.expires_at.is_none_or(|end| end > asked.now);
    Ok(request.confirmed_again_at.is_none()
        && asked.too_late
        && matches!(found, Answer::Done(change) if is_waiting(change))
        && engine.after_sale(&step.supplier)?.confirms_changes_again()
        && is_silent(engine, step, request, asked.now)?)
}

/// Has the change confirmed once more. That it is asked is written before, so that nobody asks a third time; what it answers
/// decides nothing, since it may be at the first one: the change tells. Why it was not asked, if it wasn't.
async fn confirm_again(
    engine: &Engine,
    step: &Step,
    people: &BookingPeople,
    request: &ChangeRequest,
    now: DateTime<Utc>,
) -> Result<Option<String>> {
    let Some(pending) = &request.pending else { return Ok(Some("not made ready yet".to_owned())) };
    let asked = JsonText::keeping(ChangeRequest { confirmed_again_at: Some(now), ..request.clone() })?;
    if !note(&engine.core, step, &asked).await? {
        return Ok(Some("somebody else has looked it up".to_owned()));
    }
    moment("change:again");
    let supplier = engine.after_sale(&step.supplier)?;
    let answer = supplier.confirm_change(&asked, people, pending).await?;
    moment("change:again answered");
    tracing::info!(step = %step.id, problem = answer.problem(), "a change without an answer was confirmed once more");
    match answer {
        // Nothing was sent.
        Answer::Unavailable(outage) => {
            let asked_step = Step { request: asked, ..step.clone() };
            note(&engine.core, &asked_step, &step.request).await?;
            Ok(Some(outage.reason))
        }
        Answer::Done(_) | Answer::Refused(_) | Answer::Unknown(_) => Ok(None),
    }
}

async fn note(core: &Core, step: &Step, request: &JsonText) -> Result<bool> {
    let mut connection = core.database.connection().await?;
    Ok(steps::note_request(&mut connection, step, request).await?)
}

/// The order after its change: whatever stands in the way of reading it, it is changed.
async fn changed_order(
    engine: &Engine,
    step: &Step,
    people: &BookingPeople,
    change: String,
) -> Result<StepOutcome> {
    let supplier = engine.after_sale(&step.supplier)?;
    let reason = match supplier.find_changed(&step.request, people, &change).await? {
        Answer::Done(Some(order)) => {
            return Ok(StepOutcome::OrderMade(OrderMade { change: Some(change), ..order }));
        }
        Answer::Done(None) => "the order is not found".to_owned(),
        other => other.problem().unwrap_or_default().to_owned(),
    };
    Ok(StepOutcome::Unknown(format!("changed, but {reason}")))
}

/// The supplier wants another price than the agency was told: nothing is confirmed.
fn moved(request: &ChangeRequest) -> StepOutcome {
    let reason = "the price of the change has moved".to_owned();
    StepOutcome::refused(reason, price_changed(request))
}

fn price_changed(request: &ChangeRequest) -> Error {
    ChangedFare::between(request.shown, None).into()
}
