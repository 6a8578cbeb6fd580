//! Lists of bookings.

use chrono::TimeDelta;
use reqwest::Method;

use super::harness::*;
use crate::harness::*;

#[tokio::test]
async fn bookings_are_listed_by_their_days_and_what_they_are() {
    let stage = Stage::open().await;
    let found = stage.rate(&query(), is_bookable).await;
    let mut references = Vec::new();
    for client_reference in ["HTL-A-1", "HTL-B-1", "HTL-C-1"] {
        let body = stage.book_rate(&found.rate, client_reference).await.fine();
        references.push(body["booking"]["reference"].clone());
    }
    stage.end_booking(&references[1], "CANCELLATION").await.fine();
    let under = async |query: &str| {
        let path = format!("{API}/bookings?{query}");
        let body = stage.hotelbeds_get(&path).await.fine();
        let all = list(&body["bookings"]["bookings"]).iter();
        all.map(|booking| booking["reference"].clone()).collect::<Vec<_>>()
    };
    let made = "filterType=CREATION&start=2027-01-10&end=2027-01-10";
    assert_eq!(under(made).await, references);
    assert_eq!(under(&format!("{made}&from=2&to=2")).await, references[1..2]);
    assert_eq!(under(&format!("{made}&from=4&to=25")).await, references[3..]);
    assert_eq!(under(&format!("{made}&status=CANCELLED")).await, references[1..2]);
    let confirmed = under(&format!("{made}&status=CONFIRMED")).await;
    assert_eq!(confirmed, [references[0].clone(), references[2].clone()]);
    assert_eq!(under(&format!("{made}&clientReference=htl-c-1")).await, references[2..]);
    let code = &found.hotel["code"];
    assert_eq!(under(&format!("{made}&hotel=1,{code}")).await.len(), 3);
    assert!(under(&format!("{made}&hotel=1")).await.is_empty());
    assert!(under("filterType=CREATION&start=2027-01-11&end=2027-01-12").await.is_empty());
    let staying = "filterType=CHECKIN&start=2027-02-20&end=2027-02-22";
    assert_eq!(under(staying).await.len(), 3);
    assert!(under("filterType=CHECKIN&start=2027-01-10&end=2027-01-10").await.is_empty());

    let path = format!("{API}/bookings?{made}");
    let request = stage.hotelbeds_request_as("hotelbeds_test_other", Method::GET, &path);
    let others = sent(request).await.unwrap().fine();
    assert!(list(&others["bookings"]["bookings"]).is_empty());
    #[rustfmt::skip]
    let cases = [
        ("start=2027-01-10&end=2027-01-10", "INVALID_REQUEST"),
        ("filterType=CREATION&start=2027-01-10", "INVALID_REQUEST"),
        ("filterType=CREATION&start=2027-01-10&end=2027-01-09", "INVALID_DATA"),
        ("filterType=CREATION&start=2027-01-10&end=2027-01-10&from=0", "INVALID_DATA"),
    ];
    for (wrong, code) in cases {
        let refused = stage.hotelbeds_get(&format!("{API}/bookings?{wrong}")).await;
        refused.denied(400, code);
    }
    stage.clock.advance(TimeDelta::days(1));
    assert_eq!(under(made).await.len(), 3);
}
