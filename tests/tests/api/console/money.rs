//! What pages say of money: from the list of fares to the refund, with a markup, a commission, fees and changes. That each sum
//! adds up is seen by [`super::browser::Browser`], whatever is read.

use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};
use wayfare_operations::{
    access::operators::By,
    operator::{self, Covered, TermsChange},
};
use wayfare_pricing::MarkupKind;
use wayfare_tests::{Agency, MONEY, Person, Pick, Seller, World, WorldOptions, amount, one_way, stay_at};

use super::{
    browser::{Browser, Page, altered, pairs, reference},
    flights,
};

/// An agency that earns: 7 % on flights and 12 % on stays beside a commission of 4 %, and pays a fee of 100 with GST and a charge
/// of 25.
async fn earning(options: WorldOptions) -> (World, Agency, Person) {
    let (world, agency, admin, agent) = World::with(options).await.and_people(MONEY, MONEY).await;
    for (packages, percent) in [("/org/packages", 7), ("/org/hotel-packages", 12)] {
        let package = json!({
            "name": "All", "markup_type": "percent", "markup_value": percent, "markup_apply_on": "total",
        });
        let made = admin.post(packages, &package).await.succeeds(201);
        let assign = json!({ "package_id": made["id"] });
        admin.post(&format!("{packages}/assign"), &assign).await.ok();
    }
    let terms = TermsChange {
        service_fee: Some((MarkupKind::Flat, dec!(100))),
        gst: Some(dec!(18)),
        platform_charge: Some(dec!(25)),
        ..TermsChange::default()
    };
    operator::set_terms(&world.platform, By::command_line(), &agency.code, terms).await.unwrap();
    for seller in Seller::all() {
        let covered = Covered { supplier: seller.code.to_owned(), airline: None, cabin: None };
        let (platform, percent) = (&world.platform, MarkupKind::Percent);
        let set =
            operator::set_contract(platform, By::command_line(), &agency.code, covered, percent, dec!(4));
        set.await.unwrap();
    }
    (world, agency, agent)
}

fn rupees(amount: Decimal) -> String {
    let text = format!("{:.2}", amount.abs());
    let (whole, paise) = text.split_once('.').unwrap();
    let mut grouped = String::new();
    for (place, digit) in whole.chars().rev().enumerate() {
        if place >= 3 && place % 2 == 1 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let whole: String = grouped.chars().rev().collect();
    let sign = if amount.is_sign_negative() { "−" } else { "" };
    format!("{sign}₹{whole}.{paise}")
}

fn shown(value: &Value) -> String {
    rupees(amount(value))
}

/// The line of this name on the page: its amount.
fn line(page: &Page, name: &str) -> String {
    let from = page.text.find(&format!("<span class=\"name\">{name}</span>"));
    let from = from.unwrap_or_else(|| panic!("no line {name} in {}", page.text));
    page.text[from..].split("<dd>").nth(1).unwrap().split("</dd>").next().unwrap().to_owned()
}

/// Buys a bag for a booking that stands.
async fn add_a_bag(agent: &Person, browser: &Browser, reference: &str) {
    let sold = agent.get(&format!("/flights/bookings/{reference}/ssr")).await.ok();
    let flight = &sold["SsrDetails"]["Segments"][0];
    let bag = json!(["BAGGAGE", 1, flight["SegmentId"], flight["Baggage"][0]["Code"]]).to_string();
    let extras = format!("/console/bookings/{reference}/extras");
    let chosen = browser.post(&format!("{extras}/check"), &[("extra", &bag)]).await;
    browser.post(&extras, &pairs(&chosen.hidden(&extras))).await.leads_to();
}

/// Whether the fare of this quote takes a fee for a change.
fn costs_to_change(quote: &Page) -> bool {
    let (_, rest) = quote.text.split_once("Date-change fee").unwrap();
    let (fee, _) = rest.split_once("</dd>").unwrap();
    fee.contains('₹') && !fee.contains("₹0.00")
}

/// Has the supplier change the booking on this page to another day; the fee that it takes.
async fn fly_on_another_day(world: &World, browser: &Browser, path: &str) -> String {
    let change = format!("{path}/change");
    let day = (world.now() + chrono::Duration::days(44)).date_naive();
    let found = browser.get(&format!("{change}?journey=0&day={day}")).await;
    let changed = found.starting_at("The supplier changes the booking");
    let check = format!("{change}/check");
    let checked = browser.post(&check, &pairs(&changed.hidden(&check))).await;
    line(&checked, "Amount due");
    browser.post(&change, &pairs(&checked.hidden(&change))).await.leads_to();
    line(&checked, "Date-change fee")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sale_has_a_line_for_all_that_is_in_it_until_it_is_refunded() {
    let (world, agency, agent) = earning(WorldOptions::of([Seller::duffel()])).await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let (check, fields) = flights::checked_of(&world, &browser, "&refundable=on", costs_to_change).await;
    for name in [
        "Agency markup",
        "Customer price",
        "Your commission",
        "Service fee",
        "GST on the service fee",
        "Platform fee",
        "Net fare",
    ] {
        line(&check, name);
    }
    let reference = reference(&browser.post("/console/flights/book", &pairs(&fields)).await.leads_to());
    let path = format!("/console/bookings/{reference}");
    let detail = agent.booking(&reference).await;
    let page = browser.get(&path).await;
    assert_eq!(line(&page, "Paid from wallet"), shown(&detail["pricing"]["total_payable"]));
    assert_eq!(line(&page, "Platform fees"), "₹143.00");
    add_a_bag(&agent, &browser, &reference).await;
    let fee = fly_on_another_day(&world, &browser, &path).await;
    let detail = agent.booking(&reference).await;
    let page = browser.get(&path).await;
    let paid = shown(&detail["pricing"]["total_payable"]);
    assert_eq!(line(&page, "Date-change fees"), fee);
    assert_eq!(line(&page, "Seats, bags and meals"), shown(&detail["pricing"]["ancillary"]));
    assert_eq!(line(&page, "Paid from wallet"), paid);
    browser.get("/console/bookings").await.has(200, &paid);
    // What is given back is told with what is not.
    let cancel = format!("{path}/cancel");
    let asked = browser.get(&cancel).await;
    assert_eq!(line(&asked, "Paid"), paid);
    assert_eq!(line(&asked, "Earlier change fees"), format!("−{fee}"));
    assert_eq!(line(&asked, "Platform fees"), "−₹143.00");
    let back = line(&asked, "Refund");
    asked.has(200, &format!("Cancel and refund {back}"));
    browser.post(&cancel, &pairs(&asked.hidden(&cancel))).await.leads_to();
    let page = browser.get(&path).await;
    assert_eq!(line(&page, "Refund credited"), format!("−{back}"));
    let cost = line(&page, "Cost after refund");
    browser.get("/console/bookings").await.has(200, &cost).has(200, &format!("{back} refunded"));
    browser.get("/console").await.has(200, &cost);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_that_moved_is_compared_with_what_was_seen() {
    let (world, agency, _) = earning(WorldOptions::of([Seller::duffel()])).await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    // What was priced already is kept: another day is priced anew.
    for (days, fault, name) in [(30, "price_changed:8", "Dearer by"), (31, "price_changed:-8", "Cheaper by")]
    {
        let day = (world.now() + chrono::Duration::days(days)).date_naive();
        let search = format!(
            "/console/flights?trip=one&from=DEL&to=BOM&out={day}&adults=1&children=0&infants=0&cabin=ECONOMY&wait=1"
        );
        let found = browser.get(&search).await;
        let address = found.link("/console/flights/quote?");
        let before = found.text.split("href=\"/console/flights/quote?").next().unwrap();
        // What stands beside the button: what the wallet is to pay.
        let seen = before.rsplit('₹').map(|text| text.split(['<', ' ']).next().unwrap());
        let seen: Vec<String> = seen.take(3).map(|text| format!("₹{text}")).collect();
        world.next("price", fault).await;
        let asked = browser.get(&address).await;
        asked.has(200, "The price has changed");
        let was = line(&asked, "Was");
        assert!(seen.contains(&was), "{was} of {seen:?}");
        line(&asked, name);
        let now = line(&asked, "Now");
        asked.has(200, &format!("Continue at {now}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_of_a_stay_that_moved_is_compared_with_what_was_seen() {
    let (world, _, agent) = earning(WorldOptions::of([Seller::liteapi()])).await;
    let stay = agent.find_stay(&stay_at("liteapi"), Pick::Free).await;
    world.next_at("liteapi", "price", "price_changed:8").await;
    let priced = agent.price_stay(&stay).await.ok();
    let change = &priced["price_change"];
    let [old, new] = ["old_agent_fare", "new_agent_fare"].map(|name| amount(&change[name]));
    assert_eq!(amount(&priced["agent_price"]["agent_fare"]), new);
    assert!(old < new, "{change}");
    let [old_total, new_total] = ["old_total", "new_total"].map(|name| amount(&change[name]));
    // The markup is in what the agency saw, and not in what its supplier asks.
    assert!(old > old_total && new > new_total, "{change}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_charged_is_never_called_paid() {
    let (world, agency, agent) = earning(WorldOptions::of([Seller::duffel()])).await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let trip = one_way("DEL", "BOM");
    let order = agent.order(&agent.quote(&trip).await, &trip);
    world.next("book", "sold_out").await;
    let refused = agent.book(&order).await;
    assert!(refused.status >= 400, "{}", refused.text);
    let failed = agent.get("/flights/bookings").await.ok()[0]["booking_ref"].as_str().unwrap().to_owned();
    let page = browser.get(&format!("/console/bookings/{failed}")).await;
    assert_eq!(line(&page, "Cost"), "₹0.00");
    line(&page, "Not charged");
    for wrong in ["Paid from wallet", "Print e-ticket", "Cancel booking", "Change date", "Not flown"] {
        assert!(!page.text.contains(wrong), "{wrong} on {}", page.text);
    }
    browser.get("/console/bookings").await.has(200, "Not charged");
    // Nobody knows yet.
    let priced = agent.quote(&trip).await;
    world.next("book", "drop_after").await;
    world.next_times("lookup", "status:500", 99).await;
    let pending = agent.book(&agent.order(&priced, &trip)).await.succeeds(202);
    let pending = pending["booking_ref"].as_str().unwrap().to_owned();
    let page = browser.get(&format!("/console/bookings/{pending}")).await;
    page.has(200, "Being confirmed");
    let blocked = line(&page, "Blocked in the wallet");
    for wrong in ["Paid from wallet", "Print e-ticket", "Cancel booking"] {
        assert!(!page.text.contains(wrong), "{wrong} on {}", page.text);
    }
    let today = browser.get("/console").await;
    assert_eq!(line(&today, "Blocked for bookings being confirmed"), format!("−{blocked}"));
    browser.get("/console/wallet").await.has(200, "Available balance");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_paid_for_holds_is_told() {
    let (world, agency, agent) = World::start().await.and_agent(MONEY).await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let held = agent.try_buy(&one_way("JFK", "EWR")).await.ok();
    let reference = held["booking_ref"].as_str().unwrap();
    let paid = shown(&agent.booking(reference).await["pricing"]["total_payable"]);
    let today = browser.get("/console").await;
    assert_eq!(line(&today, "Blocked for bookings being confirmed"), "₹0.00");
    today.has(200, &format!("{paid} of what was paid is for bookings on hold"));
    let page = browser.get(&format!("/console/bookings/{reference}")).await;
    assert_eq!(line(&page, "Paid from wallet"), paid);
    page.has(200, "Refunded in full if the hold lapses").has(200, "nothing more is charged");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_voucher_tells_what_guests_pay_and_nothing_of_ours() {
    for supplier in ["liteapi", "hotelbeds"] {
        let (world, agency, agent) = earning(WorldOptions::hotels()).await;
        let browser = Browser::signed(&world, &agency, "arjun").await;
        let reference = agent.buy_stay(&stay_at(supplier), Pick::Free).await.reference;
        let stay = agent.stay(&reference).await;
        let deadlines = stay["cancellation_policy"]["deadlines"].as_array().unwrap();
        assert!(!deadlines.is_empty(), "{stay}");
        let path = format!("/console/hotels/bookings/{reference}");
        let voucher = browser.get(&format!("{path}/voucher")).await;
        let page = browser.get(&path).await;
        assert_eq!(line(&page, "Paid from wallet"), shown(&stay["total_amount"]));
        assert_eq!(line(&page, "Customer price"), shown(&stay["public_fare"]));
        line(&page, "Agency markup");
        for deadline in deadlines {
            let (guest, agent) = (shown(&deadline["guest_fee"]), shown(&deadline["agent_fee"]));
            voucher.has(200, &format!("data-label=\"Charge\">{guest}"));
            page.has(200, &guest).has(200, &agent);
            assert!(amount(&deadline["guest_fee"]) <= amount(&stay["public_fare"]));
        }
        // No amount of what the agency or its supplier pays, in any of their currencies.
        let told = agent.get(&format!("/hotels/bookings/{reference}/voucher")).await.ok();
        let of_guests: Vec<Decimal> = told["cancellation_policy"]["deadlines"]
            .as_array()
            .unwrap()
            .iter()
            .map(|deadline| amount(&deadline["fee"]))
            .collect();
        let of_ours = deadlines.iter().flat_map(|one| [&one["fee"], &one["agent_fee"]]);
        for ours in of_ours.chain([&stay["net_amount"], &stay["total_amount"]]) {
            let ours = amount(ours);
            if of_guests.contains(&ours) || ours.is_zero() {
                continue;
            }
            let figure = rupees(ours).replace('₹', "");
            assert!(!voucher.text.contains(&figure), "{figure} on {}", voucher.text);
        }
        // What it costs to give back is quoted and settled as it was told.
        let cancel = format!("{path}/cancel");
        let asked = browser.get(&cancel).await;
        let back = line(&asked, "Refund");
        browser.post(&cancel, &pairs(&asked.hidden(&cancel))).await.leads_to();
        assert_eq!(line(&browser.get(&path).await, "Refund credited"), format!("−{back}"));
        world.books_agree().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fares_and_markups_are_reconciled() {
    let (world, agency, agent) = earning(WorldOptions::of([Seller::duffel()])).await;
    let browser = Browser::signed(&world, &agency, "asha").await;
    browser.get("/console/agency/fares").await.has(200, "Your earnings");
    let kept = agent.buy(one_way("DEL", "BOM")).await.reference;
    agent.cancels(&agent.buy(one_way("DEL", "BLR")).await.reference).await;
    let admin = agency.log_in("asha").await;
    let sums = &admin.get("/org/fare-transactions?period=monthly").await.ok()["summary"];
    let page = browser.get("/console/agency/fares").await;
    assert_eq!(line(&page, "Gross sales"), shown(&sums["total_public_fare"]));
    assert_eq!(line(&page, "Net cost"), shown(&sums["total_agent_fare"]));
    assert_eq!(line(&page, "Markups"), shown(&sums["total_markup"]));
    // What stands on the markup account is the markups that were not given back.
    let balance = amount(&admin.get("/org/finance-summary?period=monthly").await.ok()["markup_balance"]);
    assert_eq!(balance, amount(&sums["total_markup"]));
    assert!(balance >= amount(&agent.booking(&kept).await["pricing"]["public_markup"]));
    page.has(200, &format!("{} stands on your markup account now", rupees(balance)));
    // An example that can be followed.
    let package = admin.get("/org/packages").await.ok()[0]["id"].clone();
    let package = package.as_str().unwrap();
    let example = browser.get(&format!("/console/agency/packages/{package}")).await;
    for name in ["Supplier's price", "Paid from the agency's wallet", "The agency earns"] {
        line(&example, &name.replace('\'', "&#39;"));
    }
    world.books_agree().await;
}

/// A booking whose airline puts its flight off by so much.
async fn put_off(minutes: u32) -> (World, Agency, Person, String, String) {
    let (world, agency, agent) = earning(WorldOptions::of([Seller::duffel()])).await;
    let reference = agent.buy_dearest(&one_way("DEL", "BOM").by("ZZ")).await.reference;
    let change = world.puts_off(&agent, &reference, minutes).await["id"].as_str().unwrap().to_owned();
    (world, agency, agent, reference, change)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_is_declined_only_at_what_was_quoted_before() {
    let (world, agency, agent, reference, change) = put_off(95).await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let path = format!("/console/bookings/{reference}");
    let action = format!("{path}/changes/{change}");
    let page = browser.get(&path).await;
    page.has(200, &format!("href=\"{action}\""));
    assert!(!page.text.contains("value=\"refuse\""), "one click declines nothing");
    let before = agent.balance().await;
    // Whoever sends the form of before sees first what it gives back.
    let key = [("key", "a-form-of-before"), ("decision", "refuse")];
    assert_eq!(browser.post(&action, &key).await.leads_to(), action);
    let quoted = browser.get(&action).await;
    let back = line(&quoted, "Refund");
    quoted.has(200, "Nothing is decided yet").has(200, &format!("Decline and refund {back}"));
    let detail = agent.booking(&reference).await;
    assert_eq!(line(&quoted, "Paid"), shown(&detail["pricing"]["total_payable"]));
    assert_eq!(detail["status"], "confirmed");
    assert_eq!(agent.balance().await, before);
    // What was agreed to counts, and nothing else.
    let form = quoted.hidden(&action);
    let other = altered(&form, "quoted", "1.00 false");
    browser.post(&action, &other).await.has(409, "The amounts have changed");
    assert_eq!(agent.booking(&reference).await["status"], "confirmed");
    let done = browser.post(&action, &pairs(&form)).await.leads_to();
    assert_eq!(browser.post(&action, &pairs(&form)).await.leads_to(), done);
    let page = browser.get(&done).await;
    page.has(200, "declined and the booking is cancelled");
    assert_eq!(line(&page, "Refund credited"), format!("−{back}"));
    assert_eq!(rupees(agent.balance().await - before), back);
    // Another agent's is not seen.
    agency.agent("bina", "0").await;
    Browser::signed(&world, &agency, "bina").await.get(&action).await.has(404, "There is nothing here");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_operator_asks_first_the_page_says_so_and_nothing_is_cancelled() {
    let (world, agency, agent, reference, change) = put_off(180).await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let action = format!("/console/bookings/{reference}/changes/{change}");
    let penalty = agent
        .post(&format!("/flights/bookings/{reference}/penalty"), &json!({ "change": change }))
        .await
        .ok();
    let before = agent.balance().await;
    let quoted = browser.get(&action).await;
    // The sandbox keeps a part of this fare, or nothing: the page tells which.
    let asks = penalty["asks_operator"].as_bool().unwrap();
    assert_eq!(asks, amount(&penalty["penalty"]) > Decimal::ZERO);
    assert_eq!(quoted.text.contains("ask for a full refund"), asks);
    let page = browser.get(&browser.post(&action, &pairs(&quoted.hidden(&action))).await.leads_to()).await;
    match asks {
        true => {
            page.has(200, "Nothing is cancelled yet");
            assert_eq!(agent.booking(&reference).await["status"], "confirmed");
            assert_eq!(agent.balance().await, before);
        }
        false => assert_eq!(line(&page, "Refund credited"), format!("−{}", line(&quoted, "Refund"))),
    }
    // What is no change of the booking, or is named with a part, is told.
    let body = json!({ "change": change, "journeys": [0] });
    let refused = agent.post(&format!("/flights/bookings/{reference}/penalty"), &body).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    let body = json!({ "change": "nothing" });
    let refused = agent.post(&format!("/flights/bookings/{reference}/penalty"), &body).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
}
