//! Plans that were made of empty tables, of whichever age the indexes are.

use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use wayfare_domain::{OrganizationId, PageRequest};
use wayfare_store::{
    Connection, Database,
    events::audit_log::{self, Filter},
};
use wayfare_tests::TestDatabase;

use crate::texts::read;

/// Events of one agency, of which a few are of an action.
const EVENTS: &str = "
    set session_replication_role = replica;
    insert into events (org_id, id, actor_type, action, entity_type, entity_id, ip_address, user_agent, created_at, request_id)
    select '00000000-0000-7000-8000-000000000001', gen_random_uuid(), 'system',
        case when n % 1000 = 0 then 'user.created' else 'booking.requested' end, 'booking', n, '', '', now(), gen_random_uuid()::text
    from generate_series(1, 5000) n";

#[tokio::test]
async fn events_of_an_action_are_found_by_it_though_their_key_is_the_youngest_index() {
    let test = TestDatabase::fresh().await;
    let anew = "alter table events drop constraint events_pkey, add primary key (org_id, id)";
    test.owner().await.batch_execute(anew).await.unwrap();
    let server = Database::connect_server(&test.url, 1).unwrap();
    let mut connection = server.connection().await.unwrap();
    let organization = OrganizationId::from_uuid(uuid::uuid!("00000000-0000-7000-8000-000000000001"));
    let filter = Filter { action: Some("user.created".to_owned()), ..Filter::default() };
    let request = PageRequest { page: 1, per_page: 20 };
    // From the sixth time on a plan is kept.
    for _ in 0..8 {
        let page = audit_log::list(&mut connection, organization, &filter, request).await;
        assert_eq!(page.unwrap().total, 0);
    }
    test.owner().await.batch_execute(EVENTS).await.unwrap();
    connection.batch_execute("begin").await.unwrap();
    let page = audit_log::list(&mut connection, organization, &filter, request).await;
    assert_eq!(page.unwrap().total, 5);
    let rows = read(&mut connection, "events").await;
    assert!(rows <= 10, "{rows} rows are read");
}

#[tokio::test]
async fn who_only_reads_does_not_wait_for_batches_that_have_all_connections_of_kept_plans() {
    let test = TestDatabase::fresh().await;
    let database = Database::connect_server(&test.url, 4).unwrap();
    let setting = "current_setting('plan_cache_mode') as setting";
    let free = database.connection_to_look_up().await.unwrap();
    assert_eq!(shown(free, setting).await, "force_generic_plan");
    let _batch = database.connection_of_kept_plans().await.unwrap();
    let other = database.connection_to_look_up().await.unwrap();
    assert_eq!(shown(other, setting).await, "auto");
}

async fn shown(mut connection: Connection, setting: &str) -> String {
    let shown = diesel::select(diesel::dsl::sql::<diesel::sql_types::Text>(setting));
    shown.get_result(&mut connection).await.unwrap()
}
