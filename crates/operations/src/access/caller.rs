//! Who asks, as proofs that only authentication can make.

use wayfare_domain::{
    Account, Actor, ActorKind, Currency, Organization, OrganizationId, Origin, Role, Scope, SessionId, Tier,
    UserId, Zone,
};
use wayfare_store::{access::users::Identity, money::wallets::Owner};

use crate::{Error, Result};

/// An authenticated user of an active agency, who may search, price and buy: every operation that takes a caller is open
/// to them.
#[derive(Clone, Debug)]
pub struct Caller {
    account: Account,
    organization: Organization,
    session: SessionId,
    session_epoch: i32,
    has_own_password: bool,
    origin: Origin,
}

impl Caller {
    /// Only authentication makes callers. A role that may do less than an agent is refused here, and gets a proof of its
    /// own for the operations that are open to it.
    pub(crate) fn new(identity: Identity, session: SessionId, origin: Origin) -> Self {
        match identity.account.role {
            Role::OrgAdmin | Role::Agent => Self {
                account: identity.account,
                organization: identity.organization,
                session,
                session_epoch: identity.session_epoch,
                has_own_password: identity.has_own_password,
                origin,
            },
        }
    }

    pub fn account(&self) -> &Account {
        &self.account
    }

    pub fn user(&self) -> UserId {
        self.account.id
    }

    pub fn session(&self) -> SessionId {
        self.session
    }

    /// Their sessions of another epoch are over.
    pub(crate) fn session_epoch(&self) -> i32 {
        self.session_epoch
    }

    /// That nobody else knows their password: an operator who gave them one does.
    ///
    /// # Errors
    /// [`Error::OwnPassword`].
    pub fn check_own_password(&self) -> Result<()> {
        match self.has_own_password {
            true => Ok(()),
            false => Err(Error::OwnPassword),
        }
    }

    pub fn organization(&self) -> OrganizationId {
        self.organization.id
    }

    pub(crate) fn agency(&self) -> &Organization {
        &self.organization
    }

    /// Whether their agency may buy from the supplier of this code.
    pub fn may_buy_from(&self, supplier: &str) -> bool {
        let allowed = self.organization.suppliers.as_ref();
        allowed.is_none_or(|codes| codes.iter().any(|code| code == supplier))
    }

    pub fn currency(&self) -> Currency {
        self.organization.currency
    }

    /// Their agency's country, alpha-2.
    pub fn country(&self) -> &str {
        &self.organization.country
    }

    pub fn time_zone(&self) -> Zone {
        self.organization.time_zone
    }

    /// What their reads may see: an admin the whole agency, an agent their own.
    pub fn scope(&self) -> Scope {
        match self.account.role {
            Role::OrgAdmin => Scope::Organization(self.organization.id),
            Role::Agent => Scope::User(self.organization.id, self.account.id),
        }
    }

    pub fn payer(&self) -> Owner {
        match self.account.role {
            Role::OrgAdmin => Owner::Organization(self.organization.id),
            Role::Agent => Owner::User(self.organization.id, self.account.id),
        }
    }

    pub fn actor(&self) -> Actor {
        Actor {
            kind: ActorKind::OrgUser,
            user: Some(self.account.id),
            operator: None,
            origin: self.origin.clone(),
        }
    }
}

/// A caller who is an `org_admin`.
#[derive(Clone, Debug)]
pub struct Admin(Caller);

impl Admin {
    /// The proof, if the caller is one.
    ///
    /// # Errors
    /// [`Error::AccessDenied`] for an agent.
    pub fn of(caller: Caller) -> Result<Self> {
        match caller.account.role {
            Role::OrgAdmin => Ok(Self(caller)),
            Role::Agent => Err(Error::AccessDenied),
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
    /// The proof, if the caller is one: the tier counts before the role.
    ///
    /// # Errors
    /// [`Error::NoPortal`] for anybody of an `api_only` agency, [`Error::AccessDenied`] for an agent.
    pub fn of(caller: Caller) -> Result<Self> {
        match caller.organization.tier {
            Tier::Full => Ok(Self(Admin::of(caller)?)),
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
