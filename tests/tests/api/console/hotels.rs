//! A stay sold without scripts: search, hotel, rate, guests, check, book, see, voucher, give back.

use reqwest::Method;
use wayfare_tests::{World, WorldOptions, eventually};

use super::browser::{Browser, Page, altered, pairs, reference};

const CONTACT: [(&str, &str); 2] =
    [("contact.email", "meera@example.com"), ("remarks", "Late <b>arrival</b>")];
const GUESTS: [(&str, &str); 6] = [
    ("rooms[0].guests[0].title", "Mrs"),
    ("rooms[0].guests[0].first_name", "Meera"),
    ("rooms[0].guests[0].last_name", "Shah"),
    ("rooms[0].guests[1].first_name", "Arun"),
    ("rooms[0].guests[1].last_name", "Shah"),
    ("rooms[0].guests[1].title", "Mr"),
];

async fn hotels() -> World {
    World::with(WorldOptions::hotels()).await
}

/// A search in Mumbai for two nights, 30 days from now, for these rooms.
fn search(world: &World, rooms: &[(&str, &str)]) -> String {
    let day = |days: i64| (world.now() + chrono::Duration::days(days)).date_naive();
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query
        .append_pair("place", "Mumbai, IN (1275339)")
        .append_pair("check_in", &day(30).to_string())
        .append_pair("check_out", &day(32).to_string())
        .append_pair("nationality", "IN")
        .append_pair("rooms", &rooms.len().to_string());
    for (number, (adults, ages)) in rooms.iter().enumerate() {
        query
            .append_pair(&format!("rooms[{number}].adults"), adults)
            .append_pair(&format!("rooms[{number}].children_ages"), ages);
    }
    format!("/console/hotels?{}", query.finish())
}

fn add(form: &mut Vec<(String, String)>, more: &[(&str, &str)]) {
    form.extend(more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
}

/// The page of the first hotel that has a rate with this on it, and what of it follows.
async fn hotel_with(browser: &Browser, found: &Page, text: &str) -> Page {
    for rest in found.text.split("href=\"/console/hotels/hotel?").skip(1) {
        let address = rest.split('"').next().unwrap().replace("&#38;", "&").replace("&amp;", "&");
        let page = browser.get(&format!("/console/hotels/hotel?{address}")).await;
        page.has(200, "Rates for 2 nights");
        let rates = page.text.find("id=\"rates\"").unwrap();
        if let Some(at) = page.text[rates..].find(text) {
            return Page { text: page.text[rates + at..].to_owned(), ..page };
        }
    }
    panic!("no hotel has {text}");
}

/// The fields that the button of the check page sends, of a rate that can be given back.
pub async fn checked(world: &World, browser: &Browser) -> Vec<(String, String)> {
    let found = browser.get(&format!("{}&wait=1", search(world, &[("2", "")]))).await;
    found.shows(200, &["class=\"offer stay\"", "loading=\"lazy\"", "referrerpolicy=\"no-referrer\""]);
    let hotel = hotel_with(browser, &found, "Free until").await;
    let quote = browser.get(&hotel.link("/console/hotels/quote?")).await;
    quote.has(200, "Who stays?").has(200, "Free until").has(200, "by the hotel's clocks (Asia/Kolkata)");
    let mut form = quote.hidden("/console/hotels/check");
    add(&mut form, &GUESTS);
    add(&mut form, &CONTACT);
    // Something is missing: it is told at the field, and what was typed is there.
    let missing = browser.post("/console/hotels/check", &pairs(&form)).await;
    missing.has(422, "There is a problem").has(422, "href=\"#contact.phone\"").has(422, "value=\"Meera\"");
    add(&mut form, &[("contact.phone", "98123 45678")]);
    let page = browser.post("/console/hotels/check", &pairs(&form)).await;
    page.has(200, "Check your answers").has(200, "Mrs Meera Shah").has(200, "Book for ₹");
    assert!(!page.text.contains("<b>arrival"), "what was typed is text");
    page.hidden("/console/hotels/book")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stay_is_sold_printed_and_given_back_and_a_form_that_comes_twice_books_once() {
    let (world, agency, agent) = hotels().await.and_agent("1000000").await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let fields = checked(&world, &browser).await;
    assert_eq!(agent.get("/hotels/bookings").await.json()["meta"]["total"], 0);
    // What the API refuses is told at its field, and what was typed is there.
    let wrong = altered(&fields, "rooms[0].guests[0].first_name", "Meera 7");
    let refused = browser.post("/console/hotels/book", &wrong).await;
    refused
        .has(422, "href=\"#rooms[0].guests[0].first_name\"")
        .has(422, "Room 1, guest 1, first name")
        .has(422, "value=\"Meera 7\"");
    let booked = browser.post("/console/hotels/book", &pairs(&fields)).await.leads_to();
    assert_eq!(booked, browser.post("/console/hotels/book", &pairs(&fields)).await.leads_to());
    assert_eq!(agent.get("/hotels/bookings").await.json()["meta"]["total"], 1);
    browser.get(&booked).await.has(200, "Booked.").has(200, "Meera").has(200, "Voucher");
    let reference = reference(&booked);
    browser.get("/console/hotels/bookings").await.has(200, &reference);
    browser.get("/console/hotels/bookings?group=ended").await.has(200, "No hotel bookings here");
    let typed = browser.get(&format!("/console/hotels/bookings?q={}", reference.to_lowercase())).await;
    assert_eq!(typed.leads_to(), format!("/console/hotels/bookings/{reference}"));
    browser.get("/console/hotels/bookings?q=HTL-00000000").await.has(200, "No hotel booking HTL-00000000");
    let voucher = format!("/console/hotels/bookings/{reference}/voucher");
    let printed = browser.get(&voucher).await;
    printed.has(200, "Hotel voucher").has(200, "Mrs Meera Shah").has(200, &reference);
    assert!(!printed.text.contains("Paid from wallet"));
    // What leads to a booking leads to a hotel's.
    let address = format!("href=\"/console/hotels/bookings/{reference}\"");
    browser.get("/console/notifications").await.has(200, &address);
    gives_back(&browser, &agent, &reference).await;
    browser.get(&voucher).await.has(400, "Booking is already cancelled");
    world.books_agree().await;
}

async fn gives_back(browser: &Browser, agent: &wayfare_tests::Person, reference: &str) {
    let cancel = format!("/console/hotels/bookings/{reference}/cancel");
    let asked = browser.get(&cancel).await;
    asked.has(200, "Refund to the wallet").has(200, "Paid");
    assert_eq!(agent.stay(reference).await["status"], "confirmed");
    let fields = asked.hidden(&cancel);
    let mut long = fields.clone();
    add(&mut long, &[("reason", "x".repeat(501).as_str())]);
    browser.post(&cancel, &pairs(&long)).await.has(422, "href=\"#reason\"").has(422, "xxxxx");
    assert_eq!(agent.stay(reference).await["status"], "confirmed");
    let mut whole = fields.clone();
    add(&mut whole, &[("reason", "plans changed")]);
    for _ in 0..2 {
        let to = browser.post(&cancel, &pairs(&whole)).await.leads_to();
        assert_eq!(to, format!("/console/hotels/bookings/{reference}?done=cancelled"));
        browser.get(&to).await.has(200, "Cancelled. The refund is in the wallet.");
    }
    assert_eq!(agent.stay(reference).await["status"], "cancelled");
    // What comes back is found in its state, beside no flight's.
    let refunds = "/console/hotels/refunds";
    let booking = format!("/console/hotels/bookings/{reference}");
    let link = format!("href=\"{booking}\"");
    browser.get(&booking).await.has(200, &format!("href=\"{refunds}\""));
    browser.get(refunds).await.has(200, &link).has(200, "In the wallet");
    browser.get(&format!("{refunds}?status=refunded")).await.has(200, &link);
    for other in [&format!("{refunds}?status=failed"), "/console/refunds"] {
        let none = browser.get(other).await;
        none.has(200, "No refunds here");
        assert!(!none.text.contains(reference), "{other}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_family_in_two_rooms_chooses_a_rate_for_each_kind() {
    let (world, agency, agent) = hotels().await.and_agent("5000000").await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let rooms = [("2", ""), ("1", "4, 9")];
    let found = browser.get(&format!("{}&wait=1&supplier=hotelbeds", search(&world, &rooms))).await;
    let hotel = hotel_with(&browser, &found, "Price these rooms").await;
    assert_eq!(hotel.status, 200);
    let whole = browser.get(&found.link("/console/hotels/hotel?")).await;
    whole.has(200, "1 adult, children of 4 and 9").has(200, "type=\"radio\"");
    // The first of each kind, as a browser sends it.
    let mut form = whole.hidden("/console/hotels/quote");
    let picks = whole.text.split("name=\"pick").skip(1);
    for pick in picks.filter(|pick| pick.split('>').next().unwrap().contains("checked")) {
        let (number, rest) = pick.split_once("\" value=\"").unwrap();
        form.push((format!("pick{number}"), rest.split('"').next().unwrap().to_owned()));
    }
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(&form).finish();
    let quote = browser.get(&format!("/console/hotels/quote?{query}")).await;
    quote.has(200, "Room 2, ").has(200, "Guest 3, child of 9");
    let mut form = quote.hidden("/console/hotels/check");
    add(&mut form, &GUESTS);
    for (number, first) in ["Sita", "Mira", "Ravi"].into_iter().enumerate() {
        let field = |name: &str| format!("rooms[1].guests[{number}].{name}");
        form.push((field("first_name"), first.to_owned()));
        form.push((field("last_name"), "Shah".to_owned()));
    }
    add(&mut form, &CONTACT);
    add(&mut form, &[("contact.phone", "9812345678")]);
    let page = browser.post("/console/hotels/check", &pairs(&form)).await;
    page.has(200, "Ravi Shah");
    let fields = page.hidden("/console/hotels/book");
    let booked = browser.post("/console/hotels/book", &pairs(&fields)).await.leads_to();
    let stay = agent.stay(&reference(&booked)).await;
    assert_eq!(stay["guests"].as_array().unwrap().len(), 5);
    assert_eq!(stay["guests"][4]["age"], 9);
    browser.get(&booked).await.has(200, "Room 2, child of 9").has(200, "2 rooms");
    // A kind without a rate can't be priced.
    let one = query.rsplit_once("&pick").unwrap().0;
    browser.get(&format!("/console/hotels/quote?{one}")).await.has(410, "This rate is gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_says_what_is_wrong_what_is_missing_and_what_is_left() {
    let (world, agency, _) = hotels().await.and_agent("0").await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    browser.get("/console/hotels").await.has(200, "Where to?");
    let query = search(&world, &[("2", "")]).split_once('?').unwrap().1.to_owned();
    // Empty, and days that are none or in the past: told at the fields by the console, or by the API.
    let bad = browser.get("/console/hotels?place=&check_in=2027-13-01&check_out=2027-01-01").await;
    bad.has(422, "href=\"#place\"").has(422, "href=\"#check_in\"");
    let order = "/console/hotels?place=Mumbai&check_in=2027-03-05&check_out=2027-03-05&rooms%5B0%5D.adults=0";
    let page = browser.get(order).await;
    page.shows(422, &["href=\"#check_out\"", "href=\"#rooms[0].adults\"", "value=\"Mumbai, IN (1275339)\""]);
    let past = "place=Mumbai%2C+IN+%281275339%29&check_in=2020-03-05&check_out=2020-03-07";
    browser.get(&format!("/console/hotels?{past}&wait=1")).await.has(422, "href=\"#check_in\"");
    let part = [("hx-request", "true")];
    let led = browser.ask(Method::GET, &format!("/console/hotels/list?{past}"), &part, &[]).await;
    assert_eq!(led.status, 422);
    assert!(led.headers["hx-redirect"].to_str().unwrap().contains("wait=1"));
    browser.get("/console/hotels?place=Nowhereatall&wait=1").await.has(422, "href=\"#place\"");
    // What was typed and not chosen is shown as what it is taken for, before suppliers are asked.
    let taken = browser.get("/console/hotels?place=kerala").await;
    taken.has(200, "for “kerala” we took <b>").has(200, "Thiruvananthapuram");
    assert!(!taken.text.contains("/console/hotels/list"), "{}", taken.text);
    // A room more is no search.
    let more = browser.get(&format!("/console/hotels?{query}&edit=2")).await;
    more.has(200, "Room 2").has(200, "Without the last room");
    let cities = browser.get("/console/hotels/places?q=mumb&id=place").await;
    cities.has(200, "data-value=\"Mumbai, IN (1275339)\"").has(200, "id=\"place-1\"");
    // A supplier is silent: the others' stays are there, and it is named.
    world.next_at("hotelbeds", "search", "status:500").await;
    let waiting = browser.get(&format!("/console/hotels?{query}")).await;
    waiting.has(200, "hx-get=\"/console/hotels/list?").has(200, "<noscript>");
    let list = format!("/console/hotels/list?{query}");
    let partial = browser.ask(Method::GET, &list, &part, &[]).await;
    partial.has(200, "Hotelbeds did not answer; these ").has(200, "stays are LiteAPI&#39;s");
    world.all_is_well().await;
    let again = browser.get(&format!("{}&wait=1", partial.link("/console/hotels?"))).await;
    again.has(200, "<span class=\"name\">Hotelbeds</span>");
    assert!(!again.text.contains("did not answer"));
    let none = browser.ask(Method::GET, &format!("{list}&max=1"), &part, &[]).await;
    none.has(200, "Nothing passes the filters");
}

#[tokio::test(flavor = "multi_thread")]
async fn forged_rates_foreign_bookings_and_empty_wallets_buy_and_show_nothing() {
    let (world, agency, agent) = hotels().await.and_agent("1000000").await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let fields = checked(&world, &browser).await;
    let forged: Vec<(&str, &str)> = pairs(&fields)
        .into_iter()
        .map(|(name, value)| match name {
            "pick" | "agreed_price" | "agreed_room" | "agreed_rate" => (name, "0000000000000000"),
            _ => (name, value),
        })
        .collect();
    for action in ["check", "book", "quote"] {
        let page = browser.post(&format!("/console/hotels/{action}"), &forged).await;
        page.has(410, "Nothing was booked and nothing was charged");
    }
    let keyless: Vec<(&str, &str)> = pairs(&fields).into_iter().filter(|(name, _)| *name != "key").collect();
    assert_eq!(browser.post("/console/hotels/book", &keyless).await.status, 404);
    let elsewhere = [("sec-fetch-site", "cross-site")];
    let posted = browser.ask(Method::POST, "/console/hotels/book", &elsewhere, &pairs(&fields)).await;
    assert_eq!(posted.status, 403);
    assert_eq!(agent.get("/hotels/bookings").await.json()["meta"]["total"], 0);
    let booked = browser.post("/console/hotels/book", &pairs(&fields)).await.leads_to();
    // Another agency's people see nothing of it.
    let other = world.agency().await;
    other.agent("bina", "0").await;
    let stranger = Browser::signed(&world, &other, "bina").await;
    let reference = reference(&booked);
    for path in ["", "/voucher", "/cancel"] {
        let path = format!("/console/hotels/bookings/{reference}{path}");
        stranger.get(&path).await.has(404, "There is nothing here");
    }
    let cancel = format!("/console/hotels/bookings/{reference}/cancel");
    let key = [("key", "8f14e45f-ceea-467f-ab3e-4d2b1c9a7f00")];
    assert_eq!(stranger.post(&cancel, &key).await.status, 404);
    assert_eq!(agent.stay(&reference).await["status"], "confirmed");
    // A wallet that can't pay refuses, and what was typed is there.
    let fields = checked(&world, &browser).await;
    world.sql("update wallets set is_active = false where owner_type = 'user'").await;
    let mut twice = fields.clone();
    add(&mut twice, &[("allow_duplicate", "on")]);
    let page = browser.post("/console/hotels/book", &pairs(&twice)).await;
    page.shows(402, &["can&#39;t pay", "Mrs Meera Shah", "name=\"key\""]);
    assert_eq!(agent.get("/hotels/bookings").await.json()["meta"]["total"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_never_saw_the_price_books_the_same_form_once_and_at_no_other_fare() {
    let (mut world, agency, agent) = hotels().await.and_agent("1000000").await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let fields = checked(&world, &browser).await;
    let other = world.another_server(wayfare_api::RateLimits::off());
    let elsewhere = Browser::signed_at(&other, &agency, "arjun").await;
    let refused = elsewhere.post("/console/hotels/book", &altered(&fields, "agreed_fare", "1.00")).await;
    // The API refuses the fare, and there is no price to show the form with.
    refused.has(410, "Nothing was booked and nothing was charged");
    assert_eq!(agent.get("/hotels/bookings").await.json()["meta"]["total"], 0);
    let booked = elsewhere.post("/console/hotels/book", &pairs(&fields)).await.leads_to();
    assert_eq!(booked, browser.post("/console/hotels/book", &pairs(&fields)).await.leads_to());
    assert_eq!(agent.get("/hotels/bookings").await.json()["meta"]["total"], 1);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stay_whose_supplier_is_silent_is_shown_as_being_confirmed_until_it_is() {
    let (world, agency, agent) =
        World::with(WorldOptions::hotels().frozen()).await.and_agent("1000000").await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let fields = checked(&world, &browser).await;
    for supplier in ["liteapi", "hotelbeds"] {
        world.next_at(supplier, "book", "drop_before").await;
    }
    let booked = browser.post("/console/hotels/book", &pairs(&fields)).await.leads_to();
    let page = browser.get(&booked).await;
    page.has(200, "Being confirmed").has(200, "Do not book it again").has(200, "hx-trigger=\"every 3s\"");
    assert!(!page.text.contains("Booked."), "nobody knows that yet");
    let reference = reference(&booked);
    browser.get(&format!("/console/hotels/bookings/{reference}/cancel")).await.has(409, "still pending");
    // The supplier never had it: nothing is charged, and the page says so.
    world.pass(600);
    let path = format!("/console/hotels/bookings/{reference}");
    let page = eventually("a page that waits for nothing", async || {
        let page = browser.get(&path).await;
        (!page.text.contains("every 3s")).then_some(page)
    })
    .await;
    page.has(200, "Failed");
    assert_eq!(agent.stay(&reference).await["status"], "failed");
    assert!(world.held().await.is_zero());
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_that_moved_is_asked_about_once_and_a_rate_that_is_gone_is_said_to_be() {
    let (world, agency, agent) = hotels().await.and_agent("1000000").await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let query = search(&world, &[("2", "")]);
    let found = browser.get(&format!("{query}&wait=1&supplier=hotelbeds")).await;
    let hotel = browser.get(&found.link("/console/hotels/hotel?")).await;
    let address = hotel.link("/console/hotels/quote?");
    world.next_at("hotelbeds", "price", "sold_out").await;
    let gone = browser.get(&address).await;
    gone.has(410, "This rate is gone").has(410, "Search again");
    // It is searched anew: the rate is another one.
    let anew = format!("{}&wait=1&supplier=hotelbeds", gone.link("/console/hotels?place="));
    let found = browser.get(&anew).await;
    let hotel = browser.get(&found.link("/console/hotels/hotel?")).await;
    let address = hotel.link("/console/hotels/quote?");
    world.next_at("hotelbeds", "price", "price_changed:10").await;
    let moved = browser.get(&address).await;
    moved.shows(200, &["The price has changed", "Nothing is booked and nothing is charged", "Continue at ₹"]);
    let again = browser.get(&address).await;
    again.has(200, "Who stays?");
    assert!(!again.text.contains("The price has changed"));
    assert_eq!(agent.get("/hotels/bookings").await.json()["meta"]["total"], 0);
}
