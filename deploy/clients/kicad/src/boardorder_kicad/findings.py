"""Findings of a check, as a list to go through and as marks on the board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .text import line

LEVELS = {"must_fix": "must be mended", "warning": "worth a look", "note": "for information"}


@dataclass(frozen=True)
class Row:
    """One place of a finding, or a finding without a place.

    ``number`` is what its mark on the board says; 0 without a place. ``at_mm`` is in KiCad's own coordinates, y downwards.
    """

    level: str
    what: str
    where: str
    number: int = 0
    at_mm: tuple[float, float] | None = None


def list_findings(findings: list[Any]) -> list[Row]:
    """Rows, one for each place, in the service's order: the worst first."""
    rows: list[Row] = []
    number = 0
    for finding in findings:
        places = finding.get("places") or ([finding] if finding.get("at_mm") else [])
        for place in places:
            number += 1
            x, y = place["at_mm"]
            rows.append(Row(finding["level"], line(finding["what"]), _where(finding, place), number, (float(x), -float(y))))
        if not places:
            rows.append(Row(finding["level"], line(finding["what"]), _where(finding, finding)))
    return rows


def _where(finding: Mapping[str, Any], place: Mapping[str, Any]) -> str:
    said = [place.get("layer") or finding.get("layer") or ""]
    if (value := place.get("value_mm")) is not None:
        limit = finding.get("limit_mm")
        said.append(f"{value:g} mm" + (f" of {limit:g} mm" if limit is not None else ""))
    said.append(", ".join(place.get("nets") or []))
    if at := place.get("at_mm"):
        said.append(f"at {at[0]:.2f}, {-at[1]:.2f}")
    if finding.get("file") and not place.get("at_mm"):
        said.append(f"{finding['file']}:{finding['line']}" if finding.get("line") else finding["file"])
    return line(" · ".join(text for text in said if text), 160)


def count_levels(rows: list[Row]) -> str:
    """Such as ``2 must be mended, 1 worth a look``."""
    counts = {level: sum(row.level == level for row in rows) for level in LEVELS}
    return ", ".join(f"{n} {LEVELS[level]}" for level, n in counts.items() if n) or "nothing was found"
