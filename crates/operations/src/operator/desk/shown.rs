//! Incidents and rulings as operators are shown them.

use wayfare_contract::{
    Amount,
    operator::{Incident, IncidentClaim, IncidentStep, Ruling},
};
use wayfare_store::booking::{incidents, rulings};

pub fn incident(incident: incidents::Incident) -> Incident {
    let (outcome, order_id, note) = match incident.resolution {
        Some(resolution) => (Some(resolution.outcome), resolution.order_id, Some(resolution.note)),
        None => (None, None, None),
    };
    Incident {
        id: incident.id.uuid(),
        kind: incident.kind.as_ref().into(),
        agent_id: incident.agency.to_string(),
        agency: incident.agency_name,
        booking_ref: incident.booking_ref.to_string(),
        booking_status: incident.booking_status.as_ref().into(),
        money_held: Amount(incident.held.amount()),
        currency: incident.held.currency().code().to_owned(),
        problem: incident.problem,
        details: incident.details,
        raised_at: incident.raised_at,
        step: incident.step.map(step),
        claimed_by: incident.claim.map(|claim| IncidentClaim {
            operator_id: claim.operator.uuid(),
            username: claim.username,
            name: claim.name,
            since: claim.at,
        }),
        outcome: outcome.map(|outcome| outcome.as_ref().into()),
        order_id,
        note,
        resolved_by: incident.resolved_by,
        closed_by: incident.closed.map(|(by, _)| by.as_ref().into()),
        closed_at: incident.closed.map(|(_, at)| at),
    }
}

fn step(step: incidents::StepAsked) -> IncidentStep {
    IncidentStep {
        kind: step.kind.as_ref().into(),
        supplier: step.supplier,
        reference: step.reference.to_string(),
        order_id: step.order_id,
        sent_at: step.sent_at,
        looked_up: step.attempts,
        problem: step.problem,
    }
}

pub fn ruling(ruling: rulings::Ruling) -> Ruling {
    Ruling {
        id: ruling.id.uuid(),
        order: ruling.number,
        kind: ruling.kind.as_ref().into(),
        state: ruling.state.as_ref().into(),
        amount: Amount(ruling.amount.amount()),
        currency: ruling.amount.currency().code().to_owned(),
        moved: Amount(ruling.moved.amount()),
        moved_currency: ruling.moved.currency().code().to_owned(),
        transfer_id: ruling.transfer.map(|id| id.uuid()),
        incident_id: ruling.incident.map(|id| id.uuid()),
        note: ruling.note,
        ruled_at: ruling.at,
        collected_at: ruling.collected_at,
    }
}
