"""The bill of materials of a board's variant (KiCad 10).

Without a variant no list is made: the service reads the fields of the board and its schematic itself.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass

from . import sexpr

FILE_NAME = "bom.csv"

_NUMBERS = ("Part #", "Part", "PN", "P/N", "Part No.", "Part Number")
# What Fabrication Toolkit and kicad-jlcpcb-tools read, and in the order in which the former does.
_LCSC = [f"{maker} {number}".lower() for maker in ("LCSC", "JLCPCB") for number in _NUMBERS] + ["lcsc", "jlc", "jlcpcb"]
_VARIANTS = re.compile(r"^\s*\(variants\b", re.MULTILINE)
_CODE = re.compile(r"C\d+", re.IGNORECASE)
_MPN = ("mpn", "manufacturer part number", "manufacturer_part_number", "mfr. part #", "mfr part #", "mfr part number", "mfrpn", "mfr_pn", "mfpn", "mpn1", "part number")
_MAKER = ("manufacturer", "manufacturer_name", "mfr", "mfr.", "mfg", "mf", "mfn")
_YES = ("yes", "true", "1")


@dataclass(frozen=True)
class Part:
    reference: str
    value: str
    footprint: str
    lcsc: str
    mpn: str
    manufacturer: str
    fitted: bool


def list_variants(board: str) -> list[str]:
    """Names of the variants that the text of a board has."""
    found = _VARIANTS.search(board)  # which stand before all parts, so that not all of a large board is read
    names = [sexpr.value(variant, "name") for variant in sexpr.lists(sexpr.parse(board[found.start() :]), "variant")] if found else []
    return [name for name in names if name]


def read_parts(board: str, variant: str) -> list[Part]:
    """The parts of one variant, by reference. Those that are left out of lists are left out."""
    parts = []
    for footprint in sexpr.lists(sexpr.parse(board), "footprint"):
        fields = {str(p[1]): str(p[2]) for p in sexpr.lists(footprint, "property") if len(p) > 2}
        attributes = [word for attr in sexpr.lists(footprint, "attr") for word in attr[1:]]
        dnp, listed = "dnp" in attributes, "exclude_from_bom" not in attributes
        for change in sexpr.lists(footprint, "variant"):
            if sexpr.value(change, "name") != variant:
                continue
            dnp = _flag(change, "dnp", dnp)
            listed = not _flag(change, "exclude_from_bom", not listed)
            fields.update({sexpr.value(f, "name"): sexpr.value(f, "value") for f in sexpr.lists(change, "field")})
        reference = fields.get("Reference", "")
        if not listed or not reference or reference.startswith("#"):
            continue
        name = str(footprint[1]) if len(footprint) > 1 and isinstance(footprint[1], str) else ""
        maker_number = pick_field(fields, _MPN)
        parts.append(Part(reference, fields.get("Value", ""), name.rpartition(":")[2], pick_lcsc(fields), maker_number, pick_field(fields, _MAKER), not dnp))
    return sorted(parts, key=lambda part: part.reference)


def _flag(change: list[sexpr.Node], name: str, otherwise: bool) -> bool:
    found = sexpr.value(change, name)
    return found in _YES if found else otherwise


def pick_field(fields: dict[str, str], names: tuple[str, ...] | list[str]) -> str:
    """The first field that is filled in, by any of these names in whatever case."""
    by_name = {name.strip().lower(): text.strip() for name, text in fields.items() if text.strip() not in ("", "~")}
    return next((by_name[name] for name in names if name in by_name), "")


def pick_lcsc(fields: dict[str, str]) -> str:
    """A code of the LCSC library: by the spellings that are known, else in a field whose name begins with LCSC or JLC."""
    if found := pick_field(fields, _LCSC):
        return found
    return next((text.strip() for name, text in sorted(fields.items()) if name.lower().startswith(("lcsc", "jlc")) and _CODE.fullmatch(text.strip())), "")


def write_bom(parts: list[Part]) -> bytes:
    """A bill of materials as a table, one line a part."""
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["Reference", "Quantity", "Value", "Footprint", "LCSC Part #", "MPN", "Manufacturer", "DNP"])
    for p in parts:
        table.writerow([p.reference, 1, p.value, p.footprint, p.lcsc, p.mpn, p.manufacturer, "" if p.fitted else "DNP"])
    return out.getvalue().encode()
