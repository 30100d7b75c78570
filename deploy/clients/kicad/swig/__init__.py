"""What KiCad 6 to 10 loads: two commands of the board editor."""

from __future__ import annotations

import os
from typing import Any

import pcbnew


_window: Any = None
_editor: Any = None


def _find_frame() -> Any:
    import wx

    return next((w for w in wx.GetTopLevelWindows() if w.GetName() == "PcbFrame"), None)


def _get_editor() -> Any:
    """One for as long as KiCad runs: it knows which board lies on the disk, and what was taken off it."""
    global _editor
    if _editor is None:
        from .boardorder_kicad.swig import SwigEditor

        _editor = SwigEditor(title=lambda: frame.GetTitle() if (frame := _find_frame()) else "")
    return _editor


class OrderAction(pcbnew.ActionPlugin):
    def defaults(self) -> None:
        self.name = "Board Ordering: prices and findings"
        self.category = "Fabrication"
        self.description = "Check this board, mark what was found, and get delivered prices"
        self.show_toolbar_button = True
        self.icon_file_name = self.dark_icon_file_name = os.path.join(os.path.dirname(__file__), "icon-24.png")

    def Run(self) -> None:  # noqa: N802 - KiCad's name
        global _window
        from .boardorder_kicad.window import OrderFrame

        if not _window:  # never opened, or closed
            _window = OrderFrame(_find_frame(), _get_editor())
        _window.Show()
        _window.Raise()


class RemoveMarksAction(pcbnew.ActionPlugin):
    def defaults(self) -> None:
        self.name = "Board Ordering: remove marks"
        self.category = "Fabrication"
        self.description = "Take the marks of findings off this board"
        self.show_toolbar_button = False

    def Run(self) -> None:  # noqa: N802
        _get_editor().remove_marks()


OrderAction().register()
RemoveMarksAction().register()
