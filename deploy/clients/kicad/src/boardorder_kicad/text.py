"""Words from files and from the service, safe to show."""

from __future__ import annotations

import unicodedata


def line(text: object, most: int = 400) -> str:
    """Text on one line, without characters that control, hide or turn others."""
    spaced = " ".join(str(text).split())
    clean = "".join(c for c in spaced if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp"))
    return clean if len(clean) <= most else clean[: most - 1] + "…"
