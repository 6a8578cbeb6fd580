//! And it is strict on purpose: what a supplier's document, or a report, says that it refuses is refused by the sandbox in its
//! words, and by us at the field before money is held.
//!
//! Each row is proven from both ends: we refuse the value; and where a relay puts it on the wire behind our checks, the sandbox
//! refuses the booking, which costs nothing.

use std::sync::{Arc, Mutex};

use actix_web::web::Bytes;
use serde_json::{Value, json};
use wayfare_tests::{
    Alterations, AlteringRelay, MONEY, Person, Pick, Seller, World, WorldOptions, money, one_way, stay_at,
};

struct Row {
    /// Where the order has it, and what is refused there.
    order: &'static [(&'static str, &'static str)],
    /// What is said of it, as `{field reason}`.
    fault: &'static str,
    /// What stands on the wire for a value that is fine, and what the relay puts there.
    wire: (&'static str, &'static str),
    /// The sandbox's words, of the supplier's document.
    words: &'static str,
}

const CYRILLIC: &str = "\u{41c}\u{430}\u{440}\u{438}\u{44f}";
const ARABIC: &str = "\u{645}\u{62d}\u{645}\u{62f}";
const DEVANAGARI: &str = "\u{930}\u{93e}\u{92e}";
const HAN: &str = "\u{738b}\u{5c0f}\u{660e}";
const NAMESAKE: &str = "{passengers[1].first_name must not make the full name of another traveller: this supplier books each name once}";
const OF_21: &str = "Abcdefghijklmnopqrstu";
const OF_51: &str = "Abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxy";

/// Letters, lengths, ages, telephones, mail: `OfferPassenger` and orders of Duffel's reference.
const DUFFEL: &[Row] = &[
    Row {
        order: &[("/passengers/0/first_name", CYRILLIC)],
        fault: "{passengers[0].first_name must be in Latin letters for this supplier, as the passport spells it}",
        wire: ("Firstly", CYRILLIC),
        words: "can only have letters, spaces, hyphens and apostrophes",
    },
    Row {
        order: &[("/passengers/1/last_name", HAN)],
        fault: "{passengers[1].last_name must be in Latin letters for this supplier, as the passport spells it}",
        wire: ("Secondson", HAN),
        words: "can only have letters, spaces, hyphens and apostrophes",
    },
    Row {
        order: &[("/passengers/0/last_name", OF_21)],
        fault: "{passengers[0].last_name must have at most 20 characters for this supplier}",
        wire: ("Firstson", OF_21),
        words: "can have at most 20 characters",
    },
    Row {
        order: &[("/passengers/0/dob", "2021-03-14")],
        fault: "{passengers[0].dob does not make a ADT on the day of the last flight}",
        wire: ("1981-03-14", "2021-03-14"),
        words: "does not match the age or type of the passenger in the offer request",
    },
    Row {
        order: &[("/passengers/2/dob", "1981-03-14")],
        fault: "{passengers[2].dob does not make a CHD on the day of the last flight}",
        wire: ("2021-05-16", "1981-05-16"),
        words: "does not match the age or type of the passenger in the offer request",
    },
    Row {
        order: &[("/contact_phone", "98-12")],
        fault: "{contact_phone has 4 digits behind +91, which no number there has}",
        wire: ("+919811122233", "+919812"),
        words: "must be in E.164 format",
    },
    Row {
        order: &[("/contact_email", "who.example.com")],
        fault: "{contact_email must be an e-mail address}",
        wire: ("who@example.com", "who.example.com"),
        words: "must be a valid email address",
    },
    Row {
        order: &[("/passengers/1/first_name", "FIRSTLY"), ("/passengers/1/last_name", "Firstson")],
        fault: NAMESAKE,
        wire: ("Second", "First"),
        words: "duplicate_passenger_name",
    },
];

/// Letters, ages and who can't be told apart: codes 1007, 1008, 1010 and 1012 to 1014 of TripJack's documents.
const TRIPJACK: &[Row] = &[
    Row {
        order: &[("/passengers/0/first_name", DEVANAGARI)],
        fault: "{passengers[0].first_name must be in Latin letters for this supplier, as the passport spells it}",
        wire: ("Firstly", DEVANAGARI),
        words: "First name is required and must have letters only",
    },
    Row {
        order: &[("/passengers/1/last_name", ARABIC)],
        fault: "{passengers[1].last_name must be in Latin letters for this supplier, as the passport spells it}",
        wire: ("Secondson", ARABIC),
        words: "Last name is required and must have letters and spaces only",
    },
    Row {
        order: &[("/passengers/0/dob", "2021-03-14")],
        fault: "{passengers[0].dob does not make a ADT on the day of the last flight}",
        wire: ("1981-03-14", "2021-03-14"),
        words: "Age of ADULT is not allowed on the day of travel",
    },
    Row {
        order: &[("/passengers/1/first_name", "FIRSTLY"), ("/passengers/1/last_name", "Firstson")],
        fault: NAMESAKE,
        wire: (r#""fN":"Secondly","lN":"Secondson""#, r#""fN":"Firstly","lN":"Firstson""#),
        words: "Two travellers cannot have the same name",
    },
];

/// Lengths and ages: `paxes` of Hotelbeds' bookings.
const HOTELBEDS: &[Row] = &[Row {
    order: &[("/rooms/0/guests/0/last_name", OF_51)],
    fault: "{rooms[0].guests[0].last_name must have at most 50 characters}",
    wire: ("Firstson", OF_51),
    words: "a name can have 50 characters",
}];

/// Mail and telephone of who books: `holder` of LiteAPI's bookings.
const LITEAPI: &[Row] = &[Row {
    order: &[("/contact/email", "who.example.com")],
    fault: "{contact.email must be an e-mail address}",
    wire: ("who@example.com", "who.example.com"),
    words: "holder is missing or invalid",
}];

/// Puts another text where one stands in what is sent, and keeps what was answered to that.
#[derive(Default)]
struct Swapped {
    texts: Mutex<Option<(&'static str, &'static str)>>,
    is_done: Mutex<bool>,
    answers: Mutex<Vec<String>>,
}

impl Alterations for Swapped {
    fn request(&self, body: Bytes) -> Bytes {
        let (Some((fine, refused)), Ok(text)) = (*self.texts.lock().unwrap(), str::from_utf8(&body)) else {
            return body;
        };
        *self.is_done.lock().unwrap() |= text.contains(fine);
        text.replace(fine, refused).into()
    }

    fn answer(&self, body: String) -> String {
        if *self.is_done.lock().unwrap() {
            self.answers.lock().unwrap().push(body.clone());
        }
        body
    }
}

/// Who books at one supplier, and the relay on the way there.
struct Stage {
    world: World,
    agent: Person,
    swapped: Arc<Swapped>,
    _relay: AlteringRelay,
}

impl Stage {
    async fn open(seller: Seller) -> Self {
        let swapped = Arc::new(Swapped::default());
        let relay = AlteringRelay::start(swapped.clone());
        let world = World::with(WorldOptions::of([seller.at(&relay.url)]).frozen()).await;
        relay.stand_before(world.sandbox_url());
        let agent = world.agent(MONEY).await;
        Self { world, agent, swapped, _relay: relay }
    }

    /// That the sandbox refuses this order in these words once the relay has altered it, and that it costs nothing.
    async fn is_refused_there(&self, row: &Row, path: &str, order: &Value) {
        *self.swapped.texts.lock().unwrap() = Some(row.wire);
        let reply = self.agent.post(path, order).await;
        *self.swapped.texts.lock().unwrap() = None;
        let answers = std::mem::take(&mut *self.swapped.answers.lock().unwrap());
        *self.swapped.is_done.lock().unwrap() = false;
        let (wire, words) = (row.wire, row.words);
        assert!(!answers.is_empty(), "{wire:?} was not sent: {}", reply.text);
        assert!(answers.iter().any(|answer| answer.contains(words)), "{wire:?}: {answers:?}");
        assert_eq!(reply.status / 100, 4, "{wire:?}: {}", reply.text);
        assert_eq!(self.agent.balance().await, money(), "{wire:?}");
        assert!(self.world.held().await.is_zero(), "{wire:?}");
        assert!(self.world.supplier_orders().await.is_empty(), "{wire:?}");
    }

    /// That we refuse it first.
    async fn is_refused_here(&self, row: &Row, path: &str, fine: &Value) {
        let bookings = self.world.line("select count(*) from bookings").await;
        let mut order = fine.clone();
        for (pointer, value) in row.order {
            *order.pointer_mut(pointer).unwrap() = json!(value);
        }
        self.agent.post(path, &order).await.is_invalid(row.fault);
        assert!(self.world.held().await.is_zero(), "{:?}", row.order);
        assert_eq!(self.world.line("select count(*) from bookings").await, bookings);
    }
}

async fn flight(agent: &Person) -> Value {
    let mut order = agent.order_for(&one_way("DEL", "BOM").party(2, 1, 0)).await;
    for (place, first, last, dob) in [
        (0, "Firstly", "Firstson", "1981-03-14"),
        (1, "Secondly", "Secondson", "1982-04-15"),
        (2, "Thirdly", "Thirdson", "2021-05-16"),
    ] {
        let passenger = &mut order["passengers"][place];
        passenger["first_name"] = json!(first);
        passenger["last_name"] = json!(last);
        passenger["dob"] = json!(dob);
    }
    order["contact_email"] = json!("who@example.com");
    order["contact_phone"] = json!("9811122233");
    order["contact_country_code"] = json!("91");
    order
}

async fn stay(agent: &Person, supplier: &'static str) -> Value {
    let found = agent.find_stay(&stay_at(supplier), Pick::Cheapest).await;
    let mut order = found.order(&agent.price_stay(&found).await.ok());
    order["rooms"][0]["guests"][0]["first_name"] = json!("Firstly");
    order["rooms"][0]["guests"][0]["last_name"] = json!("Firstson");
    order["contact"]["email"] = json!("who@example.com");
    order
}

#[tokio::test(flavor = "multi_thread")]
async fn what_suppliers_of_flights_refuse_is_refused_before_money_is_held() {
    for (seller, rows) in [(Seller::duffel(), DUFFEL), (Seller::tripjack(), TRIPJACK)] {
        let stage = Stage::open(seller).await;
        for row in rows {
            let order = flight(&stage.agent).await;
            stage.is_refused_here(row, "/flights/book", &order).await;
            stage.is_refused_there(row, "/flights/book", &order).await;
        }
        stage.agent.post("/flights/book", &flight(&stage.agent).await).await.ok();
        stage.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_suppliers_of_hotels_refuse_is_refused_before_money_is_held() {
    for (seller, rows) in [(Seller::hotelbeds(), HOTELBEDS), (Seller::liteapi(), LITEAPI)] {
        let supplier = seller.code;
        let stage = Stage::open(seller).await;
        for row in rows {
            let order = stay(&stage.agent, supplier).await;
            stage.is_refused_here(row, "/hotels/book", &order).await;
            stage.is_refused_there(row, "/hotels/book", &order).await;
        }
        stage.agent.post("/hotels/book", &stay(&stage.agent, supplier).await).await.succeeds(201);
        stage.world.is_settled().await;
    }
}
