//! Suppliers say what they give back in ways that nobody expects: in another currency, more than was paid, or unreadably.

use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};
use wayfare_domain::OperatorRole::Desk;
use wayfare_tests::{
    MONEY, Person, Pick, Seller, World, WorldOptions, amount, money, one_way, sells_stays, stay_at,
};

use super::stage::Stage as Hold;

/// Terms under which giving an order back costs nothing.
const FREE: &str =
    r#"says:refund_before_departure={"allowed":true,"penalty_amount":"0.00","penalty_currency":"INR"}"#;
const UNREADABLE: &str = r#"says:refund_amount="soon""#;

struct Stage {
    world: World,
    agent: Person,
    reference: String,
    fare: Decimal,
}

impl Stage {
    /// A booking at Duffel of which something comes back.
    async fn start() -> Self {
        Self::under(None).await
    }

    async fn under(terms: Option<&str>) -> Self {
        let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
        if let Some(terms) = terms {
            world.next("search", terms).await;
            world.next("price", terms).await;
        }
        let booked = agent.buy_dearest(&one_way("DEL", "BOM")).await;
        world.has_struck().await;
        Self { reference: booked.reference, fare: booked.fare, world, agent }
    }

    async fn stands(&self) {
        assert_eq!(self.agent.booking(&self.reference).await["status"], "confirmed");
        assert_eq!(self.agent.balance().await, money() - self.fare);
    }

    /// The kinds of incidents that are open.
    async fn incidents(&self) -> Vec<String> {
        incidents(&self.world).await
    }

    async fn detail_of(&self, kind: &str) -> Value {
        let details = format!("select details::text from exceptions where kind = '{kind}'");
        serde_json::from_str(&self.world.line(&details).await).unwrap()
    }
}

async fn incidents(world: &World) -> Vec<String> {
    world.lines("select kind from exceptions where closed_by is null order by raised_at").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_in_another_currency_is_a_conflict_of_which_the_operator_is_told_once() {
    let stage = Stage::start().await;
    let dollars = r#"says:refund_currency="USD""#;
    for _ in 0..2 {
        stage.world.next("cancel_quote", dollars).await;
        let reply = stage.agent.penalty(&stage.reference).await;
        assert_eq!(reply.status, 409, "{}", reply.text);
        assert!(reply.text.contains(" USD, and had charged INR"), "{}", reply.text);
        stage.world.next("cancel_quote", dollars).await;
        let reply = stage.agent.cancel(&stage.reference).await;
        assert_eq!(reply.status, 409, "{}", reply.text);
        stage.stands().await;
    }
    assert_eq!(stage.incidents().await, ["refund_unclear"]);
    let details = stage.detail_of("refund_unclear").await;
    assert_has!(details, { "number": 1, "supplier": "duffel", "quoted/currency": "USD", "charged/currency": "INR" });
    // What is said as usual again is believed.
    stage.agent.cancels(&stage.reference).await;
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_supplier_gives_back_beyond_its_charge_is_the_operators_and_in_its_account() {
    let stage = Stage::start().await;
    let more = stage.fare + dec!(1000);
    let said = format!("says:refund_amount=\"{more}\"");
    stage.world.next("cancel_quote", &said).await;
    stage.world.next("cancel", &said).await;
    let cancelled = stage.agent.cancels(&stage.reference).await;
    assert_eq!(amount(&cancelled["refund_to_wallet"]), stage.fare, "{cancelled}");
    assert_eq!(stage.agent.balance().await, money());
    assert_eq!(stage.incidents().await, ["other_refund"]);
    let details = stage.detail_of("other_refund").await;
    assert_eq!(amount(&details["surplus"]["amount"]), dec!(1000), "{details}");
    let of_row = "select supplier_amount::text from fare_transactions where kind = 'refund'";
    assert_eq!(stage.world.line(of_row).await.parse::<Decimal>().unwrap(), -more);
    let of_account = "select sum(case side when 'credit' then amount else -amount end)::text from entries
        where account = 'supplier:duffel'";
    assert_eq!(stage.world.line(of_account).await.parse::<Decimal>().unwrap(), dec!(-1000));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_that_cannot_be_read_is_asked_for_again_and_then_told_to_the_operator() {
    for unreadable in [
        UNREADABLE,
        "says:refund_amount={}",
        r#"says:refund_amount="-5.00""#,
        "says:refund_currency=null",
        "broken_json",
    ] {
        // Its terms do not say what comes back: they keep something.
        let stage = Stage::under(Some(&FREE.replace("0.00", "100.00"))).await;
        // Once more, and it can be read.
        stage.world.next_times("cancel_quote", unreadable, 2).await;
        stage.agent.penalty(&stage.reference).await.ok();
        assert_eq!(stage.incidents().await, [""; 0], "{unreadable}");
        for _ in 0..2 {
            stage.world.next_times("cancel_quote", unreadable, 3).await;
            let reply = stage.agent.cancel(&stage.reference).await;
            reply.is(409, "what the supplier says that it would give back can't be read");
            stage.stands().await;
        }
        assert_eq!(stage.incidents().await, ["refund_unclear"], "{unreadable}");
        let details = stage.detail_of("refund_unclear").await;
        assert!(details["unreadable"].is_string(), "{unreadable}: {details}");
        assert!(!details["came"].is_null(), "{unreadable}: {details}");
        stage.agent.cancels(&stage.reference).await;
        stage.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_was_sold_as_free_to_cancel_is_given_back_by_its_terms() {
    for (at_last, problem) in [
        // It gives all of it back.
        (None, None),
        (Some(r#"says:refund_amount="1.00""#), Some("gave another amount back than the terms do")),
        (Some(UNREADABLE), Some("says that it gave back can't be read")),
    ] {
        let stage = Stage::under(Some(FREE)).await;
        stage.world.next_times("cancel_quote", UNREADABLE, 6).await;
        let penalty = stage.agent.penalty(&stage.reference).await.ok();
        assert_eq!(amount(&penalty["refund_amount"]), stage.fare, "{penalty}");
        if let Some(fault) = at_last {
            stage.world.next("cancel", fault).await;
        }
        stage.agent.cancels(&stage.reference).await;
        assert_eq!(stage.agent.balance().await, money());
        let Some(problem) = problem else {
            assert_eq!(stage.incidents().await, [""; 0]);
            continue;
        };
        assert_eq!(stage.incidents().await, ["other_refund"]);
        let said = stage.world.line("select problem from exceptions").await;
        assert!(said.contains(problem), "{said}");
    }
    // Of what costs something by its terms nobody guesses how much.
    let stage = Stage::under(Some(&FREE.replace("0.00", "100.00"))).await;
    stage.world.next_times("cancel_quote", UNREADABLE, 3).await;
    assert_eq!(stage.agent.cancel(&stage.reference).await.status, 409);
    stage.stands().await;
}

/// The order is looked at before anything is asked of it, and that can't be read.
#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_cannot_be_read_before_it_is_given_back_goes_by_its_terms_or_to_the_operator() {
    for (seller, fault) in [
        (Seller::tripjack(), "says:order=null"),
        (Seller::tripjack(), "broken_json"),
        (Seller::liteapi(), "says:status={}"),
        (Seller::liteapi(), "broken_json"),
        (Seller::hotelbeds(), "says:status={}"),
        (Seller::hotelbeds(), "broken_json"),
    ] {
        let supplier = seller.code;
        let is_stay = sells_stays(seller.kind);
        for pick in [Pick::Free, Pick::Final] {
            let options = WorldOptions::of([seller.clone()]).frozen();
            let (world, _, agent) = World::with(options).await.and_agent(MONEY).await;
            let reference = match is_stay {
                true => agent.buy_stay(&stay_at(supplier), pick).await.reference,
                false => agent.buy(one_way("DEL", "BOM")).await.reference,
            };
            let paid = money() - agent.balance().await;
            let cancel = async || match is_stay {
                true => agent.cancel_stay(&reference).await,
                false => agent.cancel(&reference).await,
            };
            world.next_times_at(supplier, "lookup", fault, 3).await;
            let reply = cancel().await;
            world.has_struck().await;
            let case = format!("{fault} at {supplier}: {}", reply.text);
            // Its terms say that it is free: that is what the agency was promised.
            if is_stay && matches!(pick, Pick::Free) {
                assert_eq!(reply.status, 200, "{case}");
                assert_eq!(agent.balance().await, money(), "{case}");
                assert_eq!(incidents(&world).await, [""; 0], "{case}");
                continue;
            }
            assert_eq!(reply.status, 409, "{case}");
            assert_eq!(agent.balance().await, money() - paid, "{case}");
            assert_eq!(incidents(&world).await, ["refund_unclear"], "{case}");
            let came = "select (details ->> 'came') is not null from exceptions";
            assert_eq!(world.line(came).await, "true", "{case}");
            // What can be read again is believed.
            let reply = cancel().await;
            assert_eq!(reply.status, 200, "{case}: {}", reply.text);
            world.is_settled().await;
        }
    }
}

/// What to send to let it go is not known of a hold that can't be read.
#[tokio::test(flavor = "multi_thread")]
async fn a_hold_that_cannot_be_read_is_not_let_go_and_told_to_the_operator() {
    let hold = Hold::at_tripjack(3_600).await;
    hold.world.next_times_at("tripjack", "lookup", "says:order=null", 3).await;
    let reply = hold.agent.cancel(&hold.reference).await;
    assert_eq!(reply.status, 409, "{}", reply.text);
    assert_eq!(incidents(&hold.world).await, ["refund_unclear"]);
    hold.agent.cancels(&hold.reference).await;
    assert_eq!(hold.agent.balance().await, money());
}

/// Nothing was paid there, so that nothing comes back but what the agency paid here.
#[tokio::test(flavor = "multi_thread")]
async fn a_hold_that_nobody_can_read_is_ended_by_a_ruling_and_once() {
    let mut hold = Hold::at_tripjack(3_600).await;
    let dev = hold.world.operator_api().operator("dev", Desk).await;
    let path = format!("/bookings/{}/rulings", hold.reference);
    let mut ruling = json!({ "order": 1, "kind": "supplier_cancelled", "amount": 0, "note": "their desk says it is gone" });
    let held = dev.post(&path, &ruling).await;
    held.is_invalid("{order is held and was never paid: it is cancelled or lapses}");
    hold.world.next_times_at("tripjack", "lookup", "says:order=null", 3).await;
    assert_eq!(hold.agent.cancel(&hold.reference).await.status, 409);
    ruling["amount"] = json!(1);
    dev.post(&path, &ruling).await.is_invalid("{amount must be 0: the supplier was never paid for a hold}");
    ruling["amount"] = json!(0);
    dev.post(&path, &ruling).await.ok();
    assert_eq!(hold.agent.balance().await, money());
    assert_eq!(hold.agent.booking(&hold.reference).await["status"], "cancelled");
    let again = dev.post(&path, &ruling).await;
    assert_eq!(again.status, 422, "{}", again.text);
    // That it lapses at its supplier later gives nothing back again.
    hold.pass(4_000).await;
    hold.world.watch().await;
    assert_eq!(hold.agent.balance().await, money());
    hold.world.books_agree().await;
}

/// The quote was told; what was given at last was not.
#[tokio::test(flavor = "multi_thread")]
async fn a_refund_that_cannot_be_read_once_it_was_given_is_paid_as_quoted_and_told_to_the_operator() {
    let stage = Stage::under(Some(FREE)).await;
    stage.world.next("cancel", UNREADABLE).await;
    stage.agent.cancels(&stage.reference).await;
    assert_eq!(stage.agent.balance().await, money());
    assert_eq!(stage.incidents().await, ["other_refund"]);
    assert!(stage.world.line("select details ->> 'came' from exceptions").await.contains("refund_amount"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_without_a_locator_that_is_neither_held_nor_gone_is_told_to_the_operator_once() {
    let mut hold = Hold::at_tripjack(600).await;
    hold.world.next_times_at("tripjack", "lookup", "says:pnrDetails={}", 100).await;
    hold.pass(666).await;
    for _ in 0..4 {
        hold.world.watch().await;
        hold.pass(700).await;
    }
    hold.stands().await;
    assert_eq!(incidents(&hold.world).await, ["order_unsettled"]);
    assert_eq!(hold.world.line("select details ->> 'here' from exceptions").await, "held");
    // The agency gives it back, and all that it had paid comes with it.
    hold.agent.cancels(&hold.reference).await;
    assert_eq!(hold.agent.balance().await, money());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_whose_amount_is_a_float_or_a_text_is_confirmed_as_it_was_sold() {
    for (written, kinds) in [
        ("FARE0000000001", &[""; 0][..]),
        ("\"FARE\"", &[]),
        ("FAREe0", &[]),
        ("FARE4", &[]),
        // Half a paisa more is one more when it is rounded: sold at another price, never pending.
        ("FARE5", &["other_total"]),
    ] {
        let options = WorldOptions::of([Seller::tripjack()]).frozen();
        let (world, _, agent) = World::with(options).await.and_agent(MONEY).await;
        let trip = one_way("DEL", "BOM");
        let priced = agent.quote(&trip).await;
        let fare = amount(&priced["price_summary"]["total_payable"]);
        let said = format!("says:amount={}", written.replace("FARE", &format!("{fare:.2}")));
        world.next_times_at("tripjack", "lookup", &said, 20).await;
        assert_eq!(agent.book(&agent.order(&priced, &trip)).await.ok()["status"], "CONFIRMED", "{written}");
        assert_eq!(agent.balance().await, money() - fare, "{written}");
        assert_eq!(incidents(&world).await, kinds, "{written}");
    }
}
