//! Exchange rates: which one counts, and that a file which is not as it should be changes nothing.

use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    path::PathBuf,
    thread,
};

use crate::installation::{Installation, succeeded};

/// A daily file of these rates.
fn daily(day: &str, rates: &[(&str, &str)]) -> String {
    let rate = |(currency, rate): &(&str, &str)| format!("<Cube currency='{currency}' rate='{rate}'/>\n");
    format!(
        "<gesmes:Envelope xmlns:gesmes='http://www.gesmes.org/xml/2002-08-01' \
         xmlns='http://www.ecb.int/vocabulary/2002-08-01/eurofxref'>\n<Cube><Cube time='{day}'>\n{}</Cube></Cube>\n\
         </gesmes:Envelope>",
        rates.iter().map(rate).collect::<String>()
    )
}

fn written(here: &Installation, text: &str) -> PathBuf {
    let path = here.data().join("daily.xml");
    fs::write(&path, text).unwrap();
    path
}

/// What is imported with these flags, or why it is refused.
fn import(here: &Installation, place: &str, flags: &[&str]) -> Result<String, String> {
    let mut arguments = vec!["fx", "import", place, "--json"];
    arguments.extend(flags);
    let output = here.ctl(&arguments).output().unwrap();
    match output.status.success() {
        true => Ok(succeeded(&output).trim().to_owned()),
        false => Err(String::from_utf8(output.stderr).unwrap().trim().to_owned()),
    }
}

fn counts(here: &Installation, from: &str, to: &str) -> String {
    let shown = here.json(&["fx", "show", from, to]);
    let [source, rate] = [&shown["source"], &shown["rate"]].map(ToString::to_string);
    format!("{} {rate}", source.trim_matches('"'))
}

/// Answers the next request with this, and hangs up.
fn serve_once(answer: impl Into<Vec<u8>>) -> String {
    let answer = answer.into();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/daily.xml", listener.local_addr().unwrap());
    thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let _ = connection.read(&mut request).unwrap();
        // Who has read enough hangs up before the end.
        let _ = connection.write_all(&answer);
    });
    address
}

fn http(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

#[tokio::test]
async fn the_operators_rate_comes_first_then_the_configurations_then_the_banks() {
    let (here, _served) = Installation::open().await;
    let no_rate = "wayfarectl: no exchange rate from GBP to INR\n";
    assert_eq!(here.refusal(&["fx", "show", "gbp", "inr"]), no_rate);
    let file = written(&here, &daily("2024-03-01", &[("GBP", "0.8"), ("INR", "90.7495")]));
    assert_eq!(
        import(&here, file.to_str().unwrap(), &[]),
        Ok(r#"{"day":"2024-03-01","before":null,"rates":2,"changes":[{"currency":"GBP","before":null,"after":0.8,"percent":null},{"currency":"INR","before":null,"after":90.7495,"percent":null}],"skipped":[],"written":true}"#.to_owned())
    );
    // 90.7495 / 0.8, and the other way round with 12 significant digits.
    assert_eq!(counts(&here, "GBP", "INR"), "ecb 113.436875");
    assert_eq!(counts(&here, "INR", "GBP"), "ecb 0.00881547556736");

    let settings = here.data().join("wayfare.toml");
    fs::write(&settings, "[exchange_rates]\n\"GBP/INR\" = \"114\"\n").unwrap();
    let configured = |arguments: &[&str]| {
        let mut command = here.ctl(arguments);
        succeeded(&command.env("WAYFARE_CONFIG", &settings).output().unwrap())
    };
    assert_eq!(
        configured(&["fx", "show", "GBP", "INR"]),
        "from    GBP\nto      INR\nrate    114\nsource  configuration\n"
    );
    assert!(configured(&["fx", "show", "INR", "GBP"]).contains("source  ecb"));
    assert!(
        configured(&["fx", "set", "gbp", "inr", "115.50"]).contains("rate    115.50\nsource  operator\nday")
    );
    assert!(
        configured(&["fx", "set", "GBP", "INR", "115.25"]).contains("rate    115.25\nsource  operator\nday")
    );
    assert_eq!(counts(&here, "INR", "GBP"), "ecb 0.00881547556736");

    insta::assert_snapshot!("rates", here.say(&["fx", "list"]));
    insta::assert_snapshot!("rates_json", here.say(&["fx", "list", "--json"]));

    let gone = here.answer(&["fx", "remove", "GBP", "INR"]);
    assert!(
        gone.starts_with(
            r#"{"from":"GBP","to":"INR","removed":115.25,"after":{"rate":113.436875,"source":"ecb""#
        ),
        "{gone}"
    );
    assert_eq!(
        here.refusal(&["fx", "remove", "GBP", "INR"]),
        "wayfarectl: no rate was set from GBP to INR\n"
    );
    assert_eq!(counts(&here, "GBP", "INR"), "ecb 113.436875");
    for (arguments, reason) in [
        (["GBP", "INR", "0"], "<RATE> must be greater than 0"),
        (["GBP", "INR", "-1"], "<RATE> must be greater than 0"),
        (["GBP", "INR", "10000000000"], "<RATE> must have at most 10 digits before the decimal point"),
        (["GBP", "GBP", "1"], "<TO> must be another currency"),
    ] {
        let mut all = vec!["fx", "set"];
        all.extend(arguments);
        assert_eq!(here.refusal(&all), format!("wayfarectl: {reason}\n"));
    }
    assert_eq!(here.refusal(&["fx", "show", "INR", "INR"]), "wayfarectl: <TO> must be another currency\n");
    here.misuse(&["fx", "set", "GBP", "INR", "NaN"]);
    here.misuse(&["fx", "set", "GBP", "XXQ", "1"]);
}

#[tokio::test]
async fn a_file_takes_the_place_of_the_one_before_and_an_older_one_does_not() {
    let (here, _served) = Installation::open().await;
    let bring = |day: &str, rates: &[(&str, &str)], flags: &[&str]| {
        let file = written(&here, &daily(day, rates));
        import(&here, file.to_str().unwrap(), flags)
    };
    here.json(&["fx", "set", "USD", "INR", "84"]);
    bring("2024-03-01", &[("USD", "1.25"), ("RUB", "100"), ("INR", "90")], &[]).unwrap();
    // A currency that the bank has dropped does not stay behind; one that nobody knows is left out.
    assert_eq!(
        bring("2024-03-04", &[("USD", "1.2"), ("QQQ", "2"), ("INR", "96")], &[]),
        Ok(r#"{"day":"2024-03-04","before":"2024-03-01","rates":2,"changes":[{"currency":"INR","before":90,"after":96,"percent":6.67},{"currency":"RUB","before":100,"after":null,"percent":null},{"currency":"USD","before":1.25,"after":1.2,"percent":-4.00}],"skipped":[{"line":4,"code":"QQQ"}],"written":true}"#
            .to_owned())
    );
    assert_eq!(here.refusal(&["fx", "show", "EUR", "RUB"]), "wayfarectl: no exchange rate from EUR to RUB\n");
    assert_eq!(counts(&here, "INR", "USD"), "ecb 0.0125");
    // The same day again is taken, and for people the lines of what was left out are told.
    let file = written(&here, &daily("2024-03-04", &[("USD", "1.5"), ("QQQ", "2"), ("INR", "96")]));
    let said = succeeded(&here.ctl(&["fx", "import", file.to_str().unwrap()]).output().unwrap());
    assert_eq!(
        said,
        "day      2024-03-04\nbefore   2024-03-04\nrates    2\n\
         skipped  line 4: QQQ is no currency that is known here\n"
    );
    let older = [("USD", "2"), ("INR", "50")];
    assert_eq!(
        bring("2024-03-01", &older, &[]).unwrap_err(),
        "wayfarectl: <FILE|URL> is of 2024-03-01, and rates of 2024-03-04 are there: it is taken by force only"
    );
    assert_eq!(counts(&here, "INR", "USD"), "ecb 0.015625");
    bring("2024-03-01", &older, &["--force"]).unwrap();
    assert_eq!(counts(&here, "INR", "USD"), "ecb 0.04");
    let refused = bring("2999-01-01", &older, &["--force"]).unwrap_err();
    assert_eq!(refused, "wayfarectl: <FILE|URL> is of 2999-01-01, a day that has not come");
    // What the operator set is the operator's to change.
    assert_eq!(counts(&here, "USD", "INR"), "operator 84");
}

#[tokio::test]
async fn a_hostile_file_changes_nothing_and_says_where_it_is_wrong() {
    let (here, _served) = Installation::open().await;
    let good = daily("2024-03-01", &[("USD", "1.25"), ("INR", "90")]);
    let file = written(&here, &good);
    let path = file.to_str().unwrap();
    import(&here, path, &[]).unwrap();
    let before = here.answer(&["fx", "list"]);
    let with = |rates: &[(&str, &str)]| daily("2024-03-02", rates);
    for (text, reason) in [
        (with(&[("USD", "1.3"), ("INR", "0")]), "<FILE|URL> line 4: `rate` must be greater than 0"),
        (with(&[("USD", "1.3"), ("INR", "-90")]), "<FILE|URL> line 4: `rate` must be greater than 0"),
        (with(&[("USD", "NaN")]), "<FILE|URL> line 3: `rate` must be a decimal number, like 90.7495"),
        (with(&[("USD", "1.3"), ("USD", "1.4")]), "<FILE|URL> line 4: USD is there twice"),
        (with(&[]), "<FILE|URL> line 2: it has no rates"),
        (
            "<!DOCTYPE a [<!ENTITY b 'lol'><!ENTITY c '&b;&b;&b;'>]>\n<a>&c;</a>".to_owned(),
            "<FILE|URL> line 1: a document type does not belong here",
        ),
        (
            "<html></html>".to_owned(),
            "<FILE|URL> line 1: this is no file of the European Central Bank's rates",
        ),
    ] {
        written(&here, &text);
        assert_eq!(import(&here, path, &[]), Err(format!("wayfarectl: {reason}")), "{text}");
    }
    let too_large = format!("wayfarectl: {path}: it is larger than 64 KiB, which no daily file is");
    // 100 MB that are a file with holes.
    fs::File::create(&file).unwrap().set_len(100_000_000).unwrap();
    assert_eq!(import(&here, path, &[]), Err(too_large));
    fs::write(&file, [0xff, 0xfe, 0x00]).unwrap();
    assert!(import(&here, path, &[]).unwrap_err().contains("invalid utf-8 sequence"));
    let nowhere = here.data().join("nowhere.xml");
    assert!(import(&here, nowhere.to_str().unwrap(), &[]).unwrap_err().contains("No such file"));
    assert!(import(&here, here.data().to_str().unwrap(), &[]).unwrap_err().contains("directory"));
    assert_eq!(here.answer(&["fx", "list"]), before);
}

#[tokio::test]
async fn a_file_is_fetched_as_far_as_it_may_reach() {
    let (here, _served) = Installation::open().await;
    let good = daily("2024-03-01", &[("USD", "1.25")]);
    let fetched = import(&here, &serve_once(http("200 OK", &good)), &[]);
    assert_eq!(fetched, Ok(r#"{"day":"2024-03-01","before":null,"rates":1,"changes":[{"currency":"USD","before":null,"after":1.25,"percent":null}],"skipped":[],"written":true}"#.to_owned()));
    let endless = format!("HTTP/1.1 200 OK\r\ncontent-length: 100000000\r\n\r\n{}", " ".repeat(1_000_000));
    for (answer, reason) in [
        (http("404 Not Found", &good), "the answer is 404 Not Found"),
        (http("302 Found\r\nlocation: /other.xml", ""), "the answer is 302 Found"),
        (endless, "it is larger than 64 KiB, which no daily file is"),
        ("no HTTP".to_owned(), "error sending request"),
    ] {
        let address = serve_once(answer);
        let refused = import(&here, &address, &[]).unwrap_err();
        assert!(refused.starts_with(&format!("wayfarectl: {address}: {reason}")), "{refused}");
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    assert!(import(&here, &nobody, &[]).unwrap_err().contains("error sending request"));
}
