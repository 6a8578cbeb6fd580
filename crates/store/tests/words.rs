//! Every word of an enumeration that a column stores is one that the column's check accepts, and statements name the roles that
//! they are about: a new variant without its migration fails here, not in production.

use diesel::{QueryableByName, sql_types::Text};
use diesel_async::RunQueryDsl;
use wayfare_domain::{
    AccountStatus, ActorKind, AlarmKind, BookingStatus, BreakerState, ChangeKind, ChangeState, ClosedBy,
    HoldState, IncidentKind, IncidentOutcome, OperatorRole, OrderStatus, ProductKind, RefundStatus,
    ReminderKind, ReportKind, ReportStatus, Role, SealedKind, StepKind, Tier, VerificationState,
};
use wayfare_tests::TestDatabase;

#[derive(QueryableByName)]
struct Check {
    #[diesel(sql_type = Text)]
    definition: String,
}

/// The checks of one column alone.
const CHECKS: &str = "select pg_get_constraintdef(c.oid) as definition
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]
    where c.contype = 'c' and c.conrelid = $1::regclass and a.attname = $2";

#[tokio::test]
async fn every_word_of_an_enumeration_may_be_stored() {
    let columns: [(&str, &str, &[&str]); 29] = [
        ("organizations", "subscription_type", Tier::WORDS),
        ("organizations", "status", AccountStatus::WORDS),
        ("users", "role", Role::WORDS),
        ("users", "status", AccountStatus::WORDS),
        ("operators", "role", OperatorRole::WORDS),
        ("operators", "status", AccountStatus::WORDS),
        ("quotes", "product", ProductKind::WORDS),
        ("bookings", "product", ProductKind::WORDS),
        ("bookings", "status", BookingStatus::WORDS),
        ("supplier_orders", "status", OrderStatus::WORDS),
        ("supplier_orders", "hold_state", HoldState::WORDS),
        ("hold_reminders", "kind", ReminderKind::WORDS),
        ("order_changes", "kind", ChangeKind::WORDS),
        ("order_changes", "state", ChangeState::WORDS),
        ("effects", "kind", StepKind::WORDS),
        ("refunds", "status", RefundStatus::WORDS),
        ("booking_people", "kind", SealedKind::WORDS),
        ("people_erasures", "kind", SealedKind::WORDS),
        ("events", "actor_type", ActorKind::WORDS),
        ("exceptions", "kind", IncidentKind::WORDS),
        ("exceptions", "outcome", IncidentOutcome::WORDS),
        ("exceptions", "closed_by", ClosedBy::WORDS),
        ("supplier_alarms", "kind", AlarmKind::WORDS),
        ("supplier_alarms", "closed_by", ClosedBy::WORDS),
        ("supplier_health", "breaker", BreakerState::WORDS),
        ("packages", "product", ProductKind::WORDS),
        ("reports", "type", ReportKind::WORDS),
        ("reports", "status", ReportStatus::WORDS),
        ("ledger_verifications", "state", VerificationState::WORDS),
    ];
    let test = TestDatabase::fresh().await;
    let mut connection = test.owner().await;
    let mut missing = Vec::new();
    for (table, column, words) in columns {
        let checks: Vec<Check> = diesel::sql_query(CHECKS)
            .bind::<Text, _>(table)
            .bind::<Text, _>(column)
            .load(&mut connection)
            .await
            .unwrap();
        assert!(!checks.is_empty(), "no check of {table}.{column}");
        for word in words {
            let literal = format!("'{word}'");
            let is_accepted = checks.iter().any(|check| check.definition.contains(&literal));
            missing.extend((!is_accepted).then(|| format!("{table}.{column} refuses {literal}")));
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

/// Statements, and the index `users_admins`, name roles by their words: `org_admin` where admins are told or counted, `agent` where
/// those who have wallets are listed.
#[test]
fn statements_name_every_role_that_they_are_about() {
    for word in Role::WORDS {
        let role: Role = word.parse().unwrap();
        let named = (*word == "org_admin", *word == "agent");
        assert_eq!((role.is_admin(), role.has_own_wallet()), named, "no statement names {word}");
    }
}
