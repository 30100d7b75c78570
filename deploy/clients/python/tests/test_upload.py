from __future__ import annotations

import io
import zipfile
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from boardorder import InvalidError, NamedFile, Source
from boardorder._upload import pack_files, write_form

from .conftest import named, read_vectors

_VECTORS = read_vectors("folders")


@pytest.mark.parametrize("case", **named(_VECTORS["cases"]))
def test_folders(case: dict[str, Any], tmp_path: Path) -> None:
    for name in case["files"]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"content of {name}")
    (tmp_path / "link.gbr").symlink_to("/etc/hostname")
    if "error" in case:
        with pytest.raises(InvalidError) as raised:
            pack_files(tmp_path)
        assert raised.value.code == case["error"]
        return
    [file] = pack_files(tmp_path)
    assert file.name == _VECTORS["archive"]
    with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
        assert [(i.filename, archive.read(i).decode()) for i in archive.infolist()] == [(name, f"content of {name}") for name in case["packed"]]
    assert pack_files(str(tmp_path)) == [file], "the same folder made another archive"


def test_what_the_service_would_refuse_is_not_sent(tmp_path: Path) -> None:
    large = tmp_path / "large.zip"
    with large.open("wb") as file:
        file.truncate(51 * 2**20)
    folder = tmp_path / "many"
    folder.mkdir()
    with (folder / "large.gbr").open("wb") as file:
        file.truncate(501 * 2**20)
    half = NamedFile("a.zip", bytes(40 * 2**20))
    refused: list[Source | list[Source]] = [large, folder, [], [NamedFile("a", b"")] * 21, [half] * 3]
    for sources in refused:
        with pytest.raises(InvalidError):
            pack_files(sources)


def test_a_form_is_read_as_it_was_meant() -> None:
    form = write_form([("name", 'Lamp "ü"\r\n--')], [("gerbers", NamedFile('a"\r\nX: y; ü.zip', b"\x00\r\n--\r\n\xff"))])
    message = message_from_bytes(f"Content-Type: {form.content_type}\r\n\r\n".encode() + form.body)
    name, file = list(message.walk())[1:]
    assert name.get_payload(decode=True) == 'Lamp "ü"\r\n--'.encode()
    assert file.get_payload(decode=True) == b"\x00\r\n--\r\n\xff"
    assert file.keys() == ["Content-Disposition", "Content-Type"]
