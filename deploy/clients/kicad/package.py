"""Writes the packages of the plug-in for KiCad's Plugin and Content Manager.

    python package.py FOLDER --licence MIT [--service https://…] [--download https://…/kicad]

FOLDER gets ``swig`` and ``ipc``, what each package holds, the two as zips, and ``packages.json`` with ``repository.json`` for
an address of one's own. Equal sources make equal bytes: nothing is compressed, and every file is of one day. The manager sees that
there are others by the time in ``repository.json``, which is SOURCE_DATE_EPOCH.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import zipfile
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
_LIBRARY = _HERE.parent / "python" / "src" / "boardorder"
# Of the library what needs the standard library alone: neither webhooks nor the types, which are for checkers.
_MODULES = ("_folder", "_http", "_pages", "_retry", "_upload", "answers", "client", "errors", "feed", "money")
_EPOCH = (1980, 1, 1, 0, 0, 0)
_IDENTIFIER = "org.boardorder.kicad"
# The manager tells versions apart by number alone, so those of the two runtimes must differ. KiCad 9 and 10 run both; what
# runs within needs no switch in their preferences, so it is what they are offered.
_VERSIONS = {
    "swig": {"version": "0.1.0", "kicad_version": "6.0", "kicad_version_max": "10.98"},
    "ipc": {"version": "1.1.0", "kicad_version": "9.0.1"},
}
_OFFERED_FROM = {"swig": "6.0", "ipc": "10.99"}


def build(folder: Path, licence: str, service: str = "", download: str = "https://example.com/kicad") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    listed = []
    for runtime in _VERSIONS:
        tree = folder / runtime
        shutil.rmtree(tree, ignore_errors=True)
        _copy(tree, runtime, service)
        (tree / "metadata.json").write_text(_json(_describe(licence, [_version(runtime)])))
        archive = folder / f"{_IDENTIFIER}-{_VERSIONS[runtime]['version']}-{runtime}.zip"
        size = _pack(tree, archive)
        listed.append({
            **_version(runtime), "kicad_version": _OFFERED_FROM[runtime], "download_url": f"{download}/{archive.name}", "download_sha256": hashlib.sha256(archive.read_bytes()).hexdigest(),
            "download_size": archive.stat().st_size, "install_size": size,
        })
    packages = _json({"packages": [_describe(licence, listed)]})
    (folder / "packages.json").write_text(packages)
    (folder / "repository.json").write_text(_json({
        "$schema": "https://go.kicad.org/pcm/schemas/v1#/definitions/Repository", "name": "Board Ordering", "maintainer": _CONTACT,
        "packages": {"url": f"{download}/packages.json", "sha256": hashlib.sha256(packages.encode()).hexdigest(), "update_timestamp": int(os.environ.get("SOURCE_DATE_EPOCH", "0"))},
    }))


def _copy(tree: Path, runtime: str, service: str) -> None:
    plugins = tree / "plugins"
    package = plugins / "boardorder_kicad"
    library = package / "boardorder"
    library.mkdir(parents=True)
    (library / "__init__.py").write_text('"""The client library of Board Ordering, without what needs other modules."""\n')
    for module in _MODULES:
        shutil.copy(_LIBRARY / f"{module}.py", library)
    other = {"swig": "ipc.py", "ipc": "swig.py"}[runtime]
    for file in sorted((_HERE / "src" / "boardorder_kicad").glob("*.py")):
        if file.name != other:
            shutil.copy(file, package)
    for file in sorted((_HERE / runtime).iterdir()):
        if file.is_file():
            shutil.copy(file, plugins)
    for size in (24, 48):
        shutil.copy(_HERE / "resources" / f"icon-{size}.png", plugins)
    if service:
        (package / "service.txt").write_text(service + "\n")
    (tree / "resources").mkdir()
    shutil.copy(_HERE / "resources" / "icon-64.png", tree / "resources" / "icon.png")


def _pack(tree: Path, archive: Path) -> int:
    size = 0
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as out:
        for file in sorted(f for f in tree.rglob("*") if f.is_file() and "__pycache__" not in f.parts):
            content = file.read_bytes()
            entry = zipfile.ZipInfo(file.relative_to(tree).as_posix(), _EPOCH)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            out.writestr(entry, content)
            size += len(content)
    return size


_CONTACT = {"name": "Board Ordering", "contact": {}}


def _version(runtime: str) -> dict[str, Any]:
    return {**_VERSIONS[runtime], "status": "stable", "runtime": runtime}


def _describe(licence: str, versions: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "$schema": "https://go.kicad.org/pcm/schemas/v1",
        "name": "Board Ordering",
        "description": "Delivered prices of the open board, and findings marked on it",
        "description_full": "Sends the saved board and its schematic, asks what the files leave open, lists what was found and marks it on the board, shows what it costs "
        "by quantity and build time, delivered, and opens the page where it is paid. With the parts on the boards, too: part numbers of LCSC and of "
        "manufacturers are read from the fields of the schematic, by the names that other plug-ins use.",
        "identifier": _IDENTIFIER,
        "type": "plugin",
        "category": "fab",
        "author": _CONTACT,
        "maintainer": _CONTACT,
        "license": licence,
        "resources": {},
        "tags": ["fabrication", "assembly", "price", "design-check"],
        "versions": versions,
    }


def _json(value: Any) -> str:
    return json.dumps(value, indent=2) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--licence", required=True, help="of the list in KiCad's schema, without which nothing can be installed; the repository itself has chosen none")
    parser.add_argument("--service", default="", help="the address of the service that the packages are made for")
    parser.add_argument("--download", default="https://example.com/kicad", help="where the zips will lie")
    given = parser.parse_args()
    build(given.folder, given.licence, given.service, given.download.rstrip("/"))
