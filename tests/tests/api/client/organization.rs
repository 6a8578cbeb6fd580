//! Profiles, users, wallets, packages and ledgers through the client, and sessions that outlive their tokens.

use futures_util::TryStreamExt;
use rust_decimal::{Decimal, dec};
use wayfare_client::{
    AuditFilter, Error, FlightPackageDraft, HotelPackageDraft, NewUser, OrganizationChange, PriceRangeDraft,
    ProfileChange, TransactionFilter, UserChange, UserFilter, enums::*,
};
use wayfare_tests::{PASSWORD, World, one_way};

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_runs_the_organization() {
    let (_world, agency) = World::start().await.and_agency().await;
    agency.admin("1000").await;
    let session = agency.session("asha").await;
    assert_eq!(
        (&session.user().unwrap().role, session.agent_id()),
        (&Role::OrgAdmin, Some(agency.code.as_ref()))
    );
    let organization = session.organization();
    let change = OrganizationChange::default().phone("+91 22 1");
    organization.change_profile(&change).await.unwrap();
    let profile = organization.profile().await.unwrap();
    assert_eq!((profile.phone.as_str(), &profile.subscription_type), ("+91 22 1", &Subscription::Full));
    assert_eq!(profile.wallet.balance.0, dec!(1000));
    organization.set("low_balance_alert", "50").await.unwrap();
    assert_eq!(organization.settings().await.unwrap()[0].value, "50");

    let users = session.users();
    let new = NewUser::of("arjun", "arjun@sunrise.example", "Arjun", PASSWORD.into(), Role::Agent);
    let made = session.keyed("new-1").users().create(&new).await.unwrap();
    let again = session.keyed("new-1").users().create(&new).await.unwrap();
    assert_eq!((made.replayed, again.replayed, &again.answer), (false, true, &made.answer));
    assert_eq!(users.create(&new).await.unwrap_err().status(), Some(409));
    let arjun = made.answer.id;
    let change = UserChange::default().name("Arjun Rao");
    assert_eq!(users.change(arjun, &change).await.unwrap().name, "Arjun Rao");
    let agent = agency.session("arjun").await;
    users.suspend(arjun).await.unwrap();
    assert!(matches!(agent.wallet().read().await, Err(Error::SessionEnded)));
    let suspended = UserFilter { status: Some(Standing::Suspended), role: Some(Role::Agent) };
    assert_eq!(users.list(&suspended).page(1).await.unwrap().items[0].id, arjun);
    users.activate(arjun).await.unwrap();
    assert_eq!(users.read(arjun).await.unwrap().status, Standing::Active);

    let wallet = session.organization_wallet();
    wallet.allocate(arjun, dec!(120.50), "Diwali").await.unwrap();
    let error = wallet.allocate(arjun, dec!(5000), "").await.unwrap_err();
    assert_eq!(error.to_string(), "insufficient org wallet balance (available: 879.50) (400)");
    assert_eq!(wallet.read().await.unwrap().balance.to_string(), "879.50");
    assert_eq!(wallet.agents().await.unwrap()[0].allocated_balance.to_string(), "120.50");
    assert_eq!(wallet.summary().await.unwrap().balance_trend.len(), 30);
    let filter = TransactionFilter {
        kind: Some(TransactionType::Debit),
        min_amount: Some("120.5".parse().unwrap()),
        search: Some("diw".to_owned()),
        ..TransactionFilter::default()
    };
    let rows: Vec<_> = wallet.transactions(&filter).stream().try_collect().await.unwrap();
    assert_eq!((rows.len(), rows[0].agent_id), (1, Some(arjun)));
    let export = wallet.export(&filter).await.unwrap();
    assert!(export.file_name.as_ref().is_some_and(|name| name.ends_with(".csv")));
    let csv = String::from_utf8(export.into_bytes().await.unwrap()).unwrap();
    assert_eq!(csv.lines().count(), 2, "{csv}");
    let own = wallet.transactions_of_agent(arjun, &TransactionFilter::default());
    assert_eq!(own.page(1).await.unwrap().items[0].kind, TransactionType::Credit);

    users.delete(arjun).await.unwrap();
    assert!(users.read(arjun).await.unwrap_err().is_not_found());
    let filter = AuditFilter { entity_type: Some("user".to_owned()), ..AuditFilter::default() };
    let entries: Vec<_> = organization.audit_logs(&filter).per_page(2).stream().try_collect().await.unwrap();
    let actions: Vec<&str> = entries.iter().map(|entry| entry.action.as_str()).collect();
    let expected = "user.deleted user.activated user.suspended user.updated user.created user.created";
    assert_eq!(actions.join(" "), expected);
    assert!(entries[0].user_agent.starts_with("wayfare-client/"), "{}", entries[0].user_agent);
}

#[tokio::test(flavor = "multi_thread")]
async fn packages_are_written_assigned_and_seen_in_the_fare_ledger() {
    let (_world, agency) = World::start().await.and_agency().await;
    agency.admin("0").await;
    let agent = agency.agent("arjun", "1000000").await;
    let id = agent.id.parse().unwrap();
    let session = agency.session("asha").await;
    let packages = session.flight_packages();
    let mut draft = FlightPackageDraft::of("Monsoon", MarkupType::Flat, dec!(100.00), ApplyOn::Fare);
    let made = packages.create(&draft).await.unwrap().answer;
    assert_eq!((made.head.markup_value.to_string().as_str(), made.head.is_active), ("100.00", true));
    assert_eq!(packages.assigned().await.unwrap(), None);
    packages.assign(made.head.id).await.unwrap();
    assert_eq!(packages.assigned().await.unwrap().map(|package| package.head.id), Some(made.head.id));
    packages.assign_agent(id, made.head.id).await.unwrap();
    assert_eq!(packages.agent_assignments().await.unwrap()[0].head.agent_id, Some(id));
    draft.markup_value = "250.00".parse().unwrap();
    packages.replace(made.head.id, &draft).await.unwrap();
    let listed = packages.list().await.unwrap();
    assert_eq!((listed[0].is_applied, listed[0].package.head.markup_value), (true, draft.markup_value));

    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let arjun = agency.session("arjun").await;
    let ledger = arjun.fares().own(&Period::Monthly, 1, 20).await.unwrap();
    assert_eq!((ledger.total, ledger.transactions[0].agent_fare.0), (1, bought.fare));
    let fares = session.fares();
    let all = fares.of_organization(&Period::Weekly, 1, 20).await.unwrap();
    assert_eq!(all.summary.total_agent_fare, ledger.summary.total_agent_fare);
    assert_eq!(fares.of_user(id, &Period::Monthly, 1, 20).await.unwrap().transactions, ledger.transactions);
    let summary = fares.summary(&Period::Monthly).await.unwrap();
    assert_eq!((summary.by_supplier[0].bookings, summary.by_supplier[0].markup.0), (1, dec!(250.00)));
    assert_eq!(arjun.profile().stats().await.unwrap().total_spent.0, bought.fare);

    packages.unassign_agent(id).await.unwrap();
    packages.unassign().await.unwrap();
    assert!(packages.unassign().await.unwrap_err().is_not_found());
    packages.delete(made.head.id).await.unwrap();
    assert_eq!(packages.list().await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn hotel_packages_have_bands() {
    let (_world, agency) = World::start().await.and_agency().await;
    agency.admin("0").await;
    let agent = agency.agent("arjun", "0").await.id.parse().unwrap();
    let session = agency.session("asha").await;
    let packages = session.hotel_packages();
    let band = PriceRangeDraft::of(dec!(5000), MarkupType::Percent, dec!(2.5));
    let draft = FlightPackageDraft::of("Rooms", MarkupType::Flat, dec!(50), ApplyOn::Total);
    let draft = draft.description("all year").priority(3).is_active(true);
    let mut draft = HotelPackageDraft::of(draft).price_ranges(vec![band]);
    let made = packages.create(&draft).await.unwrap().answer;
    assert_eq!((made.price_ranges[0].max_amount, made.service_type.as_str()), (None, "hotel"));
    packages.assign(made.head.id).await.unwrap();
    packages.assign_agent(agent, made.head.id).await.unwrap();
    draft.price_ranges.clear();
    assert_eq!(packages.replace(made.head.id, &draft).await.unwrap().price_ranges, []);
    packages.unassign_agent(agent).await.unwrap();
    packages.unassign().await.unwrap();
    assert_eq!(packages.list().await.unwrap().len(), 1);
    packages.delete(made.head.id).await.unwrap();
    assert!(packages.delete(made.head.id).await.unwrap_err().is_not_found());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_outlives_its_tokens_and_ends_with_its_password() {
    let (world, agency) = World::frozen().await.and_agency().await;
    agency.agent("arjun", "10").await;
    let session = agency.session("arjun").await;
    let profile = session.profile();
    let change = ProfileChange::default().phone("+91 1");
    for _ in 0..3 {
        // Past the end of the token, by the server's clock: only its 401 tells.
        world.pass(21_700);
        assert_eq!(profile.change(&change).await.unwrap().phone, "+91 1");
    }
    assert_eq!(session.wallet().read().await.unwrap().owner_type, OwnerType::User);
    let entries: Vec<_> = session.wallet().transactions().stream().try_collect().await.unwrap();
    assert_eq!(entries[0].amount.0, Decimal::TEN);
    let wrong = profile.change_password(&"guess".into(), &"another horse 8".into()).await.unwrap_err();
    assert_eq!(wrong.to_string(), "current password is incorrect (400)");
    profile.change_password(&PASSWORD.into(), &"another horse 8".into()).await.unwrap();
    assert!(matches!(session.profile().read().await, Err(Error::SessionEnded)));
    assert!(!agency.admin("0").await.id.is_empty());
    let admin = agency.session("asha").await;
    let clone = admin.clone();
    admin.log_out().await.unwrap();
    assert!(matches!(clone.profile().read().await, Err(Error::SessionEnded)));
}
