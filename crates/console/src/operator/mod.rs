//! The operator's screens, on the listener of the operator's API.

mod agencies;
mod audit_logs;
mod booking;
mod bookings;
mod confirm;
mod contracts;
pub mod desk_forms;
mod edit_agency;
pub mod evidence;
pub mod incidents;
mod ledger;
mod me;
mod money;
mod new_agency;
pub mod overview;
pub mod people;
mod rates;
pub mod signed;
mod sparkline;
pub mod supplier_words;
mod suppliers;
pub mod terms;
mod travellers;

use actix_web::web::{self, ServiceConfig};

pub use self::{confirm::ask as ask_for_password, signed::client};

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("").get(overview::show))
        .service(web::resource("/").get(overview::show))
        .service(web::resource("/me").get(me::show))
        .service(web::resource("/me/password").post(me::change_password))
        .service(web::resource("/me/look").post(me::change_look))
        .service(web::resource("/me/sessions/{id}/end").post(me::end_session))
        .service(web::resource("/people").get(people::show).post(people::add))
        .service(web::resource("/people/audit").get(audit_logs::of_operators))
        .service(web::resource("/people/{id}").post(people::change))
        .service(web::resource("/contracts").get(contracts::list))
        .configure(rates::mount)
        .configure(terms::mount)
        .service(web::resource("/ledger").get(ledger::show))
        .service(web::resource("/ledger/verifications").post(ledger::begin))
        .service(web::resource("/ledger/{id}").get(ledger::proof))
        .configure(mount_desk)
        .configure(mount_suppliers)
        .configure(mount_agencies);
}

fn mount_suppliers(config: &mut ServiceConfig) {
    config
        .service(web::resource("/suppliers").get(suppliers::list))
        .service(web::resource("/suppliers/{code}").get(suppliers::show))
        .service(web::resource("/suppliers/{code}/{act}").post(suppliers::act));
}

fn mount_desk(config: &mut ServiceConfig) {
    config
        .service(web::resource("/incidents").get(incidents::queue))
        .service(web::resource("/incidents/{id}").get(incidents::show))
        .service(web::resource("/incidents/{id}/resolve").post(incidents::resolve))
        .service(web::resource("/incidents/{id}/{act}").post(incidents::claim))
        .service(web::resource("/bookings").get(bookings::find))
        .service(web::resource("/bookings/{ref}").get(booking::show))
        .service(web::resource("/bookings/{ref}/look").post(booking::look))
        .service(web::resource("/bookings/{ref}/people").post(travellers::read))
        .service(
            web::resource("/bookings/{ref}/correct").get(desk_forms::show_correct).post(desk_forms::correct),
        )
        .service(web::resource("/bookings/{ref}/ruling").get(desk_forms::show_ruling).post(desk_forms::rule))
        .service(web::resource("/bookings/{ref}/rulings/{id}/withdraw").post(booking::withdraw));
}

fn mount_agencies(config: &mut ServiceConfig) {
    config
        .service(web::resource("/agencies").get(agencies::list))
        .service(web::resource("/agencies/new").get(new_agency::show).post(new_agency::add))
        .service(web::resource("/agencies/{code}").get(agencies::show))
        .service(web::resource("/agencies/{code}/edit").get(edit_agency::show).post(edit_agency::save))
        .service(web::resource("/agencies/{code}/money").get(money::show).post(money::carry_out))
        .service(web::resource("/agencies/{code}/audit").get(audit_logs::of_agency))
        .service(web::resource("/agencies/{code}/statement").get(money::statement))
        .service(web::resource("/agencies/{code}/users").post(agencies::act_on_user))
        .service(
            web::resource("/agencies/{code}/users/new").get(new_agency::show_user).post(new_agency::add_user),
        )
        .service(web::resource("/agencies/{code}/{act}").post(agencies::act));
}
