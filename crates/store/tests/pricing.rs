//! What the operator sets for prices, through the store: each agency's own, in one round trip, and nothing that can't be.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use diesel_async::{AsyncConnection, SimpleAsyncConnection};
use futures_util::try_join;
use rust_decimal::{Decimal, dec};
use wayfare_domain::{Currency, Money, OrganizationId};
use wayfare_pricing::{Contract, Fee, MarkupKind, Terms};
use wayfare_store::{
    Connection, StoreError,
    access::organizations::{self, StatedAmounts},
    money::entries,
    pricing::{
        contracts,
        exchange_rates::{self, ExchangeRate, Origin},
        terms,
    },
};
use wayfare_tests::TestDatabase;

/// Two agencies, in rupees and in yen.
async fn agencies() -> (TestDatabase, Connection, [OrganizationId; 2]) {
    let test = TestDatabase::fresh().await;
    let mut connection = test.connection().await;
    let agency = |number: u8, currency| {
        let id = OrganizationId::from_uuid(
            format!("00000000-0000-7000-8000-00000000000{number}").parse().unwrap(),
        );
        let insert = format!(
            "insert into organizations (id, agent_id, name, slug, email, phone, address, country, subscription_type,
                 status, currency, timezone, created_at, updated_at)
             values ('{id}', 'WF{number}', 'Agency', '{number}', 'a@example.com', '', '', 'IN', 'full',
                 'active', '{currency}', 'Asia/Kolkata', now(), now())"
        );
        (id, insert)
    };
    let [(first, one), (second, two)] = [agency(1, "INR"), agency(2, "JPY")];
    connection.batch_execute(&format!("{one}; {two}")).await.unwrap();
    (test, connection, [first, second])
}

fn now() -> DateTime<Utc> {
    "2027-01-11T09:30:00Z".parse().unwrap()
}

fn agreed(service_fee: Fee, currency: Currency) -> Terms {
    Terms {
        service_fee,
        gst_percent: dec!(18),
        platform_charge: Money::rounded(dec!(25), currency),
        ..Terms::none(currency)
    }
}

fn contract(airline: Option<&str>, cabin: Option<&str>, kind: MarkupKind, value: Decimal) -> Contract {
    Contract {
        supplier: "duffel".to_owned(),
        airline: airline.map(str::to_owned),
        cabin: cabin.map(str::to_owned),
        kind,
        value,
    }
}

fn rate(to: Currency, rate: Decimal, origin: Origin) -> ExchangeRate {
    ExchangeRate {
        from: Currency::EUR,
        to,
        rate,
        origin,
        day: NaiveDate::from_ymd_opt(2027, 1, 11).unwrap(),
        updated_at: now(),
    }
}

#[tokio::test]
async fn everything_that_a_price_needs_is_read_in_one_round_trip() {
    let (_test, mut connection, [first, second]) = agencies().await;
    let (inr, jpy) = (Currency::INR, Currency::JPY);
    let flat = agreed(Fee::Flat(Money::rounded(dec!(100.50), inr)), inr);
    terms::put(&mut connection, first, &flat, now()).await.unwrap();
    let percent = agreed(Fee::Percent(dec!(2.5)), inr);
    terms::put(&mut connection, first, &percent, now()).await.unwrap();
    let of_any = contract(None, None, MarkupKind::Percent, dec!(5));
    let of_one = contract(Some("BA"), Some("ECONOMY"), MarkupKind::Flat, dec!(120));
    for contract in [&of_one, &of_any] {
        contracts::put(&mut connection, first, contract, now()).await.unwrap();
    }
    let rates = [
        rate(inr, dec!(90.7495), Origin::Ecb),
        rate(inr, dec!(91), Origin::Operator),
        rate(jpy, dec!(0.0000000000001), Origin::Ecb),
    ];
    exchange_rates::insert(&mut connection, &rates).await.unwrap();

    let read = async |organization, currency| {
        let connection = &*connection;
        try_join!(
            terms::of(connection, organization, currency),
            contracts::of(connection, organization),
            exchange_rates::all(connection),
        )
        .unwrap()
    };
    assert_eq!(read(first, inr).await, (percent, vec![of_any.clone(), of_one.clone()], rates.to_vec()));
    // Another agency's are its own; exchange rates are everybody's.
    assert_eq!(read(second, jpy).await, (Terms::none(jpy), vec![], rates.to_vec()));

    let raised = Contract { value: dec!(6), ..of_any };
    contracts::put(&mut connection, first, &raised, now()).await.unwrap();
    contracts::remove(&mut connection, second, &raised).await.unwrap();
    contracts::remove(&mut connection, first, &of_one).await.unwrap();
    assert_eq!(contracts::of(&connection, first).await.unwrap(), [raised]);
    let listed = contracts::listed(&mut connection, None).await.unwrap();
    let told: Vec<_> = listed.iter().map(|of| (of.agency.as_ref(), of.currency, of.updated_at)).collect();
    assert_eq!(told, [("WF1", inr, now())]);
    assert!(contracts::listed(&mut connection, Some(second)).await.unwrap().is_empty());
}

#[tokio::test]
async fn rates_of_one_origin_go_without_the_others() {
    let (_test, mut connection, _) = agencies().await;
    let (eur, inr, usd) = (Currency::EUR, Currency::INR, Currency::USD);
    let own = rate(inr, dec!(91), Origin::Operator);
    let all = [rate(inr, dec!(90), Origin::Ecb), rate(usd, dec!(1.1), Origin::Ecb), own];
    exchange_rates::insert(&mut connection, &all).await.unwrap();
    let again = exchange_rates::insert(&mut connection, &[own]).await.unwrap_err();
    assert_eq!(again.unique_violation(), Some("exchange_rates_pkey"));
    exchange_rates::clear(&mut connection, Origin::Ecb).await.unwrap();
    assert_eq!(exchange_rates::all(&connection).await.unwrap(), [own]);
    let remove = async |connection: &mut Connection| {
        exchange_rates::remove(connection, (eur, inr), Origin::Operator).await.unwrap()
    };
    assert_eq!(remove(&mut connection).await, Some(dec!(91)));
    assert_eq!(remove(&mut connection).await, None);
}

#[tokio::test]
async fn rates_that_are_being_changed_are_read_and_not_changed_by_others() {
    let (test, mut connection, _) = agencies().await;
    let mut other = test.connection().await;
    let own = rate(Currency::INR, dec!(91), Origin::Operator);
    connection
        .transaction(async |connection| {
            exchange_rates::lock(connection).await?;
            assert!(exchange_rates::all(&other).await?.is_empty());
            other.batch_execute("set lock_timeout = 100").await?;
            let refused = exchange_rates::insert(&mut other, &[own]).await;
            assert!(refused.unwrap_err().to_string().contains("lock timeout"));
            exchange_rates::insert(connection, &[own]).await
        })
        .await
        .unwrap();
    assert_eq!(exchange_rates::all(&other).await.unwrap(), [own]);
}

#[tokio::test]
async fn what_can_be_no_terms_contract_or_rate_is_refused_by_the_database() {
    let (_test, mut connection, [first, _]) = agencies().await;
    let inr = Currency::INR;
    let money = |amount| Money::rounded(amount, inr);
    for wrong in [
        agreed(Fee::Percent(dec!(100.1)), inr),
        agreed(Fee::Flat(money(dec!(-1))), inr),
        Terms { gst_percent: dec!(-1), ..Terms::none(inr) },
        Terms { platform_charge: money(dec!(-1)), ..Terms::none(inr) },
        Terms { min_commission: money(dec!(2)), max_commission: money(dec!(1)), ..Terms::none(inr) },
    ] {
        let refused = terms::put(&mut connection, first, &wrong, now()).await;
        assert!(refused.unwrap_err().surely_undone(), "{wrong:?}");
    }
    for (kind, value) in [(MarkupKind::Percent, dec!(101)), (MarkupKind::Flat, dec!(-1))] {
        let wrong = contract(None, None, kind, value);
        let refused = contracts::put(&mut connection, first, &wrong, now()).await;
        assert!(refused.unwrap_err().surely_undone(), "{wrong:?}");
    }
    for wrong in [rate(inr, dec!(0), Origin::Ecb), rate(Currency::EUR, dec!(1), Origin::Ecb)] {
        let refused = exchange_rates::insert(&mut connection, &[wrong]).await;
        assert!(refused.unwrap_err().surely_undone(), "{wrong:?}");
    }
}

#[tokio::test]
async fn amounts_are_found_where_they_are_stated_and_zero_is_none() {
    let (_test, mut connection, [first, second]) = agencies().await;
    let inr = Currency::INR;
    let stated = async |connection: &mut Connection, organization| {
        let StatedAmounts { terms, contracts, packages } =
            organizations::stated_amounts(connection, organization).await.unwrap();
        [terms, contracts, packages]
    };
    let one = Money::rounded(dec!(1), inr);
    let none = Terms { gst_percent: dec!(18), ..Terms::none(inr) };
    for (terms, expected) in [
        (Terms { service_fee: Fee::Percent(dec!(2)), ..none }, false),
        (Terms { service_fee: Fee::Flat(one), ..none }, true),
        (Terms { platform_charge: one, ..none }, true),
        (Terms { min_commission: one, ..none }, true),
        (Terms { max_commission: one, ..none }, true),
        (none, false),
    ] {
        terms::put(&mut connection, first, &terms, now()).await.unwrap();
        assert_eq!(stated(&mut connection, first).await, [expected, false, false], "{terms:?}");
    }
    for (kind, value, expected) in [
        (MarkupKind::Percent, dec!(5), false),
        (MarkupKind::Flat, dec!(0), false),
        (MarkupKind::Flat, dec!(5), true),
    ] {
        let contract = contract(None, None, kind, value);
        contracts::put(&mut connection, first, &contract, now()).await.unwrap();
        assert_eq!(stated(&mut connection, first).await, [false, expected, false], "{contract:?}");
    }
    assert_eq!(stated(&mut connection, second).await, [false; 3]);
}

#[tokio::test]
async fn markups_are_credits_less_debits_of_each_agency() {
    let (_test, mut connection, [first, second]) = agencies().await;
    let nothing: HashMap<OrganizationId, Decimal> = HashMap::new();
    assert_eq!(entries::markups(&mut connection, &[first, second]).await.unwrap(), nothing);
    let made = |organization: OrganizationId, number: u8, debited: &str, credited: &str, amount: &str| {
        let id = format!("00000000-0000-7000-8000-0000000001{number}{number}");
        format!(
            "insert into transfers (org_id, id, key, reason, description, currency, at)
             values ('{organization}', '{id}', '{number}', 'booking', '', 'INR', now());
             insert into entries (org_id, transfer_id, leg, account, side, amount)
             values ('{organization}', '{id}', 0, '{debited}', 'debit', {amount}),
                 ('{organization}', '{id}', 1, '{credited}', 'credit', {amount});"
        )
    };
    for statement in [
        made(first, 1, "supplier:duffel", "markup", "30.50"),
        made(first, 2, "supplier:duffel", "markup", "12"),
        made(first, 3, "markup", "funding", "42.75"),
        made(first, 4, "supplier:duffel", "commission", "9"),
        made(second, 5, "supplier:duffel", "markup", "7"),
    ] {
        connection.batch_execute(&statement).await.unwrap();
    }
    let found: Result<_, StoreError> = entries::markups(&mut connection, &[first, second]).await;
    let expected = HashMap::from([(first, dec!(-0.25)), (second, dec!(7))]);
    assert_eq!(found.unwrap(), expected);
    let one = entries::markups(&mut connection, &[second]).await.unwrap();
    assert_eq!(one, HashMap::from([(second, dec!(7))]));
}
