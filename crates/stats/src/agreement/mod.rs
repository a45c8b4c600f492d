//! How far two or more judges agree.

pub mod cohen;
pub mod concordance;
pub mod distance;
pub mod intraclass;
pub mod krippendorff;

pub use cohen::{Weights, cohen_kappa};
pub use concordance::{Concordance, kendall_w};
pub use distance::{bias, exact_match, mean_absolute_error};
pub use intraclass::{Form, Intraclass, intraclass};
pub use krippendorff::{Level, krippendorff_alpha};
