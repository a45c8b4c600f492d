//! Memory that was used once goes back to the system.

/// Has what is larger than this taken from the system, and given back when it is free. glibc
/// would raise its own limit with every large block that is freed, up to 32 MiB, and then keep
/// such blocks: once for each thread that ever had one.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the only way to say so; it changes a number of the allocator")]
pub(crate) fn give_back() {
    const LARGE: libc::c_int = 1 << 20;
    // SAFETY: sets a limit under the allocator's own lock; no block is touched.
    unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
}

/// Other allocators do so by themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back() {}
