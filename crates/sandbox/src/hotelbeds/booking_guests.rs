//! The people of a booking, checked against those whom the rate was found for.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::errors::ApiError;
use super::party::{Party, PaxType};

const LONGEST_NAME: usize = 50;

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Named {
    /// A number, or a text of one. Rooms are distinguished by it, whatever the numbers.
    #[serde(default)]
    room_id: Value,
    #[serde(rename = "type")]
    kind: PaxType,
    name: Option<String>,
    surname: Option<String>,
    age: Option<u8>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pax {
    /// Counted from 1 among the rooms of the rate.
    room_id: u8,
    #[serde(rename = "type")]
    kind: PaxType,
    #[serde(skip_serializing_if = "Option::is_none")]
    age: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    surname: Option<String>,
}

/// Everybody of the party, room by room: those who are named, and the others without names. Each room needs one adult
/// with name and surname.
pub(super) fn accommodated(party: &Party, named: &[Named]) -> Result<Vec<Pax>, ApiError> {
    let mut ids: Vec<String> = Vec::new();
    for each in named {
        let id = room_id(&each.room_id)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    if ids.len() != usize::from(party.rooms) {
        let message = format!(
            "Error at property rooms->paxes: the rateKey is of {} rooms, and each needs its paxes",
            party.rooms
        );
        return Err(ApiError::invalid(message));
    }
    let mut all = Vec::new();
    for (number, id) in (1..).zip(&ids) {
        let here = named.iter().filter(|each| room_id(&each.room_id).is_ok_and(|own| own == *id));
        all.extend(room(party, number, &here.collect::<Vec<_>>())?);
    }
    Ok(all)
}

fn room_id(id: &Value) -> Result<String, ApiError> {
    match id {
        Value::Null => Ok("1".to_owned()),
        Value::Number(number) => Ok(number.to_string()),
        Value::String(text) if text.parse::<u32>().is_ok() => Ok(text.clone()),
        _ => Err(ApiError::unreadable("Error at property rooms->paxes->roomId")),
    }
}

fn room(party: &Party, number: u8, named: &[&Named]) -> Result<Vec<Pax>, ApiError> {
    let pax = |kind, age, name: Option<&String>, surname: Option<&String>| Pax {
        room_id: number,
        kind,
        age,
        name: name.cloned(),
        surname: surname.cloned(),
    };
    let mut names = named.iter().flat_map(|each| [&each.name, &each.surname]).flatten();
    if names.any(|name| name.chars().count() > LONGEST_NAME) {
        let message = format!("Error at property rooms->paxes: a name can have {LONGEST_NAME} characters");
        return Err(ApiError::invalid(message));
    }
    let is_text = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
    let is_lead =
        |each: &&Named| each.kind == PaxType::Adult && is_text(&each.name) && is_text(&each.surname);
    if !named.iter().any(is_lead) {
        let message = "Error at property rooms->paxes: each room needs an adult with name and surname";
        return Err(ApiError::invalid(message));
    }
    let mut adults_left = party.guests.adults;
    let mut ages_left = party.guests.children.clone();
    let mut all = Vec::new();
    for each in named {
        let fits = match (each.kind, each.age) {
            (PaxType::Adult, _) => {
                let fits = adults_left > 0;
                adults_left = adults_left.saturating_sub(1);
                fits
            }
            (PaxType::Child, age) => {
                let at = ages_left.iter().position(|left| Some(*left) == age);
                at.is_some_and(|at| Some(ages_left.remove(at)) == age)
            }
        };
        if !fits {
            let message =
                "Error at property rooms->paxes: the paxes do not match the occupancy of the rateKey";
            return Err(ApiError::invalid(message));
        }
        all.push(pax(each.kind, each.age, each.name.as_ref(), each.surname.as_ref()));
    }
    all.extend((0..adults_left).map(|_| pax(PaxType::Adult, None, None, None)));
    all.extend(ages_left.into_iter().map(|age| pax(PaxType::Child, Some(age), None, None)));
    Ok(all)
}
