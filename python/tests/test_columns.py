"""Columns of pyarrow and others, next to a loop over the rows with CPython's codecs."""

import fastutf
import pytest
from conftest import outcome, utf8ish, utf16ish
from hypothesis import given
from hypothesis import strategies as st

pa = pytest.importorskip("pyarrow")

KINDS = [pa.binary(), pa.large_binary(), pa.binary_view()]
TEXT = {pa.binary(): pa.string(), pa.large_binary(): pa.large_string(), pa.binary_view(): pa.string_view()}
rows8 = st.lists(st.one_of(st.none(), utf8ish), max_size=30)
rows16 = st.lists(st.one_of(st.none(), utf16ish), max_size=30)
kinds = st.sampled_from(KINDS)
slices = st.tuples(st.integers(0, 5), st.integers(0, 5))


def by_rows(rows, codec, errors):
    out = []
    for row in rows:
        if row is None:
            out.append(None)
            continue
        try:
            out.append(row.decode(codec, "replace" if errors == "replace" else "strict"))
        except UnicodeDecodeError:
            out.append(None)
    return out


def first_error(rows, codec):
    for number, row in enumerate(rows):
        if row is not None and isinstance(result := outcome(row.decode, codec), tuple):
            return number, result
    return None


def check(rows, kind, cut, codec):
    """The rows as an array, which is a slice of a longer one, and as chunks."""
    before, after = cut
    whole = pa.array([b"\xff\xd8before"] * before + rows + [None] * after, kind)
    array = whole.slice(before, len(rows))
    chunks = pa.chunked_array([array.slice(0, before), array.slice(before, 3), array.slice(before + 3)], kind)
    chunked_rows = chunks.to_pylist()
    assert chunked_rows == rows
    expected_error = first_error(rows, codec)
    valid = [None if row is None else isinstance(outcome(row.decode, codec), str) for row in rows]
    for column, make in ((array, pa.array), (chunks, pa.chunked_array)):
        for errors in ("null", "replace"):
            result = fastutf.decode_column(column, codec, errors)
            assert len(result) == len(rows)
            text = make(result)
            text.validate(full=True)
            assert text.type == TEXT[kind]
            assert text.to_pylist() == by_rows(rows, codec, errors)
            assert text.null_count == result.null_count
            # It can be taken more than once.
            assert make(result) == text
        assert make(fastutf.is_valid_column(column, codec)).to_pylist() == valid
        if expected_error is None:
            text = make(fastutf.decode_column(column, codec))
            text.validate(full=True)
            assert text.to_pylist() == by_rows(rows, codec, "strict")
            assert fastutf.validate_column(column, codec) is None
            again = make(fastutf.encode_column(text, codec))
            assert again.type == kind and again.to_pylist() == rows
        else:
            row, (_, encoding, object_, start, end, reason, message) = expected_error
            for call in (fastutf.decode_column, fastutf.validate_column):
                with pytest.raises(fastutf.ColumnDecodeError) as info:
                    call(column, codec)
                error = info.value
                assert (error.row, error.encoding, error.object) == (row, encoding, object_)
                assert (error.start, error.end, error.reason) == (start, end, reason)
                assert str(error) == f"row {row}: {message}"


@given(rows8, kinds, slices)
def test_utf8(rows, kind, cut):
    check(rows, kind, cut, "utf-8")


@given(rows16, kinds, slices, st.sampled_from(["utf-16-le", "utf-16-be"]))
def test_utf16(rows, kind, cut, codec):
    check(rows, kind, cut, codec)


@pytest.mark.parametrize("kind", KINDS)
def test_one_replacement_at_the_end_of_utf16(kind):
    rows = [b"a\x00\x3d\xd8\x00", None, b"\x3d\xd8\x00", b"z\x00", b"\x00"]
    column = pa.array(rows, kind)
    assert pa.array(fastutf.decode_column(column, "utf-16-le", "replace")).to_pylist() == by_rows(rows, "utf-16-le", "replace")


@pytest.mark.parametrize("kind", KINDS)
def test_text_is_checked_as_bytes(kind):
    """A column that only says that it is text."""
    broken = pa.array([b"fine", b"caf\xe9", None], kind).cast(TEXT[kind], safe=False) if kind != pa.binary_view() else None
    if broken is None:
        array = pa.array([b"fine", b"caf\xe9", None], kind)
        broken = pa.Array.from_buffers(TEXT[kind], 3, array.buffers())
    with pytest.raises(fastutf.ColumnDecodeError, match="row 1"):
        fastutf.validate_column(broken)
    with pytest.raises(fastutf.ColumnDecodeError, match="row 1"):
        fastutf.encode_column(broken)
    assert pa.array(fastutf.decode_column(broken, "utf-8", "replace")).to_pylist() == ["fine", "caf\ufffd", None]


def test_fine_utf8_is_not_copied():
    column = pa.array([b"fine", b"caf\xc3\xa9"] * 1000)
    text = pa.array(fastutf.decode_column(column))
    assert text.buffers()[2].address == column.buffers()[2].address


def test_empty():
    for kind in KINDS:
        assert pa.array(fastutf.decode_column(pa.array([], kind), "utf-16-le")) == pa.array([], TEXT[kind])
        none = pa.chunked_array([], kind)
        assert pa.chunked_array(fastutf.decode_column(none, "utf-16-le")).type == TEXT[kind]
        assert pa.chunked_array(fastutf.is_valid_column(none)).type == pa.bool_()


def test_what_cannot_be():
    for wrong in ([b"a"], b"a", None, 5, "text"):
        with pytest.raises(TypeError, match="a column of pyarrow, polars, pandas or another package is required"):
            fastutf.decode_column(wrong)
    with pytest.raises(TypeError, match="a column of binary or text is required, not Int64"):
        fastutf.decode_column(pa.array([1]))
    with pytest.raises(TypeError, match="a single column"):
        fastutf.decode_column(pa.table({"a": [b"a"]}))
    with pytest.raises(TypeError, match="dictionary"):
        fastutf.decode_column(pa.array([b"a"]).dictionary_encode())
    column = pa.array([b"a"])
    with pytest.raises(ValueError, match="errors must be 'strict', 'replace' or 'null', not 'ignore'"):
        fastutf.decode_column(column, errors="ignore")
    with pytest.raises(LookupError, match="unknown encoding"):
        fastutf.decode_column(column, "latin-1")
    with pytest.raises(ValueError, match="no byte-order mark"):
        fastutf.decode_column(column, "utf-16")
    for function in (fastutf.decode_column, fastutf.encode_column, fastutf.validate_column, fastutf.is_valid_column):
        with pytest.raises(ValueError, match="null"):
            function(column, "utf-8\0")
    with pytest.raises(TypeError, match="encoding must be str"):
        fastutf.decode_column(column, 16)

    class Used:
        """Its capsules have been taken before."""

        def __init__(self, capsules):
            self.capsules = capsules

        def __arrow_c_array__(self, requested_schema=None):
            return self.capsules

    used = Used(column.__arrow_c_array__())
    assert len(fastutf.decode_column(used)) == 1
    with pytest.raises(ValueError, match="released"):
        fastutf.decode_column(used)
    with pytest.raises((TypeError, ValueError)):
        fastutf.decode_column(Used(5))
    with pytest.raises((TypeError, ValueError)):
        fastutf.decode_column(Used(tuple(reversed(column.__arrow_c_array__()))))


def test_errors_of_a_stream():
    def batches():
        yield pa.record_batch({"a": [b"a"]})
        raise RuntimeError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"a": pa.binary()}), batches())
    with pytest.raises(TypeError, match="a single column"):
        fastutf.decode_column(reader)


def test_what_it_tells():
    result = fastutf.decode_column(pa.array([b"a", None]))
    assert (len(result), result.null_count, result.type) == (2, 1, "Utf8")
    assert repr(result) == "<fastutf.Column of 2 Utf8>"
    result = fastutf.decode_column(pa.chunked_array([[b"a", None], [b"b"]]))
    assert (len(result), result.null_count, result.type, len(result.chunks)) == (3, 1, "Utf8", 2)
    assert pa.array(result.chunks[1]).to_pylist() == ["b"]


def test_polars():
    pl = pytest.importorskip("polars")
    series = pl.Series("name", [b"z\x00B\x01", b"\x00\xdc", None])
    text = pl.Series(fastutf.decode_column(series, "utf-16-le", "null"))
    assert text.to_list() == ["zł", None, None]
    assert pl.Series(fastutf.encode_column(text)).to_list() == [b"z\x00B\x01", None, None]


def test_pandas():
    pd = pytest.importorskip("pandas")
    series = pd.Series([b"z\x00B\x01", None], dtype=pd.ArrowDtype(pa.binary()))
    column = series if hasattr(series, "__arrow_c_stream__") else series.array.__arrow_array__()
    text = pa.chunked_array(fastutf.decode_column(column, "utf-16-le"))
    assert pd.Series(text, dtype=pd.ArrowDtype(pa.string()))[0] == "zł"


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    column = duckdb.sql("select 'caf'::blob as a union all select '\\xE9'::blob").to_arrow_table()["a"]
    assert pa.chunked_array(fastutf.is_valid_column(column)).to_pylist() == [True, False]
