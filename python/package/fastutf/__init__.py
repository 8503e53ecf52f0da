"""UTF-8 and UTF-16, validated and converted with SIMD.

From any buffer, without a copy, and with the results and exceptions of CPython's own codecs.

>>> import fastutf
>>> fastutf.is_valid_utf8("naïve".encode())
True
>>> fastutf.utf16_to_utf8(b"z\\x00B\\x01")
b'z\\xc5\\x82'
"""

from ._errors import ColumnDecodeError
from ._fastutf import (
    ChunkedColumn,
    Chunks,
    Column,
    Transcoder,
    Utf8Info,
    Validator,
    __version__,
    count_chars_utf8,
    count_chars_utf16,
    decode_column,
    decode_utf8,
    decode_utf16,
    encode_column,
    is_ascii,
    is_valid_column,
    is_valid_utf8,
    is_valid_utf16,
    latin1_to_utf8,
    latin1_to_utf16,
    repair_utf8,
    utf8_info,
    utf8_len_from_latin1,
    utf8_len_from_utf16,
    utf8_to_latin1,
    utf8_to_utf16,
    utf16_len_from_utf8,
    utf16_to_latin1,
    utf16_to_utf8,
    validate_column,
    validate_utf8,
    validate_utf16,
)

__all__ = [
    "ChunkedColumn",
    "Chunks",
    "Column",
    "ColumnDecodeError",
    "Transcoder",
    "Utf8Info",
    "Validator",
    "__version__",
    "count_chars_utf16",
    "count_chars_utf8",
    "decode_column",
    "decode_utf16",
    "decode_utf8",
    "encode_column",
    "is_ascii",
    "is_valid_column",
    "is_valid_utf16",
    "is_valid_utf8",
    "latin1_to_utf16",
    "latin1_to_utf8",
    "repair_utf8",
    "utf16_len_from_utf8",
    "utf16_to_latin1",
    "utf16_to_utf8",
    "utf8_info",
    "utf8_len_from_latin1",
    "utf8_len_from_utf16",
    "utf8_to_latin1",
    "utf8_to_utf16",
    "validate_column",
    "validate_utf16",
    "validate_utf8",
]
