//! Functions of single numbers, written so that a processor can compute several at once.

/// What stands between the two products of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Activation {
    /// x times the normal distribution function.
    Gelu,
    /// The same by the hyperbolic tangent, as GPT-2 has it.
    GeluTanh,
    /// Nothing below zero.
    Relu,
    /// The hyperbolic tangent, which stands before some classifiers.
    Tanh,
}

impl Activation {
    /// By its name in `config.json`.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "gelu" => Some(Self::Gelu),
            "gelu_new" | "gelu_pytorch_tanh" => Some(Self::GeluTanh),
            "relu" => Some(Self::Relu),
            "tanh" => Some(Self::Tanh),
            _ => None,
        }
    }

    /// Replaces every value.
    pub(super) fn apply(self, values: &mut [f32]) {
        match self {
            Self::Gelu => values.iter_mut().for_each(|value| *value = gelu(*value)),
            Self::GeluTanh => values.iter_mut().for_each(|value| *value = gelu_tanh(*value)),
            Self::Relu => values.iter_mut().for_each(|value| *value = value.max(0.0)),
            Self::Tanh => values.iter_mut().for_each(|value| *value = tanh(*value)),
        }
    }
}

fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

fn gelu_tanh(x: f32) -> f32 {
    const SQRT_2_OVER_PI: f32 = 0.797_884_6;
    let inner = SQRT_2_OVER_PI * (x + 0.044_715 * x * x * x);
    // 1 + tanh(u) = 2 / (1 + exp(-2u)).
    x / (1.0 + exp(-2.0 * inner))
}

fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (exp(2.0 * x) + 1.0)
}

/// Where the error function is 1 to the last bit of a 32-bit float.
const ERF_END: f32 = 4.0;

/// The error function: an odd quotient of polynomials, fitted to it by least squares that were
/// weighted until the largest error was smallest (2e-9, in exact arithmetic) on 0..4.
#[expect(
    clippy::approx_constant,
    clippy::excessive_precision,
    reason = "fitted together with the others, and written as they were fitted"
)]
const ERF_ABOVE: [f32; 7] = [
    1.128_379_2,
    0.184_710_49,
    0.054_332_55,
    0.003_839_526,
    0.000_382_689_5,
    4.780_465_3e-6,
    -1.366_642_1e-8,
];
#[expect(clippy::excessive_precision, reason = "written as they were fitted")]
const ERF_BELOW: [f32; 6] =
    [1.0, 0.497_028_95, 0.113_826_31, 0.015_453_5, 0.001_309_574_6, 6.400_855_6e-5];

fn erf(x: f32) -> f32 {
    let x = x.clamp(-ERF_END, ERF_END);
    let square = x * x;
    x * polynomial(&ERF_ABOVE, square) / polynomial(&ERF_BELOW, square)
}

/// Below, e to the power is nothing to a 32-bit float; above, too much.
const EXP_ENDS: (f32, f32) = (-87.0, 88.0);
/// ln 2 in two parts, the first with few digits so that products with small numbers are exact.
const LN_2: (f32, f32) = (0.693_359_4, -0.000_212_194_44);
/// The series of e to the power; on ±ln 2 / 2 its next member is below the last bit.
const EXP_SERIES: [f32; 8] =
    [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0, 1.0 / 5_040.0];

/// e to the power of x.
fn exp(x: f32) -> f32 {
    /// Added and taken away again, this leaves the nearest whole number.
    const TO_WHOLE: f32 = 12_582_912.0;
    let x = x.clamp(EXP_ENDS.0, EXP_ENDS.1);
    let halvings = (x * std::f32::consts::LOG2_E + TO_WHOLE) - TO_WHOLE;
    let rest = x - halvings * LN_2.0 - halvings * LN_2.1;
    #[expect(clippy::cast_possible_truncation, reason = "a whole number between -126 and 127")]
    let exponent = (halvings as i32 + 127) << 23;
    polynomial(&EXP_SERIES, rest) * f32::from_bits(exponent.cast_unsigned())
}

fn polynomial<const N: usize>(factors: &[f32; N], x: f32) -> f32 {
    let mut value = factors[N - 1];
    for factor in factors[..N - 1].iter().rev() {
        value = value * x + factor;
    }
    value
}

/// Numbers that are added up apart, so that they can be added at once.
const LANES: usize = 8;

/// The sum of values.
pub(super) fn sum(values: &[f32]) -> f32 {
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut lanes = [0.0_f32; LANES];
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += value;
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().sum::<f32>()
}

/// Shares that add up to 1, the larger the larger a value is.
pub(super) fn softmax(values: &mut [f32]) {
    let highest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for value in &mut *values {
        *value = exp(*value - highest);
    }
    let total = sum(values);
    for value in values {
        *value /= total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values: `math.erf` and `math.exp` of Python 3.11.
    #[test]
    fn the_error_function_and_the_exponential_are_right_to_six_digits() {
        let erfs = [(0.0, 0.0), (0.5, 0.520_499_9), (1.5, 0.966_105_15), (-3.0, -0.999_977_9)];
        for (x, expected) in erfs {
            assert!((erf(x) - expected).abs() < 1e-6, "erf({x}) = {}", erf(x));
        }
        assert!((erf(9.0) - 1.0).abs() < 1e-6);
        for (x, expected) in [(0.0, 1.0), (-1.0, 0.367_879_44), (-20.5, 1.250_152_9e-9)] {
            let found: f32 = exp(x);
            assert!((found / expected - 1.0).abs() < 1e-6, "exp({x}) = {found}");
        }
        assert!(exp(-1_000.0) < 1e-37);
    }

    /// Expected values: `torch.nn.functional.gelu`, with and without `approximate="tanh"`.
    #[test]
    fn activations_are_those_of_torch() {
        let near = |activation: Activation, x: f32, expected: f32| {
            let mut value = [x];
            activation.apply(&mut value);
            assert!((value[0] - expected).abs() < 1e-6, "{activation:?}({x}) = {}", value[0]);
        };
        near(Activation::Gelu, 1.0, 0.841_344_7);
        near(Activation::Gelu, -2.5, -0.015_524_162);
        near(Activation::GeluTanh, 1.0, 0.841_192);
        near(Activation::GeluTanh, -2.5, -0.015_084_26);
        near(Activation::Relu, -2.5, 0.0);
        // `math.tanh` of Python 3.11.
        near(Activation::Tanh, 0.5, 0.462_117_16);
        near(Activation::Tanh, -3.0, -0.995_054_7);
        near(Activation::Tanh, 100.0, 1.0);
    }

    #[test]
    fn shares_add_up_to_one_even_of_large_values() {
        let mut values = [1_000.0, 999.0, -1_000.0];
        softmax(&mut values);
        assert!((sum(&values) - 1.0).abs() < 1e-6 && (values[0] - 0.731_058_6).abs() < 1e-6);
    }
}
