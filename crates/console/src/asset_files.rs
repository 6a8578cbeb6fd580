//! Styles and scripts as they are asked for.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, ContentEncoding},
    web::Path,
};

use crate::{assets::ASSETS, failure::Failure, page::Answer};

/// `GET …/assets/{name}` of both consoles.
pub async fn get(request: HttpRequest, name: Path<String>) -> Answer {
    let all = &*ASSETS;
    let found = [&all.style, &all.script, &all.plot_style, &all.plot_script, &all.icon];
    let found = found.into_iter().find(|asset| asset.name == *name);
    let asset = found.ok_or(Failure::NoPage)?;
    let accepted = request.headers().get(header::ACCEPT_ENCODING);
    let takes_packed = accepted
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.split(',').any(|one| one.trim() == "gzip"));
    let mut response = HttpResponse::Ok();
    response
        .content_type(asset.content_type)
        .insert_header((header::CACHE_CONTROL, "public, max-age=31536000, immutable"))
        .insert_header((header::VARY, "Accept-Encoding"));
    Ok(match takes_packed && !asset.packed.is_empty() {
        true => response.insert_header(ContentEncoding::Gzip).body(asset.packed.clone()),
        false => response.insert_header(ContentEncoding::Identity).body(asset.plain.clone()),
    })
}
