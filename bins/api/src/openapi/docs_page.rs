//! `/docs`: a page that explains the API and calls it. All of it comes from here, nothing from another host.

use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
};

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

/// Of the page's own script nothing comes from here: [`SCRIPT`] stands in its place.
static CONFIG: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| Arc::new(Config::new(["/openapi.json"])));

/// How the page shows the document.
const SCRIPT: &str = include_str!("../../swagger-ui/swagger-initializer.js");

/// Mounts it.
pub fn mount(config: &mut ServiceConfig) {
    config.service(web::resource("/").get(from_the_root));
    config.service(web::resource("/docs").get(to_the_page));
    config.service(web::resource("/docs/{file:.*}").get(file));
}

/// The page's parts are found beside it.
async fn to_the_page() -> HttpResponse {
    HttpResponse::PermanentRedirect()
        .insert_header((header::LOCATION, "/docs/"))
        .finish()
}

/// Whoever opens the address of the server finds the page (D-142).
async fn from_the_root() -> HttpResponse {
    HttpResponse::Found()
        .insert_header((header::LOCATION, "/docs/"))
        .finish()
}

async fn file(file: Path<String>) -> HttpResponse {
    if *file == "swagger-initializer.js" {
        return part("text/javascript; charset=utf-8", SCRIPT.as_bytes().into());
    }
    match utoipa_swagger_ui::serve(&file, CONFIG.clone()) {
        Ok(Some(file)) => part(&file.content_type, file.bytes),
        Ok(None) => Refusal::new(StatusCode::NOT_FOUND, "resource not found").error_response(),
        Err(error) => {
            tracing::error!(%error, "the page of the documentation can't be made");
            Refusal::broken().error_response()
        }
    }
}

fn part(content_type: &str, bytes: Cow<'static, [u8]>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(content_type)
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .body(bytes.into_owned())
}
