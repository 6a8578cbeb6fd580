//! Incidents: what the service can't settle by itself, and what operators decide about it.

use actix_web::web::Path;
use wayfare_contract::operator::{self as contract, Incident, ShownIncident};
use wayfare_domain::{AgencyCode, IncidentOutcome, PageRequest};
use wayfare_operations::{
    Resolution,
    access::operators::{Desk, OperatorProof, Viewer},
    engine::{
        incidents::{self, IncidentSearch, TakeOver},
        resolution,
    },
    operator::desk::{self, shown},
};

use crate::{
    http::{
        App,
        extract::{Ask, Body, Maybe, Nothing, Query},
        json_body::{FromJson, JsonObject},
        query::{FromQuery, Parameters},
        reply::{DataReply, Paged, Replied, data, paged},
    },
    resources::common::record_id,
};

/// More characters than this are no note.
pub const LONGEST_NOTE: usize = 2000;

/// `GET /incidents`.
pub async fn list(
    app: App,
    ask: Ask<Viewer, Query<(PageRequest, IncidentSearch)>>,
) -> Replied<Paged<Incident>> {
    let Query((page, search)) = ask.what;
    paged(incidents::list(&app.core, search, page).await?.map(shown::incident))
}

/// `GET /incidents/{id}`.
pub async fn get(app: App, _: Ask<Viewer, Nothing>, id: Path<String>) -> DataReply<ShownIncident> {
    let incident = incidents::show(&app.core, record_id(&id)?).await?;
    let found = desk::overview(&app, &incident.booking_ref).await?;
    data(ShownIncident {
        incident: shown::incident(incident),
        booking: found.booking,
        happened: found.happened,
    })
}

/// `POST /incidents/{id}/claim`.
pub async fn claim(app: App, ask: Ask<Desk, Maybe<ClaimBody>>, id: Path<String>) -> DataReply<Incident> {
    let Maybe(body) = ask.what;
    let ClaimBody(take_over) = body.unwrap_or_default();
    let incident = incidents::claim(&app.core, &ask.who, record_id(&id)?, take_over).await?;
    data(shown::incident(incident))
}

/// `POST /incidents/{id}/release`.
pub async fn release(app: App, ask: Ask<Desk, Nothing>, id: Path<String>) -> DataReply<Incident> {
    let incident = incidents::release(&app.core, &ask.who, record_id(&id)?).await?;
    data(shown::incident(incident))
}

/// `POST /incidents/{id}/resolve`.
pub async fn resolve(app: App, ask: Ask<Desk, Body<ResolveBody>>, id: Path<String>) -> DataReply<Incident> {
    let Body(ResolveBody { resolution: wanted, take_over }) = ask.what;
    let id = record_id(&id)?;
    if take_over == TakeOver::Yes {
        incidents::claim(&app.core, &ask.who, id, take_over).await?;
    }
    let incident = resolution::resolve(&app.engine, ask.who.by(), id, &wanted).await?;
    data(shown::incident(incident))
}

/// `POST /incidents/{id}/claim`.
#[derive(Default)]
pub struct ClaimBody(TakeOver);

impl FromJson for ClaimBody {
    const NAME: &str = "ClaimIncidentRequest";
    type Declared = contract::ClaimIncident;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        Some(Self(take_over(body)))
    }
}

/// Whether what another operator works on is taken over.
pub fn take_over(body: &mut JsonObject<'_>) -> TakeOver {
    match body.boolean("take_over") {
        Some(true) => TakeOver::Yes,
        Some(false) | None => TakeOver::No,
    }
}

/// `POST /incidents/{id}/resolve`.
pub struct ResolveBody {
    resolution: Resolution,
    take_over: TakeOver,
}

impl FromQuery for IncidentSearch {
    fn read(query: &mut Parameters) -> Self {
        let all = query.word::<YesNo>("all") == Some(YesNo::True);
        Self {
            all,
            kind: query.word("kind"),
            agency: query.text("agency").map(AgencyCode::from),
            raised_before: query.instant("raised_before"),
            oldest_first: !all,
        }
    }
}

wayfare_domain::word_enum! { closed
    /// Yes or no in a query.
    pub enum YesNo {
        /// Yes.
        True,
        /// No.
        False,
    }
}

impl FromJson for ResolveBody {
    const NAME: &str = "ResolveIncidentRequest";
    type Declared = contract::Resolution;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let outcome = body.word::<IncidentOutcome>("outcome");
        let order_id = body.short_text("order_id", 200);
        let note = body.text("note", LONGEST_NOTE);
        let take_over = take_over(body);
        Some(Self {
            resolution: Resolution {
                outcome: outcome?,
                order_id: order_id.filter(|id| !id.is_empty()),
                note: note?,
            },
            take_over,
        })
    }
}
