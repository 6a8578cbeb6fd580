//! What people send to log in, and to change themselves and each other.

use secrecy::SecretString;
use wayfare_domain::{AccountStatus, Role};
use wayfare_operations::access::users::{self, UserFields};

use super::examples::{self, Example};
use crate::form::{Form, FromForm, like_an_email};

/// `POST /auth/login`.
pub struct LogIn {
    /// The agency's code.
    pub agent_id: String,
    /// The username.
    pub username: String,
    /// The password.
    pub password: String,
}

impl FromForm for LogIn {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let agent_id = form.text("agent_id", 64);
        let username = form.text("username", 256);
        let password = form.secret("password");
        Some(Self {
            agent_id: agent_id?,
            username: username?,
            password: password?,
        })
    }

    fn examples() -> Vec<Example> {
        examples::log_in()
    }
}

/// `POST /auth/refresh` and `POST /auth/logout`.
pub struct Refresh(pub String);

impl FromForm for Refresh {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        form.secret("refresh_token").map(Self)
    }

    fn examples() -> Vec<Example> {
        examples::refresh()
    }
}

/// `POST /org/users`.
pub struct NewUser(pub users::NewUser);

impl FromForm for NewUser {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let email = form.text("email", 254);
        form.note("email", like_an_email);
        let name = form.text("name", users::LONGEST_NAME);
        let username = form.text("username", users::LONGEST_USERNAME);
        let password = form.secret("password");
        let role = form.word::<Role>("role");
        let phone = form.optional_text("phone");
        let faults = UserFields {
            username: username.as_deref(),
            email: email.as_deref(),
            name: name.as_deref(),
            phone: phone.as_deref(),
            password: password.as_deref(),
        };
        form.append(faults.check(""));
        Some(Self(users::NewUser {
            username: username?,
            email: email?,
            name: name?,
            phone: phone.unwrap_or_default(),
            password: password?.into(),
            role: role?,
        }))
    }

    fn examples() -> Vec<Example> {
        examples::new_user()
    }
}

/// `PUT /org/users/{id}`; what can't be changed there is ignored, the role too (P-9).
pub struct UserChanges(pub users::Changes);

impl FromForm for UserChanges {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let OwnChanges(changes) = OwnChanges::read(form)?;
        let status = if form.has("status") {
            form.word::<AccountStatus>("status")
        } else {
            None
        };
        Some(Self(users::Changes { status, ..changes }))
    }

    fn examples() -> Vec<Example> {
        examples::user_changes()
    }
}

/// `PUT /me`.
pub struct OwnChanges(pub users::Changes);

impl FromForm for OwnChanges {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let name = if form.has("name") {
            form.text("name", users::LONGEST_NAME)
        } else {
            None
        };
        let phone = form.optional_text("phone");
        let fields = UserFields {
            name: name.as_deref(),
            phone: phone.as_deref(),
            ..UserFields::default()
        };
        form.append(fields.check(""));
        Some(Self(users::Changes {
            name,
            phone,
            status: None,
        }))
    }

    fn examples() -> Vec<Example> {
        examples::own_changes()
    }
}

/// `PUT /me/password`.
pub struct NewPassword {
    /// As it is.
    pub current: SecretString,
    /// As it is to be.
    pub new: SecretString,
}

impl FromForm for NewPassword {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let current = form.secret("current_password");
        let new = form.secret("new_password");
        Some(Self {
            current: current?.into(),
            new: new?.into(),
        })
    }

    fn examples() -> Vec<Example> {
        examples::new_password()
    }
}
