from __future__ import annotations

import random

import pytest
from boardorder_kicad import sexpr
from boardorder_kicad.bom import Part, list_variants, pick_lcsc, read_parts, write_bom

from .conftest import SPELLINGS, board, footprint

VARIANTS = '(variants (variant (name "Lite")) (variant (name "Pro \\"X\\"") (description "all of it")))\n'
BOARD = board(
    footprint("R1", 102, {"LCSC": "C1"}, more='(variant (name "Lite") (dnp yes))'),
    footprint("R2", 105, {"MPN": "RC0402", "Mfr": "Yageo"}, "smd dnp", '(variant (name "Pro \\"X\\"") (dnp no) (field (name "Value") (value "22k")))'),
    footprint("R3", 108, {"JLC": "C3"}, "smd exclude_from_bom", '(variant (name "Lite") (exclude_from_bom no) (field (name "LCSC Part #") (value "C33")))'),
    footprint("#G1", 111, {}),
    variants=VARIANTS,
)


def part(reference: str, value: str = "10k", lcsc: str = "", mpn: str = "", manufacturer: str = "", fitted: bool = True) -> Part:
    return Part(reference, value, "R_0402_1005Metric", lcsc, mpn, manufacturer, fitted)


def test_list_variants() -> None:
    assert list_variants(BOARD) == ["Lite", 'Pro "X"']
    assert list_variants(board()) == []


@pytest.mark.parametrize(("variant", "want"), [
    ("", [part("R1", lcsc="C1"), part("R2", mpn="RC0402", manufacturer="Yageo", fitted=False)]),
    ("Lite", [part("R1", lcsc="C1", fitted=False), part("R2", mpn="RC0402", manufacturer="Yageo", fitted=False), part("R3", lcsc="C33")]),
    ('Pro "X"', [part("R1", lcsc="C1"), part("R2", "22k", mpn="RC0402", manufacturer="Yageo")]),
])
def test_read_parts(variant: str, want: list[Part]) -> None:
    assert read_parts(BOARD, variant) == want


@pytest.mark.parametrize("name", [*SPELLINGS, "lcsc part #", "JLCPCB", "LCSC_code", "jlcpcb-number"])
def test_spellings(name: str) -> None:
    assert pick_lcsc({"Value": "10k", "LCSC Part #": " ", name: "C123"}) == "C123"


def test_first_spelling_counts() -> None:
    assert pick_lcsc({"LCSC": "C2", "JLCPCB Part": "C3", "LCSC PN": "C1"}) == "C1"
    assert pick_lcsc({"LCSC note": "see sheet 2"}) == ""


def test_write_bom() -> None:
    assert write_bom([part("R1", 'a "b",c', "C1"), part("R2", mpn="X", manufacturer="Y", fitted=False)]).decode() == (
        'Reference,Quantity,Value,Footprint,LCSC Part #,MPN,Manufacturer,DNP\nR1,1,"a ""b"",c",R_0402_1005Metric,C1,,,\nR2,1,10k,R_0402_1005Metric,,X,Y,DNP\n'
    )


def test_damaged_boards_are_refused_and_nothing_else() -> None:
    chance = random.Random(1)
    for _ in range(300):
        text = list(BOARD)
        for _ in range(chance.randrange(1, 40)):
            text[chance.randrange(len(text))] = chance.choice('()" \\x')
        damaged = "".join(text)[: chance.randrange(len(text))]
        for variant in ("", "Lite"):
            try:
                assert all(isinstance(p.reference, str) for p in read_parts(damaged, variant)), damaged
                list_variants(damaged)
            except ValueError:
                pass
    with pytest.raises(ValueError, match="no whole expression"):
        sexpr.parse("(" * 100_000)
