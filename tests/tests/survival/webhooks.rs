//! A process that is killed while it sends to a webhook: what it had taken is sent by the next one.

use serde_json::json;
use wayfare_tests::{Receiver, eventually};

use crate::fixture::Fixture;

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_process_was_about_to_send_or_had_sent_arrives() {
    let mut fixture = Fixture::new(&[]).await;
    let (admin, receiver) = (fixture.admin().await, Receiver::start().await);
    let made = admin.post("/org/webhooks", &json!({ "url": receiver.url })).await.succeeds(201);
    let test = format!("/org/webhooks/{}/test", made["id"].as_str().unwrap());
    let library = standardwebhooks::Webhook::new(made["secret"].as_str().unwrap()).unwrap();
    for (moment, sent_before) in [("webhook:taken", 0), ("webhook:answered", 1)] {
        let before = receiver.received().len();
        fixture.crash_target.arm(moment).await;
        admin.at(&fixture.crash_target.url).post(&test, &json!(null)).await.ok();
        fixture.crash_target.reached().await;
        fixture.crash_target.kill().await;
        let one_of_several = moment == "webhook:taken";
        // Nothing was sent, or it was and nobody knows.
        assert_eq!(receiver.received().len() - before, sent_before, "{moment}");
        match one_of_several {
            true => fixture.restart_beside_others().await,
            false => fixture.restart().await,
        }
        eventually(moment, async || {
            let is_sent = receiver.received().len() > before + sent_before;
            (is_sent && all_delivered(&fixture).await).then_some(())
        })
        .await;
        let sent = receiver.received().split_off(before);
        assert_eq!(sent.len(), sent_before + 1, "{moment}: {sent:?}");
        for sent in sent {
            let timestamp = sent.header("webhook-timestamp").parse().unwrap();
            let signed = library.sign(sent.header("webhook-id"), timestamp, sent.body.as_bytes());
            assert_eq!(signed.unwrap(), sent.header("webhook-signature"));
        }
    }
    fixture.end().await;
}

async fn all_delivered(fixture: &Fixture) -> bool {
    fixture.books.lines("select kind from webhook_deliveries where state <> 'delivered'").await.is_empty()
}
