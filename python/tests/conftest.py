"""What all tests share: texts that are often ill-formed, buffers of every kind, and CPython's answers."""

import ctypes
import mmap
import tempfile

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

settings.register_profile("ci", database=None, deadline=None, max_examples=300, suppress_health_check=list(HealthCheck))
settings.load_profile("ci")

# Pieces of UTF-8: every kind of character, and of error.
PIECES = [
    b"a", b"plain ascii, long enough for a block of sixteen", "é".encode(), "ł".encode() * 20, "€".encode(),
    "😀".encode(), "߿ࠀ￿\U00010000".encode(), b"\x80", b"\xbf" * 3, b"\xc0\x80", b"\xc1\xbf",
    b"\xc3", b"\xe0\x80\x80", b"\xe0\xa0", b"\xe2\x82", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xef\xbf\xbd", b"\xef\xbb\xbf",
    b"\xf0\x80\x80\x80", b"\xf0\x9f", b"\xf0\x9f\x98", b"\xf4\x90\x80\x80", b"\xf4\x8f\xbf\xbf", b"\xf5", b"\xf8\x88",
    b"\xfe", b"\xff", b"\x00",
]  # fmt: skip

utf8ish = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join),
    st.text(max_size=200).map(str.encode),
    st.tuples(st.text(max_size=120), st.binary(max_size=4), st.text(max_size=120)).map(
        lambda parts: parts[0].encode() + parts[1] + parts[2].encode()
    ),
    st.binary(max_size=20),
)

# Units of UTF-16, and maybe an odd byte.
units = st.one_of(
    st.integers(0, 0xFFFF),
    st.sampled_from([0x41, 0xE9, 0xFF, 0x100, 0x7FF, 0x800, 0x20AC, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFEFF, 0xFFFE]),
)
utf16ish = st.one_of(
    st.tuples(st.lists(units, max_size=60), st.sampled_from([b"", b"", b"\x00", b"\xd8"])).map(
        lambda parts: b"".join(unit.to_bytes(2, "little") for unit in parts[0]) + parts[1]
    ),
    st.text(max_size=120).map(lambda text: text.encode("utf-16-le")),
    st.tuples(st.text(max_size=60), units, st.text(max_size=60)).map(
        lambda parts: parts[0].encode("utf-16-le") + parts[1].to_bytes(2, "little") + parts[2].encode("utf-16-le")
    ),
    st.text(alphabet=st.characters(max_codepoint=0xFF), max_size=200).map(lambda text: text.encode("utf-16-le")),
)


def outcome(function, *arguments, **options):
    """The result, or all that an exception says."""
    try:
        return function(*arguments, **options)
    except UnicodeError as error:
        return described(error)


def described(error):
    return type(error), error.encoding, error.object, error.start, error.end, error.reason, str(error)


def mapped(data):
    file = tempfile.TemporaryFile()
    file.write(data)
    file.flush()
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def in_ctypes(data):
    return (ctypes.c_ubyte * len(data)).from_buffer_copy(data)


def unaligned(data):
    return memoryview(b"#" + data)[1:]


def in_numpy(data):
    return pytest.importorskip("numpy").frombuffer(data, "uint8").copy()


def in_numpy_units(data):
    return pytest.importorskip("numpy").frombuffer(data, "uint16")


BUFFERS = [bytes, bytearray, memoryview, lambda data: memoryview(bytearray(data)).toreadonly(), mapped, in_ctypes,
           unaligned, in_numpy, in_numpy_units]  # fmt: skip
