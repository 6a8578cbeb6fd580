//! What people send to make and change users, and which users they look for.

use wayfare_contract::{NewUser, ProfileChange, UserChange};
use wayfare_domain::{AccountStatus, Role};
use wayfare_operations::access::users::{self, UserFields, UserFilter};

use crate::http::{
    json_body::{FromJson, JsonObject, like_an_email},
    query::{FromQuery, Parameters},
};

/// `POST /org/users`.
impl FromJson for users::NewUser {
    const NAME: &str = "CreateUserRequest";
    type Declared = NewUser;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let email = body.text("email", 254);
        body.note("email", like_an_email);
        let name = body.label("name", users::LONGEST_NAME);
        let username = body.text("username", users::LONGEST_USERNAME);
        let password = body.secret("password");
        let role = body.word::<Role>("role");
        let phone = body.optional_text("phone");
        let faults = UserFields {
            username: username.as_deref(),
            email: email.as_deref(),
            name: name.as_deref(),
            phone: phone.as_deref(),
            password: password.as_deref(),
        };
        body.append(faults.check(""));
        Some(Self {
            username: username?,
            email: email?,
            name: name?,
            phone: phone.unwrap_or_default(),
            password: password?.into(),
            role: role?,
        })
    }
}

/// `PUT /org/users/{id}`; what can't be changed there is ignored, the role too (P-9).
pub struct UserChangesBody(pub users::Changes);

impl FromJson for UserChangesBody {
    const NAME: &str = "UpdateUserRequest";
    type Declared = UserChange;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let OwnChangesBody(changes) = OwnChangesBody::read(body)?;
        let status = if body.has("status") { body.word::<AccountStatus>("status") } else { None };
        Some(Self(users::Changes { status, ..changes }))
    }
}

/// `PUT /me`.
pub struct OwnChangesBody(pub users::Changes);

impl FromJson for OwnChangesBody {
    const NAME: &str = "UpdateProfileRequest";
    type Declared = ProfileChange;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let name = if body.has("name") { body.label("name", users::LONGEST_NAME) } else { None };
        let phone = body.optional_text("phone");
        let fields = UserFields { name: name.as_deref(), phone: phone.as_deref(), ..UserFields::default() };
        body.append(fields.check(""));
        Some(Self(users::Changes { name, phone, status: None }))
    }
}

impl FromQuery for UserFilter {
    fn read(query: &mut Parameters) -> Self {
        Self { role: query.word("role"), status: query.word("status") }
    }
}
