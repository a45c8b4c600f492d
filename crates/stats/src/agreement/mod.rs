//! How far two or more judges agree.

pub mod cohen;
pub mod concordance;
pub mod distance;
pub mod fleiss;
pub mod intraclass;
pub mod krippendorff;

pub use cohen::{Weights, cohen_kappa};
pub use concordance::{Concordance, kendall_w};
pub use distance::{bias, exact_match, mean_absolute_error, root_mean_squared_error};
pub use fleiss::{fleiss_kappa, randolph_kappa};
pub use intraclass::{Form, Intraclass, intraclass};
pub use krippendorff::{Level, krippendorff_alpha};
