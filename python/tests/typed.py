"""For `mypy --strict`: what a user writes. It also runs."""

import io
import fastutf
from typing_extensions import assert_type


def wrong() -> None:
    fastutf.decode_utf8(b"", errors="ignore")  # type: ignore[arg-type]
    fastutf.is_valid_utf8("text")  # type: ignore[arg-type]
    fastutf.decode_column([b"a"])  # type: ignore[call-overload]


def main() -> None:
    data = "naïve".encode()
    assert_type(fastutf.is_valid_utf8(memoryview(data)), bool)
    assert_type(fastutf.utf8_info(bytearray(data)).chars, int)
    assert_type(fastutf.decode_utf8(data, errors="replace"), str)
    assert_type(fastutf.utf16_to_utf8(b"z\x00", "utf-16-le", "strict"), bytes)
    with fastutf.Transcoder("utf-16", errors="replace") as transcoder:
        for chunk in transcoder.over(io.BytesIO(b"\xff\xfez\x00")):
            assert_type(chunk, bytes)
    with fastutf.Validator() as validator:
        assert_type(validator.update(data), None)
    for part in fastutf.Transcoder("utf-8").over([data, bytearray(data)]):
        assert_type(part, bytes)
    try:
        fastutf.validate_utf8(b"\xff")
    except UnicodeDecodeError as error:
        assert_type(error.start, int)
    try:
        import pyarrow  # type: ignore[import-untyped]
    except ImportError:
        return
    column = fastutf.decode_column(pyarrow.array([b"a"]), "utf-8", "null")
    assert len(column) == 1


if __name__ == "__main__":
    main()
