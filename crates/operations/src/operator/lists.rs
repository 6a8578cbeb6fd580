//! The operator's lists over all agencies.

use wayfare_boxed::boxed;
use wayfare_domain::AgencyCode;
use wayfare_store::operator::operator_lists::{self, ListRow, Narrowed, OperatorList, Waiting};

use super::agency_of;
use crate::{Platform, Result};

/// The rows of a list: of one agency or of all, narrowed by its own word, so many at most.
///
/// # Errors
/// [`crate::Error::NotFound`] for an unknown agency.
#[boxed]
pub async fn list(
    platform: &Platform,
    list: OperatorList,
    agency: Option<&AgencyCode>,
    word: Option<String>,
    limit: u32,
) -> Result<Vec<ListRow>> {
    let mut connection = platform.core.database.connection().await?;
    let organization = match agency {
        Some(agency) => Some(agency_of(&mut connection, agency).await?.id),
        None => None,
    };
    let narrowed = Narrowed { organization, word, limit: limit.into(), now: platform.core.clock.now() };
    Ok(operator_lists::rows(&mut connection, list, &narrowed).await?)
}

/// How much waits, over all agencies.
#[boxed]
pub async fn waiting(platform: &Platform) -> Result<Waiting> {
    let mut connection = platform.core.database.connection().await?;
    Ok(operator_lists::waiting(&mut connection).await?)
}
