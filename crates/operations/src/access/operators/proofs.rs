//! Who does something as the operator, as proofs that only authentication can make.

use std::marker::PhantomData;

use chrono::{DateTime, Duration, Utc};
use wayfare_domain::{Actor, ActorKind, OperatorId, OperatorRole, Origin, SessionId};
use wayfare_store::operator::operators::{Operator, OperatorSession};

use crate::{Core, Error, Result};

/// Money is moved, and power given, only so long after the password was given (D-542, D-611).
const CONFIRMED_FOR: Duration = Duration::minutes(10);

/// An authenticated operator: each may read all.
#[derive(Clone, Debug)]
pub struct Viewer {
    operator: Operator,
    session: SessionId,
    confirmed_at: DateTime<Utc>,
    origin: Origin,
}

impl Viewer {
    pub(super) fn new(operator: Operator, session: &OperatorSession, origin: Origin) -> Self {
        Self {
            operator,
            session: SessionId::from_uuid(session.id),
            confirmed_at: session.confirmed_at,
            origin,
        }
    }

    pub fn operator(&self) -> &Operator {
        &self.operator
    }

    pub fn id(&self) -> OperatorId {
        self.operator.id
    }

    pub fn session(&self) -> SessionId {
        self.session
    }

    /// From where they asked, as a text.
    pub(super) fn address(&self) -> String {
        let address = self.origin.address;
        address.map(|address| address.to_string()).unwrap_or_default()
    }

    /// Who did it, for audit logs. They are agencies' to read: from where an operator works is not in them (D-541).
    fn actor(&self) -> Actor {
        Actor {
            kind: ActorKind::Operator,
            user: None,
            operator: Some(self.operator.id),
            origin: Origin { request_id: self.origin.request_id.clone(), ..Origin::default() },
        }
    }

    /// That they have a password of their own, and have given it lately.
    fn check_confirmed(&self, core: &Core) -> Result<()> {
        if !self.operator.has_own_password {
            return Err(Error::OwnPassword);
        }
        match core.clock.now() - self.confirmed_at <= CONFIRMED_FOR {
            true => Ok(()),
            false => Err(Error::NotConfirmed),
        }
    }

    fn with_role(self, needed: OperatorRole) -> Result<Self> {
        match self.operator.role.covers(needed) {
            true => Ok(self),
            false => Err(Error::OperatorRole(needed)),
        }
    }
}

/// What proves that an operator may do something.
pub trait OperatorProof: Sized {
    fn viewer(&self) -> &Viewer;

    /// That they do something.
    fn by(&self) -> By<Self> {
        By { actor: self.viewer().actor(), proof: PhantomData }
    }
}

impl OperatorProof for Viewer {
    fn viewer(&self) -> &Viewer {
        self
    }
}

macro_rules! roles {
    ($($(#[$doc:meta])* $name:ident, $confirmed:ident = $role:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name(Viewer);

        impl $name {
            /// The proof, if the operator may do so.
            ///
            /// # Errors
            /// [`Error::OperatorRole`].
            pub fn of(viewer: Viewer) -> Result<Self> {
                Ok(Self(viewer.with_role(OperatorRole::$role)?))
            }

            /// The proof of what wants the password given lately.
            ///
            /// # Errors
            /// [`Error::OwnPassword`]; [`Error::NotConfirmed`] when it was given too long ago.
            pub fn confirmed(self, core: &Core) -> Result<$confirmed> {
                self.0.check_confirmed(core)?;
                Ok($confirmed(self.0))
            }
        }

        impl OperatorProof for $name {
            fn viewer(&self) -> &Viewer {
                &self.0
            }
        }

        #[doc = concat!("[`", stringify!($name), "`] who has a password of their own, and has given it lately (D-542, D-611).")]
        #[derive(Clone, Debug)]
        pub struct $confirmed(Viewer);

        impl OperatorProof for $confirmed {
            fn viewer(&self) -> &Viewer {
                &self.0
            }
        }
    )*};
}

roles! {
    /// An operator who may decide incidents, and correct and rule on bookings.
    Desk, ConfirmedDesk = Desk;
    /// An operator who may move money, and set terms, contracts and rates.
    Finance, ConfirmedFinance = Finance;
    /// An operator who looks after operators and agencies.
    OperatorAdmin, ConfirmedAdmin = Admin;
}

/// Who does something: somebody who has a proof `P`, or the command line, where nobody is named.
pub struct By<P> {
    actor: Actor,
    proof: PhantomData<fn(P)>,
}

impl<P> By<P> {
    /// Whoever has the database's keys may do everything.
    pub fn command_line() -> Self {
        Self { actor: Actor::operator(), proof: PhantomData }
    }

    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// Which operator; none at the command line.
    pub fn operator(&self) -> Option<OperatorId> {
        self.actor.operator
    }
}
