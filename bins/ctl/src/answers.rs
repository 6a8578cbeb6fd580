//! Answers that several commands give: what was not found, and what is left in a wallet.

use wayfare_contract::Amount;
use wayfare_domain::AgencyCode;
use wayfare_operations::Error;

use crate::output::{Failure, Line};

/// What was done to an agency, or that there is none.
pub fn known<T>(done: Result<T, Error>, agent_id: &AgencyCode) -> Result<T, Failure> {
    done.map_err(|error| match error {
        Error::NotFound => unknown(agent_id),
        other => other.into(),
    })
}

/// What was done to a wallet, or that there is none.
pub fn found<T>(done: Result<T, Error>, agent_id: &AgencyCode, user: Option<&str>) -> Result<T, Failure> {
    done.map_err(|error| match (error, user) {
        (Error::NotFound, None) => unknown(agent_id),
        (Error::NotFound, Some(user)) => Failure::Failed(format!(
            "no agency {agent_id:?} has an agent {user:?} (an org_admin has no wallet of their own)",
            agent_id = agent_id.as_ref()
        )),
        (other, _) => other.into(),
    })
}

/// That there is no such agency.
fn unknown(agent_id: &AgencyCode) -> Failure {
    Failure::Failed(format!("there is no agency {:?}", agent_id.as_ref()))
}

/// What a movement has left in the wallet, for people.
pub fn left(repeated: bool, balance: Amount, currency: &str) -> Vec<Line<'_>> {
    let again = "it was done before under this key, nothing was moved now";
    let mut lines = Vec::new();
    if repeated {
        lines.push(("repeated", again.into()));
    }
    lines.push(("balance", balance.to_string().into()));
    lines.push(("currency", currency.into()));
    lines
}

/// What came of moving money under this key, or under none; a failure where nobody knows, or the key is another's.
pub fn under_key<T>(done: Result<T, Error>, key: Option<&str>) -> Result<Result<T, Error>, Failure> {
    match done {
        // The key stands in the transfer: whether it was written can be found out by asking for it again.
        Err(Error::Store(error)) if !error.surely_undone() => Err(Failure::Failed(format!(
            "whether money was moved is not known ({error}); {}",
            match key {
                Some(key) => format!("run it again with --key {key}: it is moved once"),
                None => "look at the wallet's list before you run it again".to_owned(),
            }
        ))),
        Err(Error::KeyMismatch) => {
            Err(Failure::Failed("another movement of money was made under this key".to_owned()))
        }
        done => Ok(done),
    }
}
