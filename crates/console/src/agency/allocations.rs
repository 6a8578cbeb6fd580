//! What agents have of the agency's money, and giving them more of it.

use actix_web::{
    http::StatusCode,
    web::{self, Path, ServiceConfig},
};
use askama::Template;
use uuid::Uuid;
use wayfare_client::AgentAllocation;

use super::{amount, id, new_key, refused};
use crate::{
    BASE,
    day::Moment,
    failure::Failure,
    form::{Fields, Wrongs},
    money::money,
    page::{self, Answer, Shell},
    see_other,
    session::Signed,
    side::Area,
};

const PLACE: &str = "allocations";

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/agency/allocations").get(show))
        .service(web::resource("/agency/allocations/{agent}").post(allocate));
}

#[derive(Template)]
#[template(path = "agency/allocations.html")]
struct AllocationsPage {
    shell: Shell,
    place: &'static str,
    balance: String,
    held: String,
    allocated: String,
    month: [(&'static str, String); 2],
    agents: Vec<Agent>,
    wrongs: Wrongs,
    done: String,
}

struct Agent {
    id: Uuid,
    name: String,
    username: String,
    balance: String,
    given: String,
    last: Option<Moment>,
    is_active: bool,
    amount_id: String,
    text_id: String,
    /// What was typed for them, where it was refused.
    amount: String,
    description: String,
    key: String,
}

impl Agent {
    fn of(agent: &AgentAllocation, currency: &str) -> Self {
        Self {
            id: agent.agent_id,
            name: agent.name.clone(),
            username: agent.username.clone(),
            balance: money(agent.allocated_balance, currency),
            given: money(agent.total_allocated_to_date, currency),
            last: agent.last_allocation.map(Moment::of),
            is_active: agent.is_active,
            amount_id: format!("amount-{}", agent.agent_id),
            text_id: format!("description-{}", agent.agent_id),
            amount: String::new(),
            description: String::new(),
            key: new_key(),
        }
    }
}

async fn page_of(signed: &Signed) -> Result<AllocationsPage, Failure> {
    let wallet = signed.session.organization_wallet();
    let (shell, own, summary, agents) = futures_util::try_join!(
        signed.shell("Allocations", Area::Agency),
        wallet.read(),
        wallet.summary(),
        wallet.agents()
    )?;
    let text = |amount| money(amount, &own.currency);
    Ok(AllocationsPage {
        shell,
        place: PLACE,
        balance: text(summary.current_balance),
        held: text(summary.held.unwrap_or_default()),
        allocated: text(summary.total_allocated_to_agents),
        month: [
            ("In this month", text(summary.this_month.total_credits)),
            ("Out this month", text(summary.this_month.total_debits)),
        ],
        agents: agents.iter().map(|agent| Agent::of(agent, &own.currency)).collect(),
        wrongs: Wrongs::default(),
        done: String::new(),
    })
}

/// `GET /console/agency/allocations`.
async fn show(signed: Signed, fields: Fields) -> Answer {
    let mut shown = page_of(&signed).await?;
    let to = fields.get("to").to_owned();
    let agent = shown.agents.iter().find(|agent| agent.id.to_string() == to);
    if let Some(agent) = agent {
        shown.done = format!("{} has {} now.", agent.name, agent.balance);
    }
    page::html(&shown)
}

/// `POST /console/agency/allocations/{agent}`, under the form's key, so that a form that comes twice gives once.
async fn allocate(signed: Signed, agent: Path<String>, fields: Fields) -> Answer {
    let agent = id(&agent)?;
    let session = signed.session.keyed(fields.key()?);
    let at = |field: &str| format!("{field}-{agent}");
    let (amount_field, description) = (at("amount"), fields.get(&at("description")).to_owned());
    let mut wrongs = Wrongs::default();
    let given = amount(&fields, &amount_field, &mut wrongs);
    if given.is_none() && wrongs.is_empty() {
        wrongs.add(&amount_field, "How much?");
    }
    if let Some(given) = given {
        let wallet = session.organization_wallet();
        let error = match wallet.allocate(agent, given, &description).await {
            Ok(_) => return Ok(see_other(&format!("{BASE}/agency/allocations?to={agent}"))),
            Err(error) => error,
        };
        wrongs = refused(&error, &amount_field, at).ok_or(error)?;
    }
    let mut shown = page_of(&signed).await?;
    for one in shown.agents.iter_mut().filter(|one| one.id == agent) {
        one.amount = fields.get(&amount_field).to_owned();
        one.description.clone_from(&description);
    }
    shown.wrongs = wrongs;
    page::html_with(StatusCode::UNPROCESSABLE_ENTITY, &shown)
}
