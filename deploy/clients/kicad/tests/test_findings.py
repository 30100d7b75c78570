from __future__ import annotations

from boardorder_kicad.editor import Mark
from boardorder_kicad.findings import Row, count_levels, list_findings
from boardorder_kicad.prices import can_order, grid, show_cell
from boardorder_kicad.text import line


def test_places_are_in_the_editors_coordinates() -> None:
    rows = list_findings([
        {"level": "must_fix", "check": "clearance", "what": "Too close.", "layer": "F.Cu", "limit_mm": 0.127, "places": [
            {"at_mm": [101.5, -52.25], "value_mm": 0.1, "nets": ["A", "B"]}, {"at_mm": [1, 2], "layer": "B.Cu"},
        ]},
        {"level": "warning", "check": "x", "what": "No place\nof\x1b[31m its own.", "file": "lamp.kicad_pcb", "line": 7},
        {"level": "note", "check": "y", "what": "One place.", "at_mm": [0, -3]},
    ])
    assert rows == [
        Row("must_fix", "Too close.", "F.Cu · 0.1 mm of 0.127 mm · A, B · at 101.50, 52.25", 1, (101.5, 52.25)),
        Row("must_fix", "Too close.", "B.Cu · at 1.00, -2.00", 2, (1, -2)),
        Row("warning", "No place of[31m its own.", "lamp.kicad_pcb:7"),
        Row("note", "One place.", "at 0.00, 3.00", 3, (0, 3)),
    ]
    assert count_levels(rows) == "2 must be mended, 1 worth a look, 1 for information"
    assert count_levels([]) == "nothing was found"


def test_label_lies_beside_its_circle() -> None:
    x, y = Mark(1, 10, 20).label_mm
    assert x > 10 and y < 20


def cell(quantity: int, hours: int | None, **more: object) -> dict[str, object]:
    return {"quantity": quantity, "build_time_hours": hours, "build": f"{hours} hours", "status": "priced", "total": "$42.10", "per_board": "$4.21", "quote_request": {"quantity": quantity}, **more}


def test_grid() -> None:
    table = {"quantities": [10, 50], "cells": [cell(10, 48), cell(10, 120, arrives_from="2026-12-18", arrives_to="2027-01-04"), cell(50, 120), cell(50, 168, status="unavailable", why="Too many.", quote_request=None)]}
    g = grid(table)
    assert (g.quantities, g.builds) == ([10, 50], ["168 hours", "120 hours", "48 hours"])
    assert [[show_cell(c) for c in row] for row in g.cells] == [["–", "$42.10\n$4.21 each\n18 Dec to 4 Jan", "$42.10\n$4.21 each"], ["Too many.", "$42.10\n$4.21 each", "–"]]
    assert [[can_order(c) for c in row] for row in g.cells] == [[False, True, True], [False, True, False]]


def test_line() -> None:
    assert line("a\u202eb\x07 \n c\u2028d" + "x" * 10, 9) == "ab c dxx…"
