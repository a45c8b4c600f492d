//! The council's z-scores, worked with `numpy` and `scipy`.

use assize_stats::{
    standardize::{by_candidate, candidate_means, without_own, z_scores},
    summary::{mean, median, trimmed_mean},
};

use crate::data::{DIRECT, check_all, counts, found, marks, near, rows, same};

#[test]
fn z_scores_agree_with_numpy() {
    check_all("z_normalisation.json", |case| {
        let given = marks(&case["scores"]);
        let own = case["reviewer_i_is_candidate_i"].as_bool().expect("a truth value");
        let given = if own { without_own(given) } else { given };
        let z = found("z", z_scores(&given))?;
        for (row, expected) in z.iter().zip(rows(&case["z"])) {
            for (value, expected) in row.iter().zip(rows(expected)) {
                match value {
                    Some(value) => near("z", *value, expected, DIRECT)?,
                    None => same("gap", &expected.is_null(), &true)?,
                }
            }
        }
        let means = found("means", candidate_means(&z))?;
        same("counted", &means.len(), &rows(&case["mean_z"]).len())?;
        let columns = found("columns", by_candidate(&given))?;
        for (candidate, given) in columns.iter().enumerate() {
            let of_z = means[candidate].ok_or("a candidate has no marks")?;
            near("mean z", of_z.mean, &case["mean_z"][candidate], DIRECT)?;
            near("error", of_z.standard_error, &case["std_error_pop"][candidate], DIRECT)?;
            same("count", &of_z.count, &counts(&case["counts"])[candidate])?;
            near("mean", found("mean", mean(given))?, &case["raw_mean"][candidate], DIRECT)?;
            let trimmed = found("trimmed mean", trimmed_mean(given, 0.2))?;
            near("trimmed mean", trimmed, &case["trimmed_mean_0_2"][candidate], DIRECT)?;
            near("median", found("median", median(given))?, &case["median"][candidate], DIRECT)?;
        }
        Ok(())
    });
}
