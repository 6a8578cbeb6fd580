//! Who a request comes from, by the token that it shows.

use tokio::runtime::Handle;
use wayfare_boxed::boxed;
use wayfare_domain::Origin;
use wayfare_store::{
    Database,
    access::users::{self, Claimed, Identified},
};

use crate::{
    Access, Error, Person, Result,
    access::{access_token, login_policy, sessions},
    tools::group_read::GroupRead,
};

/// Who the requests of a moment come from, read together.
pub(crate) type Identities = GroupRead<Claimed, Identified>;

pub(crate) fn identities(database: &Database, runtime: &Handle) -> Identities {
    let database = database.clone();
    GroupRead::start(runtime, move |claimed: Vec<Claimed>| {
        let database = database.clone();
        async move {
            let connection = database.connection_to_look_up().await?;
            users::identify(&connection, &claimed).await
        }
    })
}

/// Who a request comes from: the token is ours and in time, its session lasts, and its user and agency may act now. It is
/// an access token or that of a browser's session.
///
/// # Errors
/// [`Error::Unauthenticated`] otherwise; [`Error::AccessDenied`] from an address that the agency does not accept.
#[boxed]
pub async fn authenticate(access: &Access, access_token: &str, origin: Origin) -> Result<Person> {
    if let Some(token) = sessions::token(access_token) {
        return sessions::authenticate(&access.core, token, origin).await;
    }
    let claims = access_token::read(&access.core, access_token)?;
    let claimed = Claimed { organization: claims.org, user: claims.sub, session: claims.sid };
    let identified = access.identities.get(claimed).await?;
    let identity = identified.ok_or(Error::Unauthenticated)?.read()?;
    login_policy::check(&identity, &origin)?;
    Ok(Person::new(identity, claims.sid, origin))
}
