//! `/docs`: a page that explains the API and calls it. All of it comes from here, nothing from another host.

use std::sync::{Arc, LazyLock};

use actix_web::{
    HttpResponse, ResponseError,
    http::{StatusCode, header},
    web::{self, Path, ServiceConfig},
};
use utoipa_swagger_ui::Config;

use crate::http::refusal::Refusal;

/// What the page may do: run its own scripts and speak to this server. Swagger UI sets styles from its scripts, and has
/// its pictures within them.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static CONFIG: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| {
    let config = Config::new(["/openapi.json"]);
    Arc::new(config.display_request_duration(true).use_base_layout())
});

/// Mounts it.
pub fn mount(config: &mut ServiceConfig) {
    config.service(web::resource("/docs").get(to_the_page));
    config.service(web::resource("/docs/{file:.*}").get(file));
}

/// The page's parts are found beside it.
async fn to_the_page() -> HttpResponse {
    HttpResponse::PermanentRedirect()
        .insert_header((header::LOCATION, "/docs/"))
        .finish()
}

async fn file(file: Path<String>) -> HttpResponse {
    match utoipa_swagger_ui::serve(&file, CONFIG.clone()) {
        Ok(Some(file)) => HttpResponse::Ok()
            .content_type(file.content_type)
            .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
            .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
            .insert_header((header::REFERRER_POLICY, "no-referrer"))
            .body(file.bytes.into_owned()),
        Ok(None) => Refusal::new(StatusCode::NOT_FOUND, "resource not found").error_response(),
        Err(error) => {
            tracing::error!(%error, "the page of the documentation can't be made");
            Refusal::broken().error_response()
        }
    }
}
