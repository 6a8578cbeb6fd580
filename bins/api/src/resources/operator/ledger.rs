//! Proofs of the ledger, and the trial balance.

use actix_web::web::Path;
use wayfare_contract::operator::{LedgerVerification, TrialBalance};
use wayfare_domain::{AgencyCode, PageRequest};
use wayfare_operations::{
    access::operators::{Finance, Viewer},
    operator,
};

use crate::{
    http::{
        App,
        extract::{Ask, Nothing, Query},
        query::{FromQuery, Parameters},
        reply::{DataReply, Paged, Replied, data, paged},
    },
    resources::common::record_id,
};

/// `POST /ledger/verifications`.
pub async fn begin(app: App, ask: Ask<Finance, Nothing>) -> DataReply<LedgerVerification, 202> {
    data(operator::begin_verification(&app, &ask.who).await?)
}

/// `GET /ledger/verifications`.
pub async fn list(app: App, ask: Ask<Viewer, Query<PageRequest>>) -> Replied<Paged<LedgerVerification>> {
    let Query(page) = ask.what;
    paged(operator::verifications(&app, page).await?)
}

/// `GET /ledger/verifications/{id}`.
pub async fn get(app: App, _: Ask<Viewer, Nothing>, id: Path<String>) -> DataReply<LedgerVerification> {
    data(operator::verification(&app, record_id(&id)?).await?)
}

/// `GET /trial-balance`.
pub async fn trial_balance(app: App, ask: Ask<Finance, Query<OfAgency>>) -> DataReply<TrialBalance> {
    let Query(OfAgency(agency)) = ask.what;
    data(operator::trial_balance(&app, agency.as_ref()).await?)
}

/// Of which agency; of all where none is named.
pub struct OfAgency(Option<AgencyCode>);

impl FromQuery for OfAgency {
    fn read(query: &mut Parameters) -> Self {
        Self(query.text("agency").map(AgencyCode::from))
    }
}
