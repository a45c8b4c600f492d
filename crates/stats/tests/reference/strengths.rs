//! `choix`: strengths from duels and from rankings.

use assize_stats::aggregation::{bradley_terry, bradley_terry_penalised, plackett_luce};

use crate::data::{ITERATED, all_near, check_all, counts, found, number, rows, same, table};

#[test]
fn bradley_terry_agrees_with_choix() {
    check_all("bradley_terry.json", |case| {
        let wins = table(&case["wins"]);
        let mut counted = vec![vec![0.0; wins.len()]; wins.len()];
        for pair in rows(&case["pairs"]) {
            let pair = counts(pair);
            counted[pair[0]][pair[1]] += 1.0;
        }
        same("wins", &wins, &counted)?;
        let strengths = found("ilsr", bradley_terry(&wins, number(&case["alpha"])))?;
        all_near("ilsr", &strengths, &case["ilsr_params"], ITERATED)?;
        if case["mm_params"].is_array() {
            all_near("mm", &strengths, &case["mm_params"], ITERATED)?;
        }
        let penalised = found("newton", bradley_terry_penalised(&wins, 0.1))?;
        all_near("newton", &penalised, &case["map_newton_l2_1e_1"], ITERATED)
    });
}

#[test]
fn plackett_luce_agrees_with_choix() {
    check_all("plackett_luce.json", |case| {
        let rankings: Vec<Vec<usize>> = rows(&case["rankings"]).iter().map(counts).collect();
        let items = rankings[0].len();
        let strengths = found("plackett-luce", plackett_luce(&rankings, items, 0.0))?;
        all_near("plackett-luce", &strengths, &case["ilsr_params"], ITERATED)
    });
}
