"""Objects of stores, opened with fsspec: what a URL names, its size and version, and ranges of its bytes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from importlib import import_module
from typing import Any, cast

from pgnmill._errors import InputError, MissingError, PackageError

__all__ = ["RemoteObject", "objects", "version_of"]

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
# The names that filesystems give to what changes with each version of an object, the most exact first.
_TAGS = ("ETag", "etag", "e_tag", "md5Hash", "content_md5", "generation", "version_id")
_TIMES = ("LastModified", "last_modified", "mtime", "modified", "updated", "modificationTime", "created")


@dataclass(frozen=True)
class RemoteObject:
    """An object of a filesystem of fsspec."""

    url: str
    path: str
    system: Any

    @property
    def is_ranged(self) -> bool:
        """Is a whole archive read by ranges? Else as one stream: a server of HTTP need not support ranges."""
        protocol = self.system.protocol
        names = (protocol,) if isinstance(protocol, str) else tuple(protocol)
        # Else it would open a file, with its caches, for each range.
        kind, spec = cast(Any, type(self.system)), import_module("fsspec.spec")
        has_ranges = hasattr(kind, "_cat_file") or kind.cat_file is not spec.AbstractFileSystem.cat_file
        return has_ranges and "http" not in names

    def facts(self) -> tuple[int, int | None, str | None]:
        """The size, the time of the last modification in nanoseconds since 1970, the etag."""
        # Listings are kept by filesystems; the object may have been written since.
        self.system.invalidate_cache(self.path)
        info = cast("Mapping[str, object]", self.system.info(self.path))
        size = info.get("size")
        if info.get("type") == "directory":
            raise InputError(f"{self.url} is a directory", path=self.url)
        if not isinstance(size, int):
            raise InputError(f"the size of {self.url} is unknown", path=self.url)
        if getattr(self.system, "local_file", False):
            return size, os.stat(self.path).st_mtime_ns, None
        return (size, *version_of(info))

    def read(self, begin: int, end: int) -> bytes:
        """The bytes of a range: one request, without the caches that files of fsspec have."""
        return cast(bytes, self.system.cat_file(self.path, start=begin, end=end))

    def open(self) -> Any:
        """A binary file object."""
        return self.system.open(self.path, "rb")


def version_of(info: Mapping[str, object]) -> tuple[int | None, str | None]:
    """The time of the last modification, in nanoseconds since 1970, or the etag, of what a filesystem reports."""
    for name in _TAGS:
        tag = info.get(name)
        if tag is not None and tag != "":
            text = tag.hex() if isinstance(tag, (bytes, bytearray)) else str(tag)
            return None, text.strip('"')
    for name in _TIMES:
        time = info.get(name)
        if isinstance(time, datetime):
            zoned = time if time.tzinfo is not None else time.replace(tzinfo=timezone.utc)
            return (zoned - _EPOCH) // timedelta(microseconds=1) * 1000, None
        if isinstance(time, (int, float)):
            return int(time * 1_000_000_000), None
        if isinstance(time, str) and time:
            return None, f"{name} {time}"
    return None, None


def objects(url: str) -> list[RemoteObject]:
    """The objects that a URL names, in the order of their names: several if it has a ``*``.

    Raises
    ------
    PackageError
        fsspec, or the package that it requires for this URL, is not installed.
    MissingError
        A URL with ``*`` names nothing.
    InputError
        There is no filesystem for the URL, or it cannot be listed.
    """
    try:
        core: Any = import_module("fsspec.core")
    except ImportError as missing:
        raise PackageError(f"{url} requires the package fsspec: pip install fsspec", path=url) from missing
    try:
        system, path = cast("tuple[Any, str]", core.url_to_fs(url))
        if "*" not in path:
            return [RemoteObject(url, path, system)]
        found = cast("list[str]", sorted(system.glob(path)))
    except Exception as raised:
        raise InputError(f"cannot open {url}: {raised}", path=url) from raised
    if not found:
        raise MissingError(f"{url} names nothing", path=url)
    # Of a chain such as zip://*::s3://a/b.zip, the rest.
    _, *rest = url.split("::", 1)
    return [RemoteObject("::".join([system.unstrip_protocol(one), *rest]), one, system) for one in found]
