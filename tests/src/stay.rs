//! Stays to search for and people who sleep there, as request bodies.

use chrono::{Duration, NaiveDate};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::{Bought, Person, Reply, amount};

#[derive(Clone, Debug)]
pub struct StaySearch {
    /// Only at this supplier's hotels; at all where it is empty.
    pub supplier: &'static str,
    pub location: Value,
    /// How many days from now it begins.
    pub in_days: i64,
    pub nights: i64,
    /// Adults and children's ages of each room.
    pub rooms: Vec<(u8, Vec<u8>)>,
    /// In which currency prices are shown; none is the default.
    pub currency: Option<&'static str>,
}

/// Two adults in Mumbai for two nights, 30 days from now, at this supplier.
pub fn stay_at(supplier: &'static str) -> StaySearch {
    StaySearch {
        supplier,
        location: json!({ "type": "city", "name": "Mumbai" }),
        in_days: 30,
        nights: 2,
        rooms: vec![(2, Vec::new())],
        currency: None,
    }
}

impl StaySearch {
    #[must_use]
    pub fn rooms(self, rooms: &[(u8, &[u8])]) -> Self {
        Self { rooms: rooms.iter().map(|(adults, ages)| (*adults, ages.to_vec())).collect(), ..self }
    }

    pub fn body(&self, today: NaiveDate) -> Value {
        let check_in = today + Duration::days(self.in_days);
        let rooms: Vec<Value> = self
            .rooms
            .iter()
            .map(|(adults, ages)| json!({ "adults": adults, "children": ages.len(), "children_ages": ages }))
            .collect();
        let mut body = json!({
            "check_in": check_in,
            "check_out": check_in + Duration::days(self.nights),
            "rooms": rooms,
            "location": self.location,
            "guest_nationality": "IN",
            "pagination": { "page": 1, "per_page": 100 },
        });
        if let Some(currency) = self.currency {
            body["currency"] = currency.into();
        }
        body
    }
}

/// A search of hotels and what it found.
#[derive(Clone, Debug)]
pub struct FoundStay {
    pub asked: Value,
    pub found: Value,
    /// The hotel that is bought, and one rate of it for each kind of room that was searched.
    pub hotel: Value,
    /// The rooms of the hotel that are bought.
    pub rooms: Vec<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    Cheapest,
    /// The cheapest that can be given back for nothing.
    Free,
    /// The cheapest that can't be given back.
    Final,
    /// The cheapest of which something is paid at the hotel.
    WithFee,
    /// The cheapest that can be given back for nothing and whose supplier leaves the agency, which has a package, a commission.
    WithCommission,
}

impl Pick {
    fn fits(self, room: &Value) -> bool {
        let pricing = &room["pricing"];
        match self {
            Self::Cheapest => true,
            Self::Free => pricing["refundable"] == true && !pricing["free_cancellation_until"].is_null(),
            Self::Final => pricing["refundable"] == false,
            Self::WithFee => amount(&pricing["pay_at_hotel_fees"]) > Decimal::ZERO,
            Self::WithCommission => {
                Self::Free.fits(room) && amount(&pricing["agent_price"]["agent_commission"]) > Decimal::ZERO
            }
        }
    }
}

/// The guests of a room, as the API names them: the family of this name.
pub fn guests(family: &str, adults: u64, ages: usize) -> Value {
    let guest = |kind: &str, number: u64| {
        let first_name = format!("Guest{}", letters(number));
        json!({ "type": kind, "title": "Mrs", "first_name": first_name, "last_name": family, "nationality": "IN" })
    };
    let adults = (0..adults).map(|number| guest("adult", number));
    adults.chain((100..).take(ages).map(|number| guest("child", number))).collect()
}

fn letters(number: u64) -> String {
    let place = |digit: u64| ('a'..='z').nth(usize::try_from(digit % 26).unwrap()).unwrap();
    format!("{}{}", place(number / 26), place(number))
}

impl Person {
    /// Searches hotels; the answer with the hotels of all pages.
    pub async fn search_stays(&self, search: &StaySearch) -> Value {
        let mut body = search.body(self.today());
        let mut found = self.post("/hotels/search", &body).await.says(200, "hotels found");
        body["search_id"] = found["search_id"].clone();
        for page in 2..=found["total_pages"].as_u64().unwrap() {
            body["pagination"]["page"] = page.into();
            let mut next = self.post("/hotels/search", &body).await.says(200, "hotels found");
            found["hotels"].as_array_mut().unwrap().append(next["hotels"].as_array_mut().unwrap());
        }
        found
    }

    /// Searches hotels and picks rates of one of them, for all rooms; none where there are none.
    pub async fn look_for_stay(&self, search: &StaySearch, pick: Pick) -> Option<FoundStay> {
        let asked = search.body(self.today());
        let found = self.search_stays(search).await;
        let hotels = found["hotels"].as_array().unwrap();
        let mut of_supplier =
            hotels.iter().filter(|hotel| search.supplier.is_empty() || hotel["provider"] == search.supplier);
        let sorted = |(adults, ages): &(u8, Vec<u8>)| {
            let mut ages = ages.clone();
            ages.sort_unstable();
            (*adults, ages)
        };
        let kinds = search.rooms.iter().map(sorted).collect::<std::collections::BTreeSet<_>>().len();
        let picked = of_supplier.find_map(|hotel| Some((hotel.clone(), picked(hotel, kinds, pick)?)));
        let (hotel, rooms) = picked?;
        Some(FoundStay { asked, found, hotel, rooms })
    }

    /// Searches hotels and picks rates of one of them, for all rooms.
    pub async fn find_stay(&self, search: &StaySearch, pick: Pick) -> FoundStay {
        let found = self.look_for_stay(search, pick).await;
        found.unwrap_or_else(|| unreachable!("no such hotel: {search:?} {pick:?}"))
    }

    pub async fn price_stay(&self, stay: &FoundStay) -> Reply {
        self.post("/hotels/price", &stay.price_body()).await
    }

    /// Searches, prices and books; the answer of book.
    pub async fn try_stay(&self, search: &StaySearch, pick: Pick) -> Reply {
        let stay = self.find_stay(search, pick).await;
        self.book_stay(&stay, &self.price_stay(&stay).await.ok()).await
    }

    /// Books what was priced, for the family Sharma.
    pub async fn book_stay(&self, stay: &FoundStay, priced: &Value) -> Reply {
        self.post("/hotels/book", &stay.order(priced)).await
    }

    /// Searches, prices and books; it is confirmed.
    pub async fn buy_stay(&self, search: &StaySearch, pick: Pick) -> Bought {
        let stay = self.find_stay(search, pick).await;
        let priced = self.price_stay(&stay).await.ok();
        let booked = self.book_stay(&stay, &priced).await.succeeds(201);
        let fare = amount(&booked["pricing"]["total_paid"]);
        Bought::confirmed(priced, booked, fare)
    }

    /// A hotel booking of theirs in full.
    pub async fn stay(&self, reference: &str) -> Value {
        self.get(&format!("/hotels/bookings/{reference}")).await.ok()
    }

    pub async fn cancel_stay(&self, reference: &str) -> Reply {
        let body = json!({ "reason": "plans changed", "notify_guest": false });
        self.post(&format!("/hotels/bookings/{reference}/cancel"), &body).await
    }
}

/// One rate that fits for each kind of room, all of them sold together where they are.
fn picked(hotel: &Value, kinds: usize, pick: Pick) -> Option<Vec<Value>> {
    let rooms = hotel["rooms"].as_array().unwrap();
    let mut fitting: Vec<&Value> = rooms.iter().filter(|room| pick.fits(room)).collect();
    fitting.sort_by_key(|room| amount(&room["pricing"]["total_after_tax"]));
    for first in &fitting {
        let mut chosen: Vec<Value> = Vec::new();
        for room in &fitting {
            let together = room["pricing"]["sold_with"] == first["pricing"]["sold_with"];
            let new = chosen.iter().all(|one| one["occupancy"] != room["occupancy"]);
            if together && new {
                chosen.push((*room).clone());
            }
        }
        if chosen.len() == kinds {
            return Some(chosen);
        }
    }
    None
}

impl FoundStay {
    pub fn price_body(&self) -> Value {
        let selection = |room: &Value| {
            json!({
                "room_id": room["room_id"],
                "rate_id": room["pricing"]["rate_id"],
                "quantity": room["pricing"]["quantity"],
            })
        };
        json!({
            "search_id": self.found["search_id"],
            "hotel_id": self.hotel["hotel_id"],
            "room_selections": self.rooms.iter().map(selection).collect::<Vec<_>>(),
        })
    }

    /// The body of a booking of what was priced, for the family Sharma.
    pub fn order(&self, priced: &Value) -> Value {
        let mut rooms = Vec::new();
        for room in &self.rooms {
            let adults = room["occupancy"]["adults"].as_u64().unwrap();
            let ages = room["occupancy"]["children_ages"].as_array().unwrap().len();
            for _ in 0..room["pricing"]["quantity"].as_u64().unwrap() {
                rooms.push(json!({
                    "room_id": room["room_id"],
                    "rate_id": room["pricing"]["rate_id"],
                    "guests": guests("Sharma", adults, ages),
                }));
            }
        }
        json!({
            "price_id": priced["price_id"],
            "hotel_id": self.hotel["hotel_id"],
            "check_in": self.asked["check_in"],
            "check_out": self.asked["check_out"],
            "rooms": rooms,
            "contact": {
                "first_name": "Asha",
                "last_name": "Sharma",
                "email": "traveller@sunrise.example",
                "phone": "+919812345678",
            },
            "allow_duplicate": true,
        })
    }
}
