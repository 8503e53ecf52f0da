"""Chunks, cut anywhere, next to CPython's incremental decoders."""

import array
import codecs
import csv
import gc
import io
import threading
import weakref

import fastutf
import pytest
from conftest import BUFFERS, described, outcome, utf8ish, utf16ish
from hypothesis import given
from hypothesis import strategies as st

cuts = st.lists(st.integers(0, 40), max_size=8)


def chunked(data, cuts):
    """The data in chunks of these lengths, and the rest."""
    chunks = []
    for length in cuts:
        chunks.append(data[:length])
        data = data[length:]
    return [*chunks, data]


def incremental(codec, errors, chunks):
    """CPython's text after each chunk, and the exception if there is one."""
    decoder = codecs.getincrementaldecoder(codec)(errors)
    text = []
    try:
        for chunk in chunks:
            text.append(decoder.decode(chunk))
        text.append(decoder.decode(b"", final=True))
    except UnicodeDecodeError as error:
        return text, described(error)
    return text, None


def transcoded(transcoder, chunks):
    out = []
    try:
        for chunk in chunks:
            out.append(transcoder.update(chunk))
        out.append(transcoder.finish())
    except UnicodeDecodeError as error:
        return out, described(error)
    return out, None


def validated(validator, chunks):
    try:
        for chunk in chunks:
            validator.update(chunk)
        validator.finish()
    except UnicodeDecodeError as error:
        return described(error)
    return None


def waits_for_a_surrogate(chunks):
    """CPython's decoder waits for the third byte of an encoded surrogate, which "surrogatepass" would let through. Nothing can
    make that well-formed, so ours does not wait."""
    ends = [b"".join(chunks[: i + 1])[-2:] for i in range(len(chunks))]
    return any(end[:1] == b"\xed" and end[1:] >= b"\xa0" for end in ends)


def check(codec, data, cuts):
    chunks = chunked(data, cuts)
    if codec == "utf-8" and waits_for_a_surrogate(chunks):
        out, error = transcoded(fastutf.Transcoder("utf-8", "utf-8", "replace"), chunks)
        assert (b"".join(out), error) == (data.decode("utf-8", "replace").encode(), None)
        _, error = transcoded(transcoder := fastutf.Transcoder("utf-8"), chunks)
        whole = outcome(data.decode)
        assert (transcoder.offset, error[4] - error[3], error[5]) == (whole[3], whole[4] - whole[3], whole[5])
        return
    for target in ("utf-8", "utf-16-le", "utf-16-be"):
        text, error = incremental(codec, "strict", chunks)
        # The object of CPython's exception ends where it does; the text up to there is the same.
        expected = [part.encode(target) for part in text]
        transcoder = fastutf.Transcoder(codec, target)
        assert transcoded(transcoder, chunks) == (expected, error)
        if error is not None:
            _, _, object_, start, _, _, _ = error
            whole = outcome(data.decode, codec)
            if codec != "utf-8-sig":  # CPython counts without the mark
                assert transcoder.offset == whole[3]
            assert whole[2][whole[3] :].startswith(object_[start:])
            with pytest.raises(UnicodeDecodeError):
                transcoder.update(b"a")
        text, error = incremental(codec, "replace", chunks)
        assert error is None
        transcoder = fastutf.Transcoder(codec, target, "replace")
        assert transcoded(transcoder, chunks) == ([part.encode(target) for part in text], None)
    validator = fastutf.Validator(codec)
    _, error = incremental(codec, "strict", chunks)
    assert validated(validator, chunks) == error
    if error is not None and codec != "utf-8-sig":
        assert validator.offset == outcome(data.decode, codec)[3]
    else:
        assert error is not None or validator.offset == len(data)


@given(utf8ish, cuts)
def test_utf8(data, cuts):
    check("utf-8", data, cuts)


@given(utf16ish, cuts)
def test_utf16(data, cuts):
    check("utf-16-le", data, cuts)
    check("utf-16-be", data, cuts)


@pytest.mark.parametrize("cut", range(6))
def test_the_end_of_utf16(cut):
    check("utf-16-le", b"a\x00\x3d\xd8\x00", [cut])
    check("utf-16-be", b"\x00a\xd8\x3d\x00", [cut])


@given(utf16ish, cuts)
def test_utf16_with_a_mark(data, cuts):
    # Without a mark, CPython's incremental decoder refuses the text, and its other one does not.
    check("utf-16", b"\xff\xfe" + data, cuts)
    check("utf-16", b"\xfe\xff" + data, cuts)


@given(st.text(max_size=50), cuts)
def test_utf16_without_a_mark(text, cuts):
    data = text.encode("utf-16")[2:]
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return
    chunks = chunked(data, cuts)
    assert b"".join(transcoded(fastutf.Transcoder("utf-16"), chunks)[0]).decode() == text
    assert validated(fastutf.Validator("utf-16"), chunks) is None


@given(st.text(max_size=50), cuts, st.booleans())
def test_utf8_sig(text, cuts, mark):
    data = (b"\xef\xbb\xbf" if mark else b"") + text.encode()
    assert b"".join(transcoded(fastutf.Transcoder("utf-8-sig"), chunked(data, cuts))[0]).decode() == data.decode("utf-8-sig")


@pytest.mark.parametrize("start", range(60, 72))
def test_a_surrogate_in_utf8(start):
    data = b"a" * 64 + b"\xf0\x9f\x98\xed\xa0\x80" + b"b" * 5
    for end in range(start, len(data)):
        check("utf-8", data, [start, end - start])


TEXT = "naïve €, zł, 😀\n" * 20_000


@pytest.mark.parametrize("size", [1000, 4096, 4097, 1 << 18, 1 << 24])
@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "utf-16-be"])
def test_over_a_file(tmp_path, codec, size):
    path = tmp_path / "text"
    path.write_bytes(TEXT.encode(codec))
    with open(path, "rb") as file, fastutf.Transcoder(codec, "utf-8") as transcoder:
        assert b"".join(transcoder.over(file, chunk_size=size)).decode() == TEXT
    with open(path, "rb") as file, fastutf.Validator(codec) as validator:
        assert b"".join(validator.over(file, size)) == path.read_bytes()
        assert validator.offset == path.stat().st_size
    with open(path, "ab") as file:
        file.write(b"\xd8")
    for make in (lambda: fastutf.Transcoder(codec), lambda: fastutf.Validator(codec)):
        with open(path, "rb") as file, pytest.raises(UnicodeDecodeError), make() as object_:
            for _ in object_.over(file, size):
                pass
        assert object_.offset == path.stat().st_size - 1


def test_rows_of_a_file_in_utf16(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("name;price\nzł;5\n€;7\n", encoding="utf-16")
    with open(path, "rb") as file:
        text = b"".join(fastutf.Transcoder("utf-16").over(file)).decode()
    assert list(csv.reader(io.StringIO(text), delimiter=";"))[1:] == [["zł", "5"], ["€", "7"]]


@pytest.mark.parametrize("buffer", BUFFERS)
def test_over_chunks(buffer):
    chunks = [buffer(b"z\x00B\x01"), buffer(b"\x00\xd8"), buffer(b"\x00\xdc")]
    assert b"".join(fastutf.Transcoder("utf-16-le").over(chunks)).decode() == "zł\U00010000"
    passed = list(fastutf.Validator("utf-16-le").over(iter(chunks)))
    assert all(one is other for one, other in zip(passed, chunks))


def test_over_what_cannot_be():
    transcoder = fastutf.Transcoder("utf-8")
    with pytest.raises(TypeError):
        transcoder.over(5)
    # Each can be iterated over, or has `read`, but is no text in chunks.
    for object_ in (transcoder, fastutf.Validator()):
        for wrong in ("/etc/passwd", "", b"bytes", bytearray(b"bytes"), memoryview(b"bytes"), array.array("B", b"bytes")):
            with pytest.raises(TypeError, match=f"a binary file or .* is required, not '{type(wrong).__name__}'"):
                object_.over(wrong)
        for text in (io.StringIO("text"), io.TextIOWrapper(io.BytesIO(b"text"))):
            with pytest.raises(TypeError, match="a binary file or .* is required, not the text file '.*IO"):
                object_.over(text)
    with pytest.raises(ValueError, match="chunk_size"):
        transcoder.over(io.BytesIO(), 0)
    with pytest.raises(TypeError, match="a bytes-like object is required, not 'str'"):
        next(transcoder.over(["text"]))
    closed = io.BytesIO(b"text")
    chunks = transcoder.over(closed)
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        next(chunks)

    class Empty:
        def read(self, size):
            return None

    with pytest.raises(BlockingIOError):
        next(transcoder.over(Empty()))
    # None of that has done anything to it.
    assert transcoder.update(b"fine") == b"fine" and transcoder.offset == 4


def test_a_refused_chunk_changes_nothing():
    for object_ in (fastutf.Transcoder("utf-8"), fastutf.Validator()):
        object_.update(b"ab\xc3")
        for wrong in ("text", None, memoryview(b"abcd")[::2]):
            with pytest.raises((TypeError, BufferError)):
                object_.update(wrong)
        object_.update(b"\xa9")
        object_.finish()
        assert object_.offset == 4


def test_errors_stay():
    for object_ in (fastutf.Transcoder("utf-8"), fastutf.Validator()):
        object_.update(b"ab")
        errors = []
        for chunk in (b"c\xff", b"fine", b""):
            with pytest.raises(UnicodeDecodeError) as info:
                object_.update(chunk)
            errors.append(described(info.value))
        with pytest.raises(UnicodeDecodeError) as info:
            object_.finish()
        assert errors == [described(info.value)] * 3 and object_.offset == 3
        object_.reset()
        object_.update(b"fine")
        assert object_.offset == 4
        object_.finish()
        with pytest.raises(ValueError, match="reset"):
            object_.update(b"a")
        with pytest.raises(ValueError, match="reset"):
            object_.finish()


def test_one_thread_at_a_time():
    transcoder = fastutf.Transcoder("utf-8", "utf-16-le")
    chunk, refused = b"a" * 30_000_000, []

    def second():
        while not refused and working.is_set():
            try:
                transcoder.update(b"b")
            except RuntimeError as error:
                refused.append(str(error))

    working = threading.Event()
    working.set()
    thread = threading.Thread(target=second)
    thread.start()
    lengths = []
    for _ in range(20):
        try:
            lengths.append(len(transcoder.update(chunk)))
        except RuntimeError:
            pass
        if refused:
            break
    working.clear()
    thread.join()
    assert all(length == 2 * len(chunk) for length in lengths)
    assert all("borrowed" in message for message in refused)


def test_an_error_keeps_nothing_alive():
    """The frames of a traceback hold what has failed: if that held the exception, neither would ever go."""

    class Chunk(bytearray):
        pass

    def fail(make):
        object_, chunk = make(), Chunk(b"ab\xff")
        with pytest.raises(UnicodeDecodeError):
            object_.update(chunk)
        try:
            object_.update(b"")
        except UnicodeDecodeError:
            return weakref.ref(chunk)

    for make in (fastutf.Validator, lambda: fastutf.Transcoder("utf-8")):
        chunk = fail(make)
        gc.collect()
        assert chunk() is None


def test_context_managers():
    with pytest.raises(UnicodeDecodeError), fastutf.Validator() as validator:
        validator.update(b"caf\xc3")
    with pytest.raises(UnicodeDecodeError), fastutf.Transcoder("utf-16-le") as transcoder:
        transcoder.update(b"a\x00\x00\xd8")
    # The U+FFFD at the end would be lost.
    with pytest.raises(RuntimeError, match=r"finish\(\) was not called"), fastutf.Transcoder("utf-8", errors="replace") as transcoder:
        assert transcoder.update(b"caf\xc3") == b"caf"
    with fastutf.Transcoder("utf-8", errors="replace") as transcoder:
        assert transcoder.update(b"caf\xc3") + transcoder.finish() == "caf\ufffd".encode()
        assert transcoder.replacements == 1
    # Another exception is not replaced.
    with pytest.raises(KeyError), fastutf.Validator() as validator:
        validator.update(b"caf\xc3")
        raise KeyError


def test_what_it_tells():
    transcoder = fastutf.Transcoder("utf-16", errors="replace")
    assert transcoder.encoding is None
    transcoder.update(b"\xfe\xff\x00z\xdc\x00")
    assert (transcoder.encoding, transcoder.offset, transcoder.replacements) == ("utf-16-be", 6, 1)
    for name in ("UTF8", "utf_8", "utf-8", "U8", "UTF-16LE", "utf_16_be", "utf-8-sig"):
        fastutf.Validator(name)
        fastutf.Transcoder(name)
    for name in ("latin-1", "utf-7", "utf-32", ""):
        with pytest.raises(LookupError, match="unknown encoding"):
            fastutf.Validator(name)
        with pytest.raises(LookupError, match="unknown encoding"):
            fastutf.Transcoder("utf-8", name)
    with pytest.raises(ValueError, match="byte-order mark"):
        fastutf.Transcoder("utf-8", "utf-16")
    with pytest.raises(TypeError):
        fastutf.Transcoder()
