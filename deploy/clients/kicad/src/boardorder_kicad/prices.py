"""A price table, as rows of quantities and columns of build times."""

from __future__ import annotations

import datetime
import textwrap
from dataclasses import dataclass
from typing import Any

from .text import line

_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()  # whatever the system's language is


@dataclass(frozen=True)
class Grid:
    """``cells[row][column]`` is a cell of the service, or None where it has none."""

    quantities: list[int]
    builds: list[str]
    cells: list[list[Any]]


def grid(table: Any) -> Grid:
    """The cells of the one destination that the plug-in asks for, the slowest build first."""
    names = {cell["build_time_hours"]: line(cell.get("build") or "standard build") for cell in table["cells"]}
    builds = sorted(names, key=lambda hours: float("-inf") if hours is None else -hours)
    by_place = {(cell["quantity"], cell["build_time_hours"]): cell for cell in table["cells"]}
    cells = [[by_place.get((quantity, build)) for build in builds] for quantity in table["quantities"]]
    return Grid(list(table["quantities"]), [names[build] for build in builds], cells)


def show_cell(cell: Any) -> str:
    """Total, price of one board and day of arrival, on lines of their own; or why there is no price."""
    if cell is None:
        return "–"
    if cell["status"] != "priced":
        return textwrap.fill(line(cell.get("why") or cell["status"], 160), 30)
    arrival = f"{_day(cell['arrives_from'])} to {_day(cell['arrives_to'])}" if cell.get("arrives_from") and cell.get("arrives_to") else ""
    return "\n".join(text for text in (line(cell["total"]), f"{line(cell['per_board'])} each", arrival) if text)


def _day(iso: str) -> str:
    """Such as 18 Dec, of 2026-12-18."""
    day = datetime.date.fromisoformat(iso)
    return f"{day.day} {_MONTHS[day.month - 1]}"


def can_order(cell: Any) -> bool:
    """Whether a cell leads to a quote: one with a price, or one that the team prices."""
    return bool(cell and cell.get("quote_request"))
