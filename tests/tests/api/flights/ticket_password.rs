//! The ticket password is checked where a flight is booked: who books without the API is asked for it, too.

use serde_json::{Value, json};
use wayfare_domain::{Contact, Gender, Origin, PassengerType, Title, Traveller};
use wayfare_operations::{
    Caller, Error,
    access::authentication,
    agency::settings::check_ticket_password,
    flights::{Booked, Bought, FlightOrder, Hold, OrderTerms, book, read_order},
};
use wayfare_tests::{MONEY, World, one_way};

fn order(priced: &Value, world: &World) -> FlightOrder {
    let keys = priced["booking_keys"].as_array().unwrap().iter();
    FlightOrder {
        bought: Bought::Keys(keys.map(|key| key.as_str().unwrap().to_owned()).collect()),
        terms: OrderTerms {
            travellers: vec![Traveller {
                index: 1,
                kind: PassengerType::Adult,
                title: Title::Ms,
                first_name: "Meera".to_owned(),
                last_name: "Shah".to_owned(),
                gender: Gender::Female,
                born_on: Some(world.now().date_naive() - chrono::Months::new(12 * 30)),
                held_by: None,
                loyalty: Vec::new(),
            }],
            papers: wayfare_domain::BookingPapers::default(),
            ancillaries: Vec::new(),
            contact: Contact {
                email: "traveller@sunrise.example".to_owned(),
                country_code: "91".to_owned(),
                phone: "9812345678".to_owned(),
            },
            agreed: None,
            hold: Hold::No,
            auto_ticket: false,
            allow_duplicate: true,
            remarks: None,
        },
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_books_is_asked_for_the_ticket_password() {
    let (world, _, admin, agent) = World::start().await.and_people("0", MONEY).await;
    let token = agent.token.as_deref().unwrap();
    let person =
        authentication::authenticate(&world.platform.access, token, Origin::default()).await.unwrap();
    let caller = Caller::of(person).unwrap();
    let trip = one_way("DEL", "BOM");
    let booked = async |priced: &Value, password: Option<&str>| -> Result<Booked, Error> {
        let platform = &world.platform;
        let read = read_order(&platform.engine, &caller, order(priced, &world)).await?;
        let passed = match read.settings.without_password() {
            Some(passed) => passed,
            None => check_ticket_password(&platform.access, &caller, password.map(Into::into)).await?,
        };
        book(&platform.flights, &caller, read, passed, None).await
    };

    // Nobody asks for one.
    booked(&agent.quote(&trip).await, None).await.unwrap();

    for (key, value) in [("ticket_password", "open sesame"), ("ticket_password_enabled", "true")] {
        admin.put("/org/settings", &json!({ "key": key, "value": value })).await.ok();
    }
    let priced = agent.quote(&trip).await;
    let missing = booked(&priced, None).await.unwrap_err();
    assert!(matches!(missing, Error::Invalid(_)), "{missing}");
    assert_eq!(missing.to_string(), "{issue_ticket_password this field is required}");
    let wrong = booked(&priced, Some("Open sesame")).await.unwrap_err();
    assert!(matches!(wrong, Error::AccessDenied), "{wrong}");
    assert_eq!(world.line("select count(*) from bookings").await, "1");
    booked(&priced, Some("open sesame")).await.unwrap();
    assert_eq!(world.line("select string_agg(status, ' ') from bookings").await, "confirmed confirmed");
    world.books_agree().await;
}
