//! Who asks, as proofs that only authentication can make.

use std::ops::Deref;

use wayfare_domain::{
    Account, Actor, ActorKind, Currency, Organization, OrganizationId, Origin, Role, Scope, SessionId, Tier,
    UserId, Zone,
};
use wayfare_store::{access::users::Identity, money::wallets::Owner};

use crate::{Error, Result};

/// Whoever is signed in: a user of an active agency, whatever their role. What every role may do takes it: what is one's own
/// as a user, such as profile, password, sessions and notifications. The other proofs are made of it.
#[derive(Clone, Debug)]
pub struct Person {
    identity: Identity,
    session: SessionId,
    origin: Origin,
}

impl Person {
    /// Only authentication makes them.
    pub(super) fn new(identity: Identity, session: SessionId, origin: Origin) -> Self {
        Self { identity, session, origin }
    }

    pub fn account(&self) -> &Account {
        &self.identity.account
    }

    pub fn user(&self) -> UserId {
        self.identity.account.id
    }

    pub fn session(&self) -> SessionId {
        self.session
    }

    /// Their sessions of another epoch are over.
    pub(crate) fn session_epoch(&self) -> i32 {
        self.identity.session_epoch
    }

    /// That nobody else knows their password: an operator who gave them one does.
    ///
    /// # Errors
    /// [`Error::OwnPassword`].
    pub fn check_own_password(&self) -> Result<()> {
        match self.identity.has_own_password {
            true => Ok(()),
            false => Err(Error::OwnPassword),
        }
    }

    pub fn organization(&self) -> OrganizationId {
        self.identity.organization.id
    }

    pub(crate) fn agency(&self) -> &Organization {
        &self.identity.organization
    }

    pub fn currency(&self) -> Currency {
        self.identity.organization.currency
    }

    /// Their agency's country, alpha-2.
    pub fn country(&self) -> &str {
        &self.identity.organization.country
    }

    pub fn time_zone(&self) -> Zone {
        self.identity.organization.time_zone
    }

    pub fn actor(&self) -> Actor {
        Actor {
            kind: ActorKind::OrgUser,
            user: Some(self.identity.account.id),
            operator: None,
            origin: self.origin.clone(),
        }
    }
}

/// A person who may search, price, buy and read what is theirs: every operation that takes a caller is open to them.
#[derive(Clone, Debug)]
pub struct Caller {
    person: Person,
    scope: Scope,
    payer: Owner,
}

impl Caller {
    /// The proof, with what their reads may see and which wallet pays: an admin has the whole agency, an agent their own. A role
    /// that may do less is refused here, and gets a proof of its own.
    ///
    /// # Errors
    /// [`Error::AccessDenied`].
    pub fn of(person: Person) -> Result<Self> {
        let (organization, user) = (person.organization(), person.user());
        let (scope, payer) = match person.identity.account.role {
            Role::OrgAdmin => (Scope::Organization(organization), Owner::Organization(organization)),
            Role::Agent => (Scope::User(organization, user), Owner::User(organization, user)),
        };
        Ok(Self { person, scope, payer })
    }

    pub fn scope(&self) -> Scope {
        self.scope
    }

    pub fn payer(&self) -> Owner {
        self.payer
    }

    /// Whether their agency may buy from the supplier of this code.
    pub fn may_buy_from(&self, supplier: &str) -> bool {
        let allowed = self.identity.organization.suppliers.as_ref();
        allowed.is_none_or(|codes| codes.iter().any(|code| code == supplier))
    }
}

/// A caller is a person: what takes a person takes a caller, too.
impl Deref for Caller {
    type Target = Person;

    fn deref(&self) -> &Person {
        &self.person
    }
}

/// A caller who is an `org_admin`.
#[derive(Clone, Debug)]
pub struct Admin(Caller);

impl Admin {
    /// The proof, if the person is one.
    ///
    /// # Errors
    /// [`Error::AccessDenied`] for everybody else.
    pub fn of(person: Person) -> Result<Self> {
        match person.identity.account.role.is_admin() {
            true => Ok(Self(Caller::of(person)?)),
            false => Err(Error::AccessDenied),
        }
    }

    pub fn caller(&self) -> &Caller {
        &self.0
    }
}

/// An `org_admin` whose agency's subscription includes the portal: what the endpoints of the portal ask for
/// (P-120).
#[derive(Clone, Debug)]
pub struct PortalAdmin(Admin);

impl PortalAdmin {
    /// The proof, if the person is one: the tier counts before the role.
    ///
    /// # Errors
    /// [`Error::NoPortal`] for anybody of an `api_only` agency, [`Error::AccessDenied`] for everybody else.
    pub fn of(person: Person) -> Result<Self> {
        match person.identity.organization.tier {
            Tier::Full => Ok(Self(Admin::of(person)?)),
            Tier::ApiOnly => Err(Error::NoPortal),
        }
    }

    pub fn admin(&self) -> &Admin {
        &self.0
    }

    pub fn caller(&self) -> &Caller {
        self.0.caller()
    }
}
