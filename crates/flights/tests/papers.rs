//! Papers at both suppliers of flights: what is wanted by their answers, and what they are sent.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use wayfare_domain::{
    BookingPapers, Document, DocumentNumber, FareDocument, FareDocumentKind, FareDocumentNumber, Gst,
    GstNumber, KnownTravellerNumber, Loyalty, LoyaltyNumber, Pan, Papers, RedressNumber, TaxId, TaxNumber,
};
use wayfare_flights::duffel::DOCUMENT_KINDS;
use wayfare_flights::{
    FlightSupplier, OrderMode, OrderRequest, Requirement, RequirementKind, Requirements, TripType, duffel,
    tripjack,
};
use wayfare_stub_server::spoiling::{parts_of, strange_parts_of, with_part};
use wayfare_stub_server::{StubServer, reply};
use wayfare_supply::{Answer, Limits, RefusalKind};

use crate::answers::{done, is_refused};
use crate::{duffel_bodies, sandboxed, tripjack_bodies, tripjack_stage};

/// The list in short: `passport each_traveller true until 2027-09-14`.
fn short(requires: &Requirements) -> Vec<String> {
    let line = |one: &Requirement| {
        let mandatory = one.mandatory.map_or("null".to_owned(), |said| said.to_string());
        let mut line = format!("{} {} {mandatory}", one.what.as_ref(), one.whom.as_ref());
        if let Some(day) = one.valid_until {
            line.push_str(&format!(" until {day}"));
        }
        if one.without_expiry {
            line.push_str(" without expiry");
        }
        if !one.airlines.is_empty() {
            line.push_str(&format!(" of {}", one.airlines.join(",")));
        }
        line
    };
    requires.iter().map(line).collect()
}

/// The same without memberships, which no fare demands.
fn demanded(requires: &Requirements) -> Vec<String> {
    short(requires).into_iter().filter(|one| !one.starts_with("loyalty")).collect()
}

fn kinds<const N: usize>(words: [&str; N]) -> BTreeSet<String> {
    words.map(str::to_owned).into()
}

fn all_kinds() -> BTreeSet<String> {
    RequirementKind::WORDS.iter().map(|word| (*word).to_owned()).collect()
}

/// Every paper that there is.
fn all_papers() -> BookingPapers {
    let papers = Papers {
        document: Some(Document {
            number: DocumentNumber::read("z 123-4567").unwrap(),
            issuing_country: "IN".to_owned(),
            nationality: "NP".to_owned(),
            issued_on: Some("2021-06-01".parse().unwrap()),
            expires_on: "2031-05-31".parse().unwrap(),
        }),
        tax_id: Some(TaxId { number: TaxNumber::read("AB12345").unwrap(), country: "GB".to_owned() }),
        pan: Pan::read("ABCDE1234F"),
        fare_document: Some(FareDocument {
            kind: FareDocumentKind::Student,
            number: FareDocumentNumber::read("DU/117").unwrap(),
        }),
        known_traveller_number: KnownTravellerNumber::read("TT11YYZZ"),
        redress_number: RedressNumber::read("1234567"),
    };
    BookingPapers {
        travellers: BTreeMap::from([(1, papers)]),
        gst: Some(Gst {
            number: GstNumber::read("27AAPFU0939F1ZV").unwrap(),
            company_name: "Tara Travels".to_owned(),
            address: "1 Hill Road".to_owned(),
            email: "tax@tara.example".to_owned(),
            phone: "+912212345678".to_owned(),
        }),
    }
}

fn with_all(request: OrderRequest, taken: Value) -> OrderRequest {
    let mut request = OrderRequest { papers: all_papers(), ..request };
    if taken != Value::Null {
        request.supplier_context["taken"] = taken;
    }
    for (airline, number) in [("AI", "23422"), ("ZZ", "99")] {
        request.travellers[0]
            .loyalty
            .push(Loyalty { airline: airline.to_owned(), number: LoyaltyNumber::read(number).unwrap() });
    }
    request
}

/// Of an offer: whether papers are required, which it supports, which it allows, whose programmes it takes, and what is wanted.
const SAID_BY_DUFFEL: &str = r#"
null  | null         | null         | null |
false | []           | null         | []   |
false | null         | []           | null |
false | null         | ["passport"] | null | passport each_traveller false
false | ["passport"] | ["passport"] | []   | passport each_traveller false
true  | ["passport"] | null         | []   | passport each_traveller true
true  | []           | null         | []   | passport each_traveller true
false | ["passport", "tax_id", "known_traveler_number"] | null | ["ZZ", "BA"] | passport each_traveller false; tax_id each_traveller false; loyalty each_traveller false of ZZ,BA"#;

#[test]
fn what_duffel_says_of_an_offer_is_what_is_wanted_for_it() {
    use duffel_bodies::{answer, flight, offer};
    // No offer of its wants these.
    let mut tried = kinds(["emergency_contact", "fare_document", "gst", "pan"]);
    for line in SAID_BY_DUFFEL.trim().lines() {
        let cells = line.split('|').map(str::trim).collect::<Vec<_>>();
        let [required, supported, allowed, programmes, wanted] = cells.try_into().unwrap();
        let mut theirs = offer("off_1", &[flight("LHR", "EDI")]);
        for (name, value) in [
            ("passenger_identity_documents_required", required),
            ("supported_passenger_identity_document_types", supported),
            ("allowed_passenger_identity_document_types", allowed),
            ("supported_loyalty_programmes", programmes),
        ] {
            theirs[name] = serde_json::from_str(value).unwrap();
        }
        let searched =
            duffel::read::search(&answer(&json!({ "offers": [theirs] })).into_bytes(), true).unwrap();
        let priced = duffel::read::offer(&answer(&theirs).into_bytes(), None, true).unwrap();
        let wanted = ["date_of_birth each_traveller true", wanted].join("; ");
        for offer in [&searched.offers[0], &priced.offers[0]] {
            assert_eq!(short(&offer.requires).join("; "), wanted.trim_end_matches("; "), "{line}");
        }
        let requires = &priced.offers[0].requires;
        tried.extend(requires.iter().map(|one| one.what.as_ref().to_owned()));
        for place in &parts_of(&theirs) {
            let part = theirs.pointer(place).unwrap();
            // Another type is another paper, and null is said by the supplier itself.
            for strange in strange_parts_of(part).iter().filter(|strange| says_nothing(part, strange)) {
                let spoiled = answer(&with_part(&theirs, place, strange)).into_bytes();
                if let Ok(read) = duffel::read::offer(&spoiled, None, true) {
                    let told = demanded(&read.offers[0].requires);
                    assert_eq!(told, demanded(requires), "{place} is {strange}: see duffel/parts.rs");
                }
            }
        }
    }
    assert_eq!(tried, all_kinds());
}

/// Whether what is there instead can be read neither as this part nor as that there is none.
fn says_nothing(part: &Value, instead: &Value) -> bool {
    let alike = part.is_string() && instead.is_string() || part.is_object() && instead.is_object();
    !(part.is_null() || instead.is_null() || alike)
}

#[tokio::test]
async fn duffel_is_sent_the_papers_that_its_offer_takes() {
    use duffel_bodies::{answer, booking, duffel, duffel_stub, order};
    let document = |kind: &str, number: &str, country: &str| json!({ "type": kind, "unique_identifier": number, "issuing_country_code": country });
    let mut passport = document("passport", "Z1234567", "IN");
    passport["expires_on"] = json!("2031-05-31");
    let others = [
        document("tax_id", "AB12345", "GB"),
        document("known_traveler_number", "TT11YYZZ", "US"),
        document("passenger_redress_number", "1234567", "US"),
    ];
    let all: Vec<Value> = std::iter::once(passport.clone()).chain(others).collect();
    for (taken, documents, accounts) in [
        (Value::Null, None, None),
        (json!({ "documents": ["passport"] }), Some(json!([passport])), None),
        (
            json!({ "documents": DOCUMENT_KINDS, "loyalty": ["ZZ"] }),
            Some(json!(all)),
            Some(json!([{ "airline_iata_code": "ZZ", "account_number": "99" }])),
        ),
    ] {
        let stub = duffel_stub([reply(201, answer(&order()))]).await;
        let request = with_all(booking(OrderMode::Instant), taken);
        done(duffel(&stub).book(&request).await);
        let sent = stub.only().body;
        let first = &sent["data"]["passengers"][0];
        assert_eq!(first.get("identity_documents"), documents.as_ref());
        assert_eq!(first.get("loyalty_programme_accounts"), accounts.as_ref());
        // Nothing else than that, and nothing of the others.
        let mut rest = sent.clone();
        for name in ["identity_documents", "loyalty_programme_accounts"] {
            rest["data"]["passengers"][0].as_object_mut().unwrap().remove(name);
        }
        let plain = duffel_stub([reply(201, answer(&order()))]).await;
        done(duffel(&plain).book(&booking(OrderMode::Instant)).await);
        assert_eq!(rest, plain.only().body);
    }
}

#[tokio::test]
async fn who_has_one_name_has_it_as_both_and_a_birth_date_is_never_made_up() {
    use duffel_bodies::{answer, booking, duffel, duffel_stub, order};
    let stub = duffel_stub([reply(201, answer(&order()))]).await;
    let mut request = booking(OrderMode::Instant);
    request.travellers[0].last_name = String::new();
    done(duffel(&stub).book(&request).await);
    let first = &stub.only().body["data"]["passengers"][0];
    assert_eq!((&first["given_name"], &first["family_name"]), (&json!("Name1"), &json!("Name1")));
    request.travellers[0].born_on = None;
    is_refused(duffel(&stub).book(&request).await, "");
    assert_eq!(stub.requests().len(), 1);
}

#[test]
fn before_a_review_tripjack_may_want_passports_across_borders_and_gst() {
    use tripjack_bodies::{fare, flight, offers, trip};
    for (from, to, wanted) in [
        ("DEL", "BOM", vec!["gst booking null"]),
        ("JFK", "EWR", vec!["gst booking null"]),
        ("DEL", "DXB", vec!["gst booking null", "passport each_traveller null until 2026-10-01"]),
    ] {
        let found = offers(&json!({ "ONWARD": [trip(&[flight("1", from, to, 1, 0)], &[fare("p1")])] }));
        assert_eq!(short(&found.offers[0].requires), wanted, "{from} {to}");
    }
}

/// A condition of a review, and what is wanted by it.
const SAID_BY_TRIPJACK: &str = r#"
gst  | {"gstappl": false, "igm": false}                 |
gst  | {"gstappl": true, "igm": false}                  | gst booking false
gst  | {"gstappl": true, "igm": true}                   | gst booking true
pcs  | {"pm": false}                                    | passport each_traveller false until 2026-10-01 without expiry
pcs  | {"pm": true}                                     | passport each_traveller true until 2026-10-01 without expiry
pcs  | {"pm": true, "pped": true}                       | passport each_traveller true until 2026-10-01
dob  | {"adobr": true, "cdobr": true, "idobr": true}    | date_of_birth each_adult true; date_of_birth each_child true; date_of_birth each_infant true
dob  | {"adobr": false, "cdobr": false, "idobr": true}  | date_of_birth each_infant true
ipa  | true                                             | pan each_adult true
dc   | {"ida": true, "idm": false}                      | fare_document each_traveller false
dc   | {"ida": false, "idm": true}                      | fare_document each_traveller true
iecr | true                                             | emergency_contact booking true
ffas | ["AI"]                                           | loyalty each_traveller false of AI"#;

#[test]
fn what_tripjack_says_in_a_review_is_what_is_wanted() {
    use tripjack_bodies::{clock, review};
    // It takes none.
    let mut tried = kinds(["tax_id"]);
    for line in SAID_BY_TRIPJACK.trim().lines() {
        let cells = line.split('|').map(str::trim).collect::<Vec<_>>();
        let [name, value, wanted] = cells.try_into().unwrap();
        let mut body = review(&["p1"]);
        body["conditions"] = json!({ name: serde_json::from_str::<Value>(value).unwrap() });
        let read =
            tripjack::read::review(body.to_string().as_bytes(), &["p1"], clock().now()).unwrap().unwrap();
        let requires = &read.offers[0].requires;
        assert_eq!(short(requires).join("; "), wanted, "{line}");
        tried.extend(requires.iter().map(|one| one.what.as_ref().to_owned()));
        // A condition that can't be read never sells a fare without what it demands.
        for place in &parts_of(&body["conditions"]) {
            let place = format!("/conditions{place}");
            let part = body.pointer(&place).unwrap();
            for strange in strange_parts_of(part).iter().filter(|strange| says_nothing(part, strange)) {
                let spoiled = with_part(&body, &place, strange).to_string();
                let read = tripjack::read::review(spoiled.as_bytes(), &["p1"], clock().now());
                if let Ok(Some(read)) = read {
                    let told = demanded(&read.offers[0].requires);
                    assert_eq!(told, demanded(requires), "{place} is {strange}: see tripjack/parts.rs");
                }
            }
        }
    }
    assert_eq!(tried, all_kinds());
}

#[tokio::test]
async fn tripjack_is_sent_the_papers_that_its_review_takes() {
    use tripjack_bodies::{acknowledged, booking, order, tripjack};
    let passport = json!({ "pNum": "Z1234567", "eD": "2031-05-31", "pNat": "NP", "pid": "2021-06-01" });
    let gst = json!({
        "gstNumber": "27AAPFU0939F1ZV", "registeredName": "Tara Travels", "email": "tax@tara.example",
        "mobile": "+912212345678", "address": "1 Hill Road",
    });
    // A birth date is sent where it is given, and who is called is the booking's contact; it takes no tax id.
    let mut tried = kinds(["date_of_birth", "emergency_contact", "tax_id"]);
    for (taken, theirs, gst_info) in [
        (Value::Null, json!({}), None),
        (json!({ "passport": true }), passport, None),
        (json!({ "gst": true }), json!({}), Some(gst)),
        (json!({ "pan": true }), json!({ "pan": "ABCDE1234F" }), None),
        (json!({ "fare_document": true }), json!({ "di": "DU/117" }), None),
        (json!({ "loyalty": ["AI"] }), json!({ "ff": { "AI": "23422" } }), None),
    ] {
        tried.extend(taken.as_object().into_iter().flat_map(Map::keys).cloned());
        let answers = || [reply(200, acknowledged()), reply(200, order("SUCCESS").to_string())];
        let (stub, plain) = (StubServer::start(answers()).await, StubServer::start(answers()).await);
        let request = with_all(booking(OrderMode::Instant), taken);
        done(tripjack(&stub.base_url).book(&request).await);
        done(tripjack(&plain.base_url).book(&booking(OrderMode::Instant)).await);
        let mut expected = plain.requests()[0].body.clone();
        for (name, value) in theirs.as_object().unwrap() {
            expected["travellerInfo"][0][name] = value.clone();
        }
        if let Some(gst) = gst_info {
            expected["gstInfo"] = gst;
        }
        assert_eq!(stub.requests()[0].body, expected);
    }
    assert_eq!(tried, all_kinds());
}

/// What a traveller of the second body has that the same of the first has not.
fn added(traveller: &str, plain: &Value, whole: &Value) -> Map<String, Value> {
    let members = |body: &Value| body.pointer(traveller).and_then(Value::as_object).unwrap().clone();
    let plain = members(plain);
    members(whole).into_iter().filter(|(name, _)| !plain.contains_key(name)).collect()
}

/// What a passenger has of papers, as Duffel is sent it.
async fn papers_at_duffel() -> Map<String, Value> {
    use duffel_bodies::{answer, booking, duffel, duffel_stub, order};
    let sent = async |request: OrderRequest| {
        let stub = duffel_stub([reply(201, answer(&order()))]).await;
        done(duffel(&stub).book(&request).await);
        stub.only().body
    };
    let plain = booking(OrderMode::Instant);
    let whole = with_all(plain.clone(), json!({ "documents": DOCUMENT_KINDS }));
    added("/data/passengers/0", &sent(plain).await, &sent(whole).await)
}

#[tokio::test]
async fn what_duffel_says_against_a_paper_is_told_at_a_field_of_ours() {
    use duffel_bodies::{booking, duffel, duffel_stub};
    for (name, value) in papers_at_duffel().await {
        let members = value[0].as_object().into_iter().flat_map(Map::keys);
        for place in members.map(|member| format!("{name}/0/{member}")).chain([name.clone()]) {
            let error = json!({
                "type": "validation_error", "code": "validation_format", "title": "No", "message": "No",
                "source": { "pointer": format!("/passengers/0/{place}") },
            });
            let body = json!({ "meta": { "status": 422, "request_id": "r" }, "errors": [error] });
            let stub = duffel_stub([reply(422, body.to_string())]).await;
            let answer = duffel(&stub).book(&booking(OrderMode::Instant)).await;
            let Answer::Refused(refusal) = answer else { panic!("{place}: {answer:?}") };
            assert_eq!(refusal.kind, RefusalKind::PapersInvalid, "{place}");
            assert!(refusal.field.is_some_and(|field| field.starts_with("passengers[0].")), "{place}");
        }
    }
}

#[tokio::test]
async fn what_a_supplier_repeats_of_papers_is_not_kept_with_the_order() {
    use tripjack_bodies::{acknowledged, booking, order, tripjack};
    let book = async |request: &OrderRequest, told: &Value| {
        let stub = StubServer::start([reply(200, acknowledged()), reply(200, told.to_string())]).await;
        let made = done(tripjack(&stub.base_url).book(request).await);
        assert_eq!(*made.raw.tree(), order("SUCCESS"));
        stub.requests()[0].body.clone()
    };
    let all = RequirementKind::WORDS.iter().map(|word| ((*word).to_owned(), json!(true)));
    let mut taken = Map::from_iter(all);
    taken.insert("loyalty".to_owned(), json!([]));
    let plain = booking(OrderMode::Instant);
    let whole = with_all(plain.clone(), taken.into());
    let mut told = order("SUCCESS");
    let (without, with) = (book(&plain, &told).await, book(&whole, &told).await);
    let papers = added("/travellerInfo/0", &without, &with);
    assert!(papers.len() >= 6 && with["gstInfo"].is_object(), "{with}");
    told["order"]["gstInfo"] = with["gstInfo"].clone();
    told["itemInfos"]["AIR"]["travellerInfos"][0].as_object_mut().unwrap().extend(papers);
    book(&plain, &told).await;

    let mut told = duffel_bodies::order();
    told["passengers"] = json!([{ "id": "pas_1" }]);
    let plain = told.clone();
    told["passengers"][0].as_object_mut().unwrap().extend(papers_at_duffel().await);
    assert_ne!(told, plain);
    let stub = duffel_bodies::duffel_stub([reply(201, duffel_bodies::answer(&told))]).await;
    let made = done(duffel_bodies::duffel(&stub).book(&duffel_bodies::booking(OrderMode::Instant)).await);
    assert_eq!(*made.raw.tree(), plain);
}

#[tokio::test]
async fn all_that_may_be_wanted_and_taken_is_so_on_a_route_of_the_sandbox() {
    let duffel = sandboxed::Stage::open(Limits::default()).await;
    let priced = duffel.priced(("BOM", "JFK"), |offer| offer.instant).await;
    assert_eq!(priced.supplier_context["taken"]["documents"], json!(DOCUMENT_KINDS));
    let request = sandboxed::request_for(&priced, OrderMode::Instant);
    done(duffel.duffel.book(&OrderRequest { papers: all_papers(), ..request }).await);

    let mut offers = priced.offers;
    let tripjack = tripjack_stage::Stage::open().await;
    for route in [("DEL", "HYD"), ("BOM", "DXB"), ("DEL", "COK")] {
        let found = tripjack.search(TripType::OneWay, &[route], tripjack_bodies::PARTY).await;
        offers.extend(tripjack.price(&[&found.offers[0].token]).await.offers);
    }
    let mut wanted: BTreeSet<&str> =
        offers.iter().flat_map(|offer| offer.requires.iter()).map(|one| one.what.as_ref()).collect();
    // One airline alone wants it.
    wanted.insert("emergency_contact");
    assert_eq!(wanted, RequirementKind::WORDS.iter().copied().collect());
}
