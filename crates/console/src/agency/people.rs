//! The names of the agency's people, where pages show what the API names by id.

use uuid::Uuid;
use wayfare_client::{Error, UserFilter};

use super::{Choice, choices};
use crate::session::Signed;

/// Who works for the agency: the newest hundred; of an agency without the portal its agents.
pub struct People(Vec<(Uuid, String)>);

impl People {
    /// Of whoever asks.
    pub async fn of(signed: &Signed) -> Result<Self, Error> {
        let users = signed.session.users().list(&UserFilter::default());
        match users.per_page(100).page(1).await {
            Ok(page) => Ok(Self(page.items.into_iter().map(|user| (user.id, user.name)).collect())),
            Err(error) if error.status() == Some(403) => Self::agents(signed).await,
            Err(error) => Err(error),
        }
    }

    pub async fn agents(signed: &Signed) -> Result<Self, Error> {
        let agents = signed.session.organization_wallet().agents().await?;
        Ok(Self(agents.into_iter().map(|agent| (agent.agent_id, agent.name)).collect()))
    }

    pub fn choices(&self, chosen: &str) -> Vec<Choice> {
        choices(self.0.iter().map(|(id, name)| (id.to_string(), name.clone())), chosen)
    }

    pub fn name(&self, id: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known.to_string() == id);
        found.map(|(_, name)| name.as_str())
    }
}
