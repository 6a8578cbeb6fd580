//! What of suppliers' answers could not be read as it came: every server adds what it has counted, and what is new is an alarm.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::{Value, json};
use wayfare_domain::AlarmKind;
use wayfare_store::suppliers::{
    supplier_accounts,
    supplier_read_losses::{self, MoreLosses, NewLoss},
};
use wayfare_supply::{CountedLoss, LossKind};

use crate::{Core, Error, Result, suppliers::accounts};

/// What has not come for so long is forgotten, and is new when it comes again.
pub(crate) const KEPT: TimeDelta = TimeDelta::days(30);
/// So long an alarm is open after something was new.
const NEW_FOR: TimeDelta = TimeDelta::hours(24);
/// An alarm names so many fields at most.
const MOST_NAMED: usize = 50;

/// What one server has said of its losses.
#[derive(Default)]
pub(super) struct SaidLosses(BTreeMap<(String, String, LossKind), u64>);

impl SaidLosses {
    /// What was counted since it was said last.
    pub fn more(&self, supplier: &str, counted: &[CountedLoss]) -> Vec<MoreLosses> {
        let more = counted.iter().filter_map(|loss| {
            let said = self.0.get(&(supplier.to_owned(), loss.field.clone(), loss.kind));
            let more = loss.count.saturating_sub(said.copied().unwrap_or_default());
            (more > 0).then(|| MoreLosses {
                supplier: supplier.to_owned(),
                field: loss.field.clone(),
                kind: loss.kind.label(),
                losses: i64::try_from(more).unwrap_or(i64::MAX),
                example: loss.example.clone(),
            })
        });
        more.collect()
    }

    pub fn said(&mut self, supplier: &str, counted: &[CountedLoss]) {
        for loss in counted {
            let key = (supplier.to_owned(), loss.field.clone(), loss.kind);
            self.0.insert(key, loss.count);
        }
    }
}

/// Adds what was lost, and raises an alarm for what is new.
pub(super) async fn add(core: &Core, connection: &mut AsyncPgConnection, more: &[MoreLosses]) -> Result<()> {
    let now = core.shared_time.now();
    connection
        .transaction(async |connection| {
            let new = supplier_read_losses::add(connection, more, now).await?;
            let mut by_supplier: BTreeMap<&str, Vec<&NewLoss>> = BTreeMap::new();
            for loss in &new {
                by_supplier.entry(&loss.supplier).or_default().push(loss);
            }
            for (supplier, new) in by_supplier {
                tell(core, connection, supplier, &new).await?;
            }
            Ok::<_, Error>(())
        })
        .await
}

async fn tell(
    core: &Core,
    connection: &mut AsyncPgConnection,
    supplier: &str,
    new: &[&NewLoss],
) -> Result<()> {
    let fields = new.iter().take(MOST_NAMED).map(|loss| {
        tracing::error!(
            supplier,
            field = loss.field,
            kind = loss.kind,
            example = loss.example,
            "something new of a supplier's answers can't be read"
        );
        json!({ "field": loss.field, "kind": loss.kind, "example": loss.example })
    });
    let fields: Vec<Value> = fields.collect();
    let kind = AlarmKind::ReadLosses;
    let added =
        supplier_accounts::add_to_alarm(connection, (supplier, kind), "fields", &json!(fields)).await?;
    match added {
        true => Ok(()),
        false => accounts::raise(core, connection, (supplier, kind), json!({ "fields": fields })).await,
    }
}

/// Closes the alarm of a supplier of whose answers nothing new was lost for a day.
pub(crate) async fn close_if_old(
    core: &Core,
    connection: &mut AsyncPgConnection,
    supplier: &str,
) -> Result<()> {
    let newest = supplier_read_losses::newest(connection, supplier).await?;
    let is_new = newest.is_some_and(|newest| newest > core.shared_time.now() - NEW_FOR);
    match is_new {
        true => Ok(()),
        false => accounts::close_by_itself(core, connection, supplier, AlarmKind::ReadLosses).await,
    }
}
