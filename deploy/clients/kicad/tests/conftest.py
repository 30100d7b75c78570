from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

import pytest

T = TypeVar("T")

# Parts of a board, each naming its number by another of the spellings that plug-ins read.
SPELLINGS = [f"{maker} {number}" for maker in ("LCSC", "JLCPCB") for number in ("Part #", "Part", "PN", "P/N", "Part No.", "Part Number")] + ["LCSC", "JLC"]


def footprint(reference: str, x: float, fields: dict[str, str], attributes: str = "smd", more: str = "") -> str:
    """A resistor as KiCad 10 writes it."""
    lines = "".join(f'(property "{name}" "{text}" (at 0 0 0) (layer "F.Fab") (hide yes) (effects (font (size 1 1) (thickness 0.15))))\n' for name, text in {"Reference": reference, "Value": "10k", **fields}.items())
    return (
        f'(footprint "Resistor_SMD:R_0402_1005Metric" (layer "F.Cu") (at {x} 60)\n{lines}(attr {attributes})\n'
        '(pad "1" smd roundrect (at -0.51 0) (size 0.54 0.64) (layers "F.Cu" "F.Paste" "F.Mask") (roundrect_rratio 0.25) (net 1 "GND"))\n'
        f'(pad "2" smd roundrect (at 0.51 0) (size 0.54 0.64) (layers "F.Cu" "F.Paste" "F.Mask") (roundrect_rratio 0.25) (net 2 "OUT"))\n{more})\n'
    )


def board(*footprints: str, variants: str = "") -> str:
    """A board of 60 x 20 mm with two layers, in the format of KiCad 10."""
    return (
        '(kicad_pcb (version 20260206) (generator "pcbnew") (generator_version "10.0") (general (thickness 1.6)) (paper "A4")\n'
        '(layers (0 "F.Cu" signal) (2 "B.Cu" signal) (5 "F.SilkS" user) (1 "F.Mask" user) (3 "B.Mask" user) (13 "F.Paste" user) (15 "B.Paste" user) (19 "Cmts.User" user) (23 "Eco2.User" user) (25 "Edge.Cuts" user) (35 "F.Fab" user))\n'
        f'(setup (pad_to_mask_clearance 0))\n{variants}(net 0 "") (net 1 "GND") (net 2 "OUT")\n{"".join(footprints)}'
        '(gr_rect (start 100 50) (end 160 70) (stroke (width 0.1) (type default)) (fill no) (layer "Edge.Cuts"))\n)\n'
    )


class Running(NamedTuple):
    base: str
    test_key: str


def within(what: str, seconds: float, look: Callable[[], T | None]) -> T:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if (found := look()) is not None:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what} did not come within {seconds} s")


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    if "STANDALONE" not in os.environ:
        pytest.skip("STANDALONE names no service")
    folder = tmp_path_factory.mktemp("service")
    file = folder / "ready.json"
    process = subprocess.Popen([os.environ["STANDALONE"], "-data", str(folder / "data"), "-http", "127.0.0.1:0", "-ready-file", str(file)], stdout=subprocess.DEVNULL)
    try:
        ready = within("the service", 90, lambda: json.loads(file.read_text()) if file.exists() or process.poll() is not None else None)
        yield Running(ready["base_url"], (folder / "data" / "demo-test.key").read_text().strip())
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The board of a project, with one part for each spelling of a part number."""
    parts = [footprint(f"R{i}", 102 + 3 * i, {name: f"C{25000 + i}"}) for i, name in enumerate(SPELLINGS, 1)]
    parts.append(footprint(f"R{len(parts) + 1}", 150, {"MPN": "RC0402FR-0710KL", "Manufacturer": "Yageo"}))
    parts.append(footprint(f"R{len(parts) + 1}", 153, {"LCSC": "C99999"}, "smd dnp"))
    path = tmp_path / "lamp.kicad_pcb"
    path.write_text(board(*parts))
    (tmp_path / "lamp.kicad_pro").write_text("{}")
    return path
