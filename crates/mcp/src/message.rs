//! Input that refuses a message which is too long, before it fills the memory.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};

/// The longest message in bytes. Nobody can be told which call it was, so it ends the session.
pub(crate) const MESSAGE_BYTES_MAX: usize = 32 << 20;

/// Lines, none of them longer than the limit.
pub(crate) struct Messages<R> {
    inner: R,
    length: usize,
    length_max: usize,
    is_exceeded: Arc<AtomicBool>,
}

impl<R> Messages<R> {
    /// Watches a stream.
    pub(crate) fn new(inner: R, length_max: usize) -> Self {
        Self { inner, length: 0, length_max, is_exceeded: Arc::default() }
    }

    /// Whether a message was too long, for those who ask when all is over.
    pub(crate) fn exceeded(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_exceeded)
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Messages<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        let read = &buffer.filled()[before..];
        self.length = match read.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => read.len() - end - 1,
            None => self.length + read.len(),
        };
        if self.length > self.length_max {
            self.is_exceeded.store(true, Ordering::Relaxed);
            // Whoever reads an error reads nothing else.
            buffer.set_filled(before);
            let problem = "the message is too long";
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, problem)));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    async fn read(text: &str) -> (io::Result<usize>, bool) {
        let mut messages = Messages::new(text.as_bytes(), 5);
        let exceeded = messages.exceeded();
        let end = messages.read_to_end(&mut Vec::new()).await;
        (end, exceeded.load(Ordering::Relaxed))
    }

    #[tokio::test]
    async fn many_short_messages_pass_and_one_long_one_does_not() {
        let (end, exceeded) = read("abcd\nefgh\nijkl\n").await;
        assert_eq!((end.unwrap(), exceeded), (15, false));
        let (end, exceeded) = read("abcd\nefghijkl").await;
        assert!(end.is_err() && exceeded);
    }
}
