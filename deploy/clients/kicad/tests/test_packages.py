from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from kipy.packaging import validate

_HERE = Path(os.environ.get("KICAD_PLUGIN", Path(__file__).parents[1]))


def build(folder: Path) -> None:
    subprocess.run([sys.executable, str(_HERE / "package.py"), str(folder), "--licence", "MIT", "--service", "https://api.example.com", "--download", "https://example.com/kicad/"], check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    build(folder)
    return folder


def schema(name: str, definition: str = "") -> Draft7Validator:
    """A schema as KiCad itself ships it, by kicad-python."""
    whole: dict[str, Any] = json.loads(files("kipy.packaging.schemas").joinpath(name).read_text())
    return Draft7Validator({**whole, "$ref": f"#/definitions/{definition}"} if definition else whole)


def read(archive: Path, name: str) -> Any:
    with zipfile.ZipFile(archive) as z:
        return json.loads(z.read(name))


def test_equal_sources_make_equal_bytes(packages: Path, tmp_path: Path) -> None:
    build(tmp_path)
    for file in packages.iterdir():
        if file.is_file():
            assert (tmp_path / file.name).read_bytes() == file.read_bytes(), f"{file.name} was written otherwise the second time"


def test_metadata(packages: Path) -> None:
    metadata = schema("pcm.v1.schema.json")
    for archive, runtime in zip(sorted(packages.glob("*.zip")), ("swig", "ipc")):
        told = read(archive, "metadata.json")
        assert not [e.message for e in metadata.iter_errors(told)], archive
        assert [v["runtime"] for v in told["versions"]] == [runtime], archive
    whole = json.loads((packages / "packages.json").read_text())
    for name, definition in (("packages", "PackageArray"), ("repository", "Repository")):
        assert not [e.message for e in schema("pcm.v1.schema.json", definition).iter_errors(json.loads((packages / f"{name}.json").read_text()))], name
    versions = whole["packages"][0]["versions"]
    assert len({v["version"] for v in versions}) == 2, "KiCad tells versions apart by number alone"
    for version in versions:
        archive = packages / version["download_url"].rpartition("/")[2]
        assert (version["download_sha256"], version["download_size"]) == (hashlib.sha256(archive.read_bytes()).hexdigest(), archive.stat().st_size), archive


def test_kicads_own_check_of_the_package(packages: Path) -> None:
    [archive] = packages.glob("*-ipc.zip")
    assert [m for m in validate(archive).messages if m.level != "info"] == []


def test_what_the_packages_hold(packages: Path) -> None:
    for archive in packages.glob("*.zip"):
        with zipfile.ZipFile(archive) as z:
            names = z.namelist()
        assert {"metadata.json", "resources/icon.png", "plugins/icon-24.png", "plugins/boardorder_kicad/boardorder/client.py"} <= set(names), archive
        assert not [n for n in names if "types.py" in n or "webhooks" in n or "test" in n or "__pycache__" in n], archive
        with zipfile.ZipFile(archive) as z:
            assert z.read("plugins/boardorder_kicad/service.txt") == b"https://api.example.com\n"
