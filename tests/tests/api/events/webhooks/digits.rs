//! An amount keeps its digits from the request to the ledger, the answer, its replay, the webhook and the export.

use reqwest::Method;
use rust_decimal::Decimal;
use wayfare_domain::OperatorRole;
use wayfare_tests::{Person, Receiver, Reply, World, amount};

use super::hook_for;

/// Amounts as JSON may have them, and as we write them. A float makes something else of the first and the last, whose digits
/// are those of 2^53 + 1.
const SPELLED: [(&str, &str); 5] = [
    ("99999999999999.99", "99999999999999.99"),
    ("0.1", "0.10"),
    ("1e3", "1000.00"),
    ("1.10", "1.10"),
    ("90071992547409.93", "90071992547409.93"),
];

async fn post_under(person: &Person, path: &str, key: &str, body: &str) -> Reply {
    let request = person.request(Method::POST, path).header("content-type", "application/json");
    person.send(request.header("Idempotency-Key", key).body(body.to_owned())).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_allocation_keeps_its_digits_wherever_it_is_told() {
    for (spelled, digits) in SPELLED {
        let (world, _, admin, agent) = World::start().await.and_people("99999999999999.99", "0").await;
        let receiver = Receiver::start().await;
        hook_for(&world, &admin, &receiver, &["wallet.allocated"]).await;
        let path = format!("/org/wallet/topup/{}", agent.id);
        let body = format!(r#"{{"amount": {spelled}}}"#);
        let first = post_under(&admin, &path, "once", &body).await;
        first.says(200, "wallet allocated to agent");
        let again = post_under(&admin, &path, "once", &body).await;
        assert_eq!((again.header("Idempotency-Replayed"), &again.text), ("true", &first.text), "{spelled}");

        let legs = "select string_agg(distinct amount::text, ' ') from entries join transfers on transfers.id = entries.transfer_id
            where key like 'allocation:%'";
        assert_eq!(world.line(legs).await, digits);
        let listed = agent.get("/wallet/transactions").await;
        assert!(listed.text.contains(&format!(r#""amount":{digits}"#)), "{}", listed.text);
        let logged = admin.get("/org/audit-logs?action=wallet.allocated").await;
        assert!(logged.text.contains(&format!(r#""amount":{digits}"#)), "{}", logged.text);
        world.deliver().await;
        let sent: Vec<_> = receiver.received().iter().map(|sent| sent.body.clone()).collect();
        assert_eq!(sent.len(), 1);
        assert!(sent[0].contains(&format!(r#""amount":{digits}"#)), "{}", sent[0]);
        let file = admin.get("/org/wallet/transactions/export").await;
        assert!(file.text.contains(&format!(",{digits},")), "{}", file.text);
        world.books_agree().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_package_keeps_the_digits_of_its_markups_and_bands() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    for (number, (spelled, digits)) in (0..).zip(SPELLED) {
        let body = format!(
            r#"{{"name": "{number}", "markup_type": "flat", "markup_value": {spelled}, "price_ranges": [
                {{"min_amount": {spelled}, "max_amount": null, "markup_type": "flat", "markup_value": {spelled}}}]}}"#
        );
        let key = number.to_string();
        let first = post_under(&admin, "/org/hotel-packages", &key, &body).await;
        let made = first.succeeds(201);
        let again = post_under(&admin, "/org/hotel-packages", &key, &body).await;
        assert_eq!((again.header("Idempotency-Replayed"), &again.text), ("true", &first.text));
        let id = made["id"].as_str().unwrap();
        let stored = format!(
            "select concat_ws(' ', p.markup_value, r.min_amount, r.markup_value) from packages p
            join price_ranges r on r.package_id = p.id where p.id = '{id}'"
        );
        let stored = world.line(&stored).await;
        let expected: Decimal = digits.parse().unwrap();
        assert!(stored.split(' ').all(|amount| amount.parse() == Ok(expected)), "{stored}");
        let listed = admin.get("/org/hotel-packages").await.ok();
        let read = listed.as_array().unwrap().iter().find(|package| package["id"] == id).unwrap();
        for told in [&read["markup_value"], &read["price_ranges"][0]["min_amount"]] {
            assert_eq!(amount(told), expected);
        }
    }
    assert_eq!(world.line("select count(*) from price_ranges").await, "5");
}

/// What operators state: where, a body with `#` for the amount, where it is read again, and as what.
const STATED: &str = r#"
PUT  /agencies/{code}/terms               {"service_fee_type":"flat","service_fee":#}   /agencies/{code}/terms /service_fee
PUT  /agencies/{code}/terms               {"platform_charge":#}                         /agencies/{code}/terms /platform_charge
PUT  /agencies/{code}/terms               {"max_commission":#}                          /agencies/{code}/terms /max_commission
PUT  /agencies/{code}/terms               {"min_commission":#}                          /agencies/{code}/terms /min_commission
PUT  /agencies/{code}/contracts           {"supplier":"duffel","kind":"flat","value":#} /contracts             /0/value
POST /agencies/{code}/wallet/topup        {"amount":#,"reason":"NEFT"}                  /agencies/{code}       /balance
PUT  /agencies/{code}/wallet/credit-limit {"credit_limit":#}                            /agencies/{code}       /credit_limit
PUT  /rates/GBP/INR                       {"rate":#}                                    /rates/GBP/INR         /rate
PUT  /suppliers/duffel/balance            {"balance":#,"currency":"INR"}                /suppliers/duffel      /supplier/account/available
PUT  /suppliers/duffel/limits             {"warn_below":#}                              /suppliers/duffel      /supplier/account/warn_below"#;

#[tokio::test(flavor = "multi_thread")]
async fn what_operators_state_keeps_its_digits() {
    for (spelled, digits) in SPELLED {
        let (world, finance) = World::frozen().await.and_operator("farah", OperatorRole::Finance).await;
        let code = world.agency().await.code.to_string();
        let expected: Decimal = digits.parse().unwrap();
        // A rate has ten digits before its point at most.
        let is_rate = expected < Decimal::from(10_000_000_000_u64);
        for line in STATED.trim().lines().filter(|line| is_rate || !line.contains("/rates/")) {
            let [method, path, body, read, pointer] =
                line.split_whitespace().collect::<Vec<_>>().try_into().unwrap();
            let request = finance.request(method.parse().unwrap(), &path.replace("{code}", &code));
            let request = request.header("content-type", "application/json").body(body.replace('#', spelled));
            finance.send(request).await.ok();
            let read = finance.get(&read.replace("{code}", &code)).await.ok();
            let told = read.pointer(pointer).unwrap_or_else(|| panic!("{line}: {read}"));
            assert_eq!(amount(told), expected, "{line}");
        }
        world.books_agree().await;
    }
}
