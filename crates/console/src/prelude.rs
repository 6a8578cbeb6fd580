//! What the file of each page needs: who asks, what was typed, and how it is answered.

pub use actix_web::{
    HttpRequest,
    http::StatusCode,
    web::{self, Path, ServiceConfig},
};
pub use askama::Template;

pub(crate) use crate::{
    BASE,
    day::Moment,
    failure::{Failure, Result},
    filters,
    form::{Fields, Wrongs},
    money::money,
    page::{self, Answer, Pager, Shell, Status},
    see_other,
    session::Signed,
    side::Area,
    sums::Sums,
    vocabulary::name_of,
};
