//! A whole sale without scripts: search, price, travellers, check, book, see, give back.

use reqwest::Method;
use wayfare_tests::World;

use super::browser::{Browser, Page, pairs, reference};

fn search(world: &World, days: i64) -> String {
    let day = (world.now() + chrono::Duration::days(days)).date_naive();
    format!(
        "/console/flights?trip=one&from=Delhi+%28DEL%29&to=bom&out={day}&adults=1&children=0&infants=0&cabin=ECONOMY"
    )
}

const TRAVELLER: [(&str, &str); 6] = [
    ("passengers[0].title", "Ms"),
    ("passengers[0].first_name", "Meera"),
    ("passengers[0].last_name", "Shah"),
    ("passengers[0].dob", "1990-04-12"),
    ("contact_email", "meera@example.com"),
    ("contact_country_code", "91"),
];

/// The fields that the button of the check page sends, of the cheapest offer for this traveller.
pub async fn checked(world: &World, browser: &Browser) -> Vec<(String, String)> {
    checked_of(world, browser, "", |_| true).await.1
}

/// The quote of the cheapest offer that passes these filters, on the first of ten days whose quote fits: fares are other ones each day.
async fn quoted(world: &World, browser: &Browser, filters: &str, fits: impl Fn(&Page) -> bool) -> Page {
    for days in 30..40 {
        let found = browser.get(&format!("{}&wait=1{filters}", search(world, days))).await;
        found.has(200, "class=\"offer\"").has(200, "flights from");
        let quote = browser.get(&found.link("/console/flights/quote?")).await;
        quote.has(200, "Who travels?");
        if fits(&quote) {
            return quote;
        }
    }
    panic!("no offer fits on ten days");
}

/// The check page of the cheapest that passes these filters, such as `&refundable=on`, and whose quote fits, and those fields.
pub async fn checked_of(
    world: &World,
    browser: &Browser,
    filters: &str,
    fits: impl Fn(&Page) -> bool,
) -> (Page, Vec<(String, String)>) {
    let mut form = quoted(world, browser, filters, fits).await.hidden("/console/flights/check");
    form.extend(TRAVELLER.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let mut whole = pairs(&form);
    // Something is missing: it is told at the field, and what was typed is there.
    let missing = browser.post("/console/flights/check", &whole).await;
    missing.has(422, "There is a problem").has(422, "href=\"#contact_phone\"").has(422, "value=\"Meera\"");
    whole.push(("contact_phone", "98123 45678"));
    let page = browser.post("/console/flights/check", &whole).await;
    page.has(200, "Check your answers").has(200, "Ms Meera Shah");
    let fields = page.hidden("/console/flights/book");
    (page, fields)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_is_sold_and_given_back_and_a_form_that_comes_twice_books_once() {
    let (world, agency, agent) = World::start().await.and_agent("1000000").await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let fields = checked(&world, &browser).await;
    assert_eq!(agent.get("/flights/bookings").await.json()["meta"]["total"], 0);
    let booked = browser.post("/console/flights/book", &pairs(&fields)).await.leads_to();
    assert_eq!(booked, browser.post("/console/flights/book", &pairs(&fields)).await.leads_to());
    assert_eq!(agent.get("/flights/bookings").await.json()["meta"]["total"], 1);
    browser.get(&booked).await.has(200, "Booked.").has(200, "Meera").has(200, "Cancel booking…");
    let reference = reference(&booked);
    browser.get("/console/bookings").await.has(200, &reference);
    let typed = browser.get(&format!("/console/bookings?q={}", reference.to_lowercase())).await;
    assert_eq!(typed.leads_to(), format!("/console/bookings/{reference}"));
    browser.get("/console/bookings?q=FA-00000000").await.has(200, "No booking FA-00000000");
    let cancel = format!("/console/bookings/{reference}/cancel");
    let asked = browser.get(&cancel).await;
    asked.has(200, "Refund to the wallet");
    assert_eq!(agent.booking(&reference).await["status"], "confirmed");
    browser.post(&cancel, &pairs(&asked.hidden(&cancel))).await.leads_to();
    assert_eq!(agent.booking(&reference).await["status"], "cancelled");
    browser.get(&format!("/console/bookings/{reference}")).await.has(200, "Cancelled");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_opens_a_fare_again_that_was_booked_is_shown_no_spent_price() {
    let (world, agency, _) = World::start().await.and_agent("1000000").await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let fields = checked(&world, &browser).await;
    let (_, spent) = fields.iter().find(|(name, _)| name == "booking_key").unwrap();
    let open = async || browser.post("/console/flights/check", &pairs(&fields)).await;
    open().await.has(200, spent);
    browser.post("/console/flights/book", &pairs(&fields)).await.leads_to();
    let again = open().await;
    assert!(!again.text.contains(spent.as_str()), "{}", again.text);
    again.has(200, "Check your answers");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_that_is_too_small_refuses_and_nothing_typed_is_lost() {
    let (world, agency, agent) = World::start().await.and_agent("1000000").await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let fields = checked(&world, &browser).await;
    world.sql("update wallets set is_active = false where owner_type = 'user'").await;
    let refused = browser.post("/console/flights/book", &pairs(&fields)).await;
    refused.has(402, "can&#39;t pay").has(402, "Ms Meera Shah").has(402, "name=\"key\"");
    assert_eq!(agent.get("/flights/bookings").await.json()["meta"]["total"], 0);
    // Another agent finds nothing of it.
    agency.agent("bina", "0").await;
    assert_eq!(agent.get("/flights/bookings").await.json()["data"].as_array().unwrap().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn results_come_as_a_stream_and_what_is_kept_is_filtered_without_a_search() {
    let (world, agency, _) = World::start().await.and_agent("0").await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let query = search(&world, 30).split_once('?').unwrap().1.to_owned();
    let page = browser.get(&format!("/console/flights?{query}")).await;
    page.has(200, "hx-get=\"/console/flights/stream?").has(200, "<noscript>");
    let stream = browser.get(&format!("/console/flights/stream?{query}")).await;
    assert!(stream.headers["content-type"].to_str().unwrap().starts_with("text/event-stream"));
    assert!(stream.text.starts_with("data: "), "{}", stream.text);
    assert!(stream.text.ends_with("event: done\ndata: done\n\n"));
    assert!(stream.text.contains("class=\"offer\""));
    for (accepted, sent) in [("gzip, deflate, br, zstd", "zstd"), ("br", "br")] {
        let path = format!("/console/flights/stream?{query}");
        let coded = browser.ask(Method::GET, &path, &[("accept-encoding", accepted)], &[]).await;
        assert_eq!(coded.headers["content-encoding"], sent);
        assert_eq!(coded.headers["cache-control"], "no-store, no-transform");
    }
    let part = [("hx-request", "true")];
    let list = format!("/console/flights/list?{query}&sort=fastest");
    let listed = browser.ask(Method::GET, &list, &part, &[]).await;
    listed.has(200, "class=\"offer\"");
    let none = browser.ask(Method::GET, &format!("{list}&airline=none"), &part, &[]).await;
    none.has(200, "Nothing passes the filters");
    let rules = browser.ask(Method::GET, &listed.link("/console/flights/rules?"), &part, &[]).await;
    rules.has(200, "Fare rules").has(200, "<dialog");
    // A search that is wrong is told at its fields.
    browser.get("/console/flights?from=nowhere&to=BOM").await.has(422, "href=\"#from\"");
    browser.get("/console/flights/places?q=mumb&id=to").await.has(200, "(BOM)").has(200, "id=\"to-1\"");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_typed_and_not_chosen_is_shown_as_what_it_is_taken_for_before_it_is_searched() {
    let (world, agency, _) = World::start().await.and_agent("0").await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let ask = async |from: &str, to: &str| {
        let day = (world.now() + chrono::Duration::days(30)).date_naive();
        browser.get(&format!("/console/flights?trip=one&from={from}&to={to}&out={day}")).await
    };
    // Leh is at home; its letters are Le Havre's code. Nothing is searched yet.
    let taken = ask("leh", "Delhi+%28DEL%29").await;
    taken.has(200, "for “leh” we took <b>").has(200, "(IXL)");
    assert!(!taken.text.contains("/console/flights/stream"), "{}", taken.text);
    // A region that is called so comes before the code of Genoa, which is offered, too.
    ask("DEL", "goa").await.has(200, "for “goa” we took <b>Dabolim Airport (GOI)").has(200, "(GOA)");
    // What the form then sends was chosen.
    ask("Leh+%28IXL%29", "Delhi+%28DEL%29").await.has(200, "/console/flights/stream");
    // A code that nothing else is called is searched at once, with its name.
    ask("del", "pnq").await.has(200, "/console/flights/stream").has(200, "(PNQ)");
    ask("nowhere+at+all", "DEL").await.has(422, "href=\"#from\"");
}
