//! As much of HTTP/1.1 as a test needs: read one request, write one answer, or half of it.

use std::fmt::Write as _;
use std::io::{self, ErrorKind};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::time;

/// A request line, the headers that matter, and the body.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) authorization: Option<String>,
    pub(crate) body: Vec<u8>,
}

/// Reads one request; `None` when the other side has closed the line.
pub(crate) async fn read(
    reader: &mut BufReader<impl AsyncRead + Unpin>,
) -> io::Result<Option<Head>> {
    let mut line = String::new();
    if reader.read_line(&mut line).await? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next(), words.next());
    let (Some(method), Some(path)) = (method, path) else {
        return Err(ErrorKind::InvalidData.into());
    };
    let (mut length, mut authorization) = (0, None);
    loop {
        line.clear();
        reader.read_line(&mut line).await?;
        let Some((name, value)) = line.split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or(0),
            "authorization" | "x-api-key" | "x-goog-api-key" => {
                authorization = Some(value.trim().to_owned());
            }
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).await?;
    Ok(Some(Head { method, path, authorization, body }))
}

/// An answer, whole or cut.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) cut: bool,
    /// So many bytes follow whose number is not announced.
    pub(crate) flood: Option<usize>,
    /// How long it takes from the first half of the body to the second.
    pub(crate) trickle: Option<Duration>,
}

impl Answer {
    pub(crate) fn json(body: String) -> Self {
        let (content_type, headers) = ("application/json", Vec::new());
        let (cut, flood, trickle) = (false, None, None);
        let body = body.into_bytes();
        Self { status: 200, content_type, headers, body, cut, flood, trickle }
    }
}

/// Writes an answer; a cut one promises more than it holds.
pub(crate) async fn write(
    writer: &mut (impl AsyncWrite + Unpin),
    answer: &Answer,
) -> io::Result<()> {
    if let Some(bytes) = answer.flood {
        return flood(writer, bytes).await;
    }
    let mut text = format!(
        "HTTP/1.1 {} Scripted\r\ncontent-type: {}\r\ncontent-length: {}\r\n",
        answer.status,
        answer.content_type,
        answer.body.len()
    );
    for (name, value) in &answer.headers {
        let _ = write!(text, "{name}: {value}\r\n");
    }
    text.push_str("\r\n");
    let end = if answer.cut { answer.body.len() / 2 } else { answer.body.len() };
    let mut bytes = text.into_bytes();
    let body = &answer.body[..end];
    let (first, second) = body.split_at(if answer.trickle.is_some() { end / 2 } else { end });
    bytes.extend_from_slice(first);
    writer.write_all(&bytes).await?;
    writer.flush().await?;
    if let Some(wait) = answer.trickle {
        time::sleep(wait).await;
        writer.write_all(second).await?;
        writer.flush().await?;
    }
    Ok(())
}

/// A body of so many bytes in pieces, each with its length and the whole without.
async fn flood(writer: &mut (impl AsyncWrite + Unpin), bytes: usize) -> io::Result<()> {
    const PIECE: usize = 0x1_0000;
    let head = "HTTP/1.1 200 Scripted\r\ncontent-type: application/json\r\n\
        transfer-encoding: chunked\r\n\r\n";
    writer.write_all(head.as_bytes()).await?;
    let mut piece = format!("{PIECE:x}\r\n").into_bytes();
    piece.resize(piece.len() + PIECE, b'x');
    piece.extend_from_slice(b"\r\n");
    for _ in 0..bytes.div_ceil(PIECE) {
        writer.write_all(&piece).await?;
    }
    writer.write_all(b"0\r\n\r\n").await?;
    writer.flush().await
}
