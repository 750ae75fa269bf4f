"""Tables that runs write."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Union

from pgnmill import _html, _native
from pgnmill._errors import package

__all__ = ["Table"]

Cell = Union[str, int, float, None]


class Table:
    """A table that a run has written, as rows or for Arrow.

    It has the Arrow C stream interface, which can be read any number of times: ``pyarrow.table(table)``,
    ``polars.DataFrame(table)`` and others take it as it is. It is not made by users.

    Attributes
    ----------
    name : str
        The name of the table, such as ``"faults"``.
    path : Path or None
        The file of the table; it is read when the table is. None if the table is in memory.

    Examples
    --------
    >>> import pgnmill
    >>> faults = pgnmill.validate(b'[Event "a"]\\n\\n1. e5 *\\n').faults
    >>> faults.columns[:4], len(faults)
    (['archive', 'byte_offset', 'line', 'column'], 1)
    >>> faults.rows()[0]["detail"][:20]
    'e5: no white pawn ca'
    """

    name: str
    path: Path | None

    def __init__(self, name: str, *, data: bytes | None = None, path: Path | None = None) -> None:
        self.name = name
        self.path = path
        self._data = data

    def to_csv(self) -> bytes:
        """The table as CSV, with a header.

        Returns
        -------
        bytes

        Examples
        --------
        >>> import pgnmill
        >>> pgnmill.validate(b"").faults.to_csv()[:12]
        b'archive,byte'
        """
        if self._data is not None:
            return self._data
        return self.path.read_bytes() if self.path is not None else b""

    def _header(self, data: bytes) -> list[str]:
        return next(csv.reader([data.split(b"\n", 1)[0].decode()]), list[str]())

    def _kinds(self, data: bytes) -> list[tuple[str, str]]:
        file = self.name if self.name in ("faults", "notes") else f"{self.name}.csv"
        known = dict(_native.table_columns(file))
        of_names = next((kind for name, kind in known.items() if name.endswith("NAME")), "text")
        return [(name, known.get(name, of_names)) for name in self._header(data)]

    @property
    def columns(self) -> list[str]:
        """The names of the columns.

        Examples
        --------
        >>> import pgnmill
        >>> pgnmill.measure(b"").tables["summary"].columns
        ['key', 'value']
        """
        return self._header(self.to_csv())

    def rows(self) -> list[dict[str, Cell]]:
        """All rows: counts as int, ratios as float, an empty number as None.

        Examples
        --------
        >>> import pgnmill
        >>> pgnmill.measure(b"").tables["summary"].rows()[2]
        {'key': 'command', 'value': 'measure'}
        """
        data = self.to_csv()
        kinds = self._kinds(data)
        rows = csv.reader(io.StringIO(data.decode(), newline=""))
        next(rows, None)
        return [{name: _cell(kind, text) for (name, kind), text in zip(kinds, row)} for row in rows]

    def __iter__(self) -> Iterator[dict[str, Cell]]:
        return iter(self.rows())

    def to_polars(self) -> Any:
        """The table as a data frame of Polars, which must be installed.

        Returns
        -------
        polars.DataFrame

        Raises
        ------
        PackageError
            Polars is not installed.

        Examples
        --------
        >>> import pgnmill
        >>> pgnmill.validate(b'[Event "a"]\\n\\n1. e5 *\\n').faults.to_polars()["kind"].to_list()
        ['move-illegal']
        """
        return package("polars").DataFrame(self)

    def to_pandas(self) -> Any:
        """The table as a data frame of pandas, which must be installed.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        PackageError
            pandas is not installed.

        Examples
        --------
        >>> import pgnmill
        >>> list(pgnmill.validate(b'[Event "a"]\\n\\n1. e5 *\\n').faults.to_pandas()["kind"])
        ['move-illegal']
        """
        return package("pandas").DataFrame(self.rows(), columns=self.columns)

    def to_html(self) -> str:
        """The first rows as a table in HTML, which a notebook shows.

        Examples
        --------
        >>> import pgnmill
        >>> pgnmill.validate(b"").faults.to_html()[:7]
        '<table>'
        """
        return _html.table(self.columns, self.rows(), len(self))

    def _repr_html_(self) -> str:
        return self.to_html()

    def __len__(self) -> int:
        rows = csv.reader(io.StringIO(self.to_csv().decode(), newline=""))
        return max(sum(1 for _ in rows) - 1, 0)

    def __arrow_c_schema__(self) -> object:
        """The schema, for Arrow.

        Examples
        --------
        >>> import pgnmill
        >>> "arrow_schema" in repr(pgnmill.validate(b"").faults.__arrow_c_schema__())
        True
        """
        return _native.table_schema(self._kinds(self.to_csv()))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows, for Arrow: text, int64 and float64.

        Examples
        --------
        >>> import pgnmill
        >>> "arrow_array_stream" in repr(pgnmill.validate(b"").faults.__arrow_c_stream__())
        True
        """
        del requested_schema  # It is a wish, which need not be fulfilled.
        data = self.to_csv()
        return _native.table_stream(data, self._kinds(data))

    def __repr__(self) -> str:
        of = "" if self.path is None else f" {str(self.path)!r}"
        return f"<pgnmill.Table {self.name}{of}>"


def _cell(kind: str, text: str) -> Cell:
    if kind == "count":
        return int(text) if text else None
    if kind == "decimal":
        return float(text) if text else None
    return text
