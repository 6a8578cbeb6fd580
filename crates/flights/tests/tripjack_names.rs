//! TripJack's orders over real sockets, with travellers whom airlines spell as they like.

use crate::answers::or_dash;
use crate::lookups::as_named;
use crate::tripjack_acts::*;
use crate::tripjack_bodies::*;
use serde_json::{Value, json};
use wayfare_domain::{OrderStatus, PassengerType, Title};
use wayfare_flights::{FlightSupplier, OrderMode, SupplierOrder};
use wayfare_stub_server::StubServer;

/// Travellers as their supplier names them, whose each ticket is by their index, and whom nobody can tell. Names may be
/// in another order, exchanged or titled, as airlines print them; what is like nobody costs the others nothing.
const NAMED: &str = "\
INFANT/Ms/VENKATANARASIMHARAJUVARI/FNU, CHILD/Master/ANNEMARIE/MUELLER, ADULT/Mr/JOSE/DARCY MR, ADULT/Mrs/SIOBHAN/ONEIL SMITH | T4 1, T3 2, T2 3, T1 4 |
ADULT/Mrs/ONEILSMITH/SIOBHAN, ADULT/Mr/MR JOSE/DARCY, CHILD/Master/MULLER/ANNE MARIE, INFANT/Ms/VENKATANARASIMHARAJUVARIPETA/VENKATANARASIMHARAJUVARIPETA | T1 1, T2 2, T3 3, T4 4 |
ADULT/Mrs/SIOBHAN/ONEIL SMITH, ADULT/Mr/SOME/BODY, CHILD//X/Y | T1 1, T2 -, T3 - | 2, 3, 4
ADULT/Mrs/SIOBHAN/ONEIL SMITH, ADULT/Mrs/SIOBHAN/ONEIL SMITH | T1 -, T2 - | 1, 2, 3, 4";

/// An order whose travellers its supplier names so.
fn named(names: &str) -> Value {
    let mut order = order("SUCCESS");
    let travellers = order.pointer_mut("/itemInfos/AIR/travellerInfos").unwrap();
    let template = travellers[0].clone();
    let named = names.split(", ").zip(1..).map(|(name, number)| {
        let mut theirs = template.clone();
        for (part, name) in ["pt", "ti", "fN", "lN"].into_iter().zip(name.split('/')) {
            theirs[part] = json!(name);
        }
        theirs["ticketNumberDetails"] = json!({"DEL-BOM": format!("T{number}")});
        theirs
    });
    *travellers = named.collect();
    order
}

/// Whose each ticket is, and whom nobody can tell.
fn owners(order: &SupplierOrder) -> [String; 2] {
    let tickets =
        order.tickets.iter().map(|ticket| format!("{} {}", ticket.number, or_dash(ticket.traveller)));
    let unclear = order.unclear_travellers.iter().map(u32::to_string);
    [tickets.collect::<Vec<_>>().join(", "), unclear.collect::<Vec<_>>().join(", ")]
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
    for line in NAMED.lines() {
        let cells = line.split('|').map(str::trim).collect::<Vec<_>>();
        let [names, tickets, unclear] = cells.try_into().unwrap();
        let body = named(names);
        let request = request();
        let stub = StubServer::start([taken(), ok(&body), ok(&body), ok(&body)]).await;
        let made = done(tripjack(&stub.base_url).book(&request).await);
        assert_eq!(made.status, OrderStatus::Confirmed);
        assert_eq!(owners(&made), [tickets, unclear], "{line}");
        let found = done(tripjack(&stub.base_url).find(as_named(Some("TJS1"), &request)).await);
        assert_eq!(found.as_ref(), Some(&made));
        let ticketed = tripjack(&stub.base_url).find_ticketed("TJS1", &request).await;
        assert_eq!(done(ticketed).as_ref(), Some(&made));
        let sent = &stub.requests()[0].body["travellerInfo"];
        let names: Vec<_> = sent.as_array().unwrap().iter().map(|who| (&who["fN"], &who["lN"])).collect();
        assert_eq!(names[0], (&json!("Siobh\u{e1}n"), &json!("O'Neil-Smith")));
    }
}
