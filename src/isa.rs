//! The instruction sets of this CPU, the one in use, and the dispatch from a public function to its kernel. No other
//! code of the library knows these, except for tests.

use core::fmt;
use core::str::FromStr;

/// Makes [`Level`] of the instruction sets of this architecture, best first, with their names; and `for_level!`. (The first
/// argument is a `$` of that macro.)
macro_rules! levels {
    ($s:tt $($level:ident $name:literal)*) => {
        /// The instruction sets of this architecture, each with the token that proves that the CPU has it.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Level {
            $($level($level),)*
            Scalar,
        }

        impl Level {
            const fn name(self) -> &'static str {
                match self {
                    $(Self::$level(_) => $name,)*
                    Self::Scalar => "scalar",
                }
            }
        }

        /// `$with` for the token of an instruction set, or `$without` in plain Rust.
        macro_rules! for_level {
            ($s level:expr, $s simd:ident => $s with:expr, $s without:expr) => {
                match $s level {
                    $($s crate::isa::Level::$level($s simd) => $s with,)*
                    $s crate::isa::Level::Scalar => $s without,
                }
            };
        }
    };
}

cfg_if::cfg_if! {
    if #[cfg(fastutf_x86)] {
        use crate::simd::x86::{avx2::Avx2, avx512::Avx512, detect, sse41::Sse41};
        levels! { $ Avx512 "avx512" Avx2 "avx2" Sse41 "sse4.1" }
    } else if #[cfg(fastutf_neon)] {
        use crate::simd::neon::Neon;
        levels! { $ Neon "neon" }
    } else if #[cfg(fastutf_wasm)] {
        use crate::simd::wasm::Simd128;
        levels! { $ Simd128 "simd128" }
    } else {
        levels! { $ }
    }
}

/// An instruction set that this CPU has.
///
/// | name | requires | CPUs since |
/// |---|---|---|
/// | `avx512` | AVX-512 F, BW, VL, DQ, VBMI, VBMI2, BITALG; GFNI; BMI1, BMI2, LZCNT, POPCNT | Ice Lake, Zen 4 |
/// | `avx2` | AVX2; BMI1, BMI2, LZCNT, POPCNT | Haswell, Excavator |
/// | `sse4.1` | SSE4.1, SSSE3, POPCNT | Nehalem, Bulldozer |
/// | `neon` | little-endian AArch64, which always includes NEON: not detected at run time | |
/// | `simd128` | 32-bit WebAssembly, built with the target feature `simd128`: not detected at run time | |
/// | `scalar` | nothing | |
///
/// Every operation of this crate is also a method of this type, with the same name and the same result. The free
/// functions use [`Isa::best`]. Tests, benchmarks and tools use the methods to choose a kernel.
///
/// ```
/// use fastutf::Isa;
///
/// for isa in Isa::available() {
///     assert!(isa.validate_utf8("żółw".as_bytes()).is_ok(), "{isa}");
/// }
/// assert!(Isa::available().any(|isa| isa == Isa::best()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Isa(Level);

/// Calls `Kernels::$operation`, compiled for `$isa`, or `scalar::$operation`: with one argument or two, after the byte
/// order if there is one. `[order]` passes that on. `[const order]` branches on it here, to a kernel compiled for each
/// order. Most callers know the order, so that neither the branch nor the other kernel is left.
macro_rules! dispatch {
    ($isa:expr, $operation:ident [const $order:ident] ($($arg:ident),*)) => {
        match $order {
            $crate::endian::ByteOrder::Little => {
                dispatch!(@isa $isa, $operation [$crate::endian::ByteOrder::Little] ($($arg),*))
            }
            $crate::endian::ByteOrder::Big => {
                dispatch!(@isa $isa, $operation [$crate::endian::ByteOrder::Big] ($($arg),*))
            }
        }
    };
    ($isa:expr, $operation:ident $([$order:ident])? ($($arg:ident),*)) => {
        dispatch!(@isa $isa, $operation $([$order])? ($($arg),*))
    };
    (@isa $isa:expr, $operation:ident $([$order:expr])? ($($arg:ident),*)) => {
        for_level!(
            $isa.level(),
            simd => dispatch!(@call simd, $operation $([$order])? ($($arg),*)),
            $crate::scalar::$operation($($order,)? $($arg),*)
        )
    };
    (@call $simd:ident, $operation:ident $([$order:expr])? ($a:ident)) => {
        $crate::simd::Simd::vectorize(
            $simd,
            #[inline(always)] move || $crate::kernels::Kernels::$operation($simd, $($order,)? $a),
        )
    };
    (@call $simd:ident, $operation:ident $([$order:expr])? ($a:ident, $b:ident)) => {
        $crate::simd::Simd::vectorize_with(
            $simd,
            $a,
            $b,
            #[inline(always)] move |a, b| $crate::kernels::Kernels::$operation($simd, $($order,)? a, b),
        )
    };
}

/// The names of all instruction sets that have kernels, on any architecture.
const NAMES: [&str; 6] = ["avx512", "avx2", "sse4.1", "neon", "simd128", "scalar"];

impl Isa {
    /// Plain Rust, without SIMD: available on every CPU.
    ///
    /// ```
    /// assert_eq!(fastutf::Isa::SCALAR.name(), "scalar");
    /// ```
    pub const SCALAR: Self = Self(Level::Scalar);

    /// Returns the instruction sets that this CPU has, best first; [`Isa::SCALAR`] is the last.
    ///
    /// ```
    /// assert_eq!(fastutf::Isa::available().last(), Some(fastutf::Isa::SCALAR));
    /// ```
    pub fn available() -> impl Iterator<Item = Self> {
        cfg_if::cfg_if! {
            if #[cfg(fastutf_x86)] {
                let found = detect::found();
                let levels = [
                    Avx512::new(found).map(Level::Avx512),
                    Avx2::new(found).map(Level::Avx2),
                    Sse41::new(found).map(Level::Sse41),
                    Some(Level::Scalar),
                ];
            } else if #[cfg(fastutf_neon)] {
                let levels = [Some(Level::Neon(Neon::new())), Some(Level::Scalar)];
            } else if #[cfg(fastutf_wasm)] {
                let levels = [Some(Level::Simd128(Simd128::new())), Some(Level::Scalar)];
            } else {
                let levels = [Some(Level::Scalar)];
            }
        }
        let mut next = 0;
        core::iter::from_fn(move || {
            while next < levels.len() {
                next += 1;
                if let Some(level) = levels[next - 1] {
                    return Some(Self(level));
                }
            }
            None
        })
    }

    /// Returns the instruction set that the free functions use: the best that this CPU has.
    ///
    /// If this crate is built without optimisation (`opt-level` 0 or z), it is [`Isa::SCALAR`] instead, which then calls
    /// the standard library's compiled functions where there are any: SIMD kernels that are not inlined are slower.
    /// [`Isa::available`] still lists all.
    ///
    /// ```
    /// println!("validating with {}", fastutf::Isa::best());
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn best() -> Self {
        cfg_if::cfg_if! {
            if #[cfg(fastutf_scalar_default)] {
                Self::SCALAR
            } else if #[cfg(fastutf_x86)] {
                Self::best_of(detect::found())
            } else if #[cfg(fastutf_neon)] {
                Self(Level::Neon(Neon::new()))
            } else if #[cfg(fastutf_wasm)] {
                Self(Level::Simd128(Simd128::new()))
            } else {
                Self::SCALAR
            }
        }
    }

    /// [`best`](Self::best), if that is known without a call.
    #[inline(always)]
    pub(crate) fn known_best() -> Option<Self> {
        cfg_if::cfg_if! {
            if #[cfg(all(fastutf_x86, not(fastutf_scalar_default)))] {
                // Before detection, no feature is found. So only where none is found, ask whether detection has run.
                let found = detect::cached();
                match Self::best_of(found) {
                    Self::SCALAR if !found.is_known() => None,
                    isa => Some(isa),
                }
            } else {
                Some(Self::best())
            }
        }
    }

    #[cfg(all(fastutf_x86, not(fastutf_scalar_default)))]
    #[inline(always)]
    fn best_of(found: detect::Detected) -> Self {
        if let Some(isa) = Avx512::new(found) {
            return Self(Level::Avx512(isa));
        }
        if let Some(isa) = Avx2::new(found) {
            return Self(Level::Avx2(isa));
        }
        if let Some(isa) = Sse41::new(found) {
            return Self(Level::Sse41(isa));
        }
        Self::SCALAR
    }

    /// Returns the name: `avx512`, `avx2`, `sse4.1`, `neon`, `simd128` or `scalar`.
    ///
    /// ```
    /// for isa in fastutf::Isa::available() {
    ///     assert_eq!(isa.name().parse(), Ok(isa));
    /// }
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name()
    }

    #[inline(always)]
    pub(crate) const fn level(self) -> Level {
        self.0
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Isa({self})")
    }
}

impl FromStr for Isa {
    type Err = ParseIsaError;

    /// Finds an available instruction set by its name, ignoring ASCII case.
    fn from_str(name: &str) -> Result<Self, ParseIsaError> {
        for isa in Self::available() {
            if isa.name().eq_ignore_ascii_case(name) {
                return Ok(isa);
            }
        }
        for known in &NAMES {
            if known.eq_ignore_ascii_case(name) {
                return Err(ParseIsaError::Unavailable);
            }
        }
        Err(ParseIsaError::Unknown)
    }
}

/// Why a name could not be parsed as an [`Isa`].
///
/// ```
/// use fastutf::{Isa, ParseIsaError};
///
/// assert_eq!("mmx".parse::<Isa>(), Err(ParseIsaError::Unknown));
/// assert_eq!("Scalar".parse(), Ok(Isa::SCALAR));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseIsaError {
    /// No instruction set has this name.
    Unknown,
    /// This CPU, or this build of the crate, does not have it.
    Unavailable,
}

impl fmt::Display for ParseIsaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => {
                f.write_str("unknown instruction set; the known ones are")?;
                for name in &NAMES {
                    f.write_str(" ")?;
                    f.write_str(name)?;
                }
            }
            Self::Unavailable => {
                f.write_str("this CPU or this build does not have that instruction set; it has")?;
                for isa in Isa::available() {
                    f.write_str(" ")?;
                    f.write_str(isa.name())?;
                }
            }
        }
        Ok(())
    }
}

impl core::error::Error for ParseIsaError {}

impl Isa {
    /// Calls `f` for this instruction set.
    #[inline(always)]
    pub(crate) fn choose<A, B, R>(self, a: A, b: B, f: impl Fn(Self, A, B) -> R + Copy) -> R {
        f(self, a, b)
    }
}

/// The instruction set of a free function that is compiled into its caller: the best one, chosen in a call.
#[derive(Clone, Copy)]
pub(crate) struct Best;

impl Best {
    /// Calls `f` for the best instruction set. This is one function for each `f`: it tests what the CPU has, and jumps.
    #[inline(never)]
    pub(crate) fn choose<A, B, R>(self, a: A, b: B, f: impl Fn(Isa, A, B) -> R + Copy) -> R {
        /// Detection is called from a function of its own. Otherwise, the arguments would have to be saved in every call.
        #[cold]
        #[inline(never)]
        fn detect_first<A, B, R>(a: A, b: B, f: impl Fn(Isa, A, B) -> R + Copy) -> R {
            let _ = Isa::best();
            Best.choose(a, b, f)
        }
        match Isa::known_best() {
            Some(isa) => f(isa, a, b),
            None => detect_first(a, b, f),
        }
    }
}

/// An instruction set. A table's functions into uninitialised memory write to an [`Output`](crate::output::Output) here, under the
/// same names. All other methods are those of [`Isa`].
#[derive(Clone, Copy)]
pub(crate) struct ToOutput<C = Isa>(pub(crate) C);

impl<C> core::ops::Deref for ToOutput<C> {
    type Target = C;

    #[inline(always)]
    fn deref(&self) -> &C {
        &self.0
    }
}
