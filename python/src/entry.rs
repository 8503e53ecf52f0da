//! Functions, as CPython calls them fastest.
//!
//! `METH_O` is for one argument, `METH_FASTCALL` passes an array. pyo3's own functions always have the latter, and extract each
//! argument by its type. With them, a call with 8 to 32 bytes takes 1.5 times as long (`is_valid_utf8`: 41 ns for 27), 1.2 to 1.7
//! times (`utf16_to_utf8`) or 1.1 to 1.5 times (`decode_utf8`).

use std::ffi::{CStr, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyModule, PyString, PyTuple};

/// The most options that a function has.
pub(crate) const OPTIONS: usize = 2;

/// The table of functions that a module gets.
pub(crate) type Table<const N: usize> = [ffi::PyMethodDef; N];

/// An argument that may be left out.
pub(crate) type Optional<'a, 'py> = Option<Borrowed<'a, 'py, PyAny>>;

/// A function of one argument and some options, which may be passed by name. `functions!` implements it.
pub(crate) trait Function {
    const NAME: &CStr;
    /// Begins with the signature, from which CPython makes `__text_signature__`.
    const DOC: &CStr;
    /// The names of the options.
    const OPTIONS: &[&CStr];
    fn call<'py>(data: &Bound<'py, PyAny>, options: [Optional<'_, 'py>; OPTIONS]) -> PyResult<Bound<'py, PyAny>>;
}

/// The entry of a function in the table.
pub(crate) const fn entry<F: Function>() -> ffi::PyMethodDef {
    let (ml_meth, ml_flags) = if F::OPTIONS.is_empty() {
        (ffi::PyMethodDefPointer { PyCFunction: called::<F> }, ffi::METH_O)
    } else {
        let function = ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: called_with_options::<F> };
        (function, ffi::METH_FASTCALL | ffi::METH_KEYWORDS)
    };
    ffi::PyMethodDef { ml_name: F::NAME.as_ptr(), ml_meth, ml_flags, ml_doc: F::DOC.as_ptr() }
}

/// A string that ends with zero.
pub(crate) const fn text(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a zero within a docstring"),
    }
}

/// The end of a table.
pub(crate) const END: ffi::PyMethodDef = ffi::PyMethodDef::zeroed();

/// Adds functions to a module. The table is kept as long as the program runs, as the module keeps it.
pub(crate) fn add<const N: usize>(module: &Bound<'_, PyModule>, table: Table<N>) -> PyResult<()> {
    assert!(table[N - 1].ml_name.is_null(), "a table without an end");
    let table = Box::leak(Box::new(table));
    // SAFETY: a module, with the GIL. `entry` makes all entries, with a function of the type that their flags demand, and with
    // strings that live as long as the program. They end with an entry of zeros, and are never freed.
    let failed: c_int = unsafe { ffi::PyModule_AddFunctions(module.as_ptr(), table.as_mut_ptr()) };
    if failed != 0 { Err(PyErr::fetch(module.py())) } else { Ok(()) }
}

/// Returns what CPython expects.
#[inline(always)]
fn outcome<'py>(py: Python<'py>, function: impl FnOnce() -> PyResult<Bound<'py, PyAny>>) -> *mut ffi::PyObject {
    let error = match catch_unwind(AssertUnwindSafe(function)) {
        Ok(Ok(object)) => return object.into_ptr(),
        Ok(Err(error)) => error,
        Err(_) => PyRuntimeError::new_err("fastutf has panicked, which is a bug"),
    };
    error.restore(py);
    null_mut()
}

/// What CPython calls with `METH_O`.
unsafe extern "C" fn called<F: Function>(
    _module: *mut ffi::PyObject,
    data: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: only `entry` names this function, and CPython calls what is in the table with the GIL held, and with an object
    // that lives until the call ends.
    let (py, data) = unsafe {
        let py = Python::assume_attached();
        (py, Borrowed::from_ptr(py, data))
    };
    outcome(py, || F::call(&data, [None; OPTIONS]))
}

/// What CPython calls with `METH_FASTCALL | METH_KEYWORDS`: `count` arguments by position, then those of which the tuple
/// `names` has the names, if it is not null.
unsafe extern "C" fn called_with_options<F: Function>(
    _module: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as for `called`. `names` is a tuple of strings or null, and `arguments` has as many objects as they say, which
    // live until the call ends. Without any, it may be null.
    let (py, positional, named, names) = unsafe {
        let py = Python::assume_attached();
        let names = Borrowed::from_ptr_or_opt(py, names).map(|names| names.cast_unchecked::<PyTuple>());
        let (count, named) = (count as usize, names.map_or(0, |names| names.len()));
        let all: &[Borrowed<'_, '_, PyAny>] = match count + named {
            0 => &[],
            // A `Borrowed` is a pointer to an object that is not null.
            len => std::slice::from_raw_parts(arguments.cast(), len),
        };
        let (positional, named) = all.split_at(count);
        (py, positional, named, names)
    };
    outcome(py, || {
        let [data, options @ ..] = positional else { return Err(wrong_count::<F>(0)) };
        if options.len() > F::OPTIONS.len() {
            return Err(wrong_count::<F>(positional.len()));
        }
        let mut found = [None; OPTIONS];
        for (place, &option) in found.iter_mut().zip(options) {
            *place = Some(option);
        }
        if let Some(names) = names {
            for (name, &option) in names.iter_borrowed().zip(named) {
                let place = F::OPTIONS.iter().position(|&known| is(name, known));
                match place {
                    Some(place) if found[place].is_none() => found[place] = Some(option),
                    Some(_) => return Err(wrong_name::<F>("multiple values for", &name)),
                    None => return Err(wrong_name::<F>("an unexpected keyword", &name)),
                }
            }
        }
        F::call(data, found)
    })
}

#[cold]
fn wrong_count<F: Function>(count: usize) -> PyErr {
    let (name, most) = (F::NAME.to_string_lossy(), 1 + F::OPTIONS.len());
    PyTypeError::new_err(format!("{name}() takes from 1 to {most} positional arguments but {count} were given"))
}

#[cold]
fn wrong_name<F: Function>(what: &str, name: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("{}() got {what} argument '{name}'", F::NAME.to_string_lossy()))
}

/// Whether an object is this text, which is ASCII.
pub(crate) fn is(object: Borrowed<'_, '_, PyAny>, text: &CStr) -> bool {
    // SAFETY: a call into CPython with the GIL, an object that was found to be a `str`, and a string that ends with zero.
    object.is_instance_of::<PyString>()
        && unsafe { ffi::PyUnicode_CompareWithASCIIString(object.as_ptr(), text.as_ptr()) == 0 }
}

/// Defines functions of one argument and options, with their docstrings, and a function `$table` that returns their table.
macro_rules! functions {
    (
        $table:ident;
        $(
            $(#[doc = $doc:literal])*
            fn $name:ident($data:ident $(, $option:ident = $default:literal)*) -> $ret:ty $body:block
        )*
    ) => {
        $(
            $(#[doc = $doc])*
            #[inline(always)]
            fn $name<'py>(
                $data: &pyo3::Bound<'py, pyo3::PyAny>
                $(, $option: crate::entry::Optional<'_, 'py>)*
            ) -> pyo3::PyResult<$ret> $body
        )*

        pub(crate) fn $table() -> crate::entry::Table<{ [$(stringify!($name)),*].len() + 1 }> {
            [
                $({
                    struct Named;
                    impl crate::entry::Function for Named {
                        const NAME: &std::ffi::CStr = crate::entry::text(concat!(stringify!($name), "\0"));
                        const DOC: &std::ffi::CStr = crate::entry::text(concat!(
                            stringify!($name),
                            "($module, ",
                            stringify!($data),
                            ", /",
                            $(", ", stringify!($option), "='", $default, "'",)*
                            ")\n--\n\n",
                            $($doc, "\n",)*
                            "\0"
                        ));
                        const OPTIONS: &[&std::ffi::CStr] =
                            &[$(crate::entry::text(concat!(stringify!($option), "\0"))),*];

                        #[inline(always)]
                        fn call<'py>(
                            $data: &pyo3::Bound<'py, pyo3::PyAny>,
                            options: [crate::entry::Optional<'_, 'py>; crate::entry::OPTIONS],
                        ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                            let [$($option,)* ..] = options;
                            pyo3::IntoPyObjectExt::into_bound_py_any($name($data $(, $option)*)?, $data.py())
                        }
                    }
                    crate::entry::entry::<Named>()
                },)*
                crate::entry::END,
            ]
        }
    };
}
pub(crate) use functions;
