"""Arrays that say of themselves what is not so, given to every function for columns: each is a ``ValueError`` or
``TypeError``, and never read. (A crash ends the tests, which nobody overlooks.)"""

import ctypes
import struct

import fastutf
import pyarrow as pa
import pytest

capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype = ctypes.c_void_p
capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]

FUNCTIONS = [
    *(
        lambda column, encoding=encoding, errors=errors: fastutf.decode_column(column, encoding, errors)
        for encoding in ("utf-8", "utf-16-le", "utf-16-be")
        for errors in ("strict", "null", "replace")
    ),
    *(
        lambda column, function=function, encoding=encoding: function(column, encoding)
        for function in (fastutf.encode_column, fastutf.validate_column, fastutf.is_valid_column)
        for encoding in ("utf-8", "utf-16-le", "utf-16-be")
    ),
]


class Array(ctypes.Structure):
    """``struct ArrowArray``"""

    _fields_ = [
        *((name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")),
        ("buffers", ctypes.POINTER(ctypes.c_void_p)),
        *((name, ctypes.c_void_p) for name in ("children", "dictionary", "release", "private_data")),
    ]


class Forged:
    """A column of which fields have been changed after its export."""

    def __init__(self, array, *, buffers=None, format=None, **fields):
        self.array, self.buffers, self.fields, self.format = array, buffers or {}, fields, format

    def __arrow_c_array__(self, requested_schema=None):
        schema, capsule = self.array.__arrow_c_array__()
        forged = Array.from_address(capsule_pointer(capsule, b"arrow_array"))
        for name, value in self.fields.items():
            setattr(forged, name, value)
        for at, value in self.buffers.items():
            forged.buffers[at] = value
        if self.format is not None:
            # The format is the first field of ``struct ArrowSchema``.
            ctypes.c_char_p.from_address(capsule_pointer(schema, b"arrow_schema")).value = self.format
        return schema, capsule


def refused(column):
    for function in FUNCTIONS:
        with pytest.raises((ValueError, TypeError)) as caught:
            function(column)
        assert "panicked" not in str(caught.value)


TYPES = [pa.binary(), pa.large_binary(), pa.string(), pa.large_string(), pa.binary_view(), pa.string_view()]
LIMITS = [-1, -(2**63), 2**62, 2**63 - 1]
RELEASED = Array()
CHILDREN = ctypes.pointer(RELEASED)


@pytest.mark.parametrize("type", TYPES, ids=str)
def test_numbers(type):
    array = pa.array(["zł", None, "a text of more than twelve bytes"]).cast(type)
    for name in ("length", "offset"):
        for value in LIMITS:
            refused(Forged(array, **{name: value}))
    for value in (-2, -(2**63), 4, 2**63 - 1):
        refused(Forged(array, null_count=value))
    for value in (-1, 0, 1, 2, 2**62):
        refused(Forged(array, n_buffers=value))
    # pyarrow releases each of them.
    for value in (-1, 1):
        refused(Forged(array, n_children=value, children=ctypes.addressof(CHILDREN)))
    refused(Forged(array, dictionary=ctypes.addressof(RELEASED)))
    refused(Forged(array, release=None))
    refused(Forged(array, buffers={1: None}))
    refused(Forged(array, buffers={2: None}))
    refused(Forged(array, buffers={0: None}))
    refused(WithoutBuffers(array))


class WithoutBuffers(Forged):
    """The pointer to the pointers is missing."""

    def __arrow_c_array__(self, requested_schema=None):
        schema, capsule = self.array.__arrow_c_array__()
        Array.from_address(capsule_pointer(capsule, b"arrow_array")).buffers = ctypes.POINTER(ctypes.c_void_p)()
        return schema, capsule


@pytest.mark.parametrize("format", [b"", b"?", b"w:3", b"w:-1", b"\xff", b"+l", b"+s", b"i", b"vx", b"nonsense"], ids=repr)
def test_formats(format):
    refused(Forged(pa.array([b"abc"]), format=format))


def columns(array):
    """The same as one array, and in chunks."""
    return [array, pa.chunked_array([array])]


@pytest.mark.parametrize("type, number", [(pa.binary(), "i"), (pa.large_binary(), "q")], ids=["binary", "large"])
@pytest.mark.parametrize("offsets", [[0, 5, 2, 8], [-1, 0, 1, 2], [0, -1, 1, 2], [0, 1, 2, -1], [3, 2, 1, 0]], ids=str)
def test_offsets(type, number, offsets):
    # Read by all, as they are kept until then.
    forged = ctypes.create_string_buffer(struct.pack(f"<4{number}", *offsets))
    refused(Forged(pa.array([b"abc", b"de", b"fgh"], type), buffers={1: ctypes.addressof(forged)}))


def test_offsets_of_pyarrow():
    """It does not look at those between the first and the last one."""
    offsets = pa.py_buffer(struct.pack("<4i", 0, 5, 2, 8))
    for column in columns(pa.Array.from_buffers(pa.binary(), 3, [None, offsets, pa.py_buffer(b"abcdefgh")])):
        refused(column)


def views(*views, valid):
    buffers = [pa.py_buffer(bytes([valid])), pa.py_buffer(b"".join(views)), pa.py_buffer(b"x" * 64)]
    return pa.Array.from_buffers(pa.binary_view(), len(views), buffers)


SHORT = struct.pack("<I", 1) + b"a" + b"\0" * 11
LIES = [
    struct.pack("<I4sII", 100, b"xxxx", 0, 1 << 30),
    struct.pack("<I4sII", 2**32 - 1, b"xxxx", 0, 2**32 - 1),
    struct.pack("<I4sII", 13, b"xxxx", 1, 0),
    struct.pack("<I4sII", 13, b"xxxx", 2**32 - 1, 0),
    struct.pack("<I4sII", 65, b"xxxx", 0, 0),
    struct.pack("<I4sII", 13, b"yxxx", 0, 0),
]


@pytest.mark.parametrize("lie", LIES, ids=range(len(LIES)))
def test_views(lie):
    for column in columns(views(SHORT, lie, valid=0b11)):
        refused(column)
    # The view of a null may be anything.
    for column in columns(views(SHORT, lie, valid=0b01)):
        for errors in ("strict", "null", "replace"):
            decoded = fastutf.decode_column(column, "utf-8", errors)
            decoded = pa.array(decoded) if isinstance(column, pa.Array) else pa.chunked_array(decoded)
            decoded.validate(full=True)
            assert decoded.to_pylist() == ["a", None]
        for function in (fastutf.encode_column, fastutf.validate_column, fastutf.is_valid_column):
            function(column)


def test_sizes_of_buffers():
    array = pa.array(["a text of more than twelve bytes"]).cast(pa.binary_view())
    for size in (-1, -(2**63), 3):
        sizes = ctypes.c_int64(size)
        refused(Forged(array, buffers={3: ctypes.addressof(sizes)}))
    refused(Forged(array, buffers={3: None}))


def test_what_is_released():
    capsules = pa.array([b"abc"]).__arrow_c_array__()

    class Twice:
        def __arrow_c_array__(self, requested_schema=None):
            return capsules

    fastutf.validate_column(Twice())
    refused(Twice())

    stream = pa.chunked_array([[b"abc"], [b"d"]]).__arrow_c_stream__()

    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return stream

    # pyarrow leaves the other pointers as they were.
    pa.chunked_array(Stream())
    refused(Stream())


@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("count", [-1, 0, 1, 2, 3])
def test_numbers_of_nulls_are_counted(type, count):
    column = fastutf.decode_column(Forged(pa.array(["abc", None, "z"]).cast(type), null_count=count))
    assert column.null_count == 1
    decoded = pa.array(column)
    decoded.validate(full=True)
    assert decoded.to_pylist() == ["abc", None, "z"]
