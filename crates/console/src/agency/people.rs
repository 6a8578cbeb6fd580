//! The names of the agency's people, where pages show what the API names by id.

use uuid::Uuid;
use wayfare_client::{Error, UserFilter};

use crate::session::Signed;

/// Who works for the agency, by id: the newest hundred; of an agency without the portal its agents.
pub struct People(pub Vec<(String, String)>);

impl People {
    /// Of whoever asks.
    pub async fn of(signed: &Signed) -> Result<Self, Error> {
        let users = signed.session.users().list(&UserFilter::default());
        let named: Vec<(Uuid, String)> = match users.per_page(100).page(1).await {
            Ok(page) => page.items.into_iter().map(|user| (user.id, user.name)).collect(),
            Err(error) if error.status() == Some(403) => {
                let agents = signed.session.organization_wallet().agents().await?;
                agents.into_iter().map(|agent| (agent.agent_id, agent.name)).collect()
            }
            Err(error) => return Err(error),
        };
        Ok(Self(named.into_iter().map(|(id, name)| (id.to_string(), name)).collect()))
    }

    pub fn name(&self, id: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == id);
        found.map(|(_, name)| name.as_str())
    }
}
