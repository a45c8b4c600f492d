//! Functions of single numbers, written so that a processor can compute several at once.
#![expect(
    clippy::inline_always,
    reason = "a function that is not inlined is not compiled for the registers of its caller"
)]

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
            Self::Gelu => gelu_all(values),
            Self::GeluTanh => gelu_tanh_all(values),
            Self::Relu => values.iter_mut().for_each(|value| *value = value.max(0.0)),
            Self::Tanh => values.iter_mut().for_each(|value| *value = tanh(*value)),
        }
    }
}

/// A function of slices that is compiled a second time for registers of eight numbers, and taken so
/// where the processor has them. Nothing is fused, so that every bit is the same without.
macro_rules! compiled_widely {
    ($(#[$about:meta])* fn $name:ident($($argument:ident: $kind:ty),*) $body:block) => {
        $(#[$about])*
        #[expect(unsafe_code, reason = "what the processor has is asked before")]
        pub(super) fn $name($($argument: $kind),*) {
            #[inline(always)]
            fn plain($($argument: $kind),*) $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn with_avx2($($argument: $kind),*) {
                    plain($($argument),*);
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has it.
                    return unsafe { with_avx2($($argument),*) };
                }
            }
            plain($($argument),*);
        }
    };
}

compiled_widely! {
    /// Replaces every value by x times the normal distribution function.
    fn gelu_all(values: &mut [f32]) {
        for value in values {
            *value = gelu(*value);
        }
    }
}

compiled_widely! {
    /// The same by the hyperbolic tangent.
    fn gelu_tanh_all(values: &mut [f32]) {
        for value in values {
            *value = gelu_tanh(*value);
        }
    }
}

compiled_widely! {
    /// Turns each row of `width` values into shares that add up to 1.
    fn softmax_rows(values: &mut [f32], width: usize) {
        for row in values.chunks_exact_mut(width) {
            softmax(row);
        }
    }
}

compiled_widely! {
    /// Adds to every number the other of its place.
    fn add(rows: &mut [f32], others: &[f32]) {
        for (row, other) in rows.iter_mut().zip(others) {
            *row += other;
        }
    }
}

compiled_widely! {
    /// Brings each row to mean 0 and deviation 1, then scales and moves it.
    fn normalize(rows: &mut [f32], scale: &[f32], added: &[f32], epsilon: f32) {
        let width = scale.len();
        let mut squares = vec![0.0; width];
        for row in rows.chunks_exact_mut(width) {
            let mean = sum(row) / width as f32;
            for (value, square) in row.iter_mut().zip(&mut squares) {
                *value -= mean;
                *square = *value * *value;
            }
            let factor = 1.0 / (sum(&squares) / width as f32 + epsilon).sqrt();
            for ((value, scale), added) in row.iter_mut().zip(scale).zip(added) {
                *value = *value * factor * scale + added;
            }
        }
    }
}

#[inline(always)]
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

#[inline(always)]
fn gelu_tanh(x: f32) -> f32 {
    const SQRT_2_OVER_PI: f32 = 0.797_884_6;
    let inner = SQRT_2_OVER_PI * (x + 0.044_715 * x * x * x);
    // 1 + tanh(u) = 2 / (1 + exp(-2u)).
    x / (1.0 + exp(-2.0 * inner))
}

#[inline(always)]
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

#[inline(always)]
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
#[inline(always)]
fn exp(x: f32) -> f32 {
    /// Added and taken away again, this leaves the nearest whole number; before it is taken away, that
    /// number stands in the last bits.
    const TO_WHOLE: f32 = 12_582_912.0;
    let x = x.clamp(EXP_ENDS.0, EXP_ENDS.1);
    let moved = x * std::f32::consts::LOG2_E + TO_WHOLE;
    let halvings = moved - TO_WHOLE;
    let rest = x - halvings * LN_2.0 - halvings * LN_2.1;
    let exponent = moved.to_bits().wrapping_sub(TO_WHOLE.to_bits()).wrapping_add(127) << 23;
    polynomial(&EXP_SERIES, rest) * f32::from_bits(exponent)
}

#[inline(always)]
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
#[inline(always)]
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

/// The highest of values.
#[inline(always)]
fn highest(values: &[f32]) -> f32 {
    let (chunks, rest) = values.as_chunks::<LANES>();
    let higher = |left: f32, right: f32| if right > left { right } else { left };
    let mut lanes = [f32::NEG_INFINITY; LANES];
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = higher(*lane, *value);
        }
    }
    lanes.iter().chain(rest).copied().fold(f32::NEG_INFINITY, higher)
}

/// Shares that add up to 1, the larger the larger a value is.
#[inline(always)]
pub(super) fn softmax(values: &mut [f32]) {
    let highest = highest(values);
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

    /// A test is compiled for any processor: what it computes itself is what one without wide registers would.
    #[test]
    fn wide_registers_change_no_bit() {
        let values: Vec<f32> = (0..1_003).map(|n| (n as f32 * 0.37).sin() * 9.0).collect();
        let bits = |values: &[f32]| -> Vec<u32> { values.iter().map(|x| x.to_bits()).collect() };
        let (mut wide, mut plain) = (values.clone(), values.clone());
        softmax_rows(&mut wide, 59);
        for row in plain.chunks_exact_mut(59) {
            softmax(row);
        }
        assert_eq!(bits(&wide), bits(&plain));
        let (mut wide, mut plain) = (values.clone(), values);
        Activation::Gelu.apply(&mut wide);
        for value in &mut plain {
            *value = gelu(*value);
        }
        assert_eq!(bits(&wide), bits(&plain));
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
