//! `/docs`: a page that explains the API and calls it. All of it comes from here, nothing from another host.

use std::io::{Cursor, Read};

use actix_web::{
    HttpResponse, ResponseError,
    http::{StatusCode, header},
    web::{self, Path, ServiceConfig},
};
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
use zip::{
    ZipArchive,
    result::{ZipError, ZipResult},
};

use crate::http::refusal::Refusal;

/// What the page may do: run its own scripts and speak to this server. Swagger UI sets styles from its scripts, and has
/// its pictures within them.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// How the page shows the document: it stands in the place of Swagger UI's own.
const SCRIPT: &str = include_str!("../../../swagger-ui/swagger-initializer.js");

/// Mounts it. Whoever opens the address of the server finds the console, where there is one, else this page.
pub fn mount(config: &mut ServiceConfig, has_console: bool) {
    let root = web::resource("/");
    config.service(match has_console {
        true => root.get(to_the_console),
        false => root.get(from_the_root),
    });
    config.service(web::resource("/docs").get(to_the_page));
    config.service(web::resource("/docs/{file:.*}").get(file));
}

/// The page's parts are found beside it.
async fn to_the_page() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "/docs/")).finish()
}

/// `/` leads to the page where no console is served.
async fn from_the_root() -> HttpResponse {
    HttpResponse::Found().insert_header((header::LOCATION, "/docs/")).finish()
}

/// `/` leads to the console: whoever opens the address of a server is a person.
async fn to_the_console() -> HttpResponse {
    HttpResponse::Found().insert_header((header::LOCATION, "/console")).finish()
}

async fn file(file: Path<String>) -> HttpResponse {
    if *file == "swagger-initializer.js" {
        return part(content_type(&file), SCRIPT.as_bytes().to_vec());
    }
    let name = if file.is_empty() { "index.html".to_owned() } else { file.into_inner() };
    let content_type = content_type(&name);
    match web::block(move || unpacked(&name)).await {
        Ok(Ok(bytes)) => part(content_type, bytes),
        Ok(Err(ZipError::FileNotFound)) => {
            Refusal::new(StatusCode::NOT_FOUND, "resource not found").error_response()
        }
        Ok(Err(error)) => {
            tracing::error!(%error, "the page of the documentation can't be made");
            Refusal::broken().error_response()
        }
        Err(_) => Refusal::broken().error_response(),
    }
}

/// A file of the page, out of the archive of Swagger UI. It stays packed until somebody asks for it, which is seldom:
/// unpacked it takes four times the room.
fn unpacked(file: &str) -> ZipResult<Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(SWAGGER_UI_VENDORED))?;
    // All lies in one folder, whose name has the version.
    let root = archive.root_dir(|_| true)?.ok_or(ZipError::FileNotFound)?;
    let path = format!("{}/dist/{file}", root.display());
    let mut bytes = Vec::new();
    archive.by_name(&path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn part(content_type: &str, bytes: Vec<u8>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(content_type)
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .body(bytes)
}

fn content_type(file: &str) -> &'static str {
    match file.rsplit_once('.') {
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "png")) => "image/png",
        _ => "application/octet-stream",
    }
}
