from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from boardorder_kicad.boardorder.errors import DesignError, FilesError, NeedsAnswersError
from boardorder_kicad.design import find_design
from boardorder_kicad.prices import can_order, grid
from boardorder_kicad.questions import list_questions
from boardorder_kicad.session import Session, Wishes, check_link, connect

from .conftest import SPELLINGS, Running, board, footprint


def begin(running: Running, path: Path, **wishes: Any) -> Session:
    session = Session(connect(running.base, running.test_key), find_design(str(path)), Wishes(**{"quantities": [10, 50], "country": "DE", "itar": False, **wishes}), lambda _: None)
    session.send()
    return session


def settle(session: Session, ask: Any) -> Any:
    """Answers as somebody does who takes what is usual."""
    for _ in range(5):
        try:
            return ask()
        except FilesError as error:
            questions = list_questions(error)
            assert questions, error
            for question in questions:
                choice = question.choices[max(0, question.usual)]
                session.answer(choice.field, choice.value)
    raise AssertionError("there is no end of questions")


def test_from_the_board_to_the_checkout(running: Running, project: Path) -> None:
    session = begin(running, project)
    rows = session.check()
    assert all(100 <= row.at_mm[0] <= 160 and 50 <= row.at_mm[1] <= 70 for row in rows if row.at_mm), f"places are not on the board: {rows}"
    with pytest.raises(NeedsAnswersError) as raised:
        session.price()
    assert {q.choices[0].field for q in list_questions(raised.value)} >= {"surface_finish", "solder_mask"}
    cells = grid(settle(session, session.price))
    assert cells.quantities == [10, 50] and len(cells.builds) > 1, cells
    cell = cells.cells[1][0]
    assert can_order(cell)
    quote = session.quote(cell)
    assert (quote["quantity"], quote["total_cents"]) == (50, cell["total_cents"])
    assert check_link(quote["checkout_url"]).startswith(f"{running.base}/checkout/")

    file = Path(session.keep_order(quote))
    assert file == project.parent / "board-order.json" and json.loads(file.read_text()) == quote["board_order"]
    assert begin(running, project).price()["board"] == quote["board"], "the kept order answers something else"


def test_faults_have_a_place(running: Running, tmp_path: Path) -> None:
    path = tmp_path / "short.kicad_pcb"
    track = '(segment (start {0} 60) (end {1} 60) (width 0.3) (layer "F.Cu") (net {2}))\n'
    path.write_text(board(footprint("R1", 110, {}), track.format(120, 130, 1), track.format(129, 140, 2)))
    session = begin(running, path, standard=True)
    faults = [row for row in session.check() if row.level == "must_fix" and row.at_mm]
    assert any(abs(row.at_mm[0] - 129.5) < 1 and abs(row.at_mm[1] - 60) < 1 for row in faults if row.at_mm), f"no fault at the short: {faults}"
    with pytest.raises(DesignError) as raised:
        session.price()
    [question] = [q for q in list_questions(raised.value) if q.choices[0].field == "skip_board_checks"]
    session.answer(question.choices[0].field, question.choices[0].value)
    assert session.price()["cells"]


def test_marks_are_no_part_of_the_board(running: Running, project: Path) -> None:
    plain = begin(running, project, standard=True)
    marks = (
        '(gr_circle (center 120 60) (end 121.5 60) (stroke (width 0.2) (type default)) (fill no) (layer "Eco2.User") (uuid "b0a2d0de-0000-4000-8000-000000000001"))\n'
        '(gr_text "1" (at 122.7 58.5) (layer "Eco2.User") (uuid "b0a2d0de-0000-4000-8000-000000000002") (effects (font (size 1.2 1.2) (thickness 0.2))))\n'
        '(group "Board Ordering marks" (uuid "b0a2d0de-0000-4000-8000-000000000003") (members "b0a2d0de-0000-4000-8000-000000000001" "b0a2d0de-0000-4000-8000-000000000002"))\n'
    )
    project.write_text(project.read_text().rstrip().removesuffix(")") + marks + ")\n")
    marked = begin(running, project, standard=True)
    assert marked.check() == plain.check()
    plain_table, marked_table = plain.price(), marked.price()
    assert [marked_table[name] for name in ("board", "notes", "board_details")] == [plain_table[name] for name in ("board", "notes", "board_details")]
    assert [c["total_cents"] for c in marked_table["cells"]] == [c["total_cents"] for c in plain_table["cells"]]


def parts_of(session: Session) -> dict[str, Any]:
    """How a quote of assembled boards reads each reference."""
    quote = settle(session, lambda: session.quote({"quote_request": {"quantity": 5}}))
    return {reference: part for part in quote["parts"] for reference in part["reference"].replace(" ", "").split(",")}


def test_parts_by_every_spelling(running: Running, project: Path) -> None:
    parts = parts_of(begin(running, project, assembly=True, standard=True))
    for i, name in enumerate(SPELLINGS, 1):
        assert f"C{25000 + i}" in json.dumps(parts[f"R{i}"]), f"{name} was not read: {parts[f'R{i}']}"
    assert "RC0402FR-0710KL" in json.dumps(parts[f"R{len(SPELLINGS) + 1}"])
    assert parts[f"R{len(SPELLINGS) + 2}"]["fitting"] == "left_off"


def test_variants(running: Running, tmp_path: Path) -> None:
    path = tmp_path / "lamp.kicad_pcb"
    path.write_text(board(
        footprint("R1", 110, {"LCSC": "C25001"}, more='(variant (name "Lite") (dnp yes))'),
        footprint("R2", 120, {"LCSC": "C25002"}, "smd dnp", '(variant (name "Lite") (dnp no) (field (name "LCSC") (value "C25009")))'),
        variants='(variants (variant (name "Lite")))\n',
    ))
    plain, lite = (parts_of(begin(running, path, assembly=True, standard=True, variant=variant)) for variant in ("", "Lite"))
    assert (plain["R1"]["fitting"], plain["R2"]["fitting"]) == ("fitted", "left_off")
    assert (lite["R1"]["fitting"], lite["R2"]["fitting"]) == ("left_off", "fitted")
    assert "C25009" in json.dumps(lite["R2"]), lite["R2"]
