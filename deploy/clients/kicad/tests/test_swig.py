from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import boardorder_kicad

_PYTHON = os.environ.get("KICAD_PYTHON", "/usr/bin/python3")
# A board that every KiCad from 6 on reads.
_BOARD = """(kicad_pcb (version 20211014) (generator pcbnew) (general (thickness 1.6)) (paper "A4")
(layers (0 "F.Cu" signal) (31 "B.Cu" signal) (41 "Cmts.User" user "User.Comments") (43 "Eco2.User" user "User.Eco2") (44 "Edge.Cuts" user))
(net 0 "")
(gr_text "1" (at 120 60) (layer "Cmts.User") (effects (font (size 1 1) (thickness 0.15))) (tstamp 3ca68e3b-4b9e-4b1c-8c1c-1f8f6a1d7f30))
(gr_rect (start 100 50) (end 160 70) (layer "Edge.Cuts") (width 0.1) (fill none) (tstamp 3ca68e3b-4b9e-4b1c-8c1c-1f8f6a1d7f31))
)
"""


def test_marks_in_kicad(tmp_path: Path) -> None:
    if subprocess.run([_PYTHON, "-c", "import pcbnew"], capture_output=True).returncode:
        pytest.skip(f"{_PYTHON} has no pcbnew: marks were not tried in KiCad itself")
    (tmp_path / "b.kicad_pcb").write_text(_BOARD)
    plugins = os.environ.get("SWIG_PLUGINS", str(Path(boardorder_kicad.__file__).parents[1]))
    done = subprocess.run([_PYTHON, str(Path(__file__).with_name("marks_in_kicad.py")), plugins, str(tmp_path / "b.kicad_pcb")], capture_output=True, text=True, env={**os.environ, "HOME": str(tmp_path)})
    assert done.returncode == 0 and "marked by KiCad" in done.stdout, done.stdout + done.stderr
