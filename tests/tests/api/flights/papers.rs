//! Papers of travellers: what offers want of them, what is refused, and that suppliers get them and tables sealed only.

use std::{fs::read_to_string, path::Path};

use serde_json::{Value, json};
use wayfare_client::enums::RequirementKind;
use wayfare_tests::{MONEY, Person, Seller, Trip, World, WorldOptions, faulty_bodies, one_way, round_trip};

use crate::organization::marks::{dump, one_in, papers};

/// Marks that only these papers have.
const MARKS: [&str; 5] = ["Z7654321", "PQRST6789U", "27AAPFU0939F1ZV", "Mark Company", "DU/MARK"];

async fn world() -> (World, Person) {
    let options = WorldOptions::of([Seller::duffel(), Seller::tripjack()]).frozen();
    let (world, _, agent) = World::with(options).await.and_agent(MONEY).await;
    (world, agent)
}

fn document() -> Value {
    json!({
        "type": "passport", "number": "z 765-4321", "issuing_country": "in", "nationality": "IN",
        "issued_on": "2021-06-01", "expires_on": "2035-05-31",
    })
}

fn gst() -> Value {
    json!({
        "number": "27AAPFU0939F1ZV", "company_name": "Mark Company", "address": "1 Hill Road",
        "email": "tax@mark.example", "phone": "+912212345678",
    })
}

/// The cheapest offer of a supplier.
async fn offer(agent: &Person, supplier: &str, trip: &Trip) -> Value {
    let found = agent.search(trip).await;
    let mut offers = found["offers"].as_array().unwrap().iter();
    let offer = offers.find(|offer| offer["supplier"] == supplier);
    offer.unwrap_or_else(|| panic!("{supplier} sells nothing: {}", found["debug"])).clone()
}

async fn quote(agent: &Person, supplier: &str, trip: &Trip) -> Value {
    agent.price(offer(agent, supplier, trip).await["offer_id"].as_str().unwrap()).await.ok()
}

/// A list in short: `passport each_traveller true`.
fn short(requires: &Value) -> Vec<String> {
    let list = requires.as_array().unwrap_or_else(|| panic!("no list: {requires}")).iter();
    list.map(|one| {
        assert_eq!((&one["due"], &one["due_at"]), (&json!("booking"), &Value::Null));
        assert!(one["text"].as_str().is_some_and(|text| !text.is_empty()));
        let word = |name: &str| one[name].as_str().unwrap();
        format!("{} {} {}", word("what"), word("whom"), one["mandatory"])
    })
    .collect()
}

/// A body without papers: the family gives what is demanded by itself.
fn bare(agent: &Person, priced: &Value, trip: &Trip) -> Value {
    let mut order = agent.order(priced, trip);
    order.as_object_mut().unwrap().remove("gst");
    for passenger in order["passengers"].as_array_mut().unwrap() {
        for name in ["document", "pan", "fare_document"] {
            passenger.as_object_mut().unwrap().remove(name);
        }
    }
    order
}

/// The tables that have one of the marks in them.
async fn marked(world: &World) -> Vec<String> {
    let tables = dump(world).await.into_iter();
    tables.filter(|(_, rows)| one_in(&MARKS, rows.as_bytes()).is_some()).map(|(table, _)| table).collect()
}

#[test]
fn each_paper_stands_in_the_documents() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let [of_api, of_validation] =
        ["API.md", "VALIDATION.md"].map(|page| read_to_string(docs.join(page)).unwrap());
    for name in papers().as_object().unwrap().keys() {
        // Once among the additions, once among papers.
        let lines = of_api.lines().filter(|line| line.contains(name.as_str())).count();
        assert!(lines > 1 && of_validation.contains(name.as_str()), "{name}");
    }
    for word in RequirementKind::WORDS {
        assert!(of_api.contains(&format!("`{word}`")), "{word}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wanted_is_told_with_each_offer_and_decided_by_price() {
    let (_world, agent) = world().await;
    let birth = "date_of_birth each_traveller true";
    for (supplier, trip, found, priced) in [
        ("duffel", one_way("DEL", "BOM"), &[birth][..], &[birth][..]),
        (
            "duffel",
            one_way("BOM", "LHR"),
            &[birth, "passport each_traveller true"],
            &[birth, "passport each_traveller true"],
        ),
        (
            "duffel",
            one_way("DEL", "DXB"),
            &[birth, "passport each_traveller false"],
            &[birth, "passport each_traveller false"],
        ),
        (
            "tripjack",
            one_way("DEL", "HYD"),
            &["gst booking null"],
            &["date_of_birth each_infant true", "gst booking true"],
        ),
        (
            "tripjack",
            round_trip("DEL", "SIN"),
            &["gst booking null", "passport each_traveller null"],
            &[
                "date_of_birth each_adult true",
                "date_of_birth each_child true",
                "date_of_birth each_infant true",
                "passport each_traveller true",
            ],
        ),
    ] {
        let offer = offer(&agent, supplier, &trip).await;
        let quote = agent.price(offer["offer_id"].as_str().unwrap()).await.ok();
        for (requires, expected) in [(&offer["requires"], found), (&quote["requires"], priced)] {
            // Which airline is the cheapest's, and what it asks beside, is not the point here.
            let mut told = short(requires);
            told.retain(|one| !one.starts_with("loyalty") && !one.starts_with("emergency_contact"));
            assert_eq!(told, expected, "{supplier} {:?}", trip.slices);
        }
        assert!(!short(&quote["requires"]).iter().any(|one| one.ends_with("null")));
    }
    let passport = offer(&agent, "tripjack", &one_way("DEL", "SIN")).await["requires"][1].clone();
    assert_eq!(passport["fields"], json!(["number", "issuing_country", "nationality", "expires_on"]));
    assert_eq!(passport["text"], "Passport, valid six months beyond the last flight");
    assert!(passport["valid_until"].is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn each_paper_at_fault_is_named_and_nothing_is_held_sent_or_written() {
    let (world, agent) = world().await;
    let trip = one_way("BOM", "LHR").party(2, 0, 1);
    let priced = quote(&agent, "duffel", &trip).await;
    let mut good = agent.order(&priced, &trip);
    for passenger in good["passengers"].as_array_mut().unwrap() {
        passenger["document"] = document();
    }
    good["passengers"][0]["loyalty"] = json!([{ "airline": "AI", "number": "23422" }]);
    good["passengers"][0]["tax_id"] = json!({ "number": "AB1234", "country": "GB" });
    good["passengers"][0]["fare_document"] = json!({ "type": "student", "number": "DU/MARK" });
    good["gst"] = gst();
    let last = priced["itinerary_snapshot"]["segments"].as_array().unwrap().last().unwrap();
    let landing = &last["arrival"].as_str().unwrap()[..10];
    let country = "is not a known country code";
    let required = "this field is required";
    let table = format!(
        r#"
        /passengers/0/document                  "Z1"           {{passengers[0].document must be an object}}
        /passengers/0/document/type             "visa"         {{passengers[0].document.type must be passport}}
        /passengers/0/document/number           "Z123"         {{passengers[0].document.number must be 5 to 15 letters and digits}}
        /passengers/0/document/number           "Z1234_5"      {{passengers[0].document.number must be 5 to 15 letters and digits}}
        /passengers/0/document/number           null           {{passengers[0].document.number {required}}}
        /passengers/0/document/issuing_country  "QQ"           {{passengers[0].document.issuing_country {country}}}
        /passengers/0/document/nationality      "India"        {{passengers[0].document.nationality {country}}}
        /passengers/0/document/issued_on        "2035-05-31"   {{passengers[0].document.issued_on must not be in the future}}
        /passengers/0/document/expires_on       "2021-06-01"   {{passengers[0].document.issued_on must be before expires_on}}
        /passengers/0/document/expires_on       null           {{passengers[0].document.expires_on {required}}}
        /passengers/1/document/expires_on       "2026-01-02"   {{passengers[1].document.expires_on must not be before {landing}}}
        /passengers/1/document                  null           {{passengers[1].document {required}}}
        /passengers/0/tax_id/number             "A-1"          {{passengers[0].tax_id.number must be 4 to 20 letters and digits}}
        /passengers/0/tax_id/country            "QQ"           {{passengers[0].tax_id.country {country}}}
        /passengers/0/fare_document/type        "child"        {{passengers[0].fare_document.type must be one of student, senior}}
        /passengers/0/fare_document/number      "a b"          {{passengers[0].fare_document.number must be 1 to 30 letters, digits, hyphens and slashes}}
        /passengers/1/pan                       "ABCDE12345"   {{passengers[1].pan is not a PAN}}
        /passengers/1/known_traveller_number    "1"            {{passengers[1].known_traveller_number must be 5 to 25 letters and digits}}
        /passengers/1/redress_number            "12345678901234"  {{passengers[1].redress_number must be 5 to 13 letters and digits}}
        /passengers/0/loyalty                   [{{"airline":"AI","number":"23422"}},{{"airline":"ai","number":"7777"}}]  {{passengers[0].loyalty names an airline twice}}
        /passengers/0/loyalty/0/airline         "99"           {{passengers[0].loyalty[0].airline must be an airline code of 2 characters}}
        /passengers/0/loyalty/0/number          "1"            {{passengers[0].loyalty[0].number must be 2 to 25 letters and digits}}
        /gst/number                             "27AAPFU0939F1ZW"  {{gst.number is not a GSTIN}}
        /gst/number                             "39AAPFU0939F1ZV"  {{gst.number is not a GSTIN}}
        /gst/company_name                       null           {{gst.company_name {required}}}
        /gst/company_name                       "{long}"       {{gst.company_name must have at most 35 characters}}
        /gst/email                              "tax"          {{gst.email must be an e-mail address}}
        /gst/phone                              "12a"          {{gst.phone must be a telephone number, such as +91 98123 45678}}
        /gst                                    []             {{gst must be an object}}
        /passengers/0/dob                       null           {{passengers[0].dob {required}}}
        "#,
        long = "x".repeat(36),
    );
    for name in papers().as_object().unwrap().keys() {
        assert!(table.contains(&format!("/{name}")), "{name}");
    }
    for (body, faults) in faulty_bodies(&good, &table) {
        agent.book(&body).await.is_invalid(&faults);
    }
    let mut alone = good.clone();
    let infant = alone["passengers"].as_array_mut().unwrap().remove(2);
    alone["passengers"] = json!([infant]);
    let reply = agent.book(&alone).await;
    assert!(reply.json()["error"].to_string().contains("{passengers must have 2 of type ADT but has 0}"));

    agent.book(&bare(&agent, &priced, &trip)).await.is_invalid(&format!(
        "{{passengers[0].document {required}}} {{passengers[1].document {required}}} {{passengers[2].document {required}}}"
    ));
    world.nothing_happened().await;
    assert_eq!(world.line("select count(*) from effects").await, "0");
    assert!(world.supplier_orders().await.is_empty());
    // The price is as it was, and books.
    agent.book(&good).await.ok();
    assert_eq!(marked(&world).await, Vec::<String>::new());
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tripjack_sells_abroad_and_to_companies_and_no_table_has_the_papers() {
    let (world, agent) = world().await;
    for (trip, give) in [
        (round_trip("DEL", "SIN").party(1, 1, 1), "document"),
        (one_way("BOM", "DXB"), "pan"),
        (one_way("DEL", "KTM"), "nothing"),
        (one_way("DEL", "HYD"), "gst"),
        (one_way("BOM", "COK"), "fare_document"),
    ] {
        let mut order = bare(&agent, &quote(&agent, "tripjack", &trip).await, &trip);
        if give != "nothing" {
            let refused = agent.book(&order).await;
            let text = refused.json()["error"].to_string();
            assert!(refused.status == 422 && text.contains(give), "{give}: {}", refused.text);
        }
        for passenger in order["passengers"].as_array_mut().unwrap() {
            if ["document", "pan"].contains(&give) {
                passenger["document"] = document();
            }
            if passenger["type"] == "ADT" {
                passenger["pan"] = json!("PQRST6789U");
            }
            passenger["fare_document"] = json!({ "type": "student", "number": "DU/MARK" });
            passenger["loyalty"] =
                json!([{ "airline": "AI", "number": "23422" }, { "airline": "6E", "number": "77" }]);
        }
        order["gst"] = gst();
        assert_eq!(agent.book(&order).await.ok()["status"], "CONFIRMED", "{give}");
    }
    assert_eq!(marked(&world).await, Vec::<String>::new());
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passport_must_outlive_the_journey_by_as_much_as_the_supplier_wants() {
    let (world, agent) = world().await;
    let trip = one_way("DEL", "SIN");
    let priced = quote(&agent, "tripjack", &trip).await;
    let wanted = priced["requires"].as_array().unwrap().iter();
    let wanted = wanted.filter(|one| one["what"] == "passport").map(|one| one["valid_until"].clone());
    let wanted: Vec<Value> = wanted.collect();
    let day: chrono::NaiveDate = wanted[0].as_str().unwrap().parse().unwrap();
    let mut order = bare(&agent, &priced, &trip);
    order["passengers"][0]["document"] = document();
    order["passengers"][0]["document"]["expires_on"] = json!(day.pred_opt().unwrap());
    let fault = format!("{{passengers[0].document.expires_on must not be before {day}}}");
    agent.book(&order).await.is_invalid(&fault);
    world.nothing_happened().await;
    order["passengers"][0]["document"]["expires_on"] = json!(day);
    agent.book(&order).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn gender_birth_date_and_family_name_may_be_left_out_where_nobody_wants_them() {
    let (world, agent) = world().await;
    let trip = one_way("DEL", "BOM").party(1, 1, 0);
    let mut order = agent.order(&quote(&agent, "tripjack", &trip).await, &trip);
    for name in ["gender", "dob"] {
        order["passengers"][0].as_object_mut().unwrap().remove(name);
    }
    order["passengers"][0]["title"] = json!("Dr");
    agent.book(&order).await.is_invalid("{passengers[0].gender this field is required}");
    order["passengers"][0]["title"] = json!("Mrs");
    order["passengers"][0]["last_name"] = json!("");
    order["passengers"][1]["title"] = json!("Master");
    order["passengers"][1].as_object_mut().unwrap().remove("gender");
    let mut child = order.clone();
    child["passengers"][1].as_object_mut().unwrap().remove("dob");
    agent.book(&child).await.is_invalid("{passengers[1].dob this field is required}");
    let detail = agent.booking(agent.book(&order).await.ok()["booking_ref"].as_str().unwrap()).await;
    assert_has!(detail["passengers"][0], { "gender": "F", "dob": null, "last_name": "" });
    assert_has!(detail["passengers"][1], { "gender": "M", "title": "Mstr" });
    // Duffel wants everybody's.
    order["booking_keys"] = quote(&agent, "duffel", &trip).await["booking_keys"].clone();
    agent.book(&order).await.is_invalid("{passengers[0].dob this field is required}");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_flies_elsewhere_instead_has_the_papers_of_the_booking_or_gives_others() {
    let world = World::with(WorldOptions::of([Seller::duffel(), Seller::tripjack()]).frozen()).await;
    let (world, _, admin, agent) = world.and_people(MONEY, MONEY).await;
    let papers = async |booked: &Value| {
        let reference = booked["booking_ref"].as_str().unwrap();
        admin.get(&format!("/org/bookings/{reference}/people")).await.ok()["papers"].clone()
    };
    let trip = one_way("BOM", "LHR");
    let mut order = bare(&agent, &quote(&agent, "duffel", &trip).await, &trip);
    order["passengers"][0]["document"] = document();
    let booked = agent.book(&order).await.ok();
    assert_eq!(papers(&booked).await["travellers"]["1"]["document"]["number"], MARKS[0]);
    let path = format!("/flights/bookings/{}", booked["booking_ref"].as_str().unwrap());
    let shown = json!({
        "type": "passport", "number": "****4321", "issuing_country": "IN", "nationality": "IN",
        "issued_on": "2021-06-01", "expires_on": "2035-05-31",
    });
    assert_eq!(agent.get(&path).await.ok()["passengers"][0]["document"], shown);
    let day = (world.now() + chrono::Duration::days(44)).date_naive();
    let journey = json!({ "origin": "BOM", "destination": "LHR", "new_date": day });
    let found = agent.post(&format!("{path}/reschedule-avail"), &journey).await.ok();
    let mut itineraries = found.as_array().unwrap().iter();
    let new = itineraries.find(|one| one["source"] == "duffel").unwrap();
    assert!(short(&new["requires"]).contains(&"passport each_traveller true".to_owned()));
    let mut body = json!({ "fare_keys": [new["fare_key"]], "passengers": [{ "pax_index": 1 }] });
    let reschedule = async |body: &Value| agent.post(&format!("{path}/reschedule"), body).await;
    body["passengers"][0]["document"] = document();
    body["passengers"][0]["document"]["expires_on"] = json!(world.now().date_naive());
    let reply = reschedule(&body).await;
    assert_eq!(reply.status, 422, "{}", reply.text);
    assert!(reply.text.contains("document.expires_on must not be before"), "{}", reply.text);
    body["passengers"] = json!([{ "pax_index": 1, "pan": "PQRST6789U", "dob": "2001-01-01" }]);
    reschedule(&body).await.is_invalid("{passengers[0].dob must be as on the booking}");
    body["passengers"][0].as_object_mut().unwrap().remove("dob");
    body["gst"] = json!({ "number": "27AAPFU0939F1ZV" });
    let reply = reschedule(&body).await;
    assert_eq!(reply.status, 422, "{}", reply.text);
    assert_eq!(world.line("select count(*) from bookings").await, "1");
    body["gst"] = gst();
    let done = reschedule(&body).await.ok();
    assert_eq!(done["new_booking"]["status"], "CONFIRMED");
    let papers = papers(&done["new_booking"]).await;
    assert_has!(papers["travellers"]["1"], { "document/number": MARKS[0], "pan": MARKS[1] });
    assert_eq!(papers["gst"]["number"], MARKS[2]);
    assert_eq!(marked(&world).await, Vec::<String>::new());
    world.books_agree().await;
}
