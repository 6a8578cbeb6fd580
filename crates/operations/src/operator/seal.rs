//! Bookings that were written before people were sealed: sealed one after the other, while they are sold and cancelled, and
//! unsealed for a server of before.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use wayfare_boxed::boxed;
use wayfare_domain::{BookingId, OrganizationId, ProductKind, StepKind};
use wayfare_flights::{Itinerary, StoredOrder};
use wayfare_hotels::{Stay, StoredStayRequest};
use wayfare_store::{
    batch::writes::Writes,
    booking::{
        people,
        sealing::{self, Contents, Form},
    },
};

use crate::{
    Error, Platform, Result,
    people::sealed::{self, BookingPeople, Sealed},
    tools::failpoints::moment,
};

/// So many bookings are looked for at once; each is sealed in a transaction of its own.
const PART: i64 = 200;

/// How many bookings are not sealed yet.
#[boxed]
pub async fn unsealed(platform: &Platform) -> Result<i64> {
    let mut connection = platform.core.database.connection().await?;
    Ok(sealing::count(&mut connection, Form::Unsealed).await?)
}

/// Seals what is left, and says how many bookings that were. Whoever dies meanwhile leaves bookings that are sealed and
/// bookings that are not, and none in between.
///
/// # Errors
/// When the database can't be asked, or a booking can't be read.
#[boxed]
pub async fn seal_all(platform: &Platform) -> Result<u64> {
    convert(platform, Form::Unsealed).await
}

/// Writes everything in the form of before, so that the migration that brought the sealed form can be taken back. No server
/// may run meanwhile. What is erased stays so, and papers are forgotten: no server of before knows any (D-214).
///
/// # Errors
/// As [`seal_all`].
#[boxed]
pub async fn unseal_all(platform: &Platform) -> Result<u64> {
    convert(platform, Form::Sealed).await
}

async fn convert(platform: &Platform, form: Form) -> Result<u64> {
    let mut converted = 0;
    loop {
        let mut connection = platform.core.database.connection().await?;
        let part = sealing::some(&mut connection, form, PART).await?;
        drop(connection);
        if part.is_empty() {
            return Ok(converted);
        }
        let before = converted;
        let mut problem = None;
        for (organization, booking) in part {
            let done = match form {
                Form::Unsealed => seal_one(platform, organization, booking).await,
                Form::Sealed => unseal_one(platform, organization, booking).await,
            };
            match done {
                Ok(()) => converted += 1,
                Err(error) => {
                    tracing::error!(%error, %booking, ?form, "a booking could not be written in the other form");
                    problem = Some(error);
                }
            }
        }
        // One that can't be read does not hold the others up.
        if let Some(error) = problem.filter(|_| converted == before) {
            return Err(error);
        }
    }
}

async fn seal_one(platform: &Platform, organization: OrganizationId, booking: BookingId) -> Result<()> {
    let mut connection = platform.core.database.connection().await?;
    let done = connection.transaction(async |connection| {
        let found = sealing::lock(connection, Form::Unsealed, organization, booking).await?;
        let Some(mut contents) = found else {
            // Another process was faster.
            return Ok(());
        };
        let product = std::mem::take(&mut contents.product);
        let Sealed { stored, people, rows } = match contents.kind {
            ProductKind::Flight => {
                sealed::seal(&platform.core, organization, booking, read::<Itinerary>(product)?)?
            }
            ProductKind::Hotel => {
                sealed::seal(&platform.core, organization, booking, read::<Stay>(product)?)?
            }
        };
        contents.product = serde_json::from_str(&stored)?;
        let mut writes = Writes::default();
        writes.people(organization, booking, &rows);
        for (number, content) in &mut contents.orders {
            let raw = content.as_object_mut().and_then(|content| content.remove("raw"));
            if let Some(answer) = people.seal_answer(&platform.core, &raw.unwrap_or_default().into())? {
                let order = (organization, booking, *number);
                writes.supplier_answer(order, None, &answer, platform.core.clock.now());
            }
        }
        without_people(&mut contents, &people)?;
        sealing::write(connection, organization, booking, &contents).await?;
        #[cfg(feature = "failpoints")]
        crate::tools::failpoints::commit_halfway(connection).await?;
        moment("people:sealed");
        Ok::<_, Error>(writes.send(connection).await?)
    });
    done.await
}

fn read<T: DeserializeOwned>(value: Value) -> Result<T> {
    serde_json::from_value(value).map_err(sealed::unreadable)
}

/// Takes people out of what was asked of suppliers, and out of texts.
fn without_people(contents: &mut Contents, people: &BookingPeople) -> Result<()> {
    contents.failure = contents.failure.as_deref().map(|failure| people.scrub(failure));
    for (_, kind, request, problem) in &mut contents.steps {
        *problem = problem.as_deref().map(|problem| people.scrub(problem));
        match (*kind, contents.kind) {
            (StepKind::Book, ProductKind::Flight) => rewrite::<StoredOrder>(request)?,
            (StepKind::Book, ProductKind::Hotel) => rewrite::<StoredStayRequest>(request)?,
            (StepKind::Ticket | StepKind::AddService | StepKind::AcceptChange | StepKind::Change, _) => {
                if let Some(booked) = request.get_mut("booked") {
                    rewrite::<StoredOrder>(booked)?;
                }
            }
            (StepKind::Cancel | StepKind::Compensate, _) => {}
        }
    }
    for (_, problem) in &mut contents.incidents {
        *problem = people.scrub(problem);
    }
    Ok(())
}

/// What is written of a value that was read as this.
fn rewrite<T: Serialize + DeserializeOwned>(value: &mut Value) -> Result<()> {
    *value = serde_json::to_value(read::<T>(std::mem::take(value))?)?;
    Ok(())
}

async fn unseal_one(platform: &Platform, organization: OrganizationId, booking: BookingId) -> Result<()> {
    let people = sealed::load(&platform.core, organization, booking).await?;
    let mut connection = platform.core.database.connection().await?;
    let done = connection.transaction(async |connection| {
        let found = sealing::lock(connection, Form::Sealed, organization, booking).await?;
        let Some(mut contents) = found else { return Ok(()) };
        let kind = contents.kind;
        let who = match people.all() {
            Value::Null => erased(kind, &contents.product),
            who => who,
        };
        with_people(kind, &mut contents.product, &who);
        for (_, step, request, _) in &mut contents.steps {
            match step {
                StepKind::Book => with_people(kind, request, &who),
                StepKind::Ticket | StepKind::AddService | StepKind::AcceptChange | StepKind::Change => {
                    if let Some(booked) = request.get_mut("booked") {
                        with_people(kind, booked, &who);
                    }
                }
                StepKind::Cancel | StepKind::Compensate => {}
            }
        }
        with_answers(connection, &people, organization, booking, &mut contents).await?;
        sealing::write(connection, organization, booking, &contents).await?;
        Ok::<_, Error>(sealing::remove(connection, organization, booking).await?)
    });
    done.await
}

/// Each order with what its supplier said of it last.
async fn with_answers(
    connection: &mut AsyncPgConnection,
    people: &BookingPeople,
    organization: OrganizationId,
    booking: BookingId,
    contents: &mut Contents,
) -> Result<()> {
    let answers = people::answers(connection, organization, booking).await?;
    for (number, content) in &mut contents.orders {
        let last = answers.iter().rfind(|answer| answer.number == *number);
        let opened = last.map(|last| people.open_answer(last.id, &last.sealed)).transpose()?;
        set(content, "raw", opened.flatten().unwrap_or_default());
    }
    Ok(())
}

/// Puts people where the form of before had them: travellers by their indices, guests by their rooms.
fn with_people(kind: ProductKind, value: &mut Value, who: &Value) {
    set(value, "contact", who["contact"].clone());
    match kind {
        ProductKind::Flight => {
            let index = |traveller: &Value| traveller.get("index").unwrap_or(traveller).as_u64();
            let indices: Vec<_> = value["travellers"].as_array().into_iter().flatten().map(index).collect();
            let all = who["travellers"].as_array().into_iter().flatten();
            let theirs = all.filter(|traveller| indices.contains(&traveller["index"].as_u64()));
            set(value, "travellers", theirs.cloned().collect());
        }
        ProductKind::Hotel => {
            let rooms = value.get_mut("rooms").and_then(Value::as_array_mut);
            let rooms = rooms.into_iter().flatten();
            for (room, guests) in rooms.zip(who["rooms"].as_array().into_iter().flatten()) {
                set(room, "guests", guests.clone());
            }
        }
    }
}

fn set(value: &mut Value, name: &str, member: Value) {
    if let Some(members) = value.as_object_mut() {
        members.insert(name.to_owned(), member);
    }
}

/// What stands for people who are erased: a server of before knows no booking without.
fn erased(kind: ProductKind, product: &Value) -> Value {
    match kind {
        ProductKind::Flight => {
            let members = product["travellers"].as_array().into_iter().flatten();
            let traveller = |member: &Value| {
                json!({
                    "index": member["index"], "kind": member["kind"], "held_by": member["held_by"], "title": "Mr",
                    "first_name": "", "last_name": "", "gender": "M", "born_on": "1900-01-01",
                })
            };
            let contact = json!({ "email": "", "country_code": "", "phone": "" });
            json!({ "travellers": members.map(traveller).collect::<Vec<_>>(), "contact": contact })
        }
        ProductKind::Hotel => {
            let guest = |guest: &Value| {
                json!({
                    "kind": guest["kind"], "title": null, "first_name": "", "last_name": "", "nationality": null, "age": null,
                })
            };
            let of_room = |room: &Value| {
                let guests = room["guests"].as_array().into_iter().flatten();
                guests.map(guest).collect::<Vec<_>>()
            };
            let rooms = product["rooms"].as_array().into_iter().flatten();
            let contact = json!({ "first_name": "", "last_name": "", "email": "", "phone": "" });
            json!({ "rooms": rooms.map(of_room).collect::<Vec<_>>(), "contact": contact })
        }
    }
}
