//! The user who is logged in.

use secrecy::SecretString;
use serde::Serialize;

/// Another password of one's own.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ChangePasswordRequest"))]
pub struct ChangePassword {
    /// The password as it is now.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub current_password: SecretString,
    /// The password from now on: 8 to 128 characters.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub new_password: SecretString,
}
