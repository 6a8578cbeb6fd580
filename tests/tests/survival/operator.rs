//! The operator, who is not killed: what no look-up tells they learn at the supplier's desk.

use std::sync::Arc;

use diesel_async::SimpleAsyncConnection;
use rust_decimal::Decimal;
use wayfare_domain::{IncidentKind, IncidentOutcome, PageRequest, StepKind};
use wayfare_operations::{
    Error, Incident, Platform, Resolution,
    access::operators::By,
    engine::{incidents, resolution},
};
use wayfare_tests::{Supplier, amount};

pub struct Operator {
    pub platform: Arc<Platform>,
    pub supplier: Supplier,
}

impl Operator {
    /// Rules on every cancellation of which the operator was told that its outcome is not known; how many.
    pub async fn rule(&self) -> usize {
        let all = PageRequest { page: 1, per_page: 100 };
        let open = incidents::list(&self.platform.core, false, all).await.unwrap().items;
        let mut ruled = 0;
        for exception in open {
            let Some(outcome) = self.outcome(&exception).await else { continue };
            let ruling =
                Resolution { outcome, order_id: None, note: "the supplier's desk, by telephone".to_owned() };
            match resolution::resolve(&self.platform.engine, By::command_line(), exception.id, &ruling).await
            {
                Ok(_) => ruled += 1,
                Err(Error::IncidentClosed { .. }) => {}
                // The supplier was just asked once more: the desk is asked again later.
                Err(Error::Invalid(_)) if exception.kind == IncidentKind::OutcomeUnknown => {}
                Err(error) => panic!("{exception:?}: {error}"),
            }
        }
        ruled
    }

    pub async fn sql(&self, statement: &str) {
        let mut connection = self.platform.core.database.connection().await.unwrap();
        connection.batch_execute(statement).await.unwrap();
    }

    /// What the desk says of a cancellation; nothing of anything else.
    async fn outcome(&self, exception: &Incident) -> Option<IncidentOutcome> {
        let asked = exception.step.as_ref()?;
        if asked.kind != StepKind::Cancel {
            return None;
        }
        let orders = self.supplier.orders().await;
        let order = orders.iter().find(|order| order["id"].as_str() == asked.order_id.as_deref())?;
        // Of a part the order stands, and money has come back.
        let is_done = order["status"] == "cancelled" || amount(&order["refunded"]) > Decimal::ZERO;
        Some(match is_done {
            true => IncidentOutcome::Done,
            false => IncidentOutcome::Refused,
        })
    }
}
