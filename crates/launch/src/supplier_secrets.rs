//! The secrets of a supplier: what we prove ourselves by, and what proves its hooks. Each is in a variable, in a file of its own,
//! or, for the first, in the settings file itself.

use std::env;
use std::path::PathBuf;

use secrecy::SecretString;

use crate::secret_file;

/// Duffel's own have 24.
const SHORTEST_HOOK_SECRET: usize = 20;

/// How a kind of supplier proves its hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HookProof {
    Signature,
    /// It knows the address.
    Address,
    /// It sends none.
    None,
}

/// Where a secret is, as `<key>_env` and `<key>_file` say it.
pub(crate) struct Place {
    pub key: &'static str,
    pub variable: Option<String>,
    pub file: Option<PathBuf>,
}

impl Place {
    fn is_given(&self) -> bool {
        self.variable.is_some() || self.file.is_some()
    }

    /// What is there, without blanks around it; none where nothing is said.
    fn read(self) -> Result<Option<String>, String> {
        let key = self.key;
        match (self.variable, self.file) {
            (None, None) => Ok(None),
            (Some(variable), None) => match env::var(&variable) {
                Ok(secret) => Ok(Some(secret.trim().to_owned())),
                Err(_) => Err(format!("key `{key}_env` names the variable {variable}, which is not set")),
            },
            (None, Some(file)) => {
                let secret = secret_file::read(&file);
                secret.map(Some).map_err(|reason| format!("key `{key}_file`: {reason}"))
            }
            (Some(_), Some(_)) => Err(format!("it has both `{key}_env` and `{key}_file`")),
        }
    }
}

/// What we prove ourselves by.
pub(crate) fn token(written: Option<String>, elsewhere: Place) -> Result<SecretString, String> {
    let token = match (written, elsewhere.is_given()) {
        (Some(token), false) => token,
        (None, true) => elsewhere.read()?.unwrap_or_default(),
        _ => return Err("it needs one of `token`, `token_env` and `token_file`".to_owned()),
    };
    match token.trim() {
        "" => Err("the token is empty".to_owned()),
        token => Ok(token.into()),
    }
}

/// What proves the supplier's hooks, where it sends any to us.
pub(crate) fn hook_secret(
    kind: &str,
    proof: HookProof,
    secret: Place,
    token: Place,
) -> Result<Option<SecretString>, String> {
    let place = match (proof, secret.is_given(), token.is_given()) {
        (_, false, false) => return Ok(None),
        (HookProof::Signature, true, false) => secret,
        (HookProof::Address, false, true) => token,
        (HookProof::Signature, _, true) => {
            return Err(format!(
                "key `webhook_token_env` is not for the kind `{kind}`, which signs its hooks"
            ));
        }
        (HookProof::Address, true, _) => {
            return Err(format!(
                "key `webhook_secret_env` is not for the kind `{kind}`, which signs no hooks"
            ));
        }
        (HookProof::None, ..) => return Err(format!("the kind `{kind}` sends no hooks")),
    };
    let ending = if place.file.is_some() { "file" } else { "env" };
    let key = format!("{}_{ending}", place.key);
    let Some(secret) = place.read()? else { return Ok(None) };
    let is_token = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-' || letter == b'_';
    if secret.len() < SHORTEST_HOOK_SECRET {
        return Err(format!("key `{key}`: it must have at least {SHORTEST_HOOK_SECRET} characters"));
    }
    if proof == HookProof::Address && !secret.bytes().all(is_token) {
        return Err(format!(
            "key `{key}`: it stands in an address, and must be of letters, digits, `-` and `_`"
        ));
    }
    Ok(Some(secret.into()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use secrecy::ExposeSecret;

    use super::*;

    #[test]
    #[allow(clippy::too_many_lines, reason = "a table of cases")]
    fn a_secret_is_in_a_variable_or_in_a_file_and_never_in_both() {
        let folder = env::temp_dir().join(format!("wayfare-supplier-secret-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).unwrap();
            Some(path)
        };
        let place = |variable: Option<&str>, file: Option<PathBuf>| Place {
            key: "token",
            variable: variable.map(str::to_owned),
            file,
        };
        let hushed = file("hush", "hush\n");
        let given = token(None, place(None, hushed.clone())).unwrap();
        assert_eq!(given.expose_secret(), "hush");
        for (written, elsewhere, expected) in [
            (None, place(None, None), "`token`, `token_env` and `token_file`"),
            (Some("x"), place(None, hushed.clone()), "`token`, `token_env` and `token_file`"),
            (None, place(Some("PATH"), hushed.clone()), "both `token_env` and `token_file`"),
            (None, place(None, file("empty", "\n")), "key `token_file`: the file "),
            (None, place(None, Some(folder.join("none"))), "No such file"),
            (None, place(Some("NO_SUCH_TOKEN"), None), "NO_SUCH_TOKEN, which is not set"),
        ] {
            let refused = token(written.map(str::to_owned), elsewhere).unwrap_err();
            assert!(refused.contains(expected) && !refused.contains("hush"), "{refused}");
        }
        let hook = |proof, text: &str| {
            let place = |key, file| Place { key, variable: None, file };
            let given = file("hook", text);
            let (secret, token) = match proof {
                HookProof::Signature => (given, None),
                _ => (None, given),
            };
            hook_secret("duffel", proof, place("webhook_secret", secret), place("webhook_token", token))
        };
        let secret = "twenty_characters_at_least";
        let duffel = hook(HookProof::Signature, secret).unwrap().unwrap();
        assert_eq!(duffel.expose_secret(), secret);
        let refused = hook(HookProof::Address, "hush").unwrap_err();
        assert_eq!(refused, "key `webhook_token_file`: it must have at least 20 characters");
        fs::remove_dir_all(&folder).unwrap();
    }
}
