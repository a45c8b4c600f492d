//! Imports stand in three groups: the standard library, other crates, this crate.

/// Reports the first import at the top of a file that stands in the wrong group.
pub(crate) fn check(text: &str, breach: &mut impl FnMut(usize, String)) {
    let mut highest = 0;
    let mut group_of_block = None;
    for (index, line) in text.lines().enumerate() {
        if line.is_empty() {
            group_of_block = None;
            continue;
        }
        let Some(path) = line.strip_prefix("use ") else { continue };
        let group = group(path);
        let mixed = group_of_block.is_some_and(|block| block != group);
        if mixed || group < highest {
            let order = "imports stand in three groups: std, other crates, this crate";
            breach(index + 1, order.to_owned());
            return;
        }
        group_of_block = Some(group);
        highest = group;
    }
}

fn group(path: &str) -> u8 {
    let first = path.split("::").next().unwrap_or(path);
    match first {
        "std" | "core" | "alloc" => 0,
        "crate" | "super" | "self" => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaches(text: &str) -> usize {
        let mut count = 0;
        check(text, &mut |_, _| count += 1);
        count
    }

    #[test]
    fn three_groups_in_order_are_fine() {
        assert_eq!(breaches("use std::fmt;\n\nuse serde::Serialize;\n\nuse crate::cap;\n"), 0);
    }

    #[test]
    fn a_mixed_or_misplaced_group_is_named_once() {
        assert_eq!(breaches("use std::fmt;\nuse serde::Serialize;\nuse crate::cap;\n"), 1);
        assert_eq!(breaches("use crate::cap;\n\nuse std::fmt;\n"), 1);
    }
}
