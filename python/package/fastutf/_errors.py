"""The exception for an ill-formed row of a column."""


class ColumnDecodeError(UnicodeDecodeError):
    """An ill-formed row of a column: the exception that CPython has for the bytes of the row, and which row it is.

    >>> import fastutf, pyarrow
    >>> try:
    ...     fastutf.validate_column(pyarrow.array([b"fine", b"caf\\xe9"]))
    ... except fastutf.ColumnDecodeError as error:
    ...     print(error.row, error.object, error.start)
    1 b'caf\\xe9' 3
    """

    row: int

    def __str__(self) -> str:
        return f"row {self.row}: {super().__str__()}"


ColumnDecodeError.__module__ = "fastutf"
