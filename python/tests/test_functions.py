"""Every function, next to CPython's codecs."""

import sys

import fastutf
import pytest
from conftest import outcome, utf8ish, utf16ish
from hypothesis import given

CODECS = ["utf-16-le", "utf-16-be", "utf-16"]


def swapped(data):
    even = len(data) // 2 * 2
    return b"".join(data[i : i + 2][::-1] for i in range(0, even, 2)) + data[even:]


def encoded(data, codec):
    """UTF-16LE in another byte codec; with a byte-codec mark for "utf-16", sometimes."""
    if codec == "utf-16-le":
        return data
    if codec == "utf-16-be":
        return swapped(data)
    kind = len(data) % 3
    return [data, b"\xff\xfe" + data, b"\xfe\xff" + swapped(data)][kind]


def test_bom_without_a_mark_is_native():
    assert fastutf.decode_utf16("zł".encode("utf-16-" + sys.byteorder[0] + "e"), "utf-16") == "zł"


@given(utf8ish)
def test_utf8(data):
    strict = outcome(data.decode)
    valid = isinstance(strict, str)
    replaced = data.decode("utf-8", "replace")
    assert fastutf.is_valid_utf8(data) == valid
    assert outcome(fastutf.validate_utf8, data) == (None if valid else strict)
    assert outcome(fastutf.decode_utf8, data) == strict
    assert outcome(fastutf.decode_utf8, data, "strict") == strict
    assert fastutf.decode_utf8(data, errors="replace") == replaced
    assert fastutf.repair_utf8(data) == replaced.encode()
    assert fastutf.is_ascii(data) == data.isascii()
    for codec in CODECS[:2]:
        assert outcome(fastutf.utf8_to_utf16, data, codec) == (strict.encode(codec) if valid else strict)
        assert fastutf.utf8_to_utf16(data, codec, errors="replace") == replaced.encode(codec)
    assert outcome(fastutf.utf8_to_latin1, data) == outcome(lambda: data.decode().encode("latin-1"))
    assert fastutf.utf8_to_latin1(data, "replace") == replaced.encode("latin-1", "replace")
    if valid:
        units = len(strict.encode("utf-16-le")) // 2
        info = fastutf.utf8_info(data)
        assert (info.chars, info.utf16_len, info.is_ascii) == (len(strict), units, data.isascii())
        assert fastutf.count_chars_utf8(data) == len(strict)
        assert fastutf.utf16_len_from_utf8(data) == units
    else:
        assert outcome(fastutf.utf8_info, data) == strict


@pytest.mark.parametrize("repeat", [1, 7])
@given(utf8ish)
def test_utf8_long(repeat, data):
    """From 64 bytes on, `str` is made in other ways; and errors are far from the start."""
    for data in (data * repeat * 5, b"a" * 100 + data, "ł€".encode() * 40 + data, "é".encode() * 60 + data, "한".encode() * 90 + data):
        assert outcome(fastutf.decode_utf8, data) == outcome(data.decode)
        assert fastutf.decode_utf8(data, "replace") == data.decode("utf-8", "replace")
        assert outcome(fastutf.validate_utf8, data) == outcome(lambda: [data.decode(), None][1])


@pytest.mark.parametrize("codec", CODECS)
@given(data=utf16ish)
def test_utf16(codec, data):
    data = encoded(data, codec)
    strict = outcome(data.decode, codec)
    valid = isinstance(strict, str)
    replaced = data.decode(codec, "replace")
    assert fastutf.is_valid_utf16(data, codec) == valid
    assert outcome(fastutf.validate_utf16, data, encoding=codec) == (None if valid else strict)
    assert outcome(fastutf.decode_utf16, data, codec) == strict
    assert fastutf.decode_utf16(data, codec, "replace") == replaced
    assert outcome(fastutf.utf16_to_utf8, data, codec) == (strict.encode() if valid else strict)
    assert fastutf.utf16_to_utf8(data, codec, "replace") == replaced.encode()
    assert outcome(fastutf.utf16_to_latin1, data, codec) == outcome(lambda: data.decode(codec).encode("latin-1"))
    assert fastutf.utf16_to_latin1(data, codec, "replace") == replaced.encode("latin-1", "replace")
    if valid:
        assert fastutf.count_chars_utf16(data, codec) == len(strict)
        assert fastutf.utf8_len_from_utf16(data, codec) == len(strict.encode())


@pytest.mark.parametrize("end", [b"\x3d\xd8", b"\x3d\xd8\x00", b"\x3d\xd8\x3d\xd8\x00", b"\x00", b"\x00\xdc\x3d\xd8\xd8", b"\xd8"])
@pytest.mark.parametrize("length", [0, 1, 31, 32, 33, 500])
def test_ends_of_utf16(length, end):
    """Where the library by itself makes two U+FFFD of a high surrogate and an odd byte."""
    for codec in CODECS[:2]:
        data = encoded(b"a\x00" * length + end, codec)
        assert fastutf.utf16_to_utf8(data, codec, "replace") == data.decode(codec, "replace").encode()
        assert fastutf.decode_utf16(data, codec, "replace") == data.decode(codec, "replace")
        assert outcome(fastutf.utf16_to_utf8, data, codec) == outcome(data.decode, codec)


@given(utf8ish)
def test_latin1(data):
    text = data.decode("latin-1")
    assert fastutf.latin1_to_utf8(data) == text.encode()
    assert fastutf.latin1_to_utf16(data) == text.encode("utf-16-le")
    assert fastutf.latin1_to_utf16(data, "utf-16-be") == text.encode("utf-16-be")
    assert fastutf.utf8_len_from_latin1(data) == len(text.encode())


@pytest.mark.parametrize("length", [*range(70), 4095, 4096, 65535, 65536, 70000])
@pytest.mark.parametrize("text", ["a", "é", "ł", "€", "한", "😀", "aé€😀", "한" * 40 + "😀" + "한" * 31 + "😀😀"])
def test_every_length(text, length):
    """Also above the length from which the GIL is released."""
    text = (text * length)[:length]
    data = text.encode()
    assert fastutf.is_valid_utf8(data) and fastutf.decode_utf8(data) == text
    assert fastutf.utf8_info(data).chars == length
    for codec in CODECS[:2]:
        utf16 = text.encode(codec)
        assert fastutf.utf16_to_utf8(utf16, codec) == data
        assert fastutf.utf8_to_utf16(data, codec) == utf16
        assert fastutf.decode_utf16(utf16, codec) == text
    broken = data + b"\xff" + data
    assert outcome(fastutf.validate_utf8, broken) == outcome(broken.decode)
    assert fastutf.repair_utf8(broken) == (text + "\ufffd" + text).encode()


def test_fine_bytes_are_not_copied():
    data = "naïve".encode() * 20000
    assert fastutf.repair_utf8(data) is data
    assert fastutf.repair_utf8(bytearray(data)) == data


def test_object_of_an_error():
    data = b"ab\xff" * 1000
    with pytest.raises(UnicodeDecodeError) as info:
        fastutf.validate_utf8(data)
    assert info.value.object is data
    with pytest.raises(UnicodeDecodeError) as info:
        fastutf.validate_utf8(memoryview(data))
    assert info.value.object == data and type(info.value.object) is bytes


def test_doctests():
    import doctest

    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    examples = 0
    for name in fastutf.__all__:
        thing = getattr(fastutf, name)
        if name == "__version__":
            continue
        tests = [test for test in finder.find(thing, name, module=False) if test.examples]
        assert tests or name in ("ChunkedColumn", "Chunks", "Column", "Utf8Info"), f"{name} has no example"
        for test in tests:
            examples += runner.run(test).attempted
    for test in finder.find(fastutf, "fastutf", module=False):
        runner.run(test)
    assert runner.summarize().failed == 0 and examples > 40
