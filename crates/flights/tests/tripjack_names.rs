//! TripJack's orders over real sockets, with travellers whom airlines spell as they like.

use crate::tripjack_acts::*;
use crate::tripjack_bodies::*;
use serde_json::{Value, json};
use wayfare_domain::{OrderStatus, PassengerType, Title};
use wayfare_flights::{FlightSupplier, Lookup, OrderMode, SupplierOrder};
use wayfare_stub_server::StubServer;

/// An order whose travellers its supplier names so.
fn named(names: &[(&str, &str, &str, &str)]) -> Value {
    let mut order = order("SUCCESS");
    let travellers = order.pointer_mut("/itemInfos/AIR/travellerInfos").unwrap();
    let template = travellers[0].clone();
    let named = names.iter().zip(1..).map(|((kind, title, first, last), number)| {
        let mut theirs = template.clone();
        theirs["pt"] = json!(kind);
        theirs["ti"] = json!(title);
        theirs["fN"] = json!(first);
        theirs["lN"] = json!(last);
        theirs["ticketNumberDetails"] = json!({"DEL-BOM": format!("T{number}")});
        theirs
    });
    *travellers = named.collect();
    order
}

/// Whose each ticket is, by their index, and whom nobody can tell.
fn owners(order: &SupplierOrder) -> (Vec<(&str, Option<u32>)>, Vec<u32>) {
    let tickets = order.tickets.iter();
    let tickets = tickets.map(|ticket| (ticket.number.as_str(), ticket.traveller));
    (tickets.collect(), order.unclear_travellers.clone())
}

#[tokio::test]
async fn an_order_is_ours_by_its_id_whatever_its_airline_makes_of_the_names() {
    const PARTY: [(PassengerType, Title, &str, &str); 4] = [
        (PassengerType::Adult, Title::Mrs, "Siobh\u{e1}n", "O'Neil-Smith"),
        (PassengerType::Adult, Title::Mr, "Jos\u{e9}", "D'Arcy"),
        (PassengerType::Child, Title::Mstr, "Anne Marie", "M\u{fc}ller"),
        (PassengerType::Infant, Title::Miss, "Venkatanarasimharajuvaripeta", ""),
    ];
    let request = || {
        let mut request = booking(OrderMode::Instant);
        for (traveller, (kind, title, first, last)) in request.travellers.iter_mut().zip(PARTY) {
            (traveller.kind, traveller.title) = (kind, title);
            (traveller.first_name, traveller.last_name) = (first.to_owned(), last.to_owned());
        }
        request
    };
    let adult = ("ADULT", "Mrs", "SIOBHAN", "ONEIL SMITH");
    for (names, expected, unclear) in [
        // As airlines print them, in another order.
        (
            vec![
                ("INFANT", "Ms", "VENKATANARASIMHARAJUVARI", "FNU"),
                ("CHILD", "Master", "ANNEMARIE", "MUELLER"),
                ("ADULT", "Mr", "JOSE", "DARCY MR"),
                adult,
            ],
            vec![("T4", Some(1)), ("T3", Some(2)), ("T2", Some(3)), ("T1", Some(4))],
            vec![],
        ),
        // Given and family name exchanged, a title in front, a name that is nobody's.
        (
            vec![
                ("ADULT", "Mrs", "ONEILSMITH", "SIOBHAN"),
                ("ADULT", "Mr", "MR JOSE", "DARCY"),
                ("CHILD", "Master", "MULLER", "ANNE MARIE"),
                ("INFANT", "Ms", "VENKATANARASIMHARAJUVARIPETA", "VENKATANARASIMHARAJUVARIPETA"),
            ],
            vec![("T1", Some(1)), ("T2", Some(2)), ("T3", Some(3)), ("T4", Some(4))],
            vec![],
        ),
        // What is like nobody is nobody's, and costs the others nothing.
        (
            vec![adult, ("ADULT", "Mr", "SOME", "BODY"), ("CHILD", "", "X", "Y")],
            vec![("T1", Some(1)), ("T2", None), ("T3", None)],
            vec![2, 3, 4],
        ),
        (vec![adult, adult], vec![("T1", None), ("T2", None)], vec![1, 2, 3, 4]),
    ] {
        let body = named(&names);
        let request = request();
        let stub = StubServer::start([taken(), ok(&body), ok(&body), ok(&body)]).await;
        let made = done(tripjack(&stub.base_url).book(&request).await);
        assert_eq!(made.status, OrderStatus::Confirmed);
        assert_eq!(owners(&made), (expected, unclear), "{names:?}");
        let lookup = Lookup {
            reference: &request.reference,
            order_id: Some("TJS1"),
            is_named_by_operator: true,
            request: &request,
        };
        let found = done(tripjack(&stub.base_url).find(lookup).await);
        assert_eq!(found.as_ref(), Some(&made));
        let ticketed = tripjack(&stub.base_url).find_ticketed("TJS1", &request).await;
        assert_eq!(done(ticketed).as_ref(), Some(&made));
        let sent = &stub.requests()[0].body["travellerInfo"];
        let names: Vec<_> = sent.as_array().unwrap().iter().map(|who| (&who["fN"], &who["lN"])).collect();
        assert_eq!(names[0], (&json!("Siobh\u{e1}n"), &json!("O'Neil-Smith")));
    }
}
