//! What airlines have changed of bookings: listed, accepted, refused.

use actix_web::{HttpRequest, web::Path};
use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use wayfare_domain::{BookingRef, BookingStatus, ChangeId, ChangeState, ChangeWish, ListRequest, MoneyError};
use wayfare_operations::{
    Caller, Error, RefundTerms,
    access::idempotency::IdempotencyKey,
    flights::{self, Accepted, ListedChange, OrderChange, Rebooking, Refused, ShownChange},
};

use super::{
    bodies::new_date,
    reschedule::{NewItineraryView, new_itineraries},
};
use crate::{
    http::{
        App,
        extract::{self, Ask, Body, Keyed, Nothing, Query},
        idempotent::idempotent,
        json_body::{Example, FromJson, JsonObject},
        options::AirlineLogos,
        query::{FromQuery, Parameters},
        reply::{Either, Paged, Replied, WithMessage, left, paged, right, with_message},
    },
    resources::{
        common::{booking_ref, record_id},
        flights::{
            bookings::{change_views::ChangeView, views::PendingView},
            refund_amounts::RefundAmounts,
        },
    },
};

/// A change in the list of all.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FlightChangeRow")]
pub struct ChangeRow {
    booking_ref: BookingRef,
    pnr: String,
    booking_status: BookingStatus,
    agent_name: String,
    #[serde(flatten)]
    change: ChangeView,
}

impl From<(ListedChange, ShownChange)> for ChangeRow {
    fn from((listed, shown): (ListedChange, ShownChange)) -> Self {
        Self {
            booking_ref: listed.booking_ref,
            pnr: listed.pnr,
            booking_status: listed.booking_status,
            agent_name: listed.user_name,
            change: shown.into(),
        }
    }
}

/// In which state the changes of a list are to be, where it is said.
pub struct OfState(Option<ChangeState>);

impl FromQuery for OfState {
    fn read(query: &mut Parameters) -> Self {
        Self(query.word("state"))
    }
}

/// `GET /flights/changes`.
pub async fn changes(app: App, ask: Ask<Caller, Query<(ListRequest, OfState)>>) -> Replied<Paged<ChangeRow>> {
    let Query((page, OfState(state))) = ask.what;
    paged(flights::changes(&app.core, &ask.who, state, page).await?.map(ChangeRow::from))
}

/// What became of a change.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DecidedChange")]
pub struct DecidedView {
    booking_ref: BookingRef,
    id: ChangeId,
    state: ChangeState,
    decided_at: Option<DateTime<Utc>>,
    cancellation: Option<RefundAmounts>,
    /// The `leg_index` of the journey that is to be flown otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    journey: Option<usize>,
    /// What can be flown instead of the change's journey, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    itineraries: Option<Vec<NewItineraryView>>,
}

impl DecidedView {
    fn of(reference: &BookingRef, change: OrderChange, terms: Option<RefundTerms>) -> Self {
        Self {
            booking_ref: reference.clone(),
            id: change.id,
            state: change.state,
            decided_at: change.decided_at,
            cancellation: terms.as_ref().map(RefundAmounts::from),
            journey: None,
            itineraries: None,
        }
    }

    fn of_rebooking(
        reference: &BookingRef,
        found: Rebooking,
        logos: &AirlineLogos,
    ) -> Result<Self, MoneyError> {
        Ok(Self {
            journey: Some(found.journey),
            itineraries: Some(new_itineraries(found.changes, found.itineraries, true, logos)?),
            ..Self::of(reference, found.change, None)
        })
    }
}

type Decided = Either<WithMessage<DecidedView>, WithMessage<PendingView, 202>>;

/// `POST /flights/bookings/{ref}/changes/{id}/accept`.
pub async fn accept(
    app: App,
    ask: Ask<Caller, Keyed<Nothing>>,
    path: Path<(String, String)>,
) -> Replied<Decided> {
    let Ask { who: caller, what: Keyed { key, .. } } = ask;
    let (reference, id) = (booking_ref(&path.0)?, record_id(&path.1)?);
    let carry_out = async |key: Option<&IdempotencyKey>| {
        accepted(&reference, flights::accept(&app.engine, &caller, &reference, id, key).await?)
    };
    let rebuild = async |reference: BookingRef| {
        accepted(&reference, flights::acceptance(&app.core, &caller, &reference, id).await?)
    };
    idempotent(&app, &caller, key, carry_out, rebuild).await
}

fn accepted(reference: &BookingRef, accepted: Accepted) -> Replied<Decided> {
    match accepted {
        Accepted::Done(change) => {
            let view = DecidedView::of(reference, *change, None);
            left(with_message("change accepted", view))
        }
        Accepted::Pending => {
            let pending = PendingView::of(reference);
            right(with_message("accepting of the change is pending", pending))
        }
    }
}

/// `POST /flights/bookings/{ref}/changes/{id}/refuse`.
pub async fn refuse(
    app: App,
    request: HttpRequest,
    ask: Ask<Caller, Keyed<Body<RefuseBody>>>,
    path: Path<(String, String)>,
) -> Replied<Decided> {
    let Ask { who: caller, what: Keyed { body: Body(RefuseBody { wish, new_date }), key } } = ask;
    let (reference, id) = (booking_ref(&path.0)?, record_id(&path.1)?);
    if wish == ChangeWish::Rebook {
        // Nothing is carried out: made again it is asked again.
        let found = flights::rebook(&app.flights, &caller, &reference, id, new_date).await?;
        let logos = &extract::options(&request)?.airline_logos;
        let view = DecidedView::of_rebooking(&reference, found, logos).map_err(Error::from)?;
        return left(with_message("these flights can be flown instead", view));
    }
    let carry_out = async |key: Option<&IdempotencyKey>| {
        let refused = flights::refuse(&app.engine, &caller, &reference, id, key).await?;
        self::refused(&reference, refused)
    };
    let rebuild = async |reference: BookingRef| {
        let refused = flights::refusal(&app.core, &caller, &reference, id).await?;
        self::refused(&reference, refused)
    };
    idempotent(&app, &caller, key, carry_out, rebuild).await
}

fn refused(reference: &BookingRef, refused: Refused) -> Replied<Decided> {
    match refused {
        Refused::Cancelled(change, terms) => {
            let view = DecidedView::of(reference, *change, Some(terms));
            left(with_message("change refused, the order is cancelled", view))
        }
        Refused::Asked(change) => {
            let view = DecidedView::of(reference, *change, None);
            left(with_message("change refused, the refund is being asked for at the supplier", view))
        }
        Refused::Pending => {
            let pending = PendingView::of(reference);
            right(with_message("booking cancellation is pending", pending))
        }
    }
}

/// `POST /flights/bookings/{ref}/changes/{id}/refuse`.
pub struct RefuseBody {
    wish: ChangeWish,
    /// Of what is to be flown instead, local at the origin.
    new_date: Option<NaiveDate>,
}

impl FromJson for RefuseBody {
    const NAME: &str = "RefuseFlightChangeRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let wish = body.word("wish");
        let new_date = match body.has("new_date") {
            true => Some(new_date(body)?),
            false => None,
        };
        Some(Self { wish: wish?, new_date })
    }

    fn examples() -> Vec<Example> {
        vec![
            ("money back", json!({ "wish": "refund" })),
            ("other flights, on another day", json!({ "wish": "rebook", "new_date": "2027-02-12" })),
        ]
    }
}
