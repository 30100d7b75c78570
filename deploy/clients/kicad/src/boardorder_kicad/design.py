"""The files of a KiCad project that make up one board."""

from __future__ import annotations

import io
import os
import re
import zipfile
from dataclasses import dataclass, field

ORDER_FILE = "board-order.json"

_MAX_SHEETS = 500
_EPOCH = (1980, 1, 1, 0, 0, 0)  # so that equal files make equal archives
_SHEET = re.compile(r'\(property\s+"Sheet ?file"\s+"((?:[^"\\]|\\.)*)"')
_LEGACY_SHEET = re.compile(r'^F1 "([^"]*)"', re.MULTILINE)


class DesignFileError(Exception):
    """The project cannot be sent as it is. The message is for people."""


@dataclass(frozen=True)
class Design:
    """A board and what belongs to it, as it lies on the disk.

    ``files`` are absolute paths within ``folder``; ``missing`` names sheets that the schematic uses and that are not sent:
    they are not there, or outside of the folder.
    """

    board: str
    files: list[str]
    missing: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return _stem(self.board)

    @property
    def folder(self) -> str:
        return os.path.dirname(self.board)

    def pack(self, extra: dict[str, bytes] | None = None) -> bytes:
        """A zip of the files and of ``extra``, which lies beside the board."""
        content = dict(extra or {})
        for file in self.files:
            with open(file, "rb") as f:
                content[os.path.relpath(file, self.folder).replace(os.sep, "/")] = f.read()
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in sorted(content):
                archive.writestr(zipfile.ZipInfo(name, _EPOCH), content[name], zipfile.ZIP_DEFLATED)
        return out.getvalue()


def find_design(board: str) -> Design:
    """What is sent for the board of this path: the board, its project file and rules, the sheets of its schematic, and how it was ordered before.

    Nothing else of the folder is. Raises DesignFileError.
    """
    if not board:
        raise DesignFileError("The board has not been saved yet. Save it, then ask again.")
    board = os.path.realpath(board)
    if not os.path.isfile(board):
        raise DesignFileError(f"{os.path.basename(board)} is not on the disk. Save the board, then ask again.")
    if os.path.splitext(board)[1] != ".kicad_pcb":
        raise DesignFileError(f"{os.path.basename(board)} is no board of KiCad. Save it as .kicad_pcb.")
    folder = os.path.dirname(board)
    beside = [os.path.join(folder, name) for name in (*(_stem(board) + ext for ext in (".kicad_pro", ".pro", ".kicad_dru")), ORDER_FILE)]
    roots = [root for ext in (".kicad_sch", ".sch") if os.path.isfile(root := os.path.join(folder, _stem(board) + ext))]
    sheets, missing = _walk_sheets(folder, roots[:1])
    return Design(board, [board, *filter(_is_plain, beside), *sheets], missing)


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]


def _is_plain(path: str) -> bool:
    return os.path.isfile(path) and not os.path.islink(path)


def _walk_sheets(folder: str, roots: list[str]) -> tuple[list[str], list[str]]:
    """Sheets by the sheets that use them. A design that somebody sent must not fetch others from this disk, so none is taken from outside of its folder."""
    found: list[str] = []
    missing: list[str] = []
    todo = [root for root in roots if _is_plain(root)]
    while todo and len(found) < _MAX_SHEETS:
        sheet = todo.pop(0)
        if sheet in found:
            continue
        found.append(sheet)
        with open(sheet, encoding="utf-8", errors="replace") as f:
            text = f.read()
        for name in (_LEGACY_SHEET if sheet.endswith(".sch") else _SHEET).findall(text):
            path = os.path.realpath(os.path.join(os.path.dirname(sheet), re.sub(r"\\(.)", r"\1", name)))
            if path.startswith(folder + os.sep) and os.path.splitext(path)[1] in (".kicad_sch", ".sch") and os.path.isfile(path):
                todo.append(path)
            elif name not in missing:
                missing.append(name)
    return found, missing
