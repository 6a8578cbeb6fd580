//! The line a request came in on, so that it can be cut in the middle of a call.

use std::any::Any;
use std::net::{Shutdown, TcpStream};
use std::os::fd::AsFd;

use actix_web::HttpRequest;
use actix_web::dev::Extensions;

struct Line(TcpStream);

/// Stores a handle of each new connection; give it to `HttpServer::on_connect`.
pub(crate) fn keep(connection: &dyn Any, data: &mut Extensions) {
    let socket = connection.downcast_ref::<actix_web::rt::net::TcpStream>();
    if let Some(Ok(handle)) = socket.map(|socket| socket.as_fd().try_clone_to_owned()) {
        data.insert(Line(TcpStream::from(handle)));
    }
}

/// Cuts the connection of a request at once and both ways: whatever is answered then, the caller never sees.
pub(crate) fn cut(request: &HttpRequest) {
    match request.conn_data::<Line>().map(|line| line.0.shutdown(Shutdown::Both)) {
        Some(Ok(())) => {}
        Some(Err(reason)) => tracing::debug!(%reason, "the connection was gone already"),
        None => tracing::error!("a connection without a handle cannot be cut"),
    }
}
