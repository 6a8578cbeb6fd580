//! A hotel in words and pictures.

use super::hotel::{Hotel, Style};

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Amenity {
    /// Its number in the sandbox; suppliers have numbers of their own.
    pub(crate) number: u16,
    pub(crate) name: &'static str,
    /// Houses of fewer stars don't have it.
    least_stars: u8,
}

const fn amenity(number: u16, name: &'static str, least_stars: u8) -> Amenity {
    Amenity { number, name, least_stars }
}

pub(crate) const AMENITIES: [Amenity; 14] = [
    amenity(1, "Free WiFi", 1),
    amenity(2, "Non-smoking rooms", 1),
    amenity(3, "24-hour front desk", 2),
    amenity(4, "Luggage storage", 1),
    amenity(5, "Parking", 1),
    amenity(6, "Elevator", 2),
    amenity(7, "Restaurant", 3),
    amenity(8, "Bar", 3),
    amenity(9, "Fitness center", 4),
    amenity(10, "Outdoor swimming pool", 4),
    amenity(11, "Spa and wellness center", 5),
    amenity(12, "Airport shuttle", 3),
    amenity(13, "Meeting rooms", 4),
    amenity(14, "Family rooms", 2),
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Image {
    pub(crate) url: String,
    pub(crate) thumbnail: String,
    pub(crate) caption: &'static str,
}

#[rustfmt::skip]
const FIRST_WORDS: [&str; 24] = [
    "Grand", "Royal", "Park", "Central", "Golden", "Imperial", "Harbour", "Crystal", "Garden", "Regency",
    "Sunrise", "Heritage", "Metropole", "Lotus", "Summit", "Riverside", "Crown", "Orchid", "Palm",
    "Savannah", "Silver", "Majestic", "Emerald", "Old Town",
];

#[rustfmt::skip]
const STREETS: [&str; 12] = [
    "Station Road", "Market Street", "Park Avenue", "High Street", "Garden Lane", "Church Road",
    "Lake View Road", "Mill Street", "Museum Street", "Harbour Road", "King Street", "University Avenue",
];

const PICTURES: [&str; 6] = ["General view", "Lobby", "Room", "Bathroom", "Restaurant", "Surroundings"];

impl Style {
    fn nouns(self) -> [&'static str; 3] {
        match self {
            Self::Hotel => ["Hotel", "Inn", "Plaza"],
            Self::Resort => ["Resort", "Resort & Spa", "Beach Club"],
            Self::Apartments => ["Suites", "Residences", "Apartments"],
            Self::GuestHouse => ["Guest House", "Lodge", "Homestay"],
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hotel => "Hotel",
            Self::Resort => "Resort",
            Self::Apartments => "Apartment",
            Self::GuestHouse => "Guest house",
        }
    }
}

impl Hotel {
    /// Its name, which no other hotel of the city has.
    pub(crate) fn name(&self) -> String {
        let place = usize::from(self.id.place);
        let pick =
            |words: &[&'static str], at: usize| words.get(at % words.len()).copied().unwrap_or_default();
        let shift = usize::try_from(self.id.city).unwrap_or_default();
        let first = pick(&FIRST_WORDS, place + shift);
        let noun = pick(&self.style.nouns(), place / FIRST_WORDS.len());
        format!("{first} {noun} {}", self.city.name)
    }

    pub(crate) fn street_address(&self) -> String {
        let mut rng = self.rng("street");
        let street = rng.pick(&STREETS).copied().unwrap_or_default();
        format!("{} {street}", rng.between(1, 280))
    }

    pub(crate) fn postal_code(&self) -> String {
        self.rng("postal code").between(10_000, 98_999).to_string()
    }

    /// A number that is nobody's: reserved for fiction.
    pub(crate) fn phone(&self) -> String {
        format!("+120255501{:02}", self.rng("phone").between(0, 99))
    }

    /// An address that nobody has, under a reserved name.
    pub(crate) fn email(&self) -> String {
        format!("stay@{}-{}.hotels.example", self.city.code, self.id.place)
    }

    pub(crate) fn description(&self) -> String {
        let amenities: Vec<&str> = self.amenities().map(|amenity| amenity.name).collect();
        format!(
            "{} is a {}-star {} in {}. It stands at {}, close to the centre. Guests find: {}. Check-in is from {}, \
             check-out until {}.",
            self.name(),
            self.stars,
            self.style.name().to_lowercase(),
            self.city.name,
            self.street_address(),
            amenities.join(", "),
            self.check_in_from().format("%H:%M"),
            self.check_out_until().format("%H:%M"),
        )
    }

    pub(crate) fn amenities(&self) -> impl Iterator<Item = &'static Amenity> + use<> {
        let (stars, mut rng) = (self.stars, self.rng("amenities"));
        AMENITIES
            .iter()
            .filter(move |amenity| amenity.least_stars <= stars && (amenity.number == 1 || !rng.one_in(4)))
    }

    /// Its pictures under a reserved name, the main one first.
    pub(crate) fn images(&self) -> impl Iterator<Item = Image> + use<> {
        let (city, place) = (self.id.city, self.id.place);
        PICTURES.iter().enumerate().map(move |(at, caption)| Image {
            url: format!("https://images.hotels.example/{city}/{place}/{at}.jpg"),
            thumbnail: format!("https://images.hotels.example/{city}/{place}/{at}-small.jpg"),
            caption,
        })
    }
}
