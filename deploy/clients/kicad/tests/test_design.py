from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from boardorder_kicad.design import DesignFileError, find_design

SHEET = '(kicad_sch (sheet (property "Sheetname" "x") (property "{key}" "{file}" (at 0 0 0))))'


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def packed(board: Path) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(find_design(str(board)).pack())) as archive:
        return archive.namelist()


CASES = {
    "a board alone": ({}, ["lamp.kicad_pcb"], []),
    "what belongs to it by name": (
        {"lamp.kicad_pro": "{}", "lamp.kicad_dru": "", "lamp.pro": "", "board-order.json": "{}"},
        ["board-order.json", "lamp.kicad_dru", "lamp.kicad_pcb", "lamp.kicad_pro", "lamp.pro"], [],
    ),
    "nothing else": ({"other.kicad_pcb": "", "other.kicad_sch": "", "letter.pdf": "", "fp-lib-table": "", "lamp-backups/1.zip": "", ".git/config": ""}, ["lamp.kicad_pcb"], []),
    "sheets by those that use them": (
        {"lamp.kicad_sch": SHEET.format(key="Sheetfile", file="sheets/a.kicad_sch"), "sheets/a.kicad_sch": SHEET.format(key="Sheet file", file="b.kicad_sch"), "sheets/b.kicad_sch": "", "sheets/unused.kicad_sch": ""},
        ["lamp.kicad_pcb", "lamp.kicad_sch", "sheets/a.kicad_sch", "sheets/b.kicad_sch"], [],
    ),
    "a sheet that uses itself": ({"lamp.kicad_sch": SHEET.format(key="Sheetfile", file="lamp.kicad_sch")}, ["lamp.kicad_pcb", "lamp.kicad_sch"], []),
    "sheets of KiCad 5": ({"lamp.sch": '$Sheet\nF0 "power" 50\nF1 "power.sch" 50\n$EndSheet\n', "power.sch": ""}, ["lamp.kicad_pcb", "lamp.sch", "power.sch"], []),
    "a sheet that is not there": ({"lamp.kicad_sch": SHEET.format(key="Sheetfile", file="gone.kicad_sch")}, ["lamp.kicad_pcb", "lamp.kicad_sch"], ["gone.kicad_sch"]),
    "nothing from outside of the folder": ({"lamp.kicad_sch": SHEET.format(key="Sheetfile", file="../secret.kicad_sch"), "../secret.kicad_sch": ""}, ["lamp.kicad_pcb", "lamp.kicad_sch"], ["../secret.kicad_sch"]),
    "no files of other kinds": ({"lamp.kicad_sch": SHEET.format(key="Sheetfile", file="notes.txt"), "notes.txt": ""}, ["lamp.kicad_pcb", "lamp.kicad_sch"], ["notes.txt"]),
}


@pytest.mark.parametrize(("files", "want", "missing"), CASES.values(), ids=CASES)
def test_find_design(tmp_path: Path, files: dict[str, str], want: list[str], missing: list[str]) -> None:
    folder = tmp_path / "project"
    write(folder, {"lamp.kicad_pcb": "(kicad_pcb)", **files})
    assert packed(folder / "lamp.kicad_pcb") == want
    assert find_design(str(folder / "lamp.kicad_pcb")).missing == missing


def test_links_lead_nowhere(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    write(folder, {"lamp.kicad_pcb": "(kicad_pcb)", "lamp.kicad_sch": SHEET.format(key="Sheetfile", file="a.kicad_sch"), "../secret.kicad_sch": "", "../secret.json": "{}"})
    (folder / "a.kicad_sch").symlink_to(tmp_path / "secret.kicad_sch")
    (folder / "board-order.json").symlink_to(tmp_path / "secret.json")
    assert packed(folder / "lamp.kicad_pcb") == ["lamp.kicad_pcb", "lamp.kicad_sch"]


@pytest.mark.parametrize(("name", "want"), [("", "has not been saved"), ("gone.kicad_pcb", "not on the disk"), ("old.brd", "no board of KiCad")])
def test_boards_that_cannot_be_sent(tmp_path: Path, name: str, want: str) -> None:
    (tmp_path / "old.brd").write_text("")
    with pytest.raises(DesignFileError, match=want):
        find_design(str(tmp_path / name) if name else "")


def test_equal_files_make_equal_archives(project: Path) -> None:
    design = find_design(str(project))
    assert design.pack({"bom.csv": b"x"}) == design.pack({"bom.csv": b"x"})
