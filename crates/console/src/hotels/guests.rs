//! An order out of the form of a quote: who sleeps in which room, and how they are reached.

use askama::Template;
use chrono::{DateTime, Utc};
use wayfare_client::{
    Amount,
    enums::{GuestType, Title},
    hotels::{AgreedFare, Guest, HotelOrder, HotelPrice, HotelResult, RoomOrder, StayContact},
};

use super::stay::Stay;
use crate::{
    form::{Fields, Wrongs},
    memory::Kept,
    sale::Answers,
};

pub const TITLES: [&str; 5] = ["Mr", "Mrs", "Ms", "Miss", "Dr"];
pub const TITLES_OF_CHILDREN: [&str; 2] = ["Mstr", "Miss"];

/// The form for who sleeps there.
#[derive(Template)]
#[template(path = "hotels/guests.html")]
pub struct Guests<'a> {
    pub places: &'a [Place],
    pub fields: &'a Fields,
    pub wrongs: &'a Wrongs,
}

/// A promised price, with what it is of.
pub struct HotelQuote {
    pub price: HotelPrice,
    /// The hotel, with those rates alone that were priced.
    pub hotel: HotelResult,
    /// The rooms in the order of the search.
    pub places: Vec<Place>,
}

impl Kept for HotelQuote {
    fn ends_at(&self) -> Option<DateTime<Utc>> {
        Some(self.price.expires_at)
    }
}

#[derive(Clone, Debug)]
pub struct Place {
    /// From 0, in the order of the search.
    pub number: usize,
    pub room_id: String,
    pub rate_id: String,
    pub name: String,
    pub adults: u8,
    pub ages: Vec<u8>,
}

/// Somebody who is to sleep there, as the form names them.
#[derive(Clone, Copy, Debug)]
pub struct Bed {
    /// The room, from 0.
    pub room: usize,
    /// From 0 within the room.
    pub number: usize,
    pub age: Option<u8>,
}

impl Bed {
    /// A field's name on the form, which is that of the API.
    pub fn field(&self, name: &str) -> String {
        format!("rooms[{}].guests[{}].{name}", self.room, self.number)
    }

    pub fn name(&self) -> String {
        match self.age {
            None => format!("Guest {}, adult", self.number + 1),
            Some(age) => format!("Guest {}, child of {age}", self.number + 1),
        }
    }

    pub fn titles(&self) -> &'static [&'static str] {
        match self.age {
            None => &TITLES,
            Some(_) => &TITLES_OF_CHILDREN,
        }
    }
}

impl Place {
    /// Its guests: adults first, then children as they were searched.
    pub fn beds(&self) -> Vec<Bed> {
        let adults = (0..self.adults).map(|_| None);
        let people = adults.chain(self.ages.iter().copied().map(Some));
        let bed = |(number, age)| Bed { room: self.number, number, age };
        people.enumerate().map(bed).collect()
    }
}

/// What was agreed on before the form is sent.
pub struct Agreed {
    price_id: String,
    hotel_id: String,
    fare: Option<(Amount, String)>,
    places: Vec<Place>,
}

const PRICE: &str = "agreed_price";
const FARE: &str = "agreed_fare";
const CURRENCY: &str = "agreed_currency";
const ROOM: &str = "agreed_room";
const RATE: &str = "agreed_rate";
pub const AGREED: [&str; 5] = [PRICE, FARE, CURRENCY, ROOM, RATE];

impl Agreed {
    /// By this price.
    pub fn of(quote: &HotelQuote) -> Self {
        let price = &quote.price.agent_price;
        Self {
            price_id: quote.price.price_id.to_string(),
            hotel_id: quote.price.hotel_id.clone(),
            fare: Some((price.agent_fare, price.currency.clone())),
            places: quote.places.clone(),
        }
    }

    /// As a form of the check carries it; who sleeps in which room is of the search.
    pub fn read(fields: &Fields, stay: &Stay) -> Option<Self> {
        let searched = stay.search().ok()?.rooms;
        let (rooms, rates) = (fields.all(ROOM), fields.all(RATE));
        let places: Vec<Place> = searched
            .into_iter()
            .enumerate()
            .zip(rooms.zip(rates))
            .map(|((number, people), (room, rate))| Place {
                number,
                room_id: room.to_owned(),
                rate_id: rate.to_owned(),
                // Nothing is shown of it: without its price the form is not shown again.
                name: String::new(),
                adults: people.adults,
                ages: people.children_ages,
            })
            .collect();
        let is_whole = !places.is_empty()
            && places.len() == fields.all(ROOM).count()
            && places.len() == fields.all(RATE).count();
        let fare = fields.get(FARE).parse().ok().map(Amount);
        is_whole.then_some(Self {
            price_id: fields.given(PRICE)?,
            hotel_id: fields.get("hotel").to_owned(),
            fare: fare.zip(fields.given(CURRENCY)),
            places,
        })
    }

    /// The fields of a form that carry it.
    pub fn fields(&self) -> Vec<(String, String)> {
        let mut pairs = vec![(PRICE, self.price_id.clone())];
        if let Some((fare, currency)) = &self.fare {
            pairs.extend([(FARE, fare.to_string()), (CURRENCY, currency.clone())]);
        }
        for place in &self.places {
            pairs.extend([(ROOM, place.room_id.clone()), (RATE, place.rate_id.clone())]);
        }
        let pairs = pairs.into_iter();
        pairs.map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// The order, or what is missing on the form.
pub fn order(agreed: &Agreed, stay: &Stay, fields: &Fields) -> Result<HotelOrder, Wrongs> {
    let mut wrongs = Wrongs::default();
    let room = |place: &Place, wrongs: &mut Wrongs| RoomOrder {
        room_id: place.room_id.clone(),
        rate_id: place.rate_id.clone(),
        guests: place.beds().into_iter().map(|bed| guest(bed, stay, fields, wrongs)).collect(),
    };
    let rooms: Vec<RoomOrder> = agreed.places.iter().map(|place| room(place, &mut wrongs)).collect();
    let contact = contact(&rooms, fields, &mut wrongs);
    let days = stay.days().filter(|_| wrongs.is_empty());
    let Some((check_in, check_out)) = days else { return Err(wrongs) };
    let fare = agreed.fare.clone();
    Ok(HotelOrder {
        price_id: agreed.price_id.clone(),
        hotel_id: agreed.hotel_id.clone(),
        check_in,
        check_out,
        rooms,
        contact,
        remarks: fields.given("remarks"),
        agreed_fare: fare.map(|(fare, currency)| AgreedFare::default().agent_fare(fare).currency(&currency)),
        allow_duplicate: fields.is_ticked("allow_duplicate"),
    })
}

fn guest(bed: Bed, stay: &Stay, fields: &Fields, wrongs: &mut Wrongs) -> Guest {
    let mut needed = |name: &str| {
        let field = bed.field(name);
        let value = fields.get(&field).to_owned();
        if value.is_empty() {
            wrongs.add(&field, "Is needed, as in the passport");
        }
        value
    };
    let first_name = needed("first_name");
    Guest {
        kind: match bed.age {
            None => GuestType::Adult,
            Some(_) => GuestType::Child,
        },
        title: fields.given(&bed.field("title")).map(|title| Title::from(title.as_str())),
        first_name,
        last_name: fields.get(&bed.field("last_name")).to_owned(),
        nationality: Some(stay.nationality.clone()),
        age: bed.age,
    }
}

/// How they are reached: the first guest, where nobody else is named.
fn contact(rooms: &[RoomOrder], fields: &Fields, wrongs: &mut Wrongs) -> StayContact {
    let first = rooms.first().and_then(|room| room.guests.first());
    let or_first = |name: &str, of: fn(&Guest) -> &String| {
        let of_first = || first.map(|guest| of(guest).clone()).unwrap_or_default();
        fields.given(name).unwrap_or_else(of_first)
    };
    let phone = fields.get("contact.phone").chars();
    let contact = StayContact {
        first_name: or_first("contact.first_name", |guest| &guest.first_name),
        last_name: or_first("contact.last_name", |guest| &guest.last_name),
        email: fields.get("contact.email").to_owned(),
        phone: phone.filter(|letter| !letter.is_whitespace()).collect(),
    };
    for (name, value) in [("contact.email", &contact.email), ("contact.phone", &contact.phone)] {
        if value.is_empty() {
            wrongs.add(name, "Is needed: the hotel reaches guests by it");
        }
    }
    contact
}

/// Everything that was answered, room by room.
pub fn answers(quote: &HotelQuote, fields: &Fields) -> Vec<Answers> {
    let of_bed = |bed: Bed| {
        let names = ["title", "first_name", "last_name"].map(|name| fields.get(&bed.field(name)).to_owned());
        (bed.name(), names.join(" ").trim().to_owned())
    };
    let of_place = |place: &Place| Answers {
        title: format!("Room {}, {}", place.number + 1, place.name),
        lines: place.beds().into_iter().map(of_bed).collect(),
    };
    quote.places.iter().map(of_place).collect()
}

/// How they are reached, and what the hotel is told.
pub fn contact_answers(fields: &Fields) -> Vec<(&'static str, String)> {
    let fields = [
        ("E-mail", fields.get("contact.email")),
        ("Telephone", fields.get("contact.phone")),
        ("For the hotel", fields.get("remarks")),
    ];
    let given = fields.into_iter().filter(|(_, value)| !value.is_empty());
    given.map(|(name, value)| (name, value.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beds_are_named_as_the_api_names_guests() {
        let place = Place {
            number: 1,
            room_id: String::new(),
            rate_id: String::new(),
            name: "Double".to_owned(),
            adults: 1,
            ages: vec![9],
        };
        let beds = place.beds();
        let named: Vec<_> = beds.iter().map(|bed| (bed.field("first_name"), bed.name())).collect();
        assert_eq!(
            named,
            [
                ("rooms[1].guests[0].first_name".to_owned(), "Guest 1, adult".to_owned()),
                ("rooms[1].guests[1].first_name".to_owned(), "Guest 2, child of 9".to_owned()),
            ]
        );
    }
}
