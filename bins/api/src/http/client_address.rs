//! The client's address: the peer's, or what proxies that we trust say of it.

use std::net::{IpAddr, SocketAddr};

use actix_web::{HttpRequest, http::header::HeaderValue, web::Data};
use subtle::ConstantTimeEq;
use wayfare_console::PROOF;
use wayfare_domain::Network;

/// Each proxy appends the address that it was called from.
const FORWARDED: &str = "x-forwarded-for";

/// With what the console of this server proves its calls; none where there is no console.
pub struct ConsoleProof(pub Option<String>);

/// Where the request came from; none without a peer's address, which TCP always has. Read from the right, as far as
/// trusted proxies wrote it: what stands left of that, anybody can have written.
pub fn of(request: &HttpRequest, trusted: &[Network]) -> Option<IpAddr> {
    let peer = request.peer_addr()?.ip();
    let lines = request.headers().get_all(FORWARDED);
    let told: Vec<&str> = lines.flat_map(|line| line.to_str().unwrap_or_default().split(',')).collect();
    // What our own console tells is who called it: the last one stands for the peer.
    let by_console = told.split_last().filter(|_| is_by_console(request));
    if let Some((browser, before)) = by_console.and_then(|(last, before)| Some((parse(last)?, before))) {
        return Some(nearest_stranger(browser, before, trusted));
    }
    Some(nearest_stranger(peer, &told, trusted))
}

fn is_by_console(request: &HttpRequest) -> bool {
    let proof = request.app_data::<Data<ConsoleProof>>();
    let proof = proof.and_then(|proof| proof.0.as_deref());
    let shown = request.headers().get(PROOF);
    let shown = shown.map(HeaderValue::as_bytes);
    shown.zip(proof).is_some_and(|(shown, proof)| shown.ct_eq(proof.as_bytes()).into())
}

fn nearest_stranger(peer: IpAddr, told: &[&str], trusted: &[Network]) -> IpAddr {
    let mut address = peer.to_canonical();
    for told in told.iter().rev() {
        if !trusted.iter().any(|network| network.contains(address)) {
            break;
        }
        match parse(told) {
            Some(before) => address = before,
            None => break,
        }
    }
    address
}

/// An address; some proxies write the port too, and brackets round IPv6.
fn parse(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let plain = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = plain.parse().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    address.or_else(with_port).map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_trusted_proxies_wrote_is_believed() {
        let trusted = ["127.0.0.1", "10.0.0.0/8", "2001:db8::/64"].map(|text| text.parse().unwrap());
        for (peer, forwarded, expected) in [
            // Nobody in between, or nobody who is trusted.
            ("203.0.113.9", "", "203.0.113.9"),
            ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
            ("::ffff:203.0.113.9", "198.51.100.1", "203.0.113.9"),
            // One proxy, and the client wrote something itself.
            ("127.0.0.1", "198.51.100.1", "198.51.100.1"),
            ("127.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"),
            ("::ffff:127.0.0.1", "198.51.100.1", "198.51.100.1"),
            // A chain of them.
            ("127.0.0.1", "1.1.1.1, 198.51.100.1,10.1.1.1", "198.51.100.1"),
            ("2001:db8::1", "2001:db9::1, 10.1.1.1", "2001:db9::1"),
            ("127.0.0.1", "10.2.2.2, 10.1.1.1", "10.2.2.2"),
            // As some write it.
            ("127.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
            ("127.0.0.1", "[2001:db9::1]:4711", "2001:db9::1"),
            ("127.0.0.1", "[2001:db9::1]", "2001:db9::1"),
            ("127.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"),
            // What is no address ends what is believed.
            ("127.0.0.1", "198.51.100.1, unknown", "127.0.0.1"),
            ("127.0.0.1", "198.51.100.1, unknown, 10.1.1.1", "10.1.1.1"),
            ("127.0.0.1", "198.51.100.1,", "127.0.0.1"),
        ] {
            let told: Vec<&str> = match forwarded {
                "" => Vec::new(),
                _ => forwarded.split(',').collect(),
            };
            let found = nearest_stranger(peer.parse().unwrap(), &told, &trusted);
            assert_eq!(found.to_string(), expected, "{peer} with {forwarded:?}");
        }
        let alone = nearest_stranger("127.0.0.1".parse().unwrap(), &["198.51.100.1"], &[]);
        assert_eq!(alone.to_string(), "127.0.0.1");
    }
}
