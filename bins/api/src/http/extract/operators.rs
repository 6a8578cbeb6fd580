//! Operators as those who ask: with a token of their own, which no agency's user has, and with a role.

use std::sync::Arc;

use actix_web::{HttpRequest, web::Data};
use wayfare_operations::{
    Error, Platform,
    access::operators::{
        ConfirmedAdmin, ConfirmedDesk, ConfirmedFinance, Desk, Finance, OperatorAdmin, Viewer, sessions,
    },
};

use super::{Extracting, Proof, app_data, bearer, options, origin};
#[cfg(test)]
use crate::http::operation::{Described, Operation};
use crate::http::rate_limit::Limited;

impl Proof for Viewer {
    fn of(request: &HttpRequest) -> Extracting<Self> {
        let request = request.clone();
        Box::pin(async move {
            let platform: &Data<Arc<Platform>> = app_data(&request)?;
            let options = options(&request)?;
            let token = bearer(&request).ok_or(Error::Unauthenticated)?;
            let viewer = sessions::authenticate(&platform.core, token, origin(&request, options)).await?;
            options.limits.check(&request, Limited::Operator(viewer.id())).await?;
            Ok(viewer)
        })
    }
}

#[cfg(test)]
impl Described for Viewer {
    fn describe(operation: &mut Operation<'_>) {
        super::Anyone::describe(operation);
        operation.secured();
        operation.refuses(Error::Unauthenticated);
    }
}

macro_rules! with_role {
    ($($name:ident, $confirmed:ident = $role:ident;)*) => {$(
        impl Proof for $name {
            fn of(request: &HttpRequest) -> Extracting<Self> {
                let viewer = <Viewer as Proof>::of(request);
                Box::pin(async move { Ok($name::of(viewer.await?)?) })
            }
        }

        #[cfg(test)]
        impl Described for $name {
            fn describe(operation: &mut Operation<'_>) {
                Viewer::describe(operation);
                operation.refuses(Error::OperatorRole(wayfare_domain::OperatorRole::$role));
            }
        }

        impl Proof for $confirmed {
            fn of(request: &HttpRequest) -> Extracting<Self> {
                let request = request.clone();
                Box::pin(async move {
                    let who = <$name as Proof>::of(&request).await?;
                    let platform: &Data<Arc<Platform>> = app_data(&request)?;
                    Ok(who.confirmed(&platform.core)?)
                })
            }
        }

        #[cfg(test)]
        impl Described for $confirmed {
            fn describe(operation: &mut Operation<'_>) {
                $name::describe(operation);
                operation.refuses(Error::OwnPassword);
                operation.refuses(Error::NotConfirmed);
            }
        }
    )*};
}

with_role! {
    Desk, ConfirmedDesk = Desk;
    Finance, ConfirmedFinance = Finance;
    OperatorAdmin, ConfirmedAdmin = Admin;
}
