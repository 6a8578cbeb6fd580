//! Terms and contracts at the operator's screens: tried while one types, saved by finance, kept as they were typed when they
//! are refused.

use reqwest::Method;
use wayfare_domain::OperatorRole;
use wayfare_tests::World;

use super::desk::Desk;
use crate::console::browser::pairs;

const TERMS: [(&str, &str); 6] = [
    ("service_fee_type", "flat"),
    ("service_fee", "100"),
    ("gst_percent", "18"),
    ("platform_charge", "25"),
    ("min_commission", "0"),
    ("max_commission", "900"),
];

const EXAMPLE: [(&str, &str); 4] = [
    ("example_base", "10,000"),
    ("example_taxes", "900"),
    ("example_supplier", "duffel"),
    ("example_product", "flight"),
];

#[tokio::test(flavor = "multi_thread")]
async fn terms_are_tried_saved_and_kept_as_typed_when_they_are_refused() {
    let (world, agency, _) = World::start().await.and_admin("1000").await;
    let desk = Desk::of(&world);
    let finance = desk.signed("farah", OperatorRole::Finance).await;
    let agency = format!("/operator/agencies/{}", agency.code);
    let path = format!("{agency}/terms");
    finance.get(&agency).await.has(200, &format!("href=\"{path}\""));
    let page = finance.get(&path).await;
    page.has(200, "There is no contract")
        .has(200, "Save the terms")
        // The example is priced by what stands: no fees yet.
        .has(200, "₹10,900.00")
        .has(200, "Calculation");
    let form: Vec<_> = TERMS.into_iter().chain(EXAMPLE).collect();
    // While one types a part alone comes, and nothing is stored.
    let headers = [("sec-fetch-site", "same-origin"), ("hx-request", "true")];
    let preview = format!("{path}/preview");
    let part = finance.ask(Method::POST, &preview, &headers, &form).await;
    // 10,900 and a fee of 100 with 18 % GST, and a charge of 25.
    part.has(200, "₹11,043.00").has(200, "terms: GST, 18 % of S");
    assert!(!part.text.contains("<html"));
    // Without scripts the whole form comes, as it was typed.
    let whole = finance.post(&preview, &form).await;
    whole.has(200, "₹11,043.00").has(200, "value=\"10,000\"").has(200, "value=\"900\"");
    assert_eq!(world.line("select count(*) from terms").await, "0");

    let mut wrong = form.clone();
    wrong[1].1 = "1e";
    wrong[2].1 = "101<b>";
    finance
        .post(&path, &wrong)
        .await
        .has(422, "href=\"#service_fee\"")
        .has(422, "gst_percent-error")
        .has(422, "value=\"101&#60;b&#62;\"")
        .has(422, "There is no price yet");
    let mut wrong = form.clone();
    wrong[2].1 = "101";
    wrong[5].1 = "";
    finance.post(&path, &wrong).await.has(422, "max_commission-error").has(422, "value=\"101\"");
    wrong[5].1 = "0";
    finance.post(&path, &wrong).await.has(422, "id=\"gst_percent-error\">Must be between 0 and 100");
    assert_eq!(world.line("select count(*) from terms").await, "0");
    for _ in 0..2 {
        assert_eq!(finance.post(&path, &form).await.leads_to(), format!("{path}?done=terms"));
    }
    let page = finance.get(&format!("{path}?done=terms")).await;
    page.shows(200, &["The terms are saved", "value=\"18\"", "₹11,043.00"]);
    let by = "select string_agg(o.username, ' ') from events e join operators o on o.id = e.actor_id \
              where e.action = 'terms.updated'";
    assert_eq!(world.line(by).await, "farah");

    // Another role may try, and saves nothing.
    let viewer = desk.signed("vera", OperatorRole::Viewer).await;
    let seen = viewer.get(&path).await;
    seen.has(200, "You may try figures here");
    assert!(!seen.text.contains("Save the terms") && !seen.text.contains("Set the contract"));
    viewer.post(&preview, &form).await.has(200, "₹11,043.00");
    viewer.post(&path, &form).await.has(403, "Your role may not do this");
    let from_elsewhere = finance.ask(Method::POST, &path, &[("sec-fetch-site", "cross-site")], &form).await;
    from_elsewhere.has(403, "This form came from another site");
    finance.get("/operator/agencies/WFNOBODY/terms").await.has(404, "It does not exist");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contract_is_tried_set_changed_and_ended() {
    let (world, agency, _) = World::start().await.and_admin("1000").await;
    let desk = Desk::of(&world);
    let finance = desk.signed("farah", OperatorRole::Finance).await;
    let path = format!("/operator/agencies/{}/terms", agency.code);
    let contracts = format!("/operator/agencies/{}/contracts", agency.code);
    finance.get("/operator/contracts").await.has(200, "There is no contract");
    let form = |supplier: &'static str, value: &'static str| {
        let contract = [
            ("contract_supplier", supplier),
            ("contract_airline", "ba"),
            ("contract_cabin", "BUSINESS"),
            ("contract_kind", "percent"),
            ("contract_value", value),
            ("example_airline", "BA"),
            ("example_cabin", "BUSINESS"),
        ];
        TERMS.into_iter().chain(EXAMPLE).chain(contract).collect::<Vec<_>>()
    };
    let preview = format!("{path}/preview");
    // 3 % of 10,000.
    let shown = finance.post(&preview, &form("duffel", "3")).await;
    shown.shows(200, &["₹300.00", "contract with duffel, airline BA, cabin BUSINESS: 3 % of B"]);
    for (supplier, value, wrong) in [
        ("<b>", "3", "contract_supplier-error"),
        ("duffel", "101", "contract_value-error"),
        ("duffel", "", "contract_value-error"),
        ("", "3", "contract_supplier-error"),
    ] {
        let refused = finance.post(&contracts, &form(supplier, value)).await;
        refused.has(422, wrong).has(422, "value=\"ba\"");
        assert!(!refused.text.contains("value=\"<b>"));
    }
    assert_eq!(world.line("select count(*) from contracts").await, "0");
    for _ in 0..2 {
        let to = finance.post(&contracts, &form("duffel", "3")).await.leads_to();
        assert_eq!(to, format!("{path}?done=contract"));
    }
    finance.get(&path).await.has(200, "3 % of the base fare").has(200, "End<span");
    let all = finance.get("/operator/contracts").await;
    all.has(200, "3 % of the base fare").has(200, "business");
    // From there to the form that changes it.
    let page = finance.get(all.link(&path).split('#').next().unwrap()).await;
    page.has(200, "name=\"contract_value\" value=\"3\"");
    finance.post(&contracts, &form("duffel", "4.5")).await.leads_to();
    let of_agency = format!("/operator/contracts?agency={}", agency.code);
    finance.get(&of_agency).await.has(200, "4.5 % of the base fare");
    finance.get("/operator/contracts?agency=wf%3Cb%3E").await.has(200, "There is no agency WF&#60;B&#62;");
    let end = format!("{contracts}/end");
    let which = page.hidden(&end);
    let viewer = desk.signed("vera", OperatorRole::Viewer).await;
    for path in [&contracts, &end] {
        viewer.post(path, &form("duffel", "9")).await.has(403, "Your role may not do this");
    }
    viewer.get("/operator/contracts").await.has(200, "4.5 %");
    for _ in 0..2 {
        assert_eq!(finance.post(&end, &pairs(&which)).await.leads_to(), format!("{path}?done=ended"));
    }
    finance.get(&path).await.has(200, "There is no contract");
    let actions = "select string_agg(action, ' ' order by action) from events where action like 'contract.%'";
    assert_eq!(world.line(actions).await, "contract.removed contract.set contract.set");
}
