//! The models themselves: folders in the layout that everybody uses, run here.
//!
//! Read in this order: what the folder says ([`config`], [`settings`], [`labels`]), its tokens
//! ([`tokens`]), its numbers ([`weights`]), and one pass through the layers ([`body`]), made of
//! products of matrices ([`linear`]), [`attention`] with the distances of tokens ([`places`]), and a
//! few functions of single numbers ([`functions`]); a classifier has a [`head`]. Texts go through
//! in [`batches`], and what is too long is [`cut`].
//!
//! Nothing is fetched and nothing is sent. The arithmetic is that of 32-bit floats, so the last
//! digits may differ between kinds of processors; on one machine the same text has the same
//! result, alone or among others, with any number of threads.

mod attention;
mod batches;
mod body;
mod config;
mod cut;
mod encoder;
mod entailment;
mod functions;
mod head;
mod kind;
mod labels;
mod linear;
mod places;
mod settings;
mod tokens;
mod weights;

pub use self::encoder::Encoder;
pub use self::entailment::{Decided, Entailment};
pub use self::kind::{Kind, kind_of};
