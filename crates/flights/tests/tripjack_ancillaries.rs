//! What TripJack sells with the fare over real sockets: in which words it is ordered, and that it is paid with the fare.

use crate::tripjack_acts::*;
use crate::tripjack_bodies::*;
use serde_json::{Value, json};
use wayfare_domain::{Currency, Money, OrderStatus};
use wayfare_flights::{Ancillary, AncillaryChoice, FlightSupplier, OrderMode, OrderRequest, PricedOrder};
use wayfare_stub_server::{StubServer, reply};
use wayfare_supply::{Answer, RefusalKind};

/// A review of connecting flights from Delhi over Bombay to Goa, each with seats, and on to Bangalore by a flight without
/// an id.
async fn priced() -> PricedOrder {
    let mut review = with(review(&["p1"]), &[("/conditions/isa", json!(true))]);
    let mut connection = flight("101", "BOM", "GOI", 1, 1);
    connection["ssrInfo"] = json!({
        "BAGGAGE": [{"code": "XB05"}, {"code": "XB10", "amount": 3000, "desc": "10 kg more"}],
        "MEAL": [{"code": "VGML", "amount": 275.0}, {"code": "NVML", "amount": 300}],
        "FASTFORWARD": [{"code": "FFWD", "amount": 400, "desc": "Fast Forward"}],
        "SPORTEQUIPMENT": [{"code": "GOLF", "amount": 1500}],
    });
    let mut nameless = flight("102", "GOI", "BLR", 1, 2);
    nameless["ssrInfo"] = json!({"MEAL": [{"code": "LATE", "amount": 275.0}]});
    nameless.as_object_mut().unwrap().remove("id");
    let flights = review["tripInfos"][0]["sI"].as_array_mut().unwrap();
    flights.extend([connection, nameless]);
    let cabin = |seats: [&str; 2]| json!({"sInfo": seats.map(|name| seat(name, json!(999.0), false))});
    let maps = seats(json!({"100": cabin(["1A", "1B"]), "101": cabin(["1A", "2B"])}));
    let stub = StubServer::start([reply(200, review.to_string()), reply(200, maps)]).await;
    done(tripjack(&stub.base_url).price(&["p1"], PARTY).await)
}

/// What is sold under this code from this flight on.
fn sold<'a>(priced: &'a PricedOrder, code: &str, segment: u16) -> &'a Ancillary {
    let mut all = priced.ancillaries.iter();
    all.find(|sold| sold.code == code && sold.segments[0] == segment)
        .unwrap_or_else(|| panic!("{code} on {segment}"))
}

/// The first of all that is wrong with these, each for a traveller and so many times.
fn refused(priced: &PricedOrder, wanted: &[(u32, u32, &Ancillary)]) -> (usize, String) {
    let travellers = booking(OrderMode::Hold).travellers;
    let all: Vec<AncillaryChoice> = wanted
        .iter()
        .map(|&(traveller, quantity, ancillary)| AncillaryChoice::new(traveller, ancillary.clone(), quantity))
        .collect();
    let words = tripjack("http://127.0.0.1:1").order_wire_format(
        &priced.supplier_context,
        &priced.ancillary_catalog,
        &travellers,
        &all,
    );
    words.unwrap_err()
}

fn request(mode: OrderMode, priced: &PricedOrder, wanted: &[(u32, &Ancillary)]) -> OrderRequest {
    OrderRequest {
        ancillaries: ancillaries(&tripjack("http://127.0.0.1:1"), priced, wanted),
        ..booking(mode)
    }
}

#[tokio::test]
async fn each_thing_has_its_list_and_the_id_of_its_first_flight() {
    let priced = priced().await;
    for (code, segment, list, key, sent) in [
        ("XB05", 0, "ssrBaggageInfos", "100", "XB05"),
        ("VGML", 0, "ssrMealInfos", "100", "VGML"),
        ("NVML", 1, "ssrMealInfos", "101", "NVML"),
        ("1A", 1, "ssrSeatInfos", "101", "1A|X"),
        ("FFWD", 1, "ssrFastForwardInfos", "101", "FFWD"),
        ("FAST", 0, "ssrExtraServiceInfos", "100", "FAST"),
    ] {
        let request = request(OrderMode::Hold, &priced, &[(1, sold(&priced, code, segment))]);
        let expected = json!({"list": list, "key": key, "code": sent});
        assert_eq!(request.ancillaries[0].wire_format, expected);
    }
    assert_eq!(sold(&priced, "XB05", 0).segments, [0, 1]);
    let unsold = |code: &str| priced.ancillaries.iter().all(|sold| sold.code != code);
    assert!(unsold("GOLF"), "no list takes it");
    assert!(unsold("LATE"), "its flight has no id");
}

#[tokio::test]
async fn what_cannot_be_had_is_named_with_its_reason() {
    let priced = priced().await;
    let (bag, meal, seat) = (sold(&priced, "XB05", 0), sold(&priced, "VGML", 0), sold(&priced, "1A", 0));
    let beside = "can't be had beside another of its kind on the same flight";
    for (wanted, place, reason) in [
        (vec![(4, 1, seat)], 0, "is not for infants"),
        (vec![(1, 1, bag), (4, 1, meal)], 1, "is not for infants"),
        (vec![(5, 1, meal)], 0, "is for nobody on the order"),
        (vec![(1, 1, seat), (2, 2, bag)], 1, "can be had once"),
        (vec![(1, 0, bag)], 0, "can be had once"),
        (vec![(1, 1, seat), (1, 1, sold(&priced, "1B", 0))], 1, beside),
        (vec![(1, 1, bag), (1, 1, sold(&priced, "XB10", 1))], 1, beside),
        (vec![(1, 1, meal), (2, 1, meal), (1, 1, meal)], 2, beside),
        (vec![(1, 1, seat), (3, 1, seat)], 1, "is another traveller's seat already"),
    ] {
        assert_eq!(refused(&priced, &wanted), (place, reason.to_owned()));
    }
    let everybody = [
        (1, seat),
        (1, sold(&priced, "1A", 1)),
        (2, sold(&priced, "1B", 0)),
        (1, bag),
        (2, bag),
        (1, meal),
        (2, meal),
        (1, sold(&priced, "NVML", 1)),
        (1, sold(&priced, "FAST", 0)),
    ];
    assert_eq!(request(OrderMode::Hold, &priced, &everybody).ancillaries.len(), 9);
    let forgotten = PricedOrder { ancillary_catalog: json!({"seat_codes": []}), ..priced.clone() };
    let (place, reason) = refused(&forgotten, &[(1, 1, bag)]);
    assert!(place == 0 && reason.contains("segments"), "{reason}");
    assert!(request(OrderMode::Hold, &forgotten, &[]).ancillaries.is_empty());
}

#[tokio::test]
async fn what_is_bought_is_sent_by_traveller_and_paid_with_the_fare() {
    let priced = priced().await;
    let wanted = [
        (1, sold(&priced, "1A", 0)),
        (3, sold(&priced, "1B", 0)),
        (1, sold(&priced, "1A", 1)),
        (1, sold(&priced, "XB05", 0)),
        (2, sold(&priced, "VGML", 0)),
        (2, sold(&priced, "FFWD", 1)),
    ];
    let due = inr("17073.85");
    let totalled = |order: Value| with(order, &[("/order/amount", json!(17073.85))]);
    let request = |mode| request(mode, &priced, &wanted);
    let stub = StubServer::start([taken(), ok(&totalled(order("SUCCESS")))]).await;
    let made = done(tripjack(&stub.base_url).book(&request(OrderMode::Instant)).await);
    assert_eq!((made.status, made.total), (OrderStatus::Confirmed, due));
    let body = &stub.requests()[0].body;
    assert_eq!(body["paymentInfos"], json!([{"amount": due.number()}]));
    let service = |key: &str, code: &str| json!({"key": key, "code": code});
    let lists = |place: usize| -> Value {
        let traveller = body["travellerInfo"][place].as_object().unwrap();
        let lists = traveller.iter().filter(|(name, _)| name.starts_with("ssr"));
        Value::Object(lists.map(|(name, list)| (name.clone(), list.clone())).collect())
    };
    let first = json!({
        "ssrBaggageInfos": [service("100", "XB05")],
        "ssrSeatInfos": [service("100", "1A|X"), service("101", "1A|X")],
    });
    let second = json!({
        "ssrMealInfos": [service("100", "VGML")],
        "ssrFastForwardInfos": [service("101", "FFWD")],
    });
    assert_eq!((lists(0), lists(1)), (first.clone(), second));
    assert_eq!(lists(2), json!({"ssrSeatInfos": [service("100", "1B|X")]}));
    assert_eq!(lists(3), json!({}));

    let stub = StubServer::start([taken(), ok(&totalled(held()))]).await;
    let hold = done(tripjack(&stub.base_url).book(&request(OrderMode::Hold)).await);
    assert_eq!((hold.status, hold.total), (OrderStatus::Held, due));
    let body = &stub.requests()[0].body;
    assert_eq!(body.get("paymentInfos"), None);
    assert_eq!(body["travellerInfo"][0]["ssrSeatInfos"], first["ssrSeatInfos"]);

    // What was held is paid with what the order says, and with nothing else.
    let dearer = with(held(), &[("/order/amount", json!(17073.86))]);
    for (held, pays) in [(totalled(held()), true), (dearer, false)] {
        let stub = StubServer::start([ok(&held), taken(), taken(), ok(&order("SUCCESS"))]).await;
        let tripjack = tripjack(&stub.base_url);
        match tripjack.ticket("TJS1", &request(OrderMode::Hold), due).await {
            Answer::Done(paid) if pays => {
                assert_eq!(paid.status, OrderStatus::Confirmed);
                let payment = &stub.requests()[2].body["paymentInfos"];
                assert_eq!(*payment, json!([{"amount": due.number()}]));
            }
            Answer::Refused(refusal) if !pays => assert_eq!(refusal.kind, RefusalKind::PriceChanged),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn an_order_whose_extras_are_not_understood_is_not_sent() {
    let priced = priced().await;
    let good = request(OrderMode::Instant, &priced, &[(1, sold(&priced, "1A", 0))]);
    let mut garbled = good.clone();
    garbled.ancillaries[0].wire_format["list"] = json!("ssrPetInfos");
    let mut forgotten = good.clone();
    forgotten.ancillaries[0].wire_format = Value::Null;
    let mut foreign = good;
    foreign.ancillaries[0].ancillary.price = Money::exact("9.99".parse().unwrap(), Currency::GBP).unwrap();
    let stub = StubServer::start([]).await;
    for request in [garbled, forgotten, foreign] {
        is_refused(tripjack(&stub.base_url).book(&request).await, "");
    }
    assert!(stub.requests().is_empty());
}
