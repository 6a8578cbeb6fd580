//! Three calls to a supplier that nobody runs: each ends as `Unavailable`, and the third one is not even sent.
//!
//! ```sh
//! cargo run -p wayfare-supply --example unreachable_supplier
//! ```

use std::{error::Error, net::TcpListener, time::Duration};

use wayfare_domain::Clock;
use wayfare_supply::{Answer, Exchange, Method, Purpose, SupplierConfig, SupplierHttp};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // A port that was free just now: nobody listens there any more.
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let config = SupplierConfig::new("example", format!("http://{address}"), "a token").with(|config| {
        config.read_deadline = Duration::from_secs(5);
        config.limits.failures_to_open = 2;
    });
    let supplier = SupplierHttp::new(config, Clock::system())?;
    for call in 1..=3 {
        let request = supplier.request(Method::GET, "/orders/ord_1").bearer(&supplier.config().token);
        let answer = supplier.send(request, Purpose::LookUp).await;
        println!("call {call}: {}", ended(&answer));
    }
    Ok(())
}

fn ended(answer: &Answer<Exchange>) -> String {
    match answer {
        Answer::Done(exchange) => format!("{} with {} bytes", exchange.status, exchange.body.len()),
        Answer::Refused(refusal) => format!("refused: {}", refusal.text),
        Answer::Unavailable(outage) => format!("nothing happened there: {}", outage.reason),
        Answer::Unknown(reason) => format!("nobody knows: {reason}"),
    }
}
