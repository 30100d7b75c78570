"""Amounts of money: whole units of the smallest coin, never fractions."""

from __future__ import annotations

import re
from typing import NamedTuple

_DIGITS = dict.fromkeys("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(), 0) | dict.fromkeys("BHD IQD JOD KWD LYD OMR TND".split(), 3)
_LARGEST = 2**63 - 1
_TYPED = re.compile(r"\$(?P<dollars>[\d.,]+)|(?P<before>[A-Za-z]{3}) ?(?P<after>[\d.,]+)|(?P<amount>[\d.,]+) ?(?P<code>[A-Za-z]{3})", re.ASCII)
_WRITTEN = re.compile(r"(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?:\.(?P<part>\d+))?", re.ASCII)


class Money(NamedTuple):
    """An amount in the smallest unit of its currency (ISO 4217): cents of a dollar, yen."""

    minor: int
    currency: str


def currency_digits(currency: str) -> int:
    """How many digits a currency has after the point."""
    return _DIGITS.get(currency, 2)


def format_money(minor: int, currency: str = "USD") -> str:
    """An amount for people, as the service writes it: ``format_money(4210)`` is ``$42.10``."""
    if not isinstance(minor, int):
        raise TypeError("An amount is a whole number of the smallest unit.")
    places = currency_digits(currency)
    whole, part = divmod(abs(minor), 10**places)
    return f"{'-' if minor < 0 else ''}{'$' if currency == 'USD' else currency + ' '}{whole:,}" + (f".{part:0{places}}" if places else "")


def parse_money(text: str) -> Money:
    """What people type for an amount: ``80EUR``, ``EUR 80.50``, ``$1,234.56``. ValueError for anything else."""
    typed = _TYPED.fullmatch(text.strip())
    currency = ((typed and (typed["before"] or typed["code"])) or "USD").upper()
    places = currency_digits(currency)
    written = _WRITTEN.fullmatch(typed["dollars"] or typed["after"] or typed["amount"]) if typed else None
    part = (written["part"] or "") if written else ""
    if not written or len(part) > places or len(written["whole"]) > 30:
        raise ValueError("No amount of money: write it like 80EUR or $80.50.")
    minor = int(written["whole"].replace(",", "") + part.ljust(places, "0"))
    if minor > _LARGEST:
        raise ValueError("No amount of money: it is too large.")
    return Money(minor, currency)
