//! The plane: where the pen is after all that moves, turns and scales it.

/// `[a b c d e f]` as PDF writes it: x' = a x + c y + e, y' = b x + d y + f.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matrix(pub(super) [f64; 6]);

impl Matrix {
    pub(super) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub(super) fn moved(x: f64, y: f64) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// First this, then the other.
    pub(super) fn then(self, other: Self) -> Self {
        let (m, n) = (self.0, other.0);
        Self([
            m[0] * n[0] + m[1] * n[2],
            m[0] * n[1] + m[1] * n[3],
            m[2] * n[0] + m[3] * n[2],
            m[2] * n[1] + m[3] * n[3],
            m[4] * n[0] + m[5] * n[2] + n[4],
            m[4] * n[1] + m[5] * n[3] + n[5],
        ])
    }

    /// Where a point comes to lie.
    pub(super) fn place(self, x: f64, y: f64) -> (f64, f64) {
        let m = self.0;
        (m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5])
    }

    /// Whether what is upright stays so, or lies down.
    pub(super) fn is_upright(self) -> bool {
        let [a, b, c, d, ..] = self.0;
        let least = 1e-6 * (a.abs() + b.abs() + c.abs() + d.abs());
        (b.abs() <= least && c.abs() <= least) || (a.abs() <= least && d.abs() <= least)
    }

    /// How much higher a step across the direction of a text becomes.
    pub(super) fn height(self) -> f64 {
        let [a, b, c, d, ..] = self.0;
        let length = (a * a + b * b).sqrt();
        if length > 0.0 { (a * d - b * c).abs() / length } else { 0.0 }
    }

    /// How much longer a step to the right becomes, and which way it goes then.
    pub(super) fn direction(self) -> (f64, (f64, f64)) {
        let [a, b, ..] = self.0;
        let length = (a * a + b * b).sqrt();
        if length > 0.0 { (length, (a / length, b / length)) } else { (0.0, (1.0, 0.0)) }
    }

    /// Where the origin comes to lie: how far along a direction, and how far to its left.
    pub(super) fn origin_along(self, (x, y): (f64, f64)) -> (f64, f64) {
        let [.., e, f] = self.0;
        (e * x + f * y, f * x - e * y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_follow_one_another() {
        let scaled = Matrix([2.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
        let both = Matrix::moved(5.0, 7.0).then(scaled);
        assert_eq!(both, Matrix([2.0, 0.0, 0.0, 3.0, 10.0, 21.0]));
        assert_eq!(both.then(Matrix::IDENTITY), both);
    }

    #[test]
    fn text_that_runs_upwards_has_its_line_to_the_left() {
        // A quarter turn to the left, at x = 30, y = 100.
        let turned = Matrix([0.0, 2.0, -2.0, 0.0, 30.0, 100.0]);
        assert_eq!(turned.direction(), (2.0, (0.0, 1.0)));
        assert_eq!(turned.origin_along((0.0, 1.0)), (100.0, -30.0));
    }
}
