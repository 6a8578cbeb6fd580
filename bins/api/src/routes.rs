//! Every endpoint on one screen.

use actix_web::{
    HttpRequest, HttpResponse, ResponseError,
    http::StatusCode,
    web::{self, ServiceConfig, delete, get, post, put, resource as at, scope},
};

use crate::{
    handlers::{access, flights, health, organization, users, wallets},
    refusal::Refusal,
};

/// Mounts everything.
pub fn mount(config: &mut ServiceConfig) {
    config
        .service(at("/health/live").route(get().to(health::live)))
        .service(at("/health/ready").route(get().to(health::ready)))
        .service(
            scope("/api/v1")
                .service(at("/auth/login").route(post().to(access::log_in)))
                .service(at("/auth/refresh").route(post().to(access::refresh)))
                .service(at("/auth/logout").route(post().to(access::log_out)))
                .service(
                    at("/me")
                        .route(get().to(access::own))
                        .route(put().to(access::change_profile)),
                )
                .service(at("/me/password").route(put().to(access::change_password)))
                .service(at("/me/stats").route(get().to(access::stats)))
                .service(
                    at("/org/users")
                        .route(get().to(users::list))
                        .route(post().to(users::create)),
                )
                .service(
                    at("/org/users/{id}")
                        .route(get().to(users::get))
                        .route(put().to(users::change))
                        .route(delete().to(users::delete)),
                )
                .service(at("/org/users/{id}/suspend").route(put().to(users::suspend)))
                .service(at("/org/users/{id}/activate").route(put().to(users::activate)))
                .service(at("/wallet").route(get().to(wallets::own)))
                .service(at("/wallet/transactions").route(get().to(wallets::own_transactions)))
                .service(
                    at("/org/profile")
                        .route(get().to(organization::profile))
                        .route(put().to(organization::change_profile)),
                )
                .service(
                    at("/org/settings")
                        .route(get().to(organization::settings))
                        .route(put().to(organization::set_setting)),
                )
                .service(at("/org/audit-logs").route(get().to(organization::audit_logs)))
                .service(at("/org/wallet").route(get().to(wallets::of_organization)))
                .service(at("/flights/search").route(post().to(flights::search)))
                .service(at("/flights/price").route(post().to(flights::price)))
                .service(at("/flights/book").route(post().to(flights::book)))
                .service(at("/flights/bookings").route(get().to(flights::bookings)))
                .service(at("/flights/bookings/{ref}").route(get().to(flights::booking)))
                .service(at("/flights/bookings/{ref}/penalty").route(post().to(flights::penalty)))
                .service(at("/flights/bookings/{ref}/cancel").route(post().to(flights::cancel)))
                .service(at("/flights/bookings/{ref}/issue-ticket").route(post().to(flights::issue_ticket))),
        )
        .default_service(web::to(unknown_path));
}

async fn unknown_path(_: HttpRequest) -> HttpResponse {
    Refusal::new(StatusCode::NOT_FOUND, "resource not found").error_response()
}
