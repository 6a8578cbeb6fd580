//! What agents have of the agency's money, and giving them more of it.

use uuid::Uuid;
use wayfare_client::{AgentAllocation, WalletSummary};

use super::id;
use crate::prelude::*;

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/agency/allocations").get(show))
        .service(web::resource("/agency/allocations/{agent}").post(allocate));
}

#[derive(Template)]
#[template(path = "agency/allocations.html")]
struct AllocationsPage {
    shell: Shell,
    summary: WalletSummary,
    agents: Vec<AgentAllocation>,
    currency: String,
    typed: Fields,
    wrongs: Wrongs,
    done: String,
}

impl AllocationsPage {
    /// What is wrong with a field of an agent's form.
    fn wrong(&self, field: &str, agent: &AgentAllocation) -> &str {
        self.wrongs.of_field(&at(field, agent.agent_id))
    }

    /// What was typed into it, where it was refused.
    fn typed(&self, field: &str, agent: &AgentAllocation) -> &str {
        self.typed.get(&at(field, agent.agent_id))
    }
}

/// The name of a field of an agent's form.
fn at(field: &str, agent: Uuid) -> String {
    format!("{field}-{agent}")
}

async fn page_of(signed: &Signed) -> Result<AllocationsPage> {
    let wallet = signed.session.organization_wallet();
    let (shell, own, summary, agents) = futures_util::try_join!(
        signed.shell("Allocations", Area::Allocations),
        wallet.read(),
        wallet.summary(),
        wallet.agents()
    )?;
    Ok(AllocationsPage {
        shell,
        summary,
        agents,
        typed: Fields::default(),
        currency: own.currency,
        wrongs: Wrongs::default(),
        done: String::new(),
    })
}

/// `GET /console/agency/allocations`.
async fn show(signed: Signed, fields: Fields) -> Answer {
    let mut shown = page_of(&signed).await?;
    let to = fields.get("to").to_owned();
    let agent = shown.agents.iter().find(|agent| agent.agent_id.to_string() == to);
    if let Some(agent) = agent {
        let has = money(agent.allocated_balance, &shown.currency);
        shown.done = format!("{} has {has} now.", agent.name);
    }
    page::html(&shown)
}

/// `POST /console/agency/allocations/{agent}`, under the form's key, so that a form that comes twice gives once.
async fn allocate(signed: Signed, agent: Path<String>, fields: Fields) -> Answer {
    let agent = id(&agent)?;
    let session = signed.session.keyed(fields.key()?);
    let at = |field: &str| at(field, agent);
    let mut wrongs = Wrongs::default();
    if let Some(given) = fields.needed_amount(&at("amount"), &mut wrongs) {
        let wallet = session.organization_wallet();
        let Err(error) = wallet.allocate(agent, given, fields.get(&at("description"))).await else {
            return Ok(see_other(&format!("{BASE}/agency/allocations?to={agent}")));
        };
        wrongs = Wrongs::refused(error, "amount")?.renamed(at);
    }
    page::unprocessable(&AllocationsPage { typed: fields, wrongs, ..page_of(&signed).await? })
}
