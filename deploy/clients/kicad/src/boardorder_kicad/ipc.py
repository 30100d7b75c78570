"""KiCad 9 and later from another process: the IPC API, by kicad-python."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kipy import KiCad
from kipy.board_types import BoardCircle, BoardText, Group
from kipy.errors import ApiError, ConnectionError
from kipy.geometry import Vector2
from kipy.proto.board.board_types_pb2 import BoardLayer
from kipy.proto.board.board_types_pb2 import Group as GroupMessage
from kipy.proto.common.types.enums_pb2 import KiCadObjectType
from kipy.util.units import from_mm

from .editor import GROUP_NAME, LAYERS, LINE_MM, RADIUS_MM, TEXT_MM, EditorError, Mark
from .text import line

_LAYERS = tuple(BoardLayer.Value("BL_" + name.replace(".", "_")) for name in LAYERS)
# KiCad 9 has no groups for others to make, so the ids of marks themselves say what they are.
_ID = "b0a2d0de"
_WRITER = re.compile(r"\((?:version|generator|generator_version)\s[^()]*\)")
_STEPS_BACK = 5


def _new_id() -> str:
    return _ID + str(uuid.uuid4())[8:]


@contextmanager
def _told() -> Iterator[None]:
    """Says in words what KiCad refused, such as when somebody is drawing just then."""
    try:
        yield
    except ConnectionError:
        raise EditorError("KiCad does not answer. Is its API switched on, in Preferences > Plugins?") from None
    except ApiError as error:
        raise EditorError(f"KiCad did not do it: {line(error)}") from None


class IpcEditor:
    """The board that is open in the KiCad which started this program."""

    def __init__(self, kicad: Any = None) -> None:
        self._kicad = kicad or KiCad(client_name=f"boardorder-{os.getpid()}", timeout_ms=10_000)
        self._marked = ""  # the board as it lies on the disk, but for marks

    def _get_board(self) -> Any:
        try:
            return self._kicad.get_board()
        except ApiError:
            raise EditorError("No board is open, or KiCad is busy with something.") from None

    @_told()
    def board_path(self) -> str:
        board = self._get_board()
        folder = board.document.project.path
        return os.path.join(folder, board.name) if board.name and folder else ""

    @_told()
    def is_modified(self) -> bool | None:
        path = self.board_path()
        if not path or not os.path.exists(path):
            return True
        try:
            now = self._get_board().get_as_string()
        except ApiError:
            return None
        with open(path, encoding="utf-8", errors="replace") as f:
            saved = f.read()
        if _strip(now) in (_strip(saved), self._marked):
            return False
        return True if _written_by(now) == _written_by(saved) else None  # another version of KiCad writes the same board otherwise

    @_told()
    def place_marks(self, marks: list[Mark]) -> None:
        saved = self.is_modified() is False
        self._remove_marks()
        if marks:
            self._draw_marks(marks)
        if saved:
            self._marked = _strip(self._get_board().get_as_string())

    def _draw_marks(self, marks: list[Mark]) -> None:
        board = self._get_board()
        enabled = set(board.get_enabled_layers())
        layer = next((one for one in _LAYERS if one in enabled), None)
        if layer is None:
            raise EditorError("The board has none of the layers User.Eco2, User.Eco1, User.Comments and User.Drawings.")
        items = [item for mark in marks for item in _draw(mark, layer)]
        commit = board.begin_commit()
        try:
            made = board.create_items(items)
            board.push_commit(commit, "Mark findings")
        except ApiError:
            board.drop_commit(commit)
            raise
        # A group finds its items only among those that are on the board already.
        group = GroupMessage(name=GROUP_NAME, items=[item.id for item in made])
        group.id.value = _new_id()
        try:
            board.create_items(Group(group))
        except ApiError:
            pass  # before KiCad 10

    @_told()
    def remove_marks(self) -> int:
        saved = self.is_modified() is False
        removed = self._remove_marks()
        if saved:
            self._marked = _strip(self._get_board().get_as_string())
        return removed

    def _remove_marks(self) -> int:
        board = self._get_board()
        groups = _list_groups(board)
        members = {member.value for g in groups for member in g.proto.items}
        drawings = [item for item in [*board.get_shapes(), *board.get_text()] if item.id.value in members or item.id.value.startswith(_ID)]
        found = [g.id for g in groups] + [item.id for item in drawings]
        board.remove_items_by_id(found)
        return len(drawings)

    @_told()
    def jump(self, number: int) -> bool:
        board = self._get_board()
        labels = [text for text in board.get_text() if isinstance(text, BoardText) and text.value == str(number) and text.id.value.startswith(_ID)]
        if not labels:
            return False
        board.clear_selection()
        board.add_to_selection(labels[:1])
        self._kicad.run_action("common.Control.zoomFitSelection")
        for _ in range(_STEPS_BACK):  # so that the mark's surroundings are seen
            self._kicad.run_action("common.Control.zoomOutCenter")
        return True


def _list_groups(board: Any) -> list[Any]:
    try:
        return [g for g in board.get_items(KiCadObjectType.KOT_PCB_GROUP) if g.name == GROUP_NAME]
    except ApiError:
        return []  # before KiCad 10


def _draw(mark: Mark, layer: BoardLayer.ValueType) -> list[Any]:
    circle = BoardCircle()
    circle.proto.id.value = _new_id()
    circle.center = Vector2.from_xy_mm(mark.x_mm, mark.y_mm)
    circle.radius_point = Vector2.from_xy_mm(mark.x_mm + RADIUS_MM, mark.y_mm)
    circle.attributes.stroke.width = from_mm(LINE_MM)
    label = BoardText()
    label.proto.id.value = _new_id()
    label.value = str(mark.number)
    label.position = Vector2.from_xy_mm(*mark.label_mm)
    label.attributes.size = Vector2.from_xy_mm(TEXT_MM, TEXT_MM)
    label.attributes.stroke_width = from_mm(LINE_MM)
    circle.layer = label.layer = layer
    return [circle, label]


def _strip(board: str) -> str:
    """A board without spaces and without who wrote what: KiCad's answer has these in each footprint, and other line ends than its files."""
    return "".join(_WRITER.sub("", board).split())


def _written_by(board: str) -> str:
    """The first lines of a board, which name the version of its format and of KiCad."""
    return " ".join(board[:400].split()).partition("(general")[0]
