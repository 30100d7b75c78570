"""What the plug-in needs of KiCad's board editor, in whichever way it is reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

GROUP_NAME = "Board Ordering marks"
RADIUS_MM, LINE_MM, TEXT_MM = 1.0, 0.2, 1.2
LAYERS = ("Eco2.User", "Eco1.User", "Cmts.User", "Dwgs.User")  # the first that the board has; its colour stands out from copper


@dataclass(frozen=True)
class Mark:
    """A circle with a number beside it, in millimetres of KiCad's own coordinates."""

    number: int
    x_mm: float
    y_mm: float

    @property
    def label_mm(self) -> tuple[float, float]:
        """Where the middle of the number lies."""
        return self.x_mm + RADIUS_MM + TEXT_MM, self.y_mm - RADIUS_MM


class EditorError(Exception):
    """KiCad did not do what was asked. The message is for people."""


class Editor(Protocol):
    def board_path(self) -> str:
        """The file of the board; empty where it was never saved."""

    def is_modified(self) -> bool | None:
        """Whether the board was changed since it was saved; None where KiCad does not tell."""

    def place_marks(self, marks: list[Mark]) -> None:
        """Draws marks in place of those that are there."""

    def remove_marks(self) -> int:
        """Takes all marks away, and says how many drawings they were."""

    def jump(self, number: int) -> bool:
        """Shows a mark; False where there is none."""
