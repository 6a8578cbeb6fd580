//! Which addresses may be called: public ones, and those that the operator allows. Whoever may have us call an address
//! must not reach through us what only we can reach.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};
use reqwest::Url;
use thiserror::Error;
use wayfare_domain::Network;

/// What is not reached over the public internet, or by nobody (IANA, IPv4 special-purpose address registry), and where
/// clouds answer their own machines.
const NOT_PUBLIC: [&str; 17] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "168.63.129.16/32",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    // Multicast, reserved and broadcast.
    "224.0.0.0/3",
];

/// All that is public in IPv6 is in here: neither loopback, link-local, unique local and multicast addresses are, nor
/// those that carry one of IPv4 (`::ffff:0:0/96`, `64:ff9b::/96`, `64:ff9b:1::/48`).
const GLOBAL_UNICAST: &str = "2000::/3";

/// What of it is not (IANA, IPv6 special-purpose address registry): protocol assignments with Teredo, examples, and 6to4,
/// which carries an address of IPv4.
const NOT_GLOBAL: [&str; 4] = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

/// Whether anybody can reach this address over the public internet.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => !NOT_PUBLIC.iter().any(|network| holds_v4(network, v4)),
        IpAddr::V6(v6) => {
            let holds = |network: &str| holds_v6(network, v6);
            holds(GLOBAL_UNICAST) && !NOT_GLOBAL.into_iter().any(holds)
        }
    }
}

fn holds_v4(network: &str, address: Ipv4Addr) -> bool {
    network.parse::<Ipv4Net>().is_ok_and(|network| network.contains(&address))
}

fn holds_v6(network: &str, address: Ipv6Addr) -> bool {
    network.parse::<Ipv6Net>().is_ok_and(|network| network.contains(&address))
}

/// Networks that the operator allows to be called though they are not public; also without TLS.
#[derive(Clone, Debug, Default)]
pub struct Networks(Vec<Network>);

impl Networks {
    /// Of addresses or ranges, v4 or v6.
    pub fn new(networks: Vec<Network>) -> Self {
        Self(networks)
    }

    /// Whether this address may be called, with TLS or without.
    pub fn allow(&self, address: IpAddr, with_tls: bool) -> bool {
        let listed = self.0.iter().any(|network| network.contains(address));
        listed || (with_tls && is_public(address))
    }
}

/// Why an address can't be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BadAddress {
    /// No address at all.
    #[error("must be a URL like https://example.com/webhooks")]
    NotAUrl,
    /// Without TLS to an address that the operator has not allowed.
    #[error("must begin with https://")]
    NotSecure,
    /// A name and password in it would be stored and shown.
    #[error("must not contain a user name or password")]
    UserInfo,
    /// An address of a private or reserved network: ours could be reached by it.
    #[error("must be a public address")]
    NotPublic,
}

/// The address of an agency's server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(Url);

impl Address {
    /// Reads an address that may be called, as far as it can be told without asking for its name. What the name comes to is
    /// looked at each time it is called.
    ///
    /// # Errors
    /// Why it may not.
    pub fn read(text: &str, networks: &Networks) -> Result<Self, BadAddress> {
        let mut url = Url::parse(text).map_err(|_| BadAddress::NotAUrl)?;
        let with_tls = match url.scheme() {
            "https" => true,
            "http" if networks.0.is_empty() => return Err(BadAddress::NotSecure),
            "http" => false,
            _ => return Err(BadAddress::NotSecure),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BadAddress::UserInfo);
        }
        // It is never sent.
        url.set_fragment(None);
        let address = Self(url);
        match address.literal() {
            Some(literal) if !networks.allow(literal, with_tls) => Err(match networks.allow(literal, true) {
                true => BadAddress::NotSecure,
                false => BadAddress::NotPublic,
            }),
            _ => Ok(address),
        }
    }

    /// The address that is named by its numbers, which nobody resolves.
    fn literal(&self) -> Option<IpAddr> {
        let host = self.0.host_str()?;
        host.trim_start_matches('[').trim_end_matches(']').parse().ok()
    }

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    pub(crate) fn with_tls(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// As it is called.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tables_are_networks() {
        for network in NOT_PUBLIC {
            network.parse::<Ipv4Net>().unwrap();
        }
        for network in NOT_GLOBAL.iter().chain([&GLOBAL_UNICAST]) {
            network.parse::<Ipv6Net>().unwrap();
        }
    }

    #[test]
    fn only_public_addresses_are_public() {
        for public in [
            "8.8.8.8",
            "1.1.1.1",
            "100.63.255.255",
            "100.128.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.167.1.1",
            "198.20.0.1",
            "168.63.129.17",
            "223.255.255.255",
            "2606:4700:4700::1111",
            "2a00:1450:4001::200e",
            "2003::1",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for hidden in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "127.0.0.1",
            "127.255.255.255",
            "168.63.129.16",
            "169.254.169.254",
            "169.254.170.2",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:8.8.8.8",
            "::ffff:127.0.0.1",
            "::8.8.8.8",
            "64:ff9b::808:808",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:808:808::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(hidden.parse().unwrap()), "{hidden}");
        }
    }

    proptest! {
        /// However an address of IPv4 is written into one of IPv6, it opens nothing.
        #[test]
        fn no_address_of_ipv4_hides_in_one_of_ipv6(v4: u32, rest: u64) {
            let v4 = Ipv4Addr::from(v4);
            let [a, b, c, d] = v4.octets().map(u16::from);
            let (high, low) = (a << 8 | b, c << 8 | d);
            let mapped = v4.to_ipv6_mapped();
            let compatible = v4.to_ipv6_compatible();
            let nat64 = Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low);
            let [e, f, g, h] = [48, 32, 16, 0].map(|shift| (rest >> shift & 0xffff) as u16);
            let own_nat64 = Ipv6Addr::new(0x64, 0xff9b, 1, e, f, g, high, low);
            let six_to_four = Ipv6Addr::new(0x2002, high, low, e, f, g, h, 1);
            let teredo = Ipv6Addr::new(0x2001, 0, e, f, g, h, high, low);
            for hidden in [mapped, compatible, nat64, own_nat64, six_to_four, teredo] {
                prop_assert!(!is_public(hidden.into()), "{hidden}");
            }
        }

        /// What std itself knows to be no public address is none here.
        #[test]
        fn what_std_knows_is_known_here(v4: u32, v6: u128) {
            let v4 = Ipv4Addr::from(v4);
            if v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_broadcast() || v4.is_documentation()
                || v4.is_multicast() || v4.is_unspecified()
            {
                prop_assert!(!is_public(v4.into()), "{v4}");
            }
            let v6 = Ipv6Addr::from(v6);
            if v6.is_loopback() || v6.is_multicast() || v6.is_unique_local() || v6.is_unicast_link_local() {
                prop_assert!(!is_public(v6.into()), "{v6}");
            }
        }
    }

    #[test]
    fn addresses_are_looked_at_when_they_are_given() {
        let (none, loopback) = (Networks::default(), Networks::new(vec!["127.0.0.0/8".parse().unwrap()]));
        for (text, networks, expected) in [
            ("https://example.com/hooks?agency=7", &none, None),
            ("https://example.com:8443/", &none, None),
            ("https://8.8.8.8/", &none, None),
            ("http://example.com/", &none, Some(BadAddress::NotSecure)),
            ("ftp://example.com/", &none, Some(BadAddress::NotSecure)),
            ("file:///etc/passwd", &none, Some(BadAddress::NotSecure)),
            ("example.com", &none, Some(BadAddress::NotAUrl)),
            ("https://", &none, Some(BadAddress::NotAUrl)),
            ("https://user@example.com/", &none, Some(BadAddress::UserInfo)),
            ("https://:pass@example.com/", &none, Some(BadAddress::UserInfo)),
            ("https://127.0.0.1/", &none, Some(BadAddress::NotPublic)),
            // Other spellings of the same.
            ("https://127.1/", &none, Some(BadAddress::NotPublic)),
            ("https://2130706433/", &none, Some(BadAddress::NotPublic)),
            ("https://0x7f.0.0.1/", &none, Some(BadAddress::NotPublic)),
            ("https://0177.0.0.1/", &none, Some(BadAddress::NotPublic)),
            ("https://[::1]/", &none, Some(BadAddress::NotPublic)),
            ("https://[::ffff:127.0.0.1]/", &none, Some(BadAddress::NotPublic)),
            ("https://[::ffff:8.8.8.8]/", &none, Some(BadAddress::NotPublic)),
            ("https://169.254.169.254/latest/meta-data/", &none, Some(BadAddress::NotPublic)),
            ("https://[fd00:ec2::254]/", &none, Some(BadAddress::NotPublic)),
            ("http://127.0.0.1:9000/", &loopback, None),
            ("https://127.0.0.1/", &loopback, None),
            ("http://localhost:9000/", &loopback, None),
            ("http://8.8.8.8/", &loopback, Some(BadAddress::NotSecure)),
            ("https://10.0.0.1/", &loopback, Some(BadAddress::NotPublic)),
        ] {
            assert_eq!(Address::read(text, networks).err(), expected, "{text}");
        }
    }

    #[test]
    fn a_fragment_is_not_kept() {
        let address = Address::read("https://example.com/a#b", &Networks::default()).unwrap();
        assert_eq!(address.as_str(), "https://example.com/a");
    }
}
