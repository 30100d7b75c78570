"""What KiCad 6 to 10 loads: two commands of the board editor."""

from __future__ import annotations

import os
from typing import Any

import pcbnew


class OrderAction(pcbnew.ActionPlugin):
    _window: Any = None

    def defaults(self) -> None:
        self.name = "Board Ordering: prices and findings"
        self.category = "Fabrication"
        self.description = "Check this board, mark what was found, and get delivered prices"
        self.show_toolbar_button = True
        self.icon_file_name = self.dark_icon_file_name = os.path.join(os.path.dirname(__file__), "icon-24.png")

    def Run(self) -> None:  # noqa: N802 - KiCad's name
        import wx

        from .boardorder_kicad.swig import SwigEditor
        from .boardorder_kicad.window import OrderFrame

        if not OrderAction._window:  # never opened, or closed
            frame = next((w for w in wx.GetTopLevelWindows() if w.GetName() == "PcbFrame"), None)
            OrderAction._window = OrderFrame(frame, SwigEditor(title=lambda: frame.GetTitle() if frame else ""))
        OrderAction._window.Show()
        OrderAction._window.Raise()


class RemoveMarksAction(pcbnew.ActionPlugin):
    def defaults(self) -> None:
        self.name = "Board Ordering: remove marks"
        self.category = "Fabrication"
        self.description = "Take the marks of findings off this board"
        self.show_toolbar_button = False

    def Run(self) -> None:  # noqa: N802
        from .boardorder_kicad.swig import SwigEditor

        SwigEditor().remove_marks()


OrderAction().register()
RemoveMarksAction().register()
