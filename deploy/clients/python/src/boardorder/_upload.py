"""Design files, as a form that may be sent several times."""

from __future__ import annotations

import io
import os
import secrets
import zipfile
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Union

from ._folder import list_folder
from .errors import InvalidError

_MAX_FILES, _MAX_FILE_MB, _MAX_MB, _MAX_UNPACKED_MB, _MB = 20, 50, 100, 500, 2**20
_EPOCH = (1980, 1, 1, 0, 0, 0)  # so that equal files make equal archives


class NamedFile(NamedTuple):
    """A file that is in memory."""

    name: str
    data: bytes


Source = Union[str, "os.PathLike[str]", NamedFile]
"""A file in memory, or the path of a file, or of a folder, which is packed without what tools leave in it."""


class Form(NamedTuple):
    content_type: str
    body: bytes


def pack_files(sources: Source | Sequence[Source]) -> list[NamedFile]:
    """All files. Refuses what the service would, before anything is sent."""
    listed: list[Source] = [sources] if isinstance(sources, (str, os.PathLike, NamedFile)) else list(sources)
    if not listed:
        raise InvalidError("There is no file to send.", code="no_files")
    if len(listed) > _MAX_FILES:
        raise InvalidError(f"At most {_MAX_FILES} files are sent at once; send a zip of them.", code="upload_too_large")
    files = [open_source(source) for source in listed]
    if (total := sum(len(file.data) for file in files)) > _MAX_MB * _MB:
        raise _too_large("All of it", total, _MAX_MB)
    return files


def open_source(source: Source) -> NamedFile:
    """A file, by its own name; a folder as the archive ``design.zip``."""
    if isinstance(source, NamedFile):
        file = source
    elif os.path.isdir(source):
        file = NamedFile("design.zip", _pack_folder(os.fspath(source)))
    elif (size := os.stat(source).st_size) > _MAX_FILE_MB * _MB:
        raise _too_large(os.path.basename(source), size, _MAX_FILE_MB)
    else:
        with open(source, "rb") as content:
            file = NamedFile(os.path.basename(source), content.read())
    if len(file.data) > _MAX_FILE_MB * _MB:
        raise _too_large(file.name, len(file.data), _MAX_FILE_MB)
    return file


def _pack_folder(folder: str) -> bytes:
    names = list_folder(folder)
    if not names:
        raise InvalidError("The folder has no file of a design.", code="no_files")
    if (total := sum(os.path.getsize(os.path.join(folder, name)) for name in names)) > _MAX_UNPACKED_MB * _MB:
        raise _too_large("The folder", total, _MAX_UNPACKED_MB)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            with open(os.path.join(folder, name), "rb") as content:
                archive.writestr(zipfile.ZipInfo(name, _EPOCH), content.read(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _too_large(what: str, size: int, limit: int) -> InvalidError:
    return InvalidError(f"{what} has {size / _MB:.1f} MB, and {limit} MB is the most.", code="upload_too_large")


def write_form(fields: Iterable[tuple[str, str]], files: Iterable[tuple[str, NamedFile]]) -> Form:
    """A multipart/form-data body."""
    boundary = secrets.token_hex(16)
    parts: list[bytes] = []
    for name, value in fields:
        parts += [f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()]
    for name, file in files:
        quoted = file.name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
        parts += [f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{quoted}"\r\nContent-Type: application/octet-stream\r\n\r\n'.encode(), file.data, b"\r\n"]
    return Form(f"multipart/form-data; boundary={boundary}", b"".join([*parts, f"--{boundary}--\r\n".encode()]))
