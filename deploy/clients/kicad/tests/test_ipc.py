from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from boardorder_kicad.editor import GROUP_NAME, EditorError, Mark
from boardorder_kicad.ipc import IpcEditor
from kipy import KiCad
from kipy.proto.board import board_types_pb2 as board_types

from .kicad_api import PlayedKiCad

MARKS = [Mark(1, 101.5, 52.25), Mark(2, 140, 60)]


@contextmanager
def played(tmp_path: Path, **how: Any) -> Iterator[tuple[PlayedKiCad, IpcEditor]]:
    address = f"ipc://{tmp_path}/api.sock"
    kicad = PlayedKiCad(address, str(tmp_path), "lamp.kicad_pcb", **how)
    try:
        yield kicad, IpcEditor(KiCad(socket_path=address, client_name="test", kicad_token="t", timeout_ms=5000))
    finally:
        kicad.close()


@pytest.fixture
def kicad(tmp_path: Path) -> Iterator[tuple[PlayedKiCad, IpcEditor]]:
    with played(tmp_path) as both:
        yield both


def drawn(kicad: PlayedKiCad) -> list[Any]:
    return [item for item in kicad.items.values() if not isinstance(item, board_types.Group)]


def test_marks_are_one_group(kicad: tuple[PlayedKiCad, IpcEditor]) -> None:
    api, editor = kicad
    own = board_types.BoardText(layer=board_types.BL_Eco2_User)
    own.id.value, own.text.text = "11111111-2222-4333-8444-555555555555", "1"
    api.items[own.id.value] = own
    editor.place_marks(MARKS)
    circles: list[Any] = [i for i in drawn(api) if isinstance(i, board_types.BoardGraphicShape)]
    labels: list[Any] = [i for i in drawn(api) if isinstance(i, board_types.BoardText) and i is not own]
    assert [(c.shape.circle.center.x_nm, c.shape.circle.center.y_nm, c.shape.circle.radius_point.x_nm, c.layer) for c in circles] == [
        (101_500_000, 52_250_000, 102_500_000, board_types.BL_Eco2_User), (140_000_000, 60_000_000, 141_000_000, board_types.BL_Eco2_User),
    ]
    assert [label.text.text for label in labels] == ["1", "2"]
    [group] = [i for i in api.items.values() if isinstance(i, board_types.Group)]
    assert (group.name, {i.value for i in group.items}) == (GROUP_NAME, {i.id.value for i in [*circles, *labels]}), group
    assert api.commands.count("EndCommit") == 1, "each mark is undone by itself"

    editor.place_marks(MARKS[:1])
    assert len(drawn(api)) == 3, "marks of before are left"
    assert editor.jump(1) and not editor.jump(2)
    assert api.items[api.selected[0]] is not own and "common.Control.zoomFitSelection" in api.commands, api.selected
    assert editor.remove_marks() == 2
    assert list(api.items.values()) == [own], "more was taken away than the marks, or less"
    assert editor.remove_marks() == 0


def test_a_group_that_kicad_made_from_within_is_removed(kicad: tuple[PlayedKiCad, IpcEditor]) -> None:
    api, editor = kicad
    text = board_types.BoardText(layer=board_types.BL_Eco2_User)
    text.id.value = "11111111-2222-4333-8444-555555555555"
    group = board_types.Group(name=GROUP_NAME, items=[text.id])
    group.id.value = "21111111-2222-4333-8444-555555555555"
    api.items |= {text.id.value: text, group.id.value: group}
    assert editor.remove_marks() == 1
    assert api.items == {}


def test_kicad_9_has_no_groups(tmp_path: Path) -> None:
    with played(tmp_path, major=9) as (api, editor):
        editor.place_marks(MARKS)
        assert len(api.items) == 4
        assert editor.remove_marks() == 4
        assert api.items == {}


def test_boards_without_a_layer_for_marks(tmp_path: Path) -> None:
    with played(tmp_path, layers=(board_types.BL_F_Cu, board_types.BL_B_Cu)) as (api, editor), pytest.raises(EditorError, match="none of the layers"):
        editor.place_marks(MARKS)
    assert api.items == {}


HEADER = '(kicad_pcb (version 20260206) (generator "pcbnew") (generator_version "{}") (general (thickness 1.6)) {})'


@pytest.mark.parametrize(("saved", "open_now", "want"), [
    (HEADER.format("10.0", "(a)"), HEADER.format("10.0", "(a)").replace(" ", "\n\t"), False),
    (HEADER.format("10.0", '(footprint "R" (layer "F.Cu"))'), HEADER.format("10.0", '(footprint "R" (version 20260206) (generator "pcbnew")\n(generator_version "10.0") (layer "F.Cu"))'), False),
    (HEADER.format("10.0", "(a)"), HEADER.format("10.0", "(b)"), True),
    (HEADER.format("9.0", "(a)"), HEADER.format("10.0", "(b)"), None),
    (None, HEADER.format("10.0", "(a)"), True),
], ids=["equal but for spaces", "equal but for who wrote it", "changed", "written by another KiCad", "never saved"])
def test_is_modified(kicad: tuple[PlayedKiCad, IpcEditor], tmp_path: Path, saved: str | None, open_now: str, want: bool | None) -> None:
    api, editor = kicad
    if saved is not None:
        (tmp_path / "lamp.kicad_pcb").write_text(saved)
    api.text = open_now
    assert editor.board_path() == str(tmp_path / "lamp.kicad_pcb")
    assert editor.is_modified() is want


def test_marks_are_no_change(kicad: tuple[PlayedKiCad, IpcEditor], tmp_path: Path) -> None:
    api, editor = kicad
    api.text = HEADER.format("10.0", "(a)")
    (tmp_path / "lamp.kicad_pcb").write_text(api.text)
    editor.place_marks(MARKS)
    assert editor.is_modified() is False
    api.text = HEADER.format("10.0", "(b)")
    assert editor.is_modified() is True
    editor.remove_marks()
    assert editor.is_modified() is True, "removing marks hides a change"


def test_kicad_is_busy(kicad: tuple[PlayedKiCad, IpcEditor]) -> None:
    api, editor = kicad
    api.busy = {"GetItems", "DeleteItems", "CreateItems", "AddToSelection"}
    for ask in (lambda: editor.place_marks(MARKS), editor.remove_marks, lambda: editor.jump(1)):
        with pytest.raises(EditorError, match="KiCad is busy"):
            ask()
    assert api.items == {}


def test_no_board_and_no_kicad(kicad: tuple[PlayedKiCad, IpcEditor], tmp_path: Path) -> None:
    api, editor = kicad
    api.open = False
    with pytest.raises(EditorError, match="No board is open"):
        editor.board_path()
    nobody = IpcEditor(KiCad(socket_path=f"ipc://{tmp_path}/nobody.sock", client_name="test", kicad_token="t", timeout_ms=100))
    with pytest.raises(EditorError, match="switched on"):
        nobody.board_path()
