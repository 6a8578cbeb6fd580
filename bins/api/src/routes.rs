//! Every endpoint on one screen.

use actix_web::{
    HttpRequest, HttpResponse, ResponseError,
    http::StatusCode,
    web::{self, ServiceConfig, delete, get, post, put, resource, scope},
};

use crate::{
    handlers::{access, flights, health, users, wallets},
    refusal::Refusal,
};

/// Mounts everything.
pub fn mount(config: &mut ServiceConfig) {
    config
        .service(
            resource("/health/live")
                .route(get().to(health::live))
                .default_service(wrong_method()),
        )
        .service(
            resource("/health/ready")
                .route(get().to(health::ready))
                .default_service(wrong_method()),
        )
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

/// A resource that answers other methods in the envelope.
fn at(path: &str) -> actix_web::Resource {
    resource(path).default_service(wrong_method())
}

fn wrong_method() -> actix_web::Route {
    web::to(|| async { Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed").error_response() })
}

async fn unknown_path(_: HttpRequest) -> HttpResponse {
    Refusal::new(StatusCode::NOT_FOUND, "resource not found").error_response()
}
