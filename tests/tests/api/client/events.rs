//! What happened, through the client: notifications, the feed, and what comes to a webhook.

use futures_util::TryStreamExt;
use secrecy::SecretString;
use wayfare_client::{
    Event,
    enums::DeliveryStatus,
    webhooks::{Rejected, WebhookDraft, verify},
};
use wayfare_tests::{Receiver, World, one_way};

#[tokio::test(flavor = "multi_thread")]
async fn notifications_are_read_once() {
    let (_world, agency, agent) = World::start().await.and_agent("1000000").await;
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let session = agency.session("arjun").await;
    let notifications = session.notifications();
    let unread = notifications.unread().await.unwrap();
    let told: Vec<_> = notifications.list().per_page(1).stream().try_collect().await.unwrap();
    assert_eq!(told.len() as i64, unread);
    assert_eq!((told[0].kind.as_str(), told[0].is_read), ("booking.confirmed", false));
    assert_eq!(told[0].data["booking_ref"], bought.reference.as_str());
    notifications.mark_read(told[0].id).await.unwrap();
    assert_eq!(notifications.unread().await.unwrap(), unread - 1);
    notifications.mark_all_read().await.unwrap();
    assert_eq!(notifications.unread().await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_brings_what_the_feed_tells_and_it_is_verified() {
    let (world, agency) = World::start().await.and_agency().await;
    let (_, receiver) = (agency.admin("0").await, Receiver::start().await);
    let session = agency.session("asha").await;
    world.deliver().await;
    let before = session.events().read(None, 500).await.unwrap().next;
    let webhooks = session.webhooks();
    let made = webhooks.create(&WebhookDraft::of(&receiver.url)).await.unwrap().answer;
    let id = made.webhook.id;
    assert_eq!(webhooks.list().await.unwrap(), std::slice::from_ref(&made.webhook));
    agency.agent("arjun", "0").await;
    webhooks.test(id).await.unwrap();
    world.deliver().await;
    let received = receiver.waits_for(2).await;
    let read = |secret: &SecretString| -> Result<Vec<Event>, Rejected> {
        let read = |one: &wayfare_tests::Received| verify(secret, one.headers.clone(), one.body.as_bytes());
        received.iter().map(read).collect()
    };
    let mut came = read(&made.secret).unwrap();
    assert!(matches!(read(&SecretString::from("A".repeat(44))), Err(Rejected::Signature(_))));
    came.sort_by_key(|event| event.id);
    let told: Vec<Event> = session.events().stream(Some(before)).try_collect().await.unwrap();
    assert_eq!((told[0].kind.as_str(), told[0].sequence), ("user.created", Some(before + 1)));
    for (came, told) in came.iter().zip(&told) {
        assert_eq!((came.id, &came.kind, &came.data), (told.id, &told.kind, &told.data));
    }
    assert_eq!(came.len(), told.len());

    let delivered = webhooks.deliveries(id, Some(DeliveryStatus::Delivered)).page(1).await.unwrap();
    assert_eq!(delivered.total, 2);
    webhooks.redeliver(id, delivered.items[0].id).await.unwrap();
    world.deliver().await;
    receiver.waits_for(3).await;
    assert!(webhooks.rotate_secret(id).await.unwrap().answer.previous_secret_until.is_some());
    let quiet = WebhookDraft::of(&receiver.url).is_active(false);
    assert!(!webhooks.replace(id, &quiet).await.unwrap().is_active);
    webhooks.delete(id).await.unwrap();
    assert_eq!(webhooks.list().await.unwrap(), []);
}
