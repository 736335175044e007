//! What nobody sends by accident. Each gets a clear no, and none breaks anything.

use std::time::Duration;

use leasehold::api::dialled::Doors;
use leasehold::api::{Api, Open, serve};
use leasehold::console;
use leasehold_aggregates::account::Role;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::bench::{Bench, events, quiet};

#[tokio::test]
async fn an_address_that_means_nothing_is_not_found() {
    let bench = Bench::new().await;
    let id = bench.create(&quiet("quiet")).await;
    let upper = id.to_uppercase();
    let braced = format!("%7B{id}%7D");
    let simple = id.replace('-', "");
    let encoded = format!("%{:02x}{}", id.as_bytes()[0], &id[1..]);
    for path in [
        "%00",
        "%ff",
        "%F0%9F%8F%AE",
        "..%2f..",
        "x",
        &upper,
        &braced,
        &simple,
        &format!("{id}%00"),
        &format!("{id}%20"),
        "urn:uuid:x",
        &"9".repeat(5_000),
    ] {
        bench.admin("GET", &format!("/{path}")).send().await.problem(404, "not_found");
        bench.admin("GET", &format!("/runs/{path}")).send().await.problem(404, "not_found");
        bench.admin("POST", &format!("/{path}/publish")).tag("\"1\"").send().await.problem(404, "not_found");
        bench.admin("POST", &format!("/runs/{id}/steps/{path}%2f/confirm")).send().await.problem(404, "not_found");
    }
    bench.admin("GET", &format!("/{encoded}")).send().await.is(200);
    for path in ["/api", "/api/v1", "/api/v1/", "/api/v2/me", "/api/v1/me/", "//api/v1/me", "/API/v1/me", "/api/v1/admin/events/"]
    {
        bench.call("GET", path).send().await.problem(404, "not_found");
    }
}

#[tokio::test]
async fn a_method_that_an_address_does_not_take_is_refused_with_those_it_takes() {
    let bench = Bench::new().await;
    for (method, path, allowed) in [
        ("PATCH", events(""), "GET,HEAD,POST"),
        ("DELETE", "/api/v1/me".to_owned(), "GET,HEAD"),
        ("BREW", events("/actions"), "GET,HEAD,PUT"),
        ("HEAD", events("/runs/none/cancel"), "POST"),
        ("OPTIONS", "/healthz".to_owned(), "GET,HEAD"),
    ] {
        let answer = bench.call(method, &path).by(bench.person(Role::Admin)).send().await;
        let mut told: Vec<&str> = answer.headers["allow"].to_str().unwrap().split(',').collect();
        told.sort_unstable();
        assert_eq!(told.join(","), allowed, "{method} {path}");
        assert_eq!(answer.status, 405);
        if method != "HEAD" {
            answer.problem(405, "method_not_allowed");
        }
    }
    let head = bench.admin("HEAD", "").send().await;
    assert_eq!((head.status.as_u16(), head.text.as_str()), (200, ""), "what can be read can be asked for its head");
}

/// Sends bytes as they are to a port and gives the first line of what comes back; the connection may also just end.
async fn line(address: std::net::SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The other side may have had enough before all is written.
    drop(stream.write_all(request).await);
    let mut answer = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await;
    drop(read.expect("an answer, or an end"));
    String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn bytes_that_are_no_request_are_turned_away_and_the_next_is_served() {
    let bench = Bench::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let api = Api::new(bench.engine.clone(), Open::Closed);
    let served = tokio::spawn(serve(api, console::router(bench.engine.clone()), Doors::default(), listener, stop.clone()));
    let end = "Host: x\r\nConnection: close\r\n\r\n";
    let cases: Vec<(Vec<u8>, &[&str])> = vec![
        (format!("GET /healthz HTTP/1.1\r\n{end}").into_bytes(), &["200"]),
        (format!("GET /healthz HTTP/1.1\r\nX-Long: {}\r\n{end}", "x".repeat(600_000)).into_bytes(), &["431"]),
        (format!("GET /healthz HTTP/1.1\r\n{}{end}", "X-Many: 1\r\n".repeat(5_000)).into_bytes(), &["431"]),
        (format!("GET /{} HTTP/1.1\r\n{end}", "x".repeat(100_000)).into_bytes(), &["404", "414"]),
        (format!("GET /healthz\0 HTTP/1.1\r\n{end}").into_bytes(), &["400"]),
        (format!("GET /healthz HTTP/1.1\r\nX-Nul: a\0b\r\n{end}").into_bytes(), &["400"]),
        (format!("GET /api/v1/me HTTP/1.1\r\nAuthorization: Bearer \u{e9}\r\n{end}").into_bytes(), &["401"]),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc".to_vec(), &["400"]),
        (b"\r\n\r\n\0\0\0\0 nonsense \r\n\r\n".to_vec(), &["400"]),
        (format!("POST /api/v1/admin/events HTTP/1.1\r\nContent-Length: -1\r\n{end}").into_bytes(), &["400"]),
        (
            format!("POST /api/v1/admin/events HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n{end}zz")
                .into_bytes(),
            &["400", "401"],
        ),
        (format!("GET /healthz HTTP/1.1\r\n{end}").into_bytes(), &["200"]),
    ];
    for (request, expected) in cases {
        let told = line(address, &request).await;
        let shown = String::from_utf8_lossy(&request[..request.len().min(60)]).into_owned();
        assert!(expected.iter().any(|status| told.contains(status)), "{shown}: {told:?}, expected {expected:?}");
    }
    stop.cancel();
    served.await.unwrap().unwrap();
}
