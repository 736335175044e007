//! The game's line to the link: dialled for ever, hello first, one answer for each command.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use super::Game;

/// How often it looks for reports to send, and whether it is still to be there.
const GLANCE: Duration = Duration::from_millis(10);

pub async fn dial(address: String, game: Arc<Mutex<Game>>) {
    loop {
        if !game.lock().unwrap().hidden
            && let Ok(stream) = TcpStream::connect(&address).await
        {
            let _ended = converse(stream, &game).await;
        }
        tokio::time::sleep(GLANCE).await;
    }
}

async fn converse(stream: TcpStream, game: &Mutex<Game>) -> std::io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    let (hello, line) = game.lock().unwrap().hello();
    send(&mut write, &hello).await?;
    loop {
        let line_came = tokio::select! {
            came = lines.next_line() => came?.map(Some),
            () = tokio::time::sleep(GLANCE) => Some(None),
        };
        let Some(came) = line_came else { return Ok(()) };
        let answers = {
            let mut game = game.lock().unwrap();
            if game.line != line {
                return Ok(());
            }
            let command = came.and_then(|text| serde_json::from_str::<Value>(&text).ok());
            let mut answers: Vec<Value> = command.and_then(|command| game.take(&command)).into_iter().collect();
            answers.append(&mut game.reports);
            // A game that has just died answers nothing.
            if game.line == line { answers } else { return Ok(()) }
        };
        for answer in answers {
            send(&mut write, &answer).await?;
        }
    }
}

async fn send(write: &mut tokio::net::tcp::OwnedWriteHalf, frame: &Value) -> std::io::Result<()> {
    write.write_all(format!("{frame}\n").as_bytes()).await
}
