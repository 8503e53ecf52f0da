//! Conversions of two parts: a kernel, which goes as far as it can, and plain Rust, which goes on from there and finds out why
//! it stops. So kernels return in registers how far they have got, and end in jumps.

/// Functions that call a kernel, for either byte order, if it has one. Each is passed to `choose`, so there is one copy of the
/// kernel for all callers. `FROM => TO` are the bytes of a character, for a kernel that returns the number of characters.
macro_rules! calls {
    ($($(#[$attribute:meta])* $name:ident $([$order:ident])? $($from:literal => $to:literal)?;)*) => {
        /// How far the kernels get.
        #[cfg_attr(not(fastutf_simd), allow(unused_variables))]
        pub(crate) mod kernel {
            use crate::isa::Isa;
            use crate::output::Output;
            use crate::report::Reached;

            $(
                $(#[$attribute])*
                #[inline(always)]
                pub(crate) fn $name<const BIG: bool>(isa: Isa, src: &[u8], dst: &mut Output) -> Reached {
                    let reached = for_level!(
                        isa.level(),
                        simd => dispatch!(@call simd, $name $([calls!(@constant $order)])? (src, dst)),
                        Default::default()
                    );
                    $(let reached = Reached::after(reached, $from, $to);)?
                    reached
                }
            )*
        }
    };
    // Not a variable: the kernel would be called with it, and not be compiled for it.
    (@constant $order:ident) => {
        const { $crate::endian::ByteOrder::of(BIG) }
    };
}

calls! {
    utf8_to_utf16[order];
    utf16_to_utf8[order];
    #[cfg(feature = "latin1")]
    latin1_to_utf8;
    #[cfg(feature = "latin1")]
    latin1_to_utf16[order];
    #[cfg(feature = "latin1")]
    utf8_to_latin1;
    #[cfg(feature = "latin1")]
    utf16_to_latin1[order];
    #[cfg(feature = "utf32")]
    utf16_to_utf32[order];
    #[cfg(feature = "utf32")]
    utf32_to_utf16[order];
    #[cfg(feature = "utf32")]
    utf8_to_utf32[order];
    #[cfg(feature = "utf32")]
    utf32_to_utf8[order];
    #[cfg(all(feature = "utf32", feature = "latin1"))]
    latin1_to_utf32[order] 1 => 4;
    #[cfg(all(feature = "utf32", feature = "latin1"))]
    utf32_to_latin1[order] 4 => 1;
}

/// How far a kernel gets, on an instruction set or on [`Best`](crate::isa::Best).
macro_rules! reach {
    ($choice:ident, $kernel:ident $([$order:ident])? ($src:ident, $dst:ident)) => {{
        #[allow(unused_variables)]
        let big = false;
        $(let big = $order.is_big();)?
        if big {
            $choice.choose($src, &mut *$dst, $crate::api::two_parts::kernel::$kernel::<true>)
        } else {
            $choice.choose($src, &mut *$dst, $crate::api::two_parts::kernel::$kernel::<false>)
        }
    }};
}

/// Makes methods of [`Isa`](crate::Isa) and [`Best`](crate::isa::Best) that convert: by the kernel, then by the function that goes
/// on where the kernel stops.
macro_rules! two_parts {
    ($(
        $visibility:vis fn $name:ident $([$order:ident])? -> $error:ty {
            $kernel:ident, |$src:ident, $dst:ident, $at:ident| $rest:expr
        }
    )*) => {
        two_parts! { @of Isa: $($visibility fn $name $([$order])? -> $error { $kernel, |$src, $dst, $at| $rest })* }
        two_parts! { @of Best: $($visibility fn $name $([$order])? -> $error { $kernel, |$src, $dst, $at| $rest })* }
    };
    (@of $choice:ident: $(
        $visibility:vis fn $name:ident $([$order:ident])? -> $error:ty {
            $kernel:ident, |$src:ident, $dst:ident, $at:ident| $rest:expr
        }
    )*) => {
        impl $crate::isa::$choice {$(
            #[inline(always)]
            $visibility fn $name(
                self,
                $($order: $crate::endian::ByteOrder,)?
                $src: &[u8],
                $dst: &mut $crate::output::Output,
            ) -> $crate::report::Conversion<$error> {
                let $at = reach!(self, $kernel $([$order])? ($src, $dst));
                if $at.read == $src.len() {
                    let (read, written, stop) = ($src.len(), $at.written, $crate::report::Stop::Complete);
                    return $crate::report::Conversion { read, written, stop };
                }
                $rest
            }
        )*}
    };
}
