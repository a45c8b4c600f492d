//! Reading documents, tables, criteria and truth keys from the files people have.
//!
//! Start with [`read`](read()), which turns the bytes of a file into a [`Document`]: its text, and
//! where its pages and paragraphs lie in it. Tables ([`table`]) are what criteria
//! ([`criteria`]) and truth keys ([`truth`]) are imported from.
//!
//! Nothing here touches a disk or a database, and nothing that a file says can make a
//! reader panic, run for ever or fill the memory: see [`Limits`].

pub mod criteria;
pub mod document;
pub mod error;
pub mod import;
pub mod limits;
pub mod media;
pub mod read;
pub mod table;
pub mod truth;

mod addressed;
mod archive;
mod blocks;
mod docx;
mod encoding;
mod html;
mod markdown;
#[cfg(feature = "pdf")]
mod pdf;
mod plain;
mod xml;

pub use document::{Document, Notice, Page, Paragraph, Place, place};
pub use error::DocumentError;
pub use import::Imported;
pub use limits::Limits;
pub use media::MediaType;
pub use read::read;
