//! What needs a person, over all agencies.

use wayfare_contract::operator::Overview;
use wayfare_operations::{access::operators::Viewer, operator};

use crate::http::{
    App,
    extract::{Ask, Nothing},
    reply::{DataReply, data},
};

/// `GET /overview`.
pub async fn get(app: App, _: Ask<Viewer, Nothing>) -> DataReply<Overview> {
    data(operator::overview(&app).await?)
}
