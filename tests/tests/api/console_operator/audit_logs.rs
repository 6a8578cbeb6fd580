//! Who did what, at the operator's screens: an agency's audit log, the history of its terms, and what was done beside agencies.

use serde_json::json;
use wayfare_domain::OperatorRole;
use wayfare_tests::World;

use super::desk::Desk;

#[tokio::test(flavor = "multi_thread")]
async fn what_was_set_of_terms_and_contracts_stands_below_them_and_in_the_agencys_log() {
    let (world, agency, admin) = World::start().await.and_admin("1000").await;
    let desk = Desk::of(&world);
    let finance = desk.signed("farah", OperatorRole::Finance).await;
    let viewer = desk.signed("vera", OperatorRole::Viewer).await;
    let terms = format!("/operator/agencies/{}/terms", agency.code);
    let log = format!("/operator/agencies/{}/audit", agency.code);
    let shown = viewer.get(&terms).await;
    shown.shows(200, &["Nobody has changed its terms or contracts yet", &format!("href=\"{log}\"")]);
    let form = [
        ("service_fee_type", "flat"),
        ("service_fee", "77"),
        ("gst_percent", "18"),
        ("platform_charge", "0"),
        ("min_commission", "0"),
        ("max_commission", "0"),
    ];
    finance.post(&terms, &form).await.leads_to();
    let contract = [
        ("contract_supplier", "duffel"),
        ("contract_airline", "BA"),
        ("contract_kind", "percent"),
        ("contract_value", "3.5"),
    ];
    finance.post(&format!("/operator/agencies/{}/contracts", agency.code), &contract).await.leads_to();
    let page = viewer.get(&terms).await;
    page.has(200, "terms.updated")
        .has(200, "contract.set")
        .has(200, "farah &#60;of the desk&#62;, operator")
        .has(200, "<td>77.00</td>");
    let (changed, set) = (page.text.find("terms.updated").unwrap(), page.text.find("contract.set").unwrap());
    assert!(set < changed, "the newest stands first");

    // The whole log has what the agency's own people did, too.
    let setting = json!({ "key": "invoice_prefix", "value": "<b>SUN" });
    admin.put("/org/settings", &setting).await.ok();
    let all = viewer.get(&log).await;
    all.has(200, "setting.updated").has(200, "&#60;b&#62;SUN").has(200, "asha").has(200, "terms.updated");
    let narrowed = viewer.get(&format!("{log}?entity_type=contract")).await;
    narrowed.has(200, "contract.set");
    assert!(!narrowed.text.contains("terms.updated"));
    viewer.get(&format!("{log}?action=no.such")).await.has(200, "Nothing matches");
    viewer.get(&format!("{log}?from=31.1.")).await.has(422, "from-error").has(422, "value=\"31.1.\"");
    viewer.get(&format!("{log}?from=2027-02-01&to=2027-01-01")).await.has(422, "Must not be after to");
    viewer.get("/operator/agencies/WF000000/audit").await.has(404, "There is nothing here");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_done_beside_agencies_is_for_admins() {
    let world = World::start().await;
    let desk = Desk::of(&world);
    let admin = desk.signed("asha", OperatorRole::Admin).await;
    let dev = desk.signed("dev", OperatorRole::Desk).await;
    dev.post("/operator/suppliers/duffel/close", &[("reason", "wrong <b>names")]).await.leads_to();
    admin.get("/operator/people").await.has(200, "href=\"/operator/people/audit\"");
    let page = admin.get("/operator/people/audit").await;
    page.has(200, "supplier.closed")
        .has(200, "duffel")
        .has(200, "wrong &#60;b&#62;names")
        .has(200, "operator.added")
        .has(200, "Command line");
    let narrowed = admin.get("/operator/people/audit?action=supplier.closed").await;
    narrowed.has(200, "dev &#60;of the desk&#62;").has(200, "supplier.closed");
    assert!(!narrowed.text.contains("operator.added"));
    admin.get("/operator/people/audit?from=yesterday").await.has(422, "from-error");
    dev.get("/operator/people/audit").await.has(403, "Your role may not do this");
}
