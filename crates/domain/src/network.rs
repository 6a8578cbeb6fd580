//! Networks of addresses, as whitelists and lists of proxies name them.

use std::{fmt, net::IpAddr, str::FromStr};

use ipnet::{IpNet, Ipv4Net};

/// An address or a CIDR range, of IPv4 or IPv6. A v4-mapped IPv6 range is the IPv4 range it maps, so that one client
/// has one spelling however it was connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Network(IpNet);

impl Network {
    /// Whether the address lies in it.
    pub fn contains(self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

/// Why a text is no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an IP address or a CIDR range, like 203.0.113.7 or 2001:db8::/32")]
pub struct NotANetwork;

impl FromStr for Network {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let network = match text.parse::<IpAddr>() {
            Ok(address) => IpNet::from(address),
            Err(_) => text.parse::<IpNet>().map_err(|_| NotANetwork)?,
        };
        let mapped = match network {
            IpNet::V6(v6) => v6.addr().to_ipv4_mapped().zip(v6.prefix_len().checked_sub(96)),
            IpNet::V4(_) => None,
        };
        let plain = match mapped {
            Some((address, length)) => Ipv4Net::new(address, length).map_err(|_| NotANetwork)?.into(),
            None => network,
        };
        Ok(Self(plain.trunc()))
    }
}

/// A single address without its length.
impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.prefix_len() == self.0.max_prefix_len() { self.0.addr().fmt(f) } else { self.0.fmt(f) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_have_one_spelling() {
        for (text, expected) in [
            ("203.0.113.7", "203.0.113.7"),
            ("203.0.113.7/32", "203.0.113.7"),
            ("10.1.2.3/8", "10.0.0.0/8"),
            ("0.0.0.0/0", "0.0.0.0/0"),
            ("2001:DB8:0::1", "2001:db8::1"),
            ("2001:db8::1/32", "2001:db8::/32"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("::ffff:10.1.2.3/104", "10.0.0.0/8"),
        ] {
            assert_eq!(text.parse::<Network>().unwrap().to_string(), expected, "{text}");
        }
        for text in
            ["", "x", "10.0.0.0/33", "10.0.0/8", "::/129", "10.0.0.1/", " 10.0.0.1", "1.2.3.4:80", "::1%eth0"]
        {
            assert_eq!(text.parse::<Network>(), Err(NotANetwork), "{text}");
        }
    }

    #[test]
    fn an_address_is_in_its_network_however_it_came() {
        let holds = |network: &str, address: &str| {
            network.parse::<Network>().unwrap().contains(address.parse().unwrap())
        };
        for (network, inside, outside) in [
            ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"),
            ("10.0.0.0/8", "::ffff:10.1.1.1", "::10.1.1.1"),
            ("::ffff:10.0.0.0/104", "10.1.1.1", "11.1.1.1"),
            ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::1"),
            ("203.0.113.7", "203.0.113.7", "203.0.113.8"),
            // Every IPv6 address, and none of IPv4.
            ("::/0", "2001:db8::1", "10.0.0.1"),
        ] {
            assert!(holds(network, inside), "{inside} in {network}");
            assert!(!holds(network, outside), "{outside} in {network}");
        }
    }
}
