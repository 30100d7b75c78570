from __future__ import annotations

from typing import Any

import pytest
from boardorder import Money, currency_digits, format_money, parse_money

from .conftest import read_vectors

_VECTORS = read_vectors("money")


@pytest.mark.parametrize("case", _VECTORS["format"], ids=lambda c: c["text"])
def test_amounts_as_they_are_written(case: dict[str, Any]) -> None:
    assert format_money(int(case["minor"]), case["currency"]) == case["text"]


@pytest.mark.parametrize("case", _VECTORS["parse"], ids=lambda c: c["text"] or "nothing")
def test_amounts_as_they_are_typed(case: dict[str, Any]) -> None:
    if case.get("error"):
        with pytest.raises(ValueError):
            parse_money(case["text"])
    else:
        assert parse_money(case["text"]) == Money(int(case["minor"]), case["currency"])


def test_digits() -> None:
    want = {currency: int(digits) for digits, currencies in _VECTORS["digits"].items() for currency in currencies} | dict.fromkeys(["USD", "EUR", "CNY"], 2)
    assert {currency: currency_digits(currency) for currency in want} == want


def test_a_fraction_is_no_amount() -> None:
    with pytest.raises(TypeError):
        format_money(0.5)  # type: ignore[arg-type]
