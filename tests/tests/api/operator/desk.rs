//! The booking desk: a booking is found by whatever is known of it, all that happened to it is told in order, and what is
//! corrected is written down.

use std::time::Duration;

use chrono::NaiveDate;
use diesel_async::SimpleAsyncConnection;
use serde_json::{Value, json};
use wayfare_domain::{BookingRef, BookingStatus, PageRequest};
use wayfare_operations::{
    Error,
    access::operators::By,
    operator::{
        self,
        desk::{self, Also, Correction, Search},
    },
};
use wayfare_tests::{MONEY, Pick, Seller, World, WorldOptions, one_way, stay_at};

const PAGE: PageRequest = PageRequest { page: 1, per_page: 20 };

async fn found(world: &World, search: Search) -> Vec<String> {
    let page = desk::find(&world.platform, search, PAGE).await.unwrap();
    assert_eq!(page.total, page.items.len() as i64);
    page.items.iter().map(|row| row["booking_ref"].as_str().unwrap().to_owned()).collect()
}

fn reference(text: &str) -> BookingRef {
    BookingRef::from(text.to_owned())
}

fn by_pnr(pnr: &str) -> Search {
    Search { pnr: Some(pnr.to_owned()), ..Search::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_is_found_by_whatever_is_known_of_it() {
    let options = WorldOptions::of([Seller::duffel(), Seller::liteapi()]).frozen();
    let (world, agency, agent) = World::with(options).await.and_agent(MONEY).await;
    let other = world.agent(MONEY).await;
    let flight = agent.buy(one_way("DEL", "BOM")).await.reference;
    world.pass(60);
    let stay = agent.buy_stay(&stay_at("liteapi"), Pick::Final).await.reference;
    world.pass(60);
    let others = other.buy(one_way("DEL", "BLR")).await.reference;
    let of = async |column: &str, booking: &str| {
        let query = format!(
            "select {column} from supplier_orders o join bookings b on b.id = o.booking_id where b.booking_ref = '{booking}'"
        );
        world.line(&query).await
    };
    let people = world.books().people(&flight).await["people"].clone();
    let traveller = &people["travellers"][0];
    let [family, given] =
        ["last_name", "first_name"].map(|name| traveller[name].as_str().unwrap().to_owned());
    let email = people["contact"]["email"].as_str().unwrap().to_uppercase();
    let agencys = Search { agency: Some(agency.code.clone()), ..Search::default() };
    let name = Search { name: Some(format!(" {}", family.to_uppercase())), ..agencys.clone() };
    assert!(found(&world, name).await.contains(&flight));
    let both = Search { name: Some(format!("{family}/{given}")), ..agencys.clone() };
    assert!(found(&world, both.clone()).await.contains(&flight));
    let nobody = Search { name: Some(format!("{family}/x{given}")), ..both };
    assert_eq!(found(&world, nobody).await, Vec::<String>::new());
    let with_email = Search { email: Some(format!(" {email} ")), ..Search::default() };
    assert!(found(&world, with_email.clone()).await.contains(&flight));

    let ticket = Some(of("o.content #>> '{tickets,0,number}'", &flight).await);
    let order = Some(("duffel".to_owned(), of("o.supplier_order_id", &others).await));
    for (known, of_it) in [
        (Search { reference: Some(reference(&flight)), ..Search::default() }, &flight),
        (by_pnr(&of("o.content ->> 'pnr'", &flight).await.to_lowercase()), &flight),
        (by_pnr(&of("o.content ->> 'confirmation'", &stay).await), &stay),
        (Search { ticket, ..Search::default() }, &flight),
        (Search { order, ..Search::default() }, &others),
    ] {
        assert_eq!(found(&world, known).await, [of_it.as_str()]);
    }
    // All that is given has to fit.
    let elsewhere = Search { reference: Some(reference(&others)), ..agencys.clone() };
    assert_eq!(found(&world, elsewhere).await, Vec::<String>::new());
    assert_eq!(found(&world, agencys.clone()).await, [stay.clone(), flight.clone()]);
    let cancelled = Search { status: Some(BookingStatus::Cancelled), ..agencys.clone() };
    assert_eq!(found(&world, cancelled).await, Vec::<String>::new());
    let today = world.now().date_naive();
    let booked = Search { booked: Some((today, today)), ..Search::default() };
    assert_eq!(found(&world, booked).await, [others, stay.clone(), flight]);
    let day: NaiveDate = of("b.product_content ->> 'check_in'", &stay).await.parse().unwrap();
    let travels = Search { travel: Some((day, day)), ..agencys };
    assert!(found(&world, travels).await.contains(&stay));
    let nothing = desk::find(&world.platform, Search::default(), PAGE).await;
    assert!(matches!(nothing, Err(Error::Invalid(_))));

    // Bookings of before are found by their address once they are indexed, and erased ones by nothing.
    world.sql("delete from booking_names").await;
    assert_eq!(found(&world, with_email.clone()).await, Vec::<String>::new());
    assert_eq!(operator::people::index_names(&world.platform).await.unwrap(), 3);
    assert!(!found(&world, with_email).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn each_search_reads_an_index() {
    let world = World::frozen().await;
    let mut owner = world.database.owner().await;
    let plan = "create function plan(query text) returns setof text language plpgsql as $$ begin
        set local enable_seqscan = off; return query execute 'explain ' || query; end $$";
    owner.batch_execute(plan).await.unwrap();
    for (condition, index) in [
        ("(b.id, b.org_id) in (select o.booking_id, o.org_id from supplier_orders o where o.supplier_order_id = 'x' and o.supplier = 'y')",
            "supplier_orders_by_id"),
        ("(b.id, b.org_id) in (select o.booking_id, o.org_id from supplier_orders o where
            (jsonb_path_query_array(o.content, '$.pnr') || jsonb_path_query_array(o.content, '$.airline_pnr')
            || jsonb_path_query_array(o.content, '$.locators[*].pnr') || jsonb_path_query_array(o.content, '$.confirmation')
            || jsonb_path_query_array(o.content, '$.hotel_numbers[*].number')) ?| array['x'])", "supplier_orders_by_locator"),
        ("(b.id, b.org_id) in (select o.booking_id, o.org_id from supplier_orders o where
            jsonb_path_query_array(o.content, '$.tickets[*].number') ?| array['x'])", "supplier_orders_by_ticket"),
        ("(b.id, b.org_id) in (select x.booking_id, x.org_id from booking_names x where x.name_key = any(array['\\x00'::bytea]))",
            "booking_names_by_name"),
        ("left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)
            between '2027-01-01' and '2027-01-02'", "bookings_by_travel"),
        ("b.id >= '0199c2b0-0000-7000-8000-000000000000' and b.id < '0199c2b1-0000-7000-8000-000000000000'", "bookings_pkey"),
        ("b.booking_ref = 'x'", "bookings_booking_ref_key"),
        ("b.product in ('flight', 'hotel') and b.org_id = '0199c2b0-0000-7000-8000-000000000000'", "bookings_of_organization"),
    ] {
        let plan = format!("select plan($q$select * from bookings b where {condition}$q$)");
        let plan = world.lines(&plan).await.join("\n");
        assert!(plan.contains(index), "{condition}: {plan}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_that_happened_is_told_in_order_of_time_and_people_only_when_asked_for() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let booking = agent.buy(one_way("DEL", "BOM")).await.reference;
    world.pass(60);
    agent.cancels(&booking).await;
    let show = async |also: Also| {
        let list = |_: &str, raw: Value| Some((json!({ "id": raw["id"] }), 7));
        let shown =
            desk::show(&world.platform, By::command_line(), &reference(&booking), also, list).await.unwrap();
        serde_json::to_value(shown).unwrap()
    };
    let shown = show(Also::default()).await;
    let happened = shown["happened"].as_array().unwrap();
    let times: Vec<&str> = happened.iter().map(|one| one["at"].as_str().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    for (what, count) in [("step", 2), ("hold", 1), ("transfer", 1), ("fare", 2), ("refund", 1)] {
        assert_eq!(happened.iter().filter(|one| one["what"] == what).count(), count, "{what}: {shown:#}");
    }
    assert!(happened.iter().any(|one| one["action"] == "booking.confirmed"));
    assert_eq!(shown["booking"]["orders"][0]["status"], "cancelled");
    let family = world.books().people(&booking).await["people"]["travellers"][0]["last_name"].clone();
    let family = family.as_str().unwrap();
    assert!(!shown.to_string().contains(family), "{shown:#}");
    assert!(shown.get("people").is_none() && shown.get("answers").is_none());

    let reads = "select count(*) from events where action = 'people.read'";
    let before: u32 = world.line(reads).await.parse().unwrap();
    let answers = show(Also { answers: true, people: false }).await;
    assert_eq!(answers["answers"][0]["omitted"], 7);
    assert!(!answers.to_string().contains(family));
    assert!(show(Also { answers: true, people: true }).await["people"].to_string().contains(family));
    let after: u32 = world.line(reads).await.parse().unwrap();
    assert_eq!(after - before, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_corrected_number_is_shown_found_and_written_down() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let booking = agent.buy(one_way("DEL", "BOM")).await.reference;
    let platform = &world.platform;
    let correct = async |correction: Correction, note: &str| {
        desk::correct(platform, By::command_line(), &reference(&booking), 1, &correction, note).await
    };
    correct(Correction::Pnr("NEWPNR".to_owned()), "the airline's desk").await.unwrap();
    let traveller = "select content #>> '{tickets,0,traveller}' from supplier_orders";
    let ticket = Correction::Ticket {
        traveller: world.line(traveller).await.parse().unwrap(),
        number: "098-1234567890".to_owned(),
    };
    correct(ticket, "the airline's desk").await.unwrap();
    let detail = agent.booking(&booking).await.to_string();
    assert!(detail.contains("NEWPNR") && detail.contains("098-1234567890"), "{detail}");
    for search in
        [by_pnr("NEWPNR"), Search { ticket: Some("098-1234567890".to_owned()), ..Search::default() }]
    {
        assert_eq!(found(&world, search).await, [booking.as_str()]);
    }
    let events = "select count(*) from events where action = 'booking.corrected' and new_value ->> 'note' = 'the airline''s desk'";
    assert_eq!(world.line(events).await, "2");
    let before = world.line("select jsonb_agg(o)::text from supplier_orders o").await;
    for (wrong, note, text) in [
        (Correction::Pnr("no spaces".to_owned()), "n", "pnr"),
        (Correction::Pnr("X".to_owned()), " ", "note"),
        (Correction::HotelNumber { room: 1, number: "7".to_owned() }, "n", "only for stays"),
        (Correction::Ticket { traveller: 9, number: "7".to_owned() }, "n", "no traveller who has a ticket"),
    ] {
        let error = correct(wrong, note).await.unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
    assert_eq!(world.line("select jsonb_agg(o)::text from supplier_orders o").await, before);
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_is_made_by_the_running_server_and_nobody_waits_for_ever() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let booking = agent.buy(one_way("DEL", "BOM")).await.reference;
    let alone = desk::look(&world.platform, &reference(&booking), None, Duration::ZERO).await.unwrap();
    assert_eq!((alone.orders, alone.looked), (1, 0));
    let named = reference(&booking);
    let (looked, ()) =
        tokio::join!(desk::look(&world.platform, &named, Some(1), Duration::from_secs(60)), async {
            // The server comes to it when it is due.
            for _ in 0..100 {
                world.watch().await;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
    assert_eq!(looked.unwrap().looked, 1);
    agent.cancels(&booking).await;
    let nothing = desk::look(&world.platform, &reference(&booking), None, Duration::ZERO).await;
    assert!(matches!(nothing, Err(Error::Invalid(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_each_room_is_corrected_and_the_stay_is_found_by_it() {
    let options = WorldOptions::of([Seller::liteapi()]).frozen();
    let (world, _, agent) = World::with(options).await.and_agent(MONEY).await;
    let stay = stay_at("liteapi").rooms(&[(2, &[]), (1, &[])]);
    let booking = agent.buy_stay(&stay, Pick::Final).await.reference;
    let (platform, note) = (&world.platform, "the hotel's desk");
    let correct = async |room: u16, number: &str| {
        let correction = Correction::HotelNumber { room, number: number.to_owned() };
        desk::correct(platform, By::command_line(), &reference(&booking), 1, &correction, note).await
    };
    let numbers = "select string_agg(concat_ws('=', n ->> 'room', n ->> 'number'), ' ' order by n ->> 'room')
        from supplier_orders o, jsonb_array_elements(o.content -> 'hotel_numbers') n";
    correct(2, "ROOM-2").await.unwrap();
    assert_eq!(world.line(numbers).await, "2=ROOM-2");
    correct(1, "ROOM-1").await.unwrap();
    correct(2, "ROOM-2B").await.unwrap();
    assert_eq!(world.line(numbers).await, "1=ROOM-1 2=ROOM-2B");
    for room in [0, 3] {
        let refused = correct(room, "X").await.unwrap_err().to_string();
        assert!(refused.contains("must be a room of the stay, from 1 to 2"), "{refused}");
    }
    for (number, of_it) in [("ROOM-1", true), ("room-2b", true), ("ROOM-2", false)] {
        let references = found(&world, by_pnr(number)).await;
        assert_eq!(references == [booking.as_str()], of_it, "{number}: {references:?}");
    }
    let detail = agent.get(&format!("/hotels/bookings/{booking}")).await.ok().to_string();
    assert!(detail.contains("ROOM-1") && detail.contains("ROOM-2B"), "{detail}");
    let before = "select string_agg(coalesce(old_value ->> 'value', '-'), ' ' order by coalesce(old_value ->> 'value', '-')) from events
        where action = 'booking.corrected'";
    assert_eq!(world.line(before).await, "- - ROOM-2");
    // One number of all rooms is that of each of them.
    world
        .sql("update supplier_orders set content = jsonb_set(content, '{hotel_numbers}', '[{\"number\": \"ALL\"}]')")
        .await;
    correct(1, "ONE").await.unwrap();
    assert_eq!(world.line(numbers).await, "1=ONE 2=ALL");
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_airline_changed_is_told_with_what_happened() {
    let options = WorldOptions::of([Seller::duffel()]).frozen();
    let (world, _, agent) = World::with(options).await.and_agent(MONEY).await;
    let booking = agent.buy(one_way("DEL", "BOM")).await.reference;
    world.puts_off(&agent, &booking, 90).await;
    let list = |_: &str, _: Value| None;
    let shown = desk::show(&world.platform, By::command_line(), &reference(&booking), Also::default(), list)
        .await
        .unwrap();
    let shown = serde_json::to_value(shown).unwrap();
    let happened = shown["happened"].as_array().unwrap().iter();
    let changes: Vec<&Value> = happened.filter(|one| one["what"] == "airline_change").collect();
    assert_eq!(changes.len(), 1, "{shown:#}");
    assert_has!(changes[0], { "order": 1, "kind": "time", "minutes": 90, "state": "open" });
    let [before, after] = ["before", "after"].map(|name| changes[0][name][0].as_str().unwrap());
    assert!(before.contains(" DEL BOM 20") && after.contains(" DEL BOM 20"), "{shown:#}");
    assert_ne!(before, after);
}
