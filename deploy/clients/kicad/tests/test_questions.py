from __future__ import annotations

from typing import Any

import pytest
from boardorder_kicad.boardorder.errors import FilesError, read_error
from boardorder_kicad.questions import Choice, Question, list_questions, read_value

import json


def refused(code: str, **more: Any) -> FilesError:
    error = read_error(422, {}, json.dumps({"ok": False, "error": code, "message": "No.", **more}).encode())
    assert isinstance(error, FilesError)
    return error


CASES = {
    "options with their choices": (
        refused("needs_details", questions=[{"option": "thickness_mm", "question": "How thick?", "choices": [0.8, 1.6], "usual": 1.6}, {"option": "surface_finish", "question": "Which finish?", "choices": ["hasl_lead_free", "enig"], "file": "a.pdf"}]),
        [
            Question("How thick?", [Choice("0.8", "thickness_mm", 0.8), Choice("1.6", "thickness_mm", 1.6)], 1),
            Question("Which finish? (a.pdf)", [Choice("hasl lead free", "surface_finish", "hasl_lead_free"), Choice("enig", "surface_finish", "enig")]),
        ],
    ),
    "answers that mean something": (
        refused("needs_details", questions=[{"option": "file_answers", "question": "Which order?", "choices": [], "answers": [{"field": "file_answers.layer_order", "means": "Top first", "value": ["a", "b"]}, {"field": "file_answers.tool_sizes", "means": "Say it", "value": {"x": None}}]}]),
        [Question("Which order?", [Choice("Top first", "file_answers.layer_order", ["a", "b"])])],
    ),
    "what only the customer knows": (refused("needs_details", questions=[{"option": "layers", "question": "How many layers?", "choices": []}]), [Question("How many layers?", [], -1, "layers")]),
    "parts without a number": (
        refused("needs_part_numbers", parts=[{"reference": "R1, R2", "why": "?"}, {"reference": "C1", "why": "?"}]),
        [Question("No part number says what these are: R1, R2, C1", [Choice("The fabricator's team picks them by value and footprint", "staff_picks_parts", True), Choice("Leave them off the boards", "do_not_fit_refs", ["R1", "R2", "C1"])])],
    ),
    "parts without a place": (refused("off_board_parts", off_board_parts=[{"reference": "R7", "why": "?"}]), [Question("These parts have no place on the board, or are marked as not fitted: R7", [Choice("Leave them off the boards", "do_not_fit_refs", ["R7"])])]),
    "faults of the design": (
        refused("design_files", findings=[{"level": "must_fix", "check": "a", "what": "No outline.", "answers": [{"field": "file_answers.outline", "means": "It is x.gbr", "value": "x.gbr"}]}, {"level": "note", "check": "b", "what": "Fine."}]),
        [
            Question("No outline.", [Choice("It is x.gbr", "file_answers.outline", "x.gbr")]),
            Question("Or build the board as it is designed, although it may come out wrong?", [Choice("Yes, build it as it is", "skip_board_checks", True)]),
        ],
    ),
    "several boards": (refused("needs_details", boards=[{"board": "a.kicad_pcb"}]), [Question("Which board is meant?", [Choice("a.kicad_pcb", "board", "a.kicad_pcb")])]),
    "nothing to answer": (refused("design_files"), []),
}


@pytest.mark.parametrize(("error", "want"), CASES.values(), ids=CASES)
def test_list_questions(error: FilesError, want: list[Question]) -> None:
    assert list_questions(error) == want


@pytest.mark.parametrize(("text", "want"), [("4", 4), ("1.6", 1.6), ("FR-4", "FR-4"), ("1,6", "1,6")])
def test_read_value(text: str, want: object) -> None:
    assert read_value(text) == want
