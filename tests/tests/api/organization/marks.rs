//! Values by which people of a booking are known wherever they stand.

use serde_json::{Value, json};
use wayfare_client::{
    enums::DocumentType,
    flights::{FareDocument, Loyalty, Papers, Passport, TaxId},
};
use wayfare_tests::{Agency, FoundStay, Person, Pick, Seller, StaySearch, World, WorldOptions, one_way};

/// What stands in every field that a client gives of a person.
pub const MARKS: [&str; 19] = [
    "Zqmarkfirst",
    "Zqmarklast",
    "1987-06-05",
    "zqmark@zqmark.example",
    "9871236540",
    "Zqmarkguest",
    // And what suppliers say of them some day (`says_more`).
    "Zqmore",
    // Papers.
    "ZQ7654321",
    "2019-08-07",
    "2041-02-03",
    "ZQTAX4321",
    "ZQMRK6789U",
    "ZQ/FARE-117",
    "ZQKNOWN12",
    "ZQREDR123",
    "ZQLOYAL77",
    "27AAPFU0939F1ZV",
    "Zqmarkcompany",
    "7 Zqmark Road",
];

/// Sells flights and stays, with an admin and an agent.
pub async fn stage() -> (World, Agency, Person, Person) {
    stage_with(WorldOptions::default()).await
}

/// The same in a world of these options.
pub async fn stage_with(options: WorldOptions) -> (World, Agency, Person, Person) {
    let world = World::with(WorldOptions { sellers: Seller::all(), ..options.frozen() }).await;
    world.and_people("1000000", "100000000").await
}

/// Every paper that there is of a traveller.
pub fn papers() -> Value {
    let text = |place: usize| MARKS[place].to_owned();
    json!(Papers {
        document: Some(Passport {
            kind: DocumentType::Passport,
            number: text(7),
            issuing_country: "IN".to_owned(),
            nationality: "IN".to_owned(),
            issued_on: MARKS[8].parse().ok(),
            expires_on: MARKS[9].parse().unwrap(),
        }),
        tax_id: Some(TaxId { number: text(10), country: "IN".to_owned() }),
        pan: Some(text(11)),
        fare_document: Some(FareDocument { kind: "student".to_owned(), number: text(12) }),
        known_traveller_number: Some(text(13)),
        redress_number: Some(text(14)),
        loyalty: vec![Loyalty { airline: "AI".to_owned(), number: text(15) }],
    })
}

pub fn marked(mut order: Value) -> Value {
    for (traveller, letter) in order["passengers"].as_array_mut().unwrap().iter_mut().zip(["a", "b", "c"]) {
        traveller["first_name"] = json!(format!("{}{letter}", MARKS[0]));
        traveller["last_name"] = json!(MARKS[1]);
        traveller["dob"] = json!(MARKS[2]);
        traveller.as_object_mut().unwrap().extend(papers().as_object().unwrap().clone());
    }
    order["gst"] = json!({
        "number": MARKS[16], "company_name": MARKS[17], "address": MARKS[18], "email": MARKS[3], "phone": MARKS[4],
    });
    order["contact_email"] = json!(MARKS[3]);
    order["contact_phone"] = json!(MARKS[4]);
    order
}

/// Every row of every table, as text.
pub async fn dump(world: &World) -> Vec<(String, String)> {
    let tables = world
        .lines("select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'")
        .await;
    let mut rows = Vec::new();
    for table in tables {
        let text = world.lines(&format!("select t::text from {table} t")).await.join("\n");
        rows.push((table, text.to_lowercase()));
    }
    rows
}

/// The mark that stands in these bytes, if one does.
pub fn mark_in(bytes: &[u8]) -> Option<&'static str> {
    one_in(&MARKS, bytes)
}

/// The text that stands in these bytes, if one does: as it is, in any case, or as hex, which is how `bytea` is dumped.
pub fn one_in(texts: &[&'static str], bytes: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(bytes).to_lowercase();
    let hex = |text: &str| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    texts.iter().copied().find(|mark| {
        let (lower, upper) = (mark.to_lowercase(), mark.to_uppercase());
        let said = [hex(mark), hex(&lower), hex(&upper), lower];
        said.iter().any(|said| text.contains(said))
    })
}

pub async fn assert_unmarked(world: &World, when: &str) {
    for (table, rows) in dump(world).await {
        assert_eq!(mark_in(rows.as_bytes()), None, "{when}: in {table}");
    }
}

pub async fn marked_booking(agent: &Person, supplier: &str, hold: bool) -> String {
    let trip = one_way("DEL", "BOM");
    let priced = agent.price(&agent.dearest_of(supplier, &trip).await.unwrap()).await.ok();
    let mut order = marked(agent.order(&priced, &trip));
    order["hold"] = json!(hold);
    let key = format!("{supplier} {hold}");
    let booked = agent.post_with_key("/flights/book", &key, &order).await.ok();
    let again = agent.post_with_key("/flights/book", &key, &order).await;
    assert_eq!(again.header("Idempotency-Replayed"), "true");
    assert_eq!(again.ok(), booked);
    booked["booking_ref"].as_str().unwrap().to_owned()
}

pub async fn marked_stay(agent: &Person, search: &StaySearch) -> String {
    let stay = agent.find_stay(search, Pick::Cheapest).await;
    let order = marked_stay_order(&stay, &agent.price_stay(&stay).await.ok());
    agent.post("/hotels/book", &order).await.succeeds(201)["booking_ref"].as_str().unwrap().to_owned()
}

pub fn marked_stay_order(stay: &FoundStay, priced: &Value) -> Value {
    let mut order = stay.order(priced);
    for room in order["rooms"].as_array_mut().unwrap() {
        for guest in room["guests"].as_array_mut().unwrap() {
            guest["first_name"] = json!(MARKS[5]);
            guest["last_name"] = json!(MARKS[1]);
        }
    }
    order["contact"] = json!({
        "first_name": MARKS[0], "last_name": MARKS[1], "email": MARKS[3], "phone": format!("+91{}", MARKS[4]),
    });
    order
}
