//! Corpora and retrievers: from a folder of texts to ranked passages.
//!
//! Read in this order: a folder becomes a [`corpus`], documents become passages
//! ([`chunk`], [`collection`]), text becomes terms ([`tokens`]) or vectors ([`dense`]),
//! [`lexical`] formulas weigh shared terms, a query leads to the document that it names
//! ([`routing`]), [`hybrid`] puts all of it together, and a [`retriever`] gives
//! one face to every method.
//!
//! ```
//! use assize_search::{Chunking, Collection, Corpus, Method, Retriever};
//!
//! let lease = "The tenant pays the rent. The owner repairs the roof.";
//! let collection = Collection::new(Corpus::of_text("lease.txt", lease), Chunking::Sentences);
//! let retriever = Retriever::new(collection, Method::Hybrid);
//! let answer = retriever.search("who repairs the house?", 1)?;
//! let best = answer.hits[0].passage;
//! assert_eq!(retriever.collection().text(best), "The owner repairs the roof.");
//! assert_eq!(retriever.collection().passages()[best].span, (26, 53));
//! # Ok::<(), assize_search::dense::EmbedError>(())
//! ```

pub mod benchmark;
pub mod chunk;
pub mod collection;
pub mod corpus;
pub mod dense;
pub mod disk;
pub mod hybrid;
pub mod lexical;
pub mod method;
pub mod predictions;
pub mod ranking;
pub mod retriever;
pub mod routing;
pub mod tokens;

pub use chunk::Chunking;
pub use collection::{Collection, Passage};
pub use corpus::{Corpus, Document};
pub use dense::StaticTable;
pub use method::Method;
pub use predictions::Prediction;
pub use ranking::Hit;
pub use retriever::{Answer, Options, Retriever};
pub use tokens::{Stem, StopWords};
