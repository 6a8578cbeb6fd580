//! Names that lead elsewhere: what they come to is looked at when they are called, and nothing else is called.
#![allow(clippy::unwrap_used, reason = "a test may panic, and so may its helpers")]

use std::{
    net::{IpAddr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use wayfare_webhooks::{Answer, Lookup, Message, Networks, Secret, Sender};

/// Counts who comes and answers 200.
struct Server {
    address: SocketAddr,
    calls: Arc<AtomicUsize>,
}

impl Server {
    async fn at(address: &str) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let (address, calls) = (listener.local_addr().unwrap(), Arc::new(AtomicUsize::new(0)));
        let counted = calls.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                let mut heard = [0; 4096];
                let _ = stream.read(&mut heard).await;
                let answer = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        Self { address, calls }
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

/// A name that comes to these, one after the other, and then to the last for ever.
fn changing(addresses: &[&str]) -> Lookup {
    let addresses: Vec<IpAddr> = addresses.iter().map(|address| address.parse().unwrap()).collect();
    let asked = AtomicUsize::new(0);
    Arc::new(move |_| {
        let turn = asked.fetch_add(1, Ordering::SeqCst).min(addresses.len() - 1);
        let found = addresses.get(turn).map(|address| SocketAddr::new(*address, 0));
        Box::pin(async move { Ok(found.into_iter().collect()) })
    })
}

fn networks(networks: &[&str]) -> Networks {
    Networks::new(networks.iter().map(|network| network.parse().unwrap()).collect())
}

async fn send(sender: &Sender, url: &str) -> Result<Answer, String> {
    let message = Message {
        id: "id",
        at: "2026-03-01T00:00:00Z".parse().unwrap(),
        body: "{}",
        secrets: &[Secret::new([7; 32])],
    };
    sender.send(url, message).await.map_err(|error| error.to_string())
}

#[tokio::test]
async fn a_name_that_changes_its_mind_opens_nothing() {
    let server = Server::at("127.0.0.2:0").await;
    let port = server.address.port();
    // First it is where it may be, then where it may not: the port is the same.
    let allowed = Server::at(&format!("127.0.0.1:{port}")).await;
    let lookup = changing(&["127.0.0.1", "127.0.0.2"]);
    let sender = Sender::with_lookup(networks(&["127.0.0.1"]), lookup);
    let url = format!("http://hooks.example:{port}/");
    assert_eq!(send(&sender, &url).await.unwrap().status, 200);
    let refused = send(&sender, &url).await.unwrap_err();
    assert!(refused.contains("no public address"), "{refused}");
    assert_eq!((allowed.calls(), server.calls()), (1, 0));
}

#[tokio::test]
async fn a_name_of_our_own_network_is_not_called() {
    let server = Server::at("127.0.0.1:0").await;
    let port = server.address.port();
    for hidden in ["127.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "169.254.169.254", "10.0.0.1"] {
        let sender = Sender::with_lookup(Networks::default(), changing(&[hidden]));
        let refused = send(&sender, &format!("https://hooks.example:{port}/")).await.unwrap_err();
        assert!(refused.contains("no public address"), "{hidden}: {refused}");
    }
    // Of several the public ones are called, and without TLS only what the operator allows.
    let sender = Sender::with_lookup(networks(&["10.0.0.0/8"]), changing(&["127.0.0.1"]));
    assert!(send(&sender, &format!("http://hooks.example:{port}/")).await.is_err());
    let literal = Sender::new(Networks::default());
    for url in ["https://127.0.0.1", "https://[::1]", "http://127.0.0.1", "https://2130706433"] {
        assert!(send(&literal, &format!("{url}:{port}/")).await.is_err(), "{url}");
    }
    assert_eq!(server.calls(), 0);
}

#[tokio::test]
async fn an_answer_without_end_is_cut() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut heard = [0; 4096];
        let _ = stream.read(&mut heard).await;
        let _ = stream.write_all(b"HTTP/1.1 500 X\r\n\r\n").await;
        while stream.write_all(&[b'x'; 1024]).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    });
    let answer = send(&Sender::new(networks(&["127.0.0.1"])), &url).await.unwrap();
    assert_eq!((answer.status, answer.excerpt.len()), (500, 500));
}
