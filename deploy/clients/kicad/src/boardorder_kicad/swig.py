"""KiCad 6 to 10 from within: the module pcbnew."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import pcbnew

from .editor import GROUP_NAME, LAYERS, LINE_MM, RADIUS_MM, TEXT_MM, EditorError, Mark


def _point(x_mm: float, y_mm: float) -> Any:
    point = pcbnew.VECTOR2I if hasattr(pcbnew, "EDA_ANGLE") else pcbnew.wxPoint  # since KiCad 7
    return point(pcbnew.FromMM(x_mm), pcbnew.FromMM(y_mm))


class SwigEditor:
    """The board that is open in this process. ``title`` gives the title of the editor's window."""

    def __init__(self, board: Any = None, title: Any = None) -> None:
        self._fixed = board
        self._title = title
        self._saved = ""  # the board as it lies on the disk, where that is known
        # KiCad's list of what can be undone may name items that were moved by hand: they must outlive their removal.
        self._removed: list[Any] = []

    @property
    def _board(self) -> Any:
        board = self._fixed or pcbnew.GetBoard()
        if board is None:
            raise EditorError("No board is open.")
        return board

    def board_path(self) -> str:
        return str(self._board.GetFileName())

    def is_modified(self) -> bool | None:
        """By the title, which has an asterisk then, too, when a plug-in ran and changed nothing: so the board is compared with what it was without one."""
        title = self._title() if self._title else ""
        if not title:
            return None
        if not title.startswith("*"):
            self._saved = self._write()
            return False
        return self._write() != self._saved

    def _write(self) -> str:
        handle, name = tempfile.mkstemp(suffix=".kicad_pcb")
        os.close(handle)
        try:
            pcbnew.SaveBoard(name, self._board, True)  # of the board alone: with the project KiCad would go on in the copy
            with open(name, encoding="utf-8") as f:
                return f.read()
        finally:
            os.unlink(name)

    def place_marks(self, marks: list[Mark]) -> None:
        saved = self.is_modified() is False
        self._remove_marks()
        if marks:
            self._draw_marks(marks)
        if saved:
            self._saved = self._write()  # marks are no change of the design

    def _draw_marks(self, marks: list[Mark]) -> None:
        board = self._board
        layer = next((id for name in LAYERS if board.IsLayerEnabled(id := board.GetLayerID(name))), None)
        if layer is None:
            raise EditorError("The board has none of the layers User.Eco2, User.Eco1, User.Comments and User.Drawings.")
        group = pcbnew.PCB_GROUP(board)
        group.SetName(GROUP_NAME)
        board.Add(group)
        for mark in marks:
            circle = pcbnew.PCB_SHAPE(board, pcbnew.SHAPE_T_CIRCLE)
            circle.SetCenter(_point(mark.x_mm, mark.y_mm))
            circle.SetEnd(_point(mark.x_mm + RADIUS_MM, mark.y_mm))
            circle.SetWidth(pcbnew.FromMM(LINE_MM))
            label = pcbnew.PCB_TEXT(board)
            label.SetText(str(mark.number))
            label.SetPosition(_point(*mark.label_mm))
            size = pcbnew.FromMM(TEXT_MM)
            label.SetTextSize(pcbnew.VECTOR2I(size, size) if hasattr(pcbnew, "EDA_ANGLE") else pcbnew.wxSize(size, size))
            label.SetTextThickness(pcbnew.FromMM(LINE_MM))
            for item in (circle, label):
                item.SetLayer(layer)
                board.Add(item)
                group.AddItem(item)
        pcbnew.Refresh()

    def remove_marks(self) -> int:
        saved = self.is_modified() is False
        removed = self._remove_marks()
        if saved:
            self._saved = self._write()
        return removed

    def _remove_marks(self) -> int:
        board = self._board
        removed = 0
        for group in [g for g in board.Groups() if g.GetName() == GROUP_NAME]:
            for item in self._members(group):
                group.RemoveItem(item)
                self._take(item)
                removed += 1
            self._take(group)
        if removed:
            pcbnew.Refresh()
        return removed

    def _take(self, item: Any) -> None:
        self._board.Remove(item)
        self._removed.append(item)

    def _members(self, group: Any) -> list[Any]:
        """The items of a group, by the items: the group's own list of them has no type in Python."""
        return [d for d in self._board.GetDrawings() if (parent := d.GetParentGroup()) is not None and parent.GetName() == group.GetName()]

    def jump(self, number: int) -> bool:
        drawings = [d for group in self._board.Groups() if group.GetName() == GROUP_NAME for d in self._members(group)]
        found = next((i for i, d in enumerate(drawings) if isinstance(d, pcbnew.PCB_TEXT) and d.GetText() == str(number)), None)
        if found is None:
            return False
        for drawing in drawings:
            drawing.ClearBrightened()
        drawings[found].SetBrightened()
        if hasattr(pcbnew, "FocusOnItem"):  # since KiCad 7
            pcbnew.FocusOnItem(drawings[found])
        pcbnew.Refresh()
        return True
