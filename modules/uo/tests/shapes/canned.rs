//! A listener in place of a sidecar: one connection, one request, one answer of given bytes, then it hangs up.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// One request as it came.
#[derive(Debug, Clone)]
pub struct Request {
    pub line: String,
    pub head: String,
    /// `null` where there was none.
    pub body: Value,
}

pub struct Canned {
    pub url: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Canned {
    /// Answers the requests in turn; one more than there are answers is hung up on.
    pub async fn start(answers: Vec<Vec<u8>>) -> Self {
        let (listener, canned) = Self::bind().await;
        let requests = Arc::clone(&canned.requests);
        tokio::spawn(async move {
            let mut answers = answers.into_iter();
            while let Ok((mut stream, _)) = listener.accept().await {
                let request = read(&mut stream).await;
                requests.lock().unwrap().push(request);
                // The client may have hung up on an answer that is too long.
                let _ = stream.write_all(&answers.next().unwrap_or_default()).await;
            }
        });
        canned
    }

    /// Reads a request and never answers.
    pub async fn silent() -> Self {
        let (listener, canned) = Self::bind().await;
        tokio::spawn(async move {
            let mut open = Vec::new();
            while let Ok((stream, _)) = listener.accept().await {
                open.push(stream);
            }
        });
        canned
    }

    /// An address where nobody listens.
    pub async fn nobody() -> String {
        let (listener, canned) = Self::bind().await;
        drop(listener);
        canned.url
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    async fn bind() -> (TcpListener, Self) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        (listener, Self { url, requests: Arc::default() })
    }
}

async fn read(stream: &mut TcpStream) -> Request {
    let mut bytes = Vec::new();
    let head_end = loop {
        assert_ne!(stream.read_buf(&mut bytes).await.unwrap(), 0, "a whole head comes");
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
    };
    let head = String::from_utf8(bytes[..head_end].to_vec()).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |n| n.parse().unwrap());
    while bytes.len() < head_end + length {
        assert_ne!(stream.read_buf(&mut bytes).await.unwrap(), 0, "a whole body comes");
    }
    let body = serde_json::from_slice(&bytes[head_end..]).unwrap_or_default();
    Request { line: head.lines().next().unwrap().to_owned(), head, body }
}

/// A whole HTTP answer that ends the connection.
pub fn answer(status: u16, content_type: &str, body: &str) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status} Said\r\ncontent-type: {content_type}\r\nconnection: close\r\n");
    format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

pub fn json_answer(status: u16, body: &Value) -> Vec<u8> {
    answer(status, "application/json", &body.to_string())
}
