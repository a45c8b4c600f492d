//! Who may come in: people with passwords, programs with tokens, and what each may do.
//!
//! Read in this order: how a password is checked and kept ([`password`]), how secrets are made
//! and hashed ([`secret`]), people and their roles ([`people`]), signing in ([`sessions`]) and the codes for
//! it ([`codes`]), people whom somebody else vouches for ([`vouched`]) and whom a provider of identities knows ([`identities`]),
//! tokens of programs ([`tokens`]), what somebody changes of their own ([`own`]), the record of
//! all that was changed ([`audit`]).

pub mod audit;
pub mod codes;
pub mod error;
pub mod identities;
pub mod own;
pub mod password;
pub mod people;
pub mod secret;
pub mod sessions;
pub mod tokens;
pub mod vouched;

pub use error::AccountError;
pub use identities::{Newcomers, Person, Welcome};
pub use sessions::{Browser, SignIn, SignedIn};
pub use tokens::{MadeToken, TokenRequest};
