//! The oldest glibc that binaries and wheels run with.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::checks::root;
use crate::python::Environment;
use crate::say;

/// Debian 10, RHEL 8, Ubuntu 20.04 and whatever is newer.
pub(crate) const OLDEST: &str = "2.28";

/// A linker that knows the symbols of that glibc, whatever this machine has: zig's, from the Python
/// index, with cargo-zigbuild's translation of what rustc says to linkers.
pub(crate) fn linker(target: &str) -> Result<PathBuf> {
    let zig = Environment::made("zig", &["cargo-zigbuild==0.24.0", "ziglang==0.17.0"])?;
    let architecture = target.split('-').next().unwrap_or(target);
    let folder = root().join("target/tools");
    fs::create_dir_all(&folder).context("could not make target/tools")?;
    let path = folder.join(format!("zigcc-{architecture}"));
    let bin = zig.bin().display().to_string();
    let script = format!(
        "#!/bin/sh\nPATH=\"{bin}:$PATH\" exec \"{bin}/cargo-zigbuild\" zig cc -- \
         -target {architecture}-linux-gnu.{OLDEST} \"$@\"\n"
    );
    fs::write(&path, script).context("could not write a linker")?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(path)
}

/// Refuses a binary that asks for a newer glibc.
pub(super) fn check(binary: &Path) -> Result<()> {
    let bytes = fs::read(binary).context("could not read the binary")?;
    let Some(newest) = newest(&bytes) else { bail!("the binary names no version of glibc") };
    if newest > number(OLDEST) {
        bail!("the binary needs glibc {}.{}, wanted is {OLDEST}", newest.0, newest.1);
    }
    say(&format!("== dist: the binary needs glibc {}.{} (at most {OLDEST})", newest.0, newest.1));
    Ok(())
}

/// The newest version of glibc that is named among the symbols.
fn newest(bytes: &[u8]) -> Option<(u32, u32)> {
    let mark = b"GLIBC_";
    let starts = bytes.windows(mark.len()).enumerate().filter(|(_, part)| *part == mark);
    let versions = starts.filter_map(|(start, _)| {
        let after = &bytes[start + mark.len()..];
        let length =
            after.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
        str::from_utf8(&after[..length]).ok().filter(|text| !text.is_empty()).map(number)
    });
    versions.max()
}

fn number(text: &str) -> (u32, u32) {
    let mut parts = text.split('.').map(|part| part.parse().unwrap_or(0));
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_is_a_number_and_no_text() {
        assert_eq!(newest(b"\0GLIBC_2.4\0GLIBC_2.28\0GLIBC_2.2.5\0GLIBC_PRIVATE"), Some((2, 28)));
        assert_eq!(newest(b"nothing"), None);
        assert!((2, 34) > number(OLDEST));
    }
}
