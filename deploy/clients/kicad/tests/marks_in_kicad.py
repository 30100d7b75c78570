"""Run by KiCad's own Python: marks a board, saves it, reads it back, and takes the marks away.

    python marks_in_kicad.py PLUGINS BOARD
"""

from __future__ import annotations

import sys
import tempfile
from typing import Any

sys.path.insert(0, sys.argv[1])
import pcbnew  # noqa: E402
from boardorder_kicad.editor import GROUP_NAME, Mark  # noqa: E402
from boardorder_kicad.swig import SwigEditor  # noqa: E402


def drawings(board: Any) -> list[tuple[str, int, int, str]]:
    return sorted((d.GetClass(), d.GetPosition().x, d.GetPosition().y, d.GetLayerName()) for d in board.GetDrawings())


board = pcbnew.LoadBoard(sys.argv[2])
before = drawings(board)
title = "b - PCB Editor"
editor = SwigEditor(board, lambda: title)
assert editor.is_modified() is False
title = "*" + title  # as after each run of a plug-in
assert editor.is_modified() is False, "a run of the plug-in counts as a change"
editor.place_marks([Mark(1, 1, 1)])
editor.place_marks([Mark(1, 101.5, 52.25), Mark(2, 140, 60)])
assert editor.is_modified() is False, "marks count as a change"
assert board.GetFileName() == sys.argv[2], "the editor would go on in a copy"
own = next(d for d in board.GetDrawings() if d.GetParentGroup() is None)
layer = own.GetLayer()
own.SetLayer(board.GetLayerID("F.Cu"))
assert editor.is_modified() is True
own.SetLayer(layer)
assert SwigEditor(board).is_modified() is None
with tempfile.NamedTemporaryFile(suffix=".kicad_pcb") as file:
    pcbnew.SaveBoard(file.name, board, True)
    again = pcbnew.LoadBoard(file.name)
    added = [d for d in drawings(again) if d not in before]
    assert len(added) == 4 and {d[3] for d in added} == {"User.Eco2"}, added
    assert (pcbnew.FromMM(101.5), pcbnew.FromMM(52.25)) in [d[1:3] for d in added], added
    assert [g.GetName() for g in again.Groups()].count(GROUP_NAME) == 1
    editor = SwigEditor(again)
    assert editor.jump(2) and not editor.jump(3)
    assert editor.remove_marks() == 4
    pcbnew.SaveBoard(file.name, again, True)
    last = pcbnew.LoadBoard(file.name)
    assert drawings(last) == before, (before, drawings(last))
    assert GROUP_NAME not in [g.GetName() for g in last.Groups()]
print("marked by KiCad", pcbnew.Version())
