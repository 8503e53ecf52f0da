"""What may be passed, and what happens if it may not: an exception that says so, and nothing lost."""

import codecs
import mmap
import os
import sys
import tempfile
import threading
import time

import fastutf
import pytest
from conftest import BUFFERS, outcome

UTF8 = [
    fastutf.is_valid_utf8,
    fastutf.validate_utf8,
    fastutf.is_ascii,
    fastutf.utf8_info,
    fastutf.count_chars_utf8,
    fastutf.utf16_len_from_utf8,
    fastutf.decode_utf8,
    fastutf.repair_utf8,
    fastutf.utf8_to_utf16,
    fastutf.utf8_to_latin1,
    fastutf.latin1_to_utf8,
    fastutf.latin1_to_utf16,
    fastutf.utf8_len_from_latin1,
]
UTF16 = [
    fastutf.is_valid_utf16,
    fastutf.validate_utf16,
    fastutf.count_chars_utf16,
    fastutf.utf8_len_from_utf16,
    fastutf.decode_utf16,
    fastutf.utf16_to_utf8,
    fastutf.utf16_to_latin1,
]
UPDATES = [
    lambda data: fastutf.Validator().update(data),
    lambda data: fastutf.Transcoder("utf-8", "utf-16-le").update(data),
]
ALL = UTF8 + UTF16 + UPDATES


@pytest.mark.parametrize("buffer", BUFFERS)
@pytest.mark.parametrize("length", [1, 40, 2000, 50_000, 1_200_000])
def test_any_buffer(buffer, length):
    text = ("naïve " * (length // 6 + 1))[:length]
    # A view of 16-bit units needs an even number of bytes.
    data = text.encode() + b"." * (len(text.encode()) % 2)
    for function in UTF8 + UPDATES:
        assert function(buffer(data)) == function(data), function
        assert outcome(function, buffer(data + b"\xff\xff")) == outcome(function, data + b"\xff\xff")
    data = text.encode("utf-16-le")
    for function in UTF16:
        assert function(buffer(data)) == function(data), function
        assert outcome(function, buffer(data + b"\x00\xd8")) == outcome(function, data + b"\x00\xd8")


@pytest.mark.parametrize("at", [0, 5, (1 << 20) - 2, (1 << 20) - 1, 1 << 20, (1 << 21) - 3, (1 << 21) + 1, 2_500_000])
@pytest.mark.parametrize("wrong", [b"\xff", b"\xe2\x82", b"\xf0\x9f\x98a", b"\xed\xa0\x80"])
def test_errors_in_pieces(at, wrong):
    """A buffer that may change is looked at a piece of 1 MB at a time."""
    data = bytearray("é".encode() * 1_300_000)
    data[at : at + len(wrong)] = wrong
    assert not fastutf.is_valid_utf8(data)
    expected = outcome(bytes(data).decode)
    assert outcome(fastutf.validate_utf8, data) == expected
    assert outcome(fastutf.validate_utf8, bytes(data)) == expected
    utf16 = bytearray(b"\xfe\xff" + b"\x00a" * 1_300_000)
    assert fastutf.is_valid_utf16(utf16, "utf-16")
    utf16[at // 2 * 2 + 2] = 0xDC
    assert outcome(fastutf.validate_utf16, utf16, "utf-16") == outcome(bytes(utf16).decode, "utf-16")


def test_empty():
    for function in ALL:
        for empty in (bytearray(), memoryview(b""), memoryview(b"ab")[:0]):
            assert function(empty) == function(b"")
    assert fastutf.is_valid_utf8(b"") and fastutf.decode_utf8(b"") == "" and fastutf.utf16_to_utf8(b"") == b""


@pytest.mark.parametrize("function", ALL)
@pytest.mark.parametrize("wrong", ["text", 5, None, [1, 2], object()])
def test_wrong_type(function, wrong):
    with pytest.raises(TypeError, match="a bytes-like object is required, not '"):
        function(wrong)


@pytest.mark.parametrize("function", ALL)
def test_no_contiguous_bytes(function):
    with pytest.raises(BufferError, match="contiguous"):
        function(memoryview(b"abcdef")[::2])
    released = memoryview(b"abc")
    released.release()
    with pytest.raises(ValueError, match="released"):
        function(released)
    with tempfile.TemporaryFile() as file:
        file.write(b"abc")
        file.flush()
        closed = mmap.mmap(file.fileno(), 0)
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        function(closed)


def test_no_contiguous_array():
    numpy = pytest.importorskip("numpy")
    with pytest.raises((BufferError, ValueError), match="contiguous"):
        fastutf.is_valid_utf8(numpy.zeros(10, "uint8")[::2])


@pytest.mark.parametrize("function", ALL)
def test_buffers_are_released(function):
    data = bytearray(b"abc\xff")
    before = sys.getrefcount(data)
    for _ in range(3):
        outcome(function, data)
    data.append(1)  # BufferError, if it were still exported
    assert sys.getrefcount(data) == before


@pytest.mark.parametrize("function", ALL)
def test_references(function):
    data = b"abc\xff" * 5
    outcome(function, data)
    before = sys.getrefcount(data)
    for _ in range(10):
        outcome(function, data)
    assert sys.getrefcount(data) == before


def test_options():
    for wrong in ("ignore", "surrogatepass", "", "null", "strict\0", "replace\0", "Strict"):
        with pytest.raises(ValueError, match="errors must be 'strict' or 'replace'"):
            fastutf.decode_utf8(b"", errors=wrong)
        with pytest.raises(ValueError, match="errors must be 'strict' or 'replace'"):
            fastutf.Transcoder("utf-8", errors=wrong)
    with pytest.raises(ValueError, match="encoding must be 'utf-16-le', 'utf-16-be' or 'utf-16', not 'UTF8'"):
        fastutf.utf16_to_utf8(b"", encoding="UTF8")
    with pytest.raises(ValueError, match="has no byte-order mark: its encoding is 'utf-16-le' or 'utf-16-be'"):
        fastutf.utf8_to_utf16(b"", encoding="utf-16")
    with pytest.raises(TypeError, match="errors must be str"):
        fastutf.utf16_to_utf8(b"", "utf-16-le", 5)
    with pytest.raises(TypeError, match="encoding must be str"):
        fastutf.utf16_to_utf8(b"", -1)
    for bad in (lambda: fastutf.is_valid_utf8(), lambda: fastutf.is_valid_utf8(b"", b""),
                lambda: fastutf.utf16_to_utf8(), lambda: fastutf.utf16_to_utf8(b"", "utf-16-be", "strict", 1),
                lambda: fastutf.utf16_to_utf8(b"", order="big"), lambda: fastutf.utf16_to_utf8(data=b""),
                lambda: fastutf.utf16_to_utf8(b"", "utf-16-be", encoding="utf-16-be")):  # fmt: skip
        with pytest.raises(TypeError):
            bad()
    assert fastutf.utf16_to_utf8(b"\x00a", errors="strict", encoding="utf-16-be") == b"a"


SPELLINGS = [
    "utf-8", "UTF8", "utf_8", "U8", "utf", "cp65001", "utf 8", "utf--8", "utf-8-sig", "utf_8_sig", "utf8-sig", "utf-16", "u16",
    "utf-16-le", "UTF-16LE", "utf_16_be", "utf16le", "utf16-be", "utf-8\0", "utf-16-le\0", "\0utf-8", "utf\08", "utf-8 ", "u-t-f-8",
    "utf.8", "(utf-8)", "utf-9", "", "-", "\0", "ütf-8", "\ud800", "utf-8\ud800", "latin-1", "ascii", "utf-7", "utf-32", "hex", "rot13",
    "x" * 1000,
]  # fmt: skip
NAMED = {
    "utf-8 utf-8-sig utf-16 utf-16-le utf-16-be": [fastutf.Validator, fastutf.Transcoder],
    "utf-8 utf-16-le utf-16-be": [lambda name: fastutf.Transcoder("utf-8", name)],
    "utf-16 utf-16-le utf-16-be": [lambda name, function=function: function(b"", name) for function in UTF16],
    "utf-16-le utf-16-be": [lambda name: fastutf.utf8_to_utf16(b"", name), lambda name: fastutf.latin1_to_utf16(b"", name)],
}


@pytest.mark.parametrize("name", SPELLINGS, ids=lambda name: ascii(name[:20]))
def test_names_of_encodings(name):
    """A name means the codec that CPython has for it, or nothing."""
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        codec = None
    for known, functions in NAMED.items():
        for function in functions:
            if codec in known.split():
                function(name)
                continue
            with pytest.raises((LookupError, ValueError)):
                function(name)
    for functions in NAMED.values():
        for function in functions:
            for wrong in (None, 8, b"utf-8"):
                with pytest.raises(TypeError, match="must be str, not"):
                    function(wrong)


def test_a_lone_surrogate_as_option():
    with pytest.raises((ValueError, UnicodeError)):
        fastutf.decode_utf8(b"", errors="\ud800")


def test_threads():
    """Many threads at once, also on a bytearray that another thread writes to: no result is impossible, and none crashes."""
    data = "naïve €".encode() * 40_000
    utf16 = data.decode().encode("utf-16-le")
    changing = bytearray(data * 8)
    stop = threading.Event()
    wrong = []

    def reader():
        while not stop.is_set():
            if not fastutf.is_valid_utf8(data) or fastutf.utf16_to_utf8(utf16) != data:
                wrong.append("constant")
            fastutf.is_valid_utf8(changing)
            try:
                fastutf.validate_utf8(changing)
            except (UnicodeDecodeError, RuntimeError):
                pass
            fastutf.utf8_to_utf16(changing, errors="replace")

    def writer():
        while not stop.is_set():
            for at in range(0, len(changing), 99_991):
                changing[at] ^= 0x80

    threads = [threading.Thread(target=reader) for _ in range(3)] + [threading.Thread(target=writer)]
    for thread in threads:
        thread.start()
    stop.wait(1.0)
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "pwrite"), reason="no pwrite")
def test_a_file_that_is_written_to():
    """`os.pwrite` needs no GIL, so that a mapped file changes in the middle of a function: between counting and converting,
    too. There is either a text of what was written, or an exception."""
    length = 4_000_000
    patterns = [("a" * length).encode("utf-16-le"), ("€" * length).encode("utf-16-le")]
    with tempfile.TemporaryFile() as file:
        file.write(patterns[0])
        file.flush()
        changing = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        stop = threading.Event()

        def writer():
            while not stop.is_set():
                for pattern in patterns:
                    os.pwrite(file.fileno(), pattern, 0)

        thread = threading.Thread(target=writer)
        thread.start()
        results = noticed = 0
        try:
            for _ in range(40):
                try:
                    text = fastutf.utf16_to_utf8(changing)
                except RuntimeError as error:
                    assert "changed" in str(error)
                    noticed += 1
                    continue
                results += 1
                assert len(text) == text.count(b"a") + 3 * text.count("€".encode())
        finally:
            stop.set()
            thread.join()
            changing.close()
    assert results + noticed == 40


def test_the_gil_is_released():
    """While one thread validates, another one runs: of `bytes` at any time, of a bytearray every 5 milliseconds."""
    for kind in (bytes, bytearray):
        data = kind(b"\xc5\xbc" * 150_000_000)
        turns = 0
        most = 0
        done = False

        def work():
            nonlocal most, done
            deadline = time.monotonic() + 60
            # On a busy machine, the other thread may be asleep during a call.
            while most < 4 and time.monotonic() < deadline:
                before = turns
                fastutf.is_valid_utf8(data)
                most = max(most, turns - before)
            done = True

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        thread = threading.Thread(target=work)
        thread.start()
        # This thread lets go after each turn. So, if validation did not, there would be one turn for each call.
        while not done:
            turns += 1
            time.sleep(1e-6)
        thread.join()
        sys.setswitchinterval(interval)
        assert most >= 4, kind
