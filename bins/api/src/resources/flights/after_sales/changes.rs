//! What airlines have changed of bookings: listed, accepted, refused.

use actix_web::{HttpRequest, web::Path};
use chrono::NaiveDate;
use wayfare_contract::flights::{ChangeRefusal, DecidedChange, FlightChangeRow, FlightPending};
use wayfare_domain::{BookingRef, ChangeState, ChangeWish, ListRequest, MoneyError};
use wayfare_operations::{
    Caller, Error, RefundTerms,
    access::idempotency::IdempotencyKey,
    flights::{self, Accepted, ListedChange, OrderChange, Rebooking, Refused, ShownChange},
};
use wayfare_search_response::flights::AirlineLogos;

use super::reschedule::{bodies::new_date, views::new_itineraries};
use crate::{
    http::{
        App,
        extract::{self, Ask, Body, Keyed, Nothing, Query},
        idempotent::idempotent,
        json_body::{FromJson, JsonObject},
        query::{FromQuery, Parameters},
        reply::{Either, Paged, Replied, WithMessage, left, paged, right, with_message},
    },
    resources::{
        common::{booking_ref, record_id},
        flights::{
            bookings::{change_views::change, views::outcome_pending},
            refund_amounts::refund_amounts,
        },
    },
};

/// A change in the list of all.
fn row((listed, shown): (ListedChange, ShownChange)) -> FlightChangeRow {
    FlightChangeRow {
        booking_ref: listed.booking_ref.to_string(),
        pnr: listed.pnr,
        booking_status: listed.booking_status.as_ref().into(),
        agent_name: listed.user_name,
        change: change(shown),
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
pub async fn changes(
    app: App,
    ask: Ask<Caller, Query<(ListRequest, OfState)>>,
) -> Replied<Paged<FlightChangeRow>> {
    let Query((page, OfState(state))) = ask.what;
    paged(flights::changes(&app.core, &ask.who, state, page).await?.map(row))
}

/// What became of a change.
fn decided(reference: &BookingRef, change: OrderChange, terms: Option<RefundTerms>) -> DecidedChange {
    DecidedChange {
        booking_ref: reference.to_string(),
        id: change.id.uuid(),
        state: change.state.as_ref().into(),
        decided_at: change.decided_at,
        cancellation: terms.as_ref().map(refund_amounts),
        journey: None,
        itineraries: None,
    }
}

fn rebooking(
    reference: &BookingRef,
    found: Rebooking,
    logos: &AirlineLogos,
) -> Result<DecidedChange, MoneyError> {
    Ok(DecidedChange {
        journey: Some(found.journey),
        itineraries: Some(new_itineraries(found.changes, found.itineraries, true, logos)?),
        ..decided(reference, found.change, None)
    })
}

type Decided = Either<WithMessage<DecidedChange>, WithMessage<FlightPending, 202>>;

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
            let view = decided(reference, *change, None);
            left(with_message("change accepted", view))
        }
        Accepted::Pending => {
            let pending = outcome_pending(reference);
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
        let view = rebooking(&reference, found, logos).map_err(Error::from)?;
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
            let view = decided(reference, *change, Some(terms));
            left(with_message("change refused, the order is cancelled", view))
        }
        Refused::Asked(change) => {
            let view = decided(reference, *change, None);
            left(with_message("change refused, the refund is being asked for at the supplier", view))
        }
        Refused::Pending => {
            let pending = outcome_pending(reference);
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
    type Declared = ChangeRefusal;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let wish = body.word("wish");
        let new_date = match body.has("new_date") {
            true => Some(new_date(body)?),
            false => None,
        };
        Some(Self { wish: wish?, new_date })
    }
}
