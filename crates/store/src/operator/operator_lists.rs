//! What the operator looks at over all agencies: lists whose rows are read as they are shown, and counts of what waits.
//! Nobody decides anything by them.

use chrono::{DateTime, Utc};
use diesel::sql_query;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::{Map, Value};
use wayfare_domain::OrganizationId;

use crate::{
    Result,
    error::from_json,
    statements::{Columns, by_name, statement},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperatorList {
    /// Bookings whose outcome is not known, the oldest first.
    PendingBookings,
    /// Refunds that are not in a wallet yet, the oldest first.
    PendingRefunds,
    /// Wallets that owe, those that owe most first.
    Debts,
    /// Reports, the newest first; narrowed by their status.
    Reports,
    /// Webhooks with what waits for them.
    Webhooks,
    /// Deliveries of webhooks, the newest first; narrowed by their state.
    Deliveries,
    /// Log-ins that last, the newest first; narrowed by their username.
    Sessions,
    /// The audit log, the newest first; narrowed by the action.
    AuditLog,
    /// What is under way at each supplier, and when it last did something.
    Suppliers,
}

#[derive(Clone, Debug)]
pub struct Narrowed {
    pub organization: Option<OrganizationId>,
    /// What the list is narrowed by, in its own word; none: by nothing.
    pub word: Option<String>,
    /// So many rows at most.
    pub limit: i64,
    pub now: DateTime<Utc>,
}

pub type ListRow = Map<String, Value>;

impl OperatorList {
    /// The columns of its rows, in order, with a blank between.
    pub fn columns(self) -> &'static str {
        match self {
            Self::PendingBookings => {
                "created_at agent_id booking_ref supplier step looked_up amount currency problem"
            }
            Self::PendingRefunds => {
                "requested_at agent_id booking_ref order status refund_to_wallet currency"
            }
            Self::Debts => "agent_id name username balance held credit_limit currency",
            Self::Reports => "created_at agent_id id type status attempts problem",
            Self::Webhooks => "agent_id id url is_active waiting failed next_at disabled_reason",
            Self::Deliveries => "created_at agent_id webhook event kind state attempts status due_at answer",
            Self::Sessions => "created_at agent_id username role id expires_at",
            Self::AuditLog => "at agent_id actor action entity old_value new_value",
            Self::Suppliers => {
                "supplier open oldest done_24h refused_24h last_done_at searches_today problem"
            }
        }
    }

    fn statement(self) -> &'static str {
        match self {
            Self::PendingBookings => PENDING_BOOKINGS,
            Self::PendingRefunds => PENDING_REFUNDS,
            Self::Debts => DEBTS,
            Self::Reports => REPORTS,
            Self::Webhooks => WEBHOOKS,
            Self::Deliveries => DELIVERIES,
            Self::Sessions => SESSIONS,
            Self::AuditLog => AUDIT_LOG,
            Self::Suppliers => SUPPLIERS,
        }
    }
}

// Of each list: `$1` is the agency, `$2` the word, `$3` how many, `$4` now.

const PENDING_BOOKINGS: &str = "select b.created_at, a.agent_id, b.booking_ref, e.supplier, e.kind as step, e.attempts as looked_up, \
         b.amount, b.currency, e.problem \
     from bookings b join organizations a on a.id = b.org_id \
     left join lateral (select e.supplier, e.kind, e.attempts, e.problem from effects e where (e.org_id, e.booking_id) = (b.org_id, b.id) \
         and e.state = 'open' order by e.sent_at limit 1) e on true \
     where b.status = 'pending' and ($1 is null or b.org_id = $1) and ($2 is null or e.supplier = $2) \
     order by b.created_at, b.id limit $3";

const PENDING_REFUNDS: &str = "select r.requested_at, a.agent_id, b.booking_ref, r.number as \"order\", r.status, r.refund_to_wallet, \
         r.currency \
     from refunds r join organizations a on a.id = r.org_id \
     join bookings b on (b.org_id, b.id) = (r.org_id, r.booking_id) \
     where r.status in ('pending', 'processing') and ($1 is null or r.org_id = $1) \
         and ($2 is null or r.status = $2) \
     order by r.requested_at, r.id limit $3";

const DEBTS: &str = "select a.agent_id, a.name, u.username, w.balance, w.held, w.credit_limit, w.currency \
     from wallets w join organizations a on a.id = w.org_id \
     left join users u on (u.org_id, u.id) = (w.org_id, w.owner_id) and w.owner_type = 'user' \
     where w.balance < 0 and ($1 is null or w.org_id = $1) and ($2 is null or w.currency = $2) \
     order by w.currency, w.balance, w.id limit $3";

const REPORTS: &str = "select r.created_at, a.agent_id, r.id, r.type, r.status, r.attempts, r.problem \
     from reports r join organizations a on a.id = r.org_id \
     where ($1 is null or r.org_id = $1) and ($2 is null or r.status = $2) \
     order by r.id desc limit $3";

const WEBHOOKS: &str = "select a.agent_id, w.id, w.url, w.is_active, \
         count(d.*) filter (where d.state = 'pending') as waiting, \
         count(d.*) filter (where d.state = 'failed') as failed, \
         min(d.due_at) filter (where d.state = 'pending') as next_at, w.disabled_reason \
     from webhooks w join organizations a on a.id = w.org_id \
     left join webhook_deliveries d on (d.org_id, d.webhook_id) = (w.org_id, w.id) \
     where w.deleted_at is null and ($1 is null or w.org_id = $1) and ($2 is null or w.id::text = $2) \
     group by a.agent_id, w.org_id, w.id order by w.id desc limit $3";

const DELIVERIES: &str = "select d.created_at, a.agent_id, d.webhook_id as webhook, d.event_id as event, d.kind, d.state, \
         d.attempts, d.status, d.due_at, d.answer \
     from webhook_deliveries d join organizations a on a.id = d.org_id \
     where ($1 is null or d.org_id = $1) and ($2 is null or d.state = $2) \
     order by d.created_at desc, d.event_id desc limit $3";

const SESSIONS: &str = "select s.created_at, a.agent_id, u.username, u.role, s.id, s.expires_at \
     from sessions s join users u on (u.org_id, u.id) = (s.org_id, s.user_id) \
     join organizations a on a.id = s.org_id \
     where s.ended_at is null and s.expires_at > $4 and s.session_epoch = u.session_epoch \
         and u.deleted_at is null and ($1 is null or s.org_id = $1) and ($2 is null or u.username = $2) \
     order by s.id desc limit $3";

const AUDIT_LOG: &str = "select e.created_at as at, a.agent_id, coalesce(u.username, p.username, e.actor_type) as actor, e.action, \
         e.entity_type || ' ' || e.entity_id as entity, e.old_value, e.new_value \
     from events e join organizations a on a.id = e.org_id \
     left join users u on (u.org_id, u.id) = (e.org_id, e.actor_id) \
     left join operators p on p.id = e.actor_id \
     where ($1 is null or e.org_id = $1) and ($2 is null or e.action = $2) \
     order by e.id desc limit $3";

const SUPPLIERS: &str = "select e.supplier, count(*) filter (where e.state = 'open') as open, \
         min(e.sent_at) filter (where e.state = 'open') as oldest, \
         count(*) filter (where e.state = 'done' and e.closed_at > $4 - interval '1 day') as done_24h, \
         count(*) filter (where e.state = 'refused' and e.closed_at > $4 - interval '1 day') as refused_24h, \
         max(e.closed_at) filter (where e.state = 'done') as last_done_at, \
         (select coalesce(sum(l.asked), 0) from look_to_book l where l.supplier = e.supplier \
             and l.day = ($4 at time zone 'UTC')::date) as searches_today, \
         (array_agg(e.problem order by e.sent_at desc) filter (where e.state = 'open' \
             and e.problem is not null))[1] as problem \
     from effects e where ($1 is null or e.org_id = $1) and ($2 is null or e.supplier = $2) \
     group by e.supplier order by e.supplier limit $3";

/// The rows of a list: one statement.
#[boxed]
pub async fn rows(
    connection: &mut AsyncPgConnection,
    list: OperatorList,
    narrowed: &Narrowed,
) -> Result<Vec<ListRow>> {
    let text =
        format!("select to_jsonb(listed) as row from ({}) as listed where $4 is not null", list.statement());
    let rows =
        statement(text, (narrowed.organization, narrowed.word.as_deref(), narrowed.limit, narrowed.now))
            .load(connection)
            .await?;
    rows.into_iter().map(|Columns(row)| from_json("a list of the operator's", row)).collect()
}

by_name! {
    /// How much waits, over all agencies.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Waiting {
        /// Bookings whose outcome is not known.
        pub pending_bookings: i64,
        /// When the oldest of them was asked for, UTC.
        pub oldest_pending_booking: Option<DateTime<Utc>>,
        /// Incidents that nobody has resolved.
        pub open_incidents: i64,
        /// Refunds that are not in a wallet yet.
        pub pending_refunds: i64,
        /// Reports that will never have a file.
        pub failed_reports: i64,
        /// Webhooks that the service has switched off.
        pub webhooks_disabled: i64,
        /// Webhooks that did not take what was sent to them, and get it again later.
        pub webhooks_resting: i64,
        pub wallets_in_debt: i64,
    }
}

#[boxed]
pub async fn waiting(connection: &mut AsyncPgConnection) -> Result<Waiting> {
    let counted = sql_query(
        "select (select count(*) from bookings where status = 'pending') as pending_bookings, \
             (select min(created_at) from bookings where status = 'pending') as oldest_pending_booking, \
             (select count(*) from exceptions where closed_at is null) as open_incidents, \
             (select count(*) from refunds where status in ('pending', 'processing')) as pending_refunds, \
             (select count(*) from reports where status = 'failed') as failed_reports, \
             (select count(*) from webhooks where deleted_at is null and disabled_reason is not null) \
                 as webhooks_disabled, \
             (select count(distinct (w.org_id, w.id)) from webhooks w \
                 join webhook_deliveries d on (d.org_id, d.webhook_id) = (w.org_id, w.id) \
                 where w.deleted_at is null and w.is_active and d.state = 'pending' and d.attempts > 0) \
                 as webhooks_resting, \
             (select count(*) from wallets where balance < 0) as wallets_in_debt",
    );
    Ok(counted.get_result(connection).await?)
}
