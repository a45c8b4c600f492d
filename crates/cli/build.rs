//! Leaves the names of functions out of the program. `strip = true` of the profile does not reach it: a
//! profile of the package's own, which the release has for the sake of build time, makes Cargo strip
//! debug information alone. The names were 17 MB of 84.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("PROFILE", "release") && is("CARGO_CFG_TARGET_OS", "linux") {
        println!("cargo::rustc-link-arg-bins=-Wl,--strip-all");
    }
}
