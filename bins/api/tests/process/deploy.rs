//! The files under `deploy/` beside the program: what they name exists, and the program takes it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
};

use clap::{Args, Command};
use serde::Deserialize;
use serde_json::Value;
use wayfare_launch::{Common, ServerSettings};

use crate::place::Place;

type Variables = BTreeMap<String, String>;

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The documents of a file.
fn yaml(name: &str) -> Vec<Value> {
    let text = file(name);
    let documents = serde_yaml_ng::Deserializer::from_str(&text);
    let read = |document| Value::deserialize(document).unwrap_or_else(|error| panic!("{name}: {error}"));
    documents.map(read).collect()
}

fn kubernetes(name: &str, kind: &str) -> Value {
    let mut all = yaml(&format!("kubernetes/{name}.yaml")).into_iter();
    all.find(|document| document["kind"] == kind).unwrap()
}

/// A map of texts, as a list of `NAME=value` lines has it.
fn assignments<'a>(lines: impl Iterator<Item = &'a str>) -> Variables {
    let pairs = lines.map(|line| line.split_once('=').unwrap_or_else(|| panic!("{line}")));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// A unit with what is put beside it for a database and a Redis of one's own.
fn unit(name: &str) -> String {
    let beside: &[&str] = if name == "wayfare" { &["secrets.conf", "redis.conf"] } else { &["secrets.conf"] };
    let beside = beside.iter().map(|name| file(&format!("systemd/{name}")));
    file(&format!("systemd/{name}.service")) + &beside.collect::<String>()
}

fn of_unit(name: &str) -> Variables {
    assignments(unit(name).lines().filter_map(|line| line.strip_prefix("Environment=")))
}

/// The server's unit, with what its settings file says as the variables of the same settings.
fn of_systemd() -> Variables {
    let text = file("systemd/wayfare.toml");
    let settings =
        text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" = "));
    let named = settings
        .map(|(key, value)| (format!("WAYFARE_{}", key.to_uppercase()), value.trim_matches('"').to_owned()));
    of_unit("wayfare").into_iter().chain(named).collect()
}

fn of_image() -> Variables {
    let text = file("container/Containerfile");
    let line = text.lines().find_map(|line| line.strip_prefix("ENV ")).unwrap();
    assignments(line.split(' '))
}

fn of_compose() -> Variables {
    let compose = yaml("compose/compose.yaml").remove(0);
    serde_json::from_value(compose["services"]["wayfare"]["environment"].clone()).unwrap()
}

/// Those of the container of a pod.
fn of_pod(pod: &Value) -> Variables {
    let pairs = pod["containers"][0]["env"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    pairs.map(|pair| (text(&pair["name"]), text(&pair["value"]))).collect()
}

fn server_pod() -> Value {
    kubernetes("deployment", "Deployment")["spec"]["template"]["spec"].clone()
}

fn verifying_pod() -> Value {
    kubernetes("verify", "CronJob")["spec"]["jobTemplate"]["spec"]["template"]["spec"].clone()
}

/// Every variable that the programs read their settings from.
fn settings() -> BTreeSet<String> {
    let command = ServerSettings::augment_args(Common::augment_args(Command::new("wayfare")));
    let mut all = BTreeSet::new();
    for argument in command.get_arguments() {
        let Some(name) = argument.get_env().and_then(|name| name.to_str()) else { continue };
        all.insert(name.to_owned());
        if argument.is_hide_env_values_set() {
            all.insert(format!("{name}_FILE"));
        }
    }
    all
}

/// All that start a server, by the name of what does.
fn servers() -> [(&'static str, Variables); 4] {
    [
        ("image", of_image()),
        ("compose", of_compose()),
        ("systemd", of_systemd()),
        ("kubernetes", of_pod(&server_pod())),
    ]
}

#[test]
fn every_variable_that_is_named_is_a_setting() {
    let settings = settings();
    let others =
        [("systemd's proof", of_unit("wayfare-verify")), ("kubernetes' proof", of_pod(&verifying_pod()))];
    for (what, variables) in servers().into_iter().chain(others) {
        let unknown: Vec<&String> = variables.keys().filter(|name| !settings.contains(*name)).collect();
        assert!(unknown.is_empty(), "{what}: {unknown:?}");
        assert!(variables.len() > 3, "{what}: {variables:?}");
    }
}

/// A file for each secret, where the program is told that it is.
fn secrets(place: &Place, variables: &Variables) -> Variables {
    let mut given = variables.clone();
    for (name, value) in &mut given {
        let secret = match name.as_str() {
            "DATABASE_URL_FILE" => "postgres://wayfare_app:hush@127.0.0.1/wayfare\n",
            "MIGRATION_DATABASE_URL_FILE" => "postgres://wayfare:hush@127.0.0.1/wayfare\n",
            "REDIS_URL_FILE" => "redis://:hush@127.0.0.1\n",
            "WAYFARE_SIGNING_KEY_FILE" => {
                "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n"
            }
            "WAYFARE_LEDGER_KEY_FILE" => "abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789\n",
            "WAYFARE_PEOPLE_KEY_FILE" => {
                *value = place.people_keys().to_str().unwrap().to_owned();
                continue;
            }
            "WAYFARE_CONFIG" => {
                let map = kubernetes("config", "ConfigMap");
                let settings = map["data"]["wayfare.toml"].as_str().unwrap();
                *value = place.write("wayfare.toml", settings).to_str().unwrap().to_owned();
                continue;
            }
            _ => continue,
        };
        let path = place.write(name, secret);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        *value = path.to_str().unwrap().to_owned();
    }
    given
}

#[tokio::test]
async fn a_server_takes_all_that_it_is_given() {
    let place = Place::new().await;
    for (what, variables) in servers() {
        let mut given = secrets(&place, &variables);
        given.insert("AWS_REGION".to_owned(), "ap-south-1".to_owned());
        given.remove("WAYFARE_DATA_DIR");
        let pairs = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let (code, said) = place.checked(pairs).await;
        assert_eq!(code, Some(0), "{what}: {said}");
        assert!(said.contains("The settings can be used."), "{what}: {said}");
    }
}

/// The port of an address.
fn port(address: &str) -> u64 {
    address.rsplit_once(':').unwrap().1.parse().unwrap()
}

#[test]
fn ports_are_those_that_the_server_binds() {
    let mut expected = None;
    for (what, variables) in servers() {
        let bound = [&variables["WAYFARE_BIND"], &variables["WAYFARE_METRICS_BIND"]].map(|bind| port(bind));
        assert_eq!(*expected.get_or_insert(bound), bound, "{what}");
    }
    let [http, metrics] = expected.unwrap();
    let image = file("container/Containerfile");
    assert!(image.contains(&format!("\nEXPOSE {http} {metrics}\n")));
    let pod = server_pod();
    let ports = pod["containers"][0]["ports"].as_array().unwrap();
    let of_pod: BTreeMap<&str, u64> = ports
        .iter()
        .map(|port| (port["name"].as_str().unwrap(), port["containerPort"].as_u64().unwrap()))
        .collect();
    assert_eq!(of_pod, BTreeMap::from([("http", http), ("metrics", metrics)]));
    for service in yaml("kubernetes/service.yaml") {
        for port in service["spec"]["ports"].as_array().unwrap() {
            assert!(of_pod.contains_key(port["targetPort"].as_str().unwrap()), "{port}");
        }
    }
    let endpoint = kubernetes("monitor", "ServiceMonitor")["spec"]["endpoints"][0].clone();
    assert_eq!((&endpoint["port"], &endpoint["path"]), (&"metrics".into(), &"/metrics".into()));
    let compose = yaml("compose/compose.yaml").remove(0);
    let published = compose["services"]["wayfare"]["ports"][0].as_str().unwrap();
    assert_eq!(port(published), http);
    let scraped = yaml("compose/prometheus.yml").remove(0);
    let target = &scraped["scrape_configs"][0]["static_configs"][0]["targets"][0];
    assert_eq!(target, &Value::from(format!("wayfare:{metrics}")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_path_that_is_probed_is_answered() {
    let (_place, server) = Place::started().await;
    let pod = server_pod();
    let container = &pod["containers"][0];
    for probe in ["startupProbe", "livenessProbe", "readinessProbe"] {
        let asked = &container[probe]["httpGet"];
        assert_eq!(asked["port"], "http", "{probe}");
        let path = asked["path"].as_str().unwrap();
        let answer = reqwest::get(format!("{}{path}", server.url())).await.unwrap();
        assert_eq!(answer.status(), 200, "{probe}");
    }
    assert_eq!(container["readinessProbe"]["httpGet"]["path"], "/health/ready");
    // Whoever restarts a server because its database is away makes nothing better.
    assert_eq!(container["livenessProbe"]["httpGet"]["path"], "/health/live");
}

#[test]
fn a_server_has_time_to_stop() {
    let seconds = |variables: &Variables, name: &str| variables[name].parse::<u64>().unwrap();
    let compose = yaml("compose/compose.yaml").remove(0);
    let unit = file("systemd/wayfare.service");
    let of_unit = unit.lines().find_map(|line| line.strip_prefix("TimeoutStopSec="));
    let grace = [
        compose["services"]["wayfare"]["stop_grace_period"].as_str().unwrap().trim_end_matches('s'),
        of_unit.unwrap(),
        &server_pod()["terminationGracePeriodSeconds"].to_string(),
    ]
    .map(|grace| grace.parse::<u64>().unwrap());
    for (grace, (what, variables)) in grace.into_iter().zip(servers().into_iter().skip(1)) {
        let needed = seconds(&variables, "WAYFARE_DRAIN_S") + seconds(&variables, "WAYFARE_SHUTDOWN_S");
        assert!(seconds(&variables, "WAYFARE_DRAIN_S") > 0, "{what}");
        assert!(grace > needed, "{what}: {grace} s, and {needed} s are needed");
    }
}

#[test]
fn every_secret_that_is_read_is_mounted() {
    let names = |variables: &Variables, folder: &str| -> BTreeSet<String> {
        let files = variables.values().filter_map(|value| value.strip_prefix(folder));
        files.map(str::to_owned).collect()
    };
    let unit = unit("wayfare");
    let loaded = unit.lines().filter_map(|line| line.strip_prefix("LoadCredential="));
    let loaded: BTreeSet<String> = loaded.map(|line| line.split(':').next().unwrap().to_owned()).collect();
    assert_eq!(names(&of_unit("wayfare"), "%d/"), loaded);

    let compose = yaml("compose/compose.yaml").remove(0);
    let mounted: BTreeSet<String> =
        serde_json::from_value(compose["services"]["wayfare"]["secrets"].clone()).unwrap();
    assert_eq!(names(&of_compose(), "/run/secrets/"), mounted);
    let made = file("compose/make-secrets");
    for name in compose["secrets"].as_object().unwrap().keys() {
        assert!(made.contains(&format!(" {name}")), "{name} is not made");
    }

    let secret = kubernetes("secret.example", "Secret");
    let there: BTreeSet<String> = secret["stringData"].as_object().unwrap().keys().cloned().collect();
    for pod in [server_pod(), verifying_pod()] {
        let folder = "/run/secrets/wayfare/";
        let read = names(&of_pod(&pod), folder);
        assert!(read.len() > 3 && read.is_subset(&there), "{read:?}, {there:?}");
        let mounts = pod["containers"][0]["volumeMounts"].as_array().unwrap();
        let mount = mounts.iter().find(|mount| mount["name"] == "secrets").unwrap();
        assert_eq!(format!("{}/", mount["mountPath"].as_str().unwrap()), folder);
        let volumes = pod["volumes"].as_array().unwrap();
        let volume = volumes.iter().find(|volume| volume["name"] == "secrets").unwrap();
        // What others may read is refused.
        assert_eq!(volume["secret"]["defaultMode"], 0o440);
        assert_eq!(volume["secret"]["secretName"], secret["metadata"]["name"]);
    }
}

#[test]
fn a_server_may_do_no_more_than_it_needs() {
    for pod in [server_pod(), verifying_pod()] {
        let (all, own) = (&pod["securityContext"], &pod["containers"][0]["securityContext"]);
        assert_eq!((&all["runAsNonRoot"], &all["runAsUser"]), (&true.into(), &65_532.into()));
        assert_eq!(all["seccompProfile"]["type"], "RuntimeDefault");
        assert_eq!(own["readOnlyRootFilesystem"], true);
        assert_eq!(own["allowPrivilegeEscalation"], false);
        assert_eq!(own["capabilities"]["drop"][0], "ALL");
        assert_eq!(pod["automountServiceAccountToken"], false);
    }
    let compose = yaml("compose/compose.yaml").remove(0);
    let server = &compose["services"]["wayfare"];
    assert_eq!((&server["read_only"], &server["user"]), (&true.into(), &"65532:65532".into()));
    assert!(file("container/Containerfile").contains("\nUSER 65532:65532\n"));
    // What is selected is what the pods are labelled.
    let deployment = kubernetes("deployment", "Deployment");
    let label = &deployment["spec"]["template"]["metadata"]["labels"];
    assert_eq!(&deployment["spec"]["selector"]["matchLabels"], label);
    assert_eq!(&kubernetes("disruption", "PodDisruptionBudget")["spec"]["selector"]["matchLabels"], label);
    for service in yaml("kubernetes/service.yaml") {
        assert_eq!(&service["spec"]["selector"], label);
    }
    let monitor = kubernetes("monitor", "ServiceMonitor");
    let of_metrics = &yaml("kubernetes/service.yaml")[1]["metadata"]["labels"];
    assert_eq!(&monitor["spec"]["selector"]["matchLabels"], of_metrics);
}

#[tokio::test]
async fn the_version_has_its_commit() {
    let place = Place::new().await;
    let output = place.command().arg("--version").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let (version, commit, of) =
        (env!("CARGO_PKG_VERSION"), wayfare_launch::COMMIT, wayfare_launch::COMMIT_DATE);
    let (zones, places) = (wayfare_domain::Zone::built_in_version(), wayfare_reference::TABLES_DATE);
    let expected =
        format!("wayfare {version} ({commit}), committed {of}, time zones {zones}, places {places}");
    assert_eq!(said.trim(), expected);
    let is_day = |day: &str| chrono::NaiveDate::parse_from_str(day, "%Y-%m-%d").is_ok();
    assert!(is_day(places) && (of == "unknown" || is_day(of)), "{said}");
    // Older rules than those that are compiled in are refused before anything starts.
    let list = place.write("tzdata.zi", "# version 2025b\n");
    let mut check = place.command();
    check.env("WAYFARE_ZONEINFO", list.parent().unwrap()).arg("check-config");
    let refused = check.output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && said.contains("which is older than"), "{said}");
}
