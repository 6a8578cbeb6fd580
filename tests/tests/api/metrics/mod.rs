//! What is printed for Prometheus, on a port of its own.

mod alerts;
mod requests;
mod suppliers;
mod waiting;

use std::collections::BTreeMap;

use wayfare_tests::World;

/// One scrape: each series as it is printed, labels and all, with its value.
struct Scrape(BTreeMap<String, f64>);

impl Scrape {
    async fn of(url: &str) -> Self {
        let answer = reqwest::get(url).await.unwrap();
        assert_eq!(answer.status(), 200);
        let kind = answer.headers()["content-type"].to_str().unwrap().to_owned();
        assert!(kind.starts_with("application/openmetrics-text"), "{kind}");
        let text = answer.text().await.unwrap();
        assert!(text.ends_with("# EOF\n"), "{text}");
        let series = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
            let (name, value) = line.rsplit_once(' ').unwrap();
            (name.to_owned(), value.parse().unwrap())
        });
        Self(series.collect())
    }

    /// The value of the only series of this name that has all these labels; 0 while there is none.
    fn value(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let labels: Vec<String> =
            labels.iter().map(|(label, value)| format!("{label}=\"{value}\"")).collect();
        let mut found = self.0.iter().filter(|(series, _)| {
            series.split('{').next() == Some(name) && labels.iter().all(|label| series.contains(label))
        });
        let value = found.next().map_or(0.0, |(_, value)| *value);
        assert!(found.next().is_none(), "{name} {labels:?} names several");
        value
    }

    /// How many requests of this route ended with this status.
    fn requests(&self, method: &str, route: &str, status: &str) -> f64 {
        self.value(
            "http_server_request_duration_seconds_count",
            &[("http_request_method", method), ("http_route", route), ("http_response_status_code", status)],
        )
    }
}

/// A world that prints its metrics, and where.
async fn world() -> (World, String) {
    of(World::start().await)
}

fn of(mut world: World) -> (World, String) {
    let url = world.serve_metrics();
    (world, url)
}
