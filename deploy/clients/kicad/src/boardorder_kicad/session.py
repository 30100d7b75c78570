"""The way from the files of a board to the page where it is paid, without a window."""

from __future__ import annotations

import json
import os
import re
import ssl
import tempfile
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from . import bom
from .boardorder.answers import with_answer
from .boardorder.client import BoardOrder
from .boardorder._upload import NamedFile
from .design import ORDER_FILE, Design, DesignFileError
from .findings import Row, list_findings
from .text import line

Say = Callable[[str], object]

_QUANTITIES = 10
_MOST = 1_000_000
_CERTIFICATES = ("/etc/ssl/cert.pem", "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt")  # macOS and BSD, Debian, Fedora


class WishError(Exception):
    """What is wished for cannot be asked. The message is for people."""


@dataclass
class Wishes:
    """``itar`` is None until somebody says whether the design is under ITAR; ``variant`` is empty for the plain board."""

    quantities: list[int] = field(default_factory=lambda: [10, 50, 100])
    country: str = ""
    postal_code: str = ""
    state: str = ""
    assembly: bool = False
    standard: bool = False
    itar: bool | None = None
    variant: str = ""

    def check(self) -> None:
        """Raises WishError for what must not be sent."""
        if self.itar is None:
            raise WishError("Say whether the design is controlled under ITAR.")
        if self.itar:
            raise WishError("A design that is controlled under ITAR cannot be ordered here. Nothing was sent.")
        if not re.fullmatch(r"[A-Z]{2}", self.country):
            raise WishError("Name the country that the boards go to by its two letters, such as DE.")
        if not self.quantities:
            raise WishError("Say how many boards, such as 10, 50, 100.")

    def ship_to(self) -> dict[str, str]:
        return {name: value for name, value in (("country", self.country), ("postal_code", self.postal_code), ("state", self.state)) if value}


def parse_quantities(text: str) -> list[int]:
    """Such as ``10, 50 100``: ascending, each once. WishError for anything else."""
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    if not words or any(not re.fullmatch(r"[1-9][0-9]{0,6}", word) or int(word) > _MOST for word in words):
        raise WishError("Write quantities as numbers, such as 10, 50, 100.")
    quantities = sorted({int(word) for word in words})
    if len(quantities) > _QUANTITIES:
        raise WishError(f"At most {_QUANTITIES} quantities are priced at once.")
    return quantities


class Session:
    """One board on its way to a price. ``say`` is told how far it is, in a sentence."""

    def __init__(self, client: BoardOrder, design: Design, wishes: Wishes, say: Say) -> None:
        wishes.check()
        self._client = client
        self._design = design
        self._wishes = wishes
        self._say = say
        self.request: dict[str, Any] = {}
        self.report_url = ""

    def send(self) -> None:
        """Sends the files as they lie on the disk."""
        self._say("Sending the files…")
        packed = self._design.pack(self._variant_bom())
        upload = self._client.uploads.create(NamedFile(f"{self._design.name}.zip", packed))
        self.request = {"upload_id": upload["upload_id"], "project_name": line(self._design.name, 100), "itar": False, "assembly": self._wishes.assembly}
        if self._wishes.standard:
            self.request["standard_for_unstated"] = True

    def _variant_bom(self) -> dict[str, bytes]:
        if not self._wishes.variant:
            return {}
        with open(self._design.board, encoding="utf-8", errors="replace") as f:
            text = f.read()
        if self._wishes.variant not in bom.list_variants(text):
            raise DesignFileError(f"The saved board has no variant {line(self._wishes.variant)}.")
        return {bom.FILE_NAME: bom.write_bom(bom.read_parts(text, self._wishes.variant))}

    def check(self) -> list[Row]:
        """What is wrong with the board, by place."""
        self._say("Checking the board…")
        body = {name: self.request[name] for name in ("upload_id", "board", "file_answers", "copper_oz", "thickness_mm", "itar") if name in self.request}
        report = self._client.design_checks.run(body, on_progress=lambda r: self._say(line(r.get("board_check", {}).get("step") or "Checking the board…")))
        self.report_url = report.get("report_url", "")
        return list_findings(report["findings"])

    def answer(self, option: str, value: Any) -> None:
        self.request = with_answer(self.request, option, value)

    def price(self) -> Any:
        """The table of prices. Raises NeedsAnswersError or DesignError where something is open."""
        self._say("Asking for prices…")
        body = {**self.request, "quantities": self._wishes.quantities, "ship_to": self._wishes.ship_to()}
        return self._client.price_tables.create(body, on_progress=self._progress)

    def quote(self, cell: Any) -> Any:
        """A quote of one cell, with the address where it is paid."""
        self._say("Making a quote…")
        return self._client.quotes.create({**self.request, **cell["quote_request"]}, on_progress=self._progress)

    def keep_order(self, quote: Any) -> str:
        """Writes board-order.json beside the board, so that nothing is asked the next time; its path, or "" where the quote has none."""
        order = quote.get("board_order")
        if not order:
            return ""
        path = os.path.join(self._design.folder, ORDER_FILE)
        handle, temporary = tempfile.mkstemp(dir=self._design.folder, prefix=".board-order-")
        with os.fdopen(handle, "w", encoding="utf-8") as f:
            f.write(json.dumps(order, indent=2, ensure_ascii=False) + "\n")
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
        return path

    def _progress(self, reply: Any) -> None:
        self._say(line(reply.get("progress") or "Working…"))


def connect(url: str, key: str) -> BoardOrder:
    """A client of the service. KiCad's own Python finds no certificates on some systems, so those of the system are named."""
    context = ssl.create_default_context()
    if not context.cert_store_stats()["x509_ca"]:
        for file in filter(os.path.isfile, _CERTIFICATES):
            context.load_verify_locations(file)
            break
    return BoardOrder(url, key, context=context)


def check_link(link: str) -> str:
    """An address for a browser. ValueError for anything but the web's."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"[\s\x00-\x1f]", link):
        raise ValueError("The service gave no address of the web.")
    return link
