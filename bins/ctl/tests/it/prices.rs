//! What the operator sets for an agency's prices: terms and contracts, each change told in the journal, and the currency
//! that their amounts are in.

use crate::installation::{Installation, execute, lines};

#[tokio::test]
async fn terms_are_set_one_by_one_and_what_is_left_out_stays() {
    let (here, served, agency) = Installation::with_agency().await;
    let show = || here.say(&["terms", "show", &agency, "--json"]);
    insta::assert_snapshot!("no_terms", show());
    let set = |flags: &[&str]| here.answer(&[&["terms", "set", &agency], flags].concat());
    set(&["--service-fee", "100", "--gst", "18", "--platform-charge", "25.5"]);
    let second = set(&["--service-fee-percent", "2.5", "--max-commission", "900"]);
    // The same again changes nothing, and is not told.
    assert_eq!(set(&["--max-commission", "900.00"]), second);
    assert_eq!(here.answer(&["terms", "show", &agency]), second);
    insta::assert_snapshot!("terms_json", show());
    insta::assert_snapshot!("terms", here.say(&["terms", "show", &agency]));
    let events = lines(
        &served,
        "select concat_ws(' ', actor_type, action, entity_type, old_value->>'max_commission',
             new_value->>'service_fee_type', new_value->>'service_fee', new_value->>'max_commission')
         from events where action like 'terms%' order by id",
    )
    .await;
    assert_eq!(
        events,
        [
            "operator terms.updated terms 0.00 flat 100.00 0.00",
            "operator terms.updated terms 0.00 percent 2.5 900.00",
        ]
    );
}

#[tokio::test]
async fn terms_that_cant_be_are_refused_by_field_and_change_nothing() {
    let (here, _served, agency) = Installation::with_agency().await;
    let refuse = |flags: &[&str]| here.refusal(&[&["terms", "set", &agency], flags].concat());
    assert_eq!(
        refuse(&["--service-fee", "-1", "--gst", "100.01", "--platform-charge", "0.005"]),
        "wayfarectl: --service-fee must be 0 or greater; --gst must be between 0 and 100; --platform-charge must have at most 2 decimals\n"
    );
    assert_eq!(
        refuse(&["--service-fee-percent", "-0.1"]),
        "wayfarectl: --service-fee-percent must be between 0 and 100\n"
    );
    assert_eq!(
        refuse(&["--min-commission", "100000000000000"]),
        "wayfarectl: --min-commission must have at most 14 digits before the decimal point\n"
    );
    here.json(&["terms", "set", &agency, "--min-commission", "50"]);
    assert_eq!(
        refuse(&["--max-commission", "49.99", "--gst", "5"]),
        "wayfarectl: --max-commission must be 0, for no bound, or at least the --min-commission of 50.00\n"
    );
    let shown = here.json(&["terms", "show", &agency]);
    assert_eq!(
        (shown["min_commission"].to_string(), shown["gst_percent"].to_string()),
        ("50.00".to_owned(), "0".to_owned())
    );
    for command in [
        &["terms", "show", "WFNOBODY"][..],
        &["terms", "set", "WFNOBODY", "--gst", "5"],
        &["contract", "set", "WFNOBODY", "duffel", "--percent", "5"],
        &["contract", "list", "WFNOBODY"],
        &["contract", "remove", "WFNOBODY", "duffel"],
        &["agency", "settle", "WFNOBODY"],
    ] {
        assert_eq!(here.refusal(command), "wayfarectl: there is no agency \"WFNOBODY\"\n");
    }
    here.misuse(&["terms", "set", &agency]);
    here.misuse(&["terms", "set", &agency, "--service-fee", "1", "--service-fee-percent", "1"]);
    here.misuse(&["contract", "set", &agency, "duffel"]);
    here.misuse(&["contract", "set", &agency, "duffel", "--percent", "1", "--flat", "1"]);
}

#[tokio::test]
async fn contracts_are_one_for_each_supplier_airline_and_cabin() {
    let (here, served) = Installation::open().await;
    let (agency, other) = (here.agency(), here.agency());
    let contract = |verb: &str, agency: &str, flags: &[&str]| {
        here.answer(&[&["contract", verb, agency], flags].concat())
    };
    contract("set", &agency, &["duffel", "--percent", "5"]);
    contract("set", &agency, &["duffel", "--percent", "7.5", "--airline", "ba"]);
    contract("set", &agency, &["duffel", "--flat", "120", "--airline", "BA", "--cabin", "business"]);
    contract("set", &other, &["duffel", "--flat", "0"]);
    // In the place of the one that covers the same, not of the others.
    assert_eq!(
        contract("set", &agency, &["duffel", "--flat", "99.90", "--airline", "BA"]),
        format!(
            r#"{{"agent_id":"{agency}","supplier":"duffel","airline":"BA","cabin":null,"kind":"flat","value":99.90}}"#
        )
    );
    insta::assert_snapshot!("contracts", here.say(&["contract", "list", &agency]));
    insta::assert_snapshot!("contracts_of_all", here.say(&["contract", "list"]));

    let refuse = |flags: &[&str]| here.refusal(&[&["contract", "set", &agency], flags].concat());
    assert_eq!(
        refuse(&["duffel", "--percent", "101", "--airline", "BAW", "--cabin", "COACH"]),
        "wayfarectl: --airline must be an airline's code of 2 letters, \
         like BA; --cabin must be one of ECONOMY, PREMIUM_ECONOMY, BUSINESS, FIRST; --percent must be between 0 and 100\n"
    );
    assert_eq!(refuse(&["duffel", "--flat", "1.001"]), "wayfarectl: --flat must have at most 2 decimals\n");

    let gone = contract("remove", &agency, &["duffel", "--airline", "ba"]);
    assert!(gone.contains(r#""airline":"BA","cabin":null,"kind":"flat","value":99.90"#), "{gone}");
    assert_eq!(
        here.refusal(&["contract", "remove", &agency, "duffel", "--airline", "BA"]),
        "wayfarectl: there is no contract of exactly this supplier, airline and cabin\n"
    );
    let left = here.json(&["contract", "list", &agency]);
    assert_eq!(left["contracts"].as_array().unwrap().len(), 2);
    let events = lines(
        &served,
        "select concat_ws(' ', e.action, e.entity_id, e.old_value->>'commission', '->', e.new_value->>'commission')
         from events e where entity_type = 'contract' order by id",
    )
    .await;
    assert_eq!(
        events,
        [
            "contract.set duffel -> 5",
            "contract.set duffel -> 7.5",
            "contract.set duffel -> 120.00",
            "contract.set duffel -> 0.00",
            "contract.set duffel 7.5 -> 99.90",
            "contract.removed duffel 99.90 ->",
        ]
    );
}

#[tokio::test]
async fn a_currency_stays_while_amounts_are_stated_in_it() {
    let (here, served, agency) = Installation::with_agency().await;
    let change = ["agency", "set", &agency, "--currency", "JPY"];
    let in_the_way = |places: &str| {
        let said = format!("wayfarectl: --currency can't change while amounts are stated in it: {places}\n");
        assert_eq!(here.refusal(&change), said);
    };
    here.json(&["terms", "set", &agency, "--platform-charge", "25.50", "--gst", "18"]);
    in_the_way("terms");
    here.json(&["contract", "set", &agency, "duffel", "--flat", "1"]);
    in_the_way("terms, flat contracts");
    execute(
        &served,
        "insert into packages select id, id, 'flight', 'Flat', '', 'flat', 10, 'fare', 0, true,
             (select u.id from users u where u.org_id = o.id), now(), now() from organizations o",
    )
    .await;
    in_the_way("terms, flat contracts, flat packages or price bands");
    here.json(&["terms", "set", &agency, "--platform-charge", "0"]);
    here.json(&["contract", "remove", &agency, "duffel"]);
    in_the_way("flat packages or price bands");
    execute(
        &served,
        "update packages set markup_type = 'percent';
         insert into price_ranges select org_id, id, id, 100, null, 'percent', 5, 0 from packages",
    )
    .await;
    in_the_way("flat packages or price bands");
    execute(&served, "delete from price_ranges").await;
    // Percentages are the same in every currency.
    here.json(&["contract", "set", &agency, "duffel", "--percent", "5"]);
    assert_eq!(here.json(&change)["currency"], "JPY");
    let terms = here.json(&["terms", "show", &agency]);
    assert_eq!(
        (terms["platform_charge"].to_string(), terms["gst_percent"].to_string()),
        ("0".to_owned(), "18".to_owned())
    );
}
