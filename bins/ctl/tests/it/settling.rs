//! Settling: what stands on an agency's markup account is paid once, by whoever comes first.

use std::{process::Stdio, time::Duration};

use crate::installation::{Installation, connect, execute, lines, succeeded};
use wayfare_launch::OpenDatabase;

/// Puts so much on the markup accounts of all agencies; below zero it is given back.
async fn earn(served: &OpenDatabase, amount: i32) {
    let (debited, credited) = match amount {
        0.. => ("supplier:duffel", "markup"),
        _ => ("markup", "supplier:duffel"),
    };
    let amount = amount.abs();
    execute(
        served,
        &format!(
            "with made as (
                 insert into transfers (org_id, id, key, reason, description, currency, at)
                 select id, gen_random_uuid(), gen_random_uuid()::text, 'booking', 'earned', currency, now()
                 from organizations returning org_id, id)
             insert into entries (org_id, transfer_id, leg, account, side, amount)
             select org_id, id, 0, '{debited}', 'debit', {amount} from made
             union all select org_id, id, 1, '{credited}', 'credit', {amount} from made"
        ),
    )
    .await;
}

#[tokio::test]
async fn markups_are_paid_into_the_organizations_wallet() {
    let (here, served, agency) = Installation::with_agency().await;
    let settle = |key: &str| here.json(&["agency", "settle", &agency, "--key", key]);
    assert_eq!(
        here.answer(&["agency", "settle", &agency]),
        format!(
            r#"{{"agent_id":"{agency}","settled":0.00,"transfer_id":null,"repeated":false,"balance":0.00,"currency":"INR"}}"#
        )
    );
    let shown = succeeded(&here.ctl(&["agency", "settle", &agency]).output().unwrap());
    assert!(shown.lines().any(|line| line == "settled   nothing stands on the markup account"), "{shown}");

    earn(&served, 300).await;
    earn(&served, 41).await;
    let first = settle("march");
    earn(&served, 9).await;
    let again = settle("march");
    let told = |answer: &serde_json::Value| {
        ["settled", "balance", "repeated"].map(|key| answer[key].to_string()).join(" ")
    };
    assert_eq!(told(&first), "341.00 341.00 false");
    assert_eq!(told(&again), "341.00 341.00 true");
    assert_eq!(first["transfer_id"], again["transfer_id"]);
    assert_eq!(told(&settle("april")), "9.00 350.00 false");
    // Markups that were settled and are given back are taken off what comes next.
    earn(&served, -100).await;
    assert_eq!(told(&settle("may")), "0.00 350.00 false");
    earn(&served, 130).await;
    assert_eq!(told(&settle("may")), "30.00 380.00 false");

    // A key is of one movement, whatever it moves.
    here.json(&["wallet", "topup", &agency, "30", "--key", "invoice"]);
    let other = "wayfarectl: another movement of money was made under this key\n";
    assert_eq!(here.refusal(&["agency", "settle", &agency, "--key", "invoice"]), other);
    assert_eq!(here.refusal(&["wallet", "topup", &agency, "30", "--key", "may"]), other);

    assert_eq!(
        lines(
            &served,
            "select concat_ws(' ', e.side, e.amount, e.reason, t.description) from entries e
             join transfers t on (t.org_id, t.id) = (e.org_id, e.transfer_id)
             where e.wallet_id is not null order by e.sequence",
        )
        .await,
        [
            "credit 341.00 topup markup settled",
            "credit 9.00 topup markup settled",
            "credit 30.00 topup markup settled",
            "credit 30.00 topup wallet topped up by the platform",
        ]
    );
    assert_eq!(
        lines(
            &served,
            "select concat_ws(' ', actor_type, entity_type, new_value->>'amount', new_value->>'balance')
             from events where action = 'markup.settled' order by id",
        )
        .await,
        ["operator wallet 341.00 341.00", "operator wallet 9.00 350.00", "operator wallet 30.00 380.00"]
    );
    assert_eq!(here.json(&["ledger", "verify"])["problems"], serde_json::json!([]));
}

#[tokio::test]
async fn of_many_at_once_one_pays() {
    const AT_ONCE: usize = 4;
    let (here, served, agency) = Installation::with_agency().await;
    earn(&served, 1000).await;
    // All come to the wallet's lock before one of them has it.
    let holder = connect(&served).await;
    let lock = "begin; select from wallets for update";
    holder.batch_execute(lock).await.unwrap();
    let settlements: Vec<_> = (0..AT_ONCE)
        .map(|_| {
            let mut command = here.ctl(&["agency", "settle", &agency, "--json"]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    let waiting = "select count(*)::text from pg_stat_activity where wait_event_type = 'Lock'";
    while lines(&served, waiting).await != [AT_ONCE.to_string()] {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    holder.batch_execute("commit").await.unwrap();
    let mut paid: Vec<String> = settlements
        .into_iter()
        .map(|settlement| succeeded(&settlement.wait_with_output().unwrap()))
        .map(|answer| serde_json::from_str::<serde_json::Value>(&answer).unwrap()["settled"].to_string())
        .collect();
    paid.sort();
    assert_eq!(paid, ["0.00", "0.00", "0.00", "1000.00"]);
    assert_eq!(here.json(&["agency", "show", &agency])["balance"].to_string(), "1000.00");
    assert_eq!(here.json(&["ledger", "verify"])["problems"], serde_json::json!([]));
}
