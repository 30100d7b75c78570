from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
from boardorder import BoardOrder, DesignError, types

_EXAMPLES = Path(__file__).parents[1] / "examples"
T = TypeVar("T")


class Running(NamedTuple):
    folder: Path
    base: str
    key: str
    test_key: str

    @property
    def board(self) -> Path:
        return self.folder / "data" / "sample-board.zip"


def within(what: str, seconds: float, look: Callable[[], T | None]) -> T:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if (found := look()) is not None:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what} did not come within {seconds} s")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    if "STANDALONE" not in os.environ:
        pytest.skip("STANDALONE names no service")
    folder = tmp_path_factory.mktemp("service")
    file = folder / "ready.json"
    process = subprocess.Popen([os.environ["STANDALONE"], "-data", str(folder / "data"), "-http", "127.0.0.1:0", "-ready-file", str(file)], stdout=subprocess.DEVNULL)
    try:
        ready = within("the service", 90, lambda: json.loads(file.read_text()) if file.exists() or process.poll() is not None else None)
        yield Running(folder, ready["base_url"], ready["api_key"], (folder / "data" / "demo-test.key").read_text())
    finally:
        process.terminate()
        process.wait()


class Run:
    """An example that runs; what it says lies in files."""

    def __init__(self, running: Running, folder: Path, example: str, *args: str, given: str = "", **env: str) -> None:
        self._out, self._err = folder / "out", folder / "err"
        (folder / "in").write_text(given)
        with self._out.open("w") as out, self._err.open("w") as err, (folder / "in").open() as stdin:
            self.process = subprocess.Popen([sys.executable, str(_EXAMPLES / example), *args], cwd=folder, env={**os.environ, "BASE": running.base, "KEY": running.test_key, **env}, stdin=stdin, stdout=out, stderr=err)

    @property
    def out(self) -> str:
        return self._out.read_text()

    @property
    def err(self) -> str:
        return self._err.read_text()

    def finish(self, want: str) -> None:
        assert self.process.wait(120) == 0, self.err
        assert re.search(want, self.out, re.DOTALL), self.out


def price(running: Running) -> str:
    return rf"\$\d+\.\d\d {running.base}/checkout/"


def test_first_quote(running: Running, tmp_path: Path) -> None:
    Run(running, tmp_path, "first_quote.py", str(running.board)).finish(price(running))


def test_answer_questions(running: Running, tmp_path: Path) -> None:
    run = Run(running, tmp_path, "answer_questions.py", str(running.board), given="\n" * 20)
    run.finish(price(running))
    assert re.search(r"\?\n  1  ", run.err), "nothing was asked"


def test_price_table(running: Running, tmp_path: Path) -> None:
    run = Run(running, tmp_path, "price_table.py", str(running.board))
    run.finish(price(running))
    assert len(re.findall(r"^(?:US|DE) +\d+ ", run.out, re.MULTILINE)) >= 8, run.out


def test_webhook_receiver(running: Running, tmp_path: Path) -> None:
    client = BoardOrder(running.base, running.test_key)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}/"
    made = client.webhook_endpoints.create({"url": address, "types": ["webhook_endpoint.test"]})
    endpoint_id = made["endpoint"]["endpoint_id"]
    receiver = Run(running, tmp_path, "webhook_receiver.py", PORT=str(port), WEBHOOK_SECRET=made["secret"])
    try:
        within("the receiver", 20, lambda: "listening" in receiver.err or None)
        event_id = client.webhook_endpoints.test(endpoint_id)["event_id"]
        within("the event", 20, lambda: "webhook_endpoint.test" in receiver.out or None)
        [delivery] = within("the delivery", 20, lambda: list(client.webhook_endpoints.deliveries(endpoint_id)) or None)
        assert (delivery["event_id"], delivery["outcome"]) == (event_id, "delivered")
        body, at = json.dumps(client.events.get(event_id)).encode(), str(int(time.time()))
        forged = b64encode(hmac.new(b"guess", f"{event_id}.{at}.".encode() + body, hashlib.sha256).digest()).decode()
        request = urllib.request.Request(address, body, {"webhook-id": event_id, "webhook-timestamp": at, "webhook-signature": f"v1,{forged}"})
        with pytest.raises(urllib.error.HTTPError) as raised:
            urllib.request.urlopen(request)
        assert raised.value.code == 400, "a forged event was taken"
    finally:
        receiver.process.kill()
        receiver.process.wait()
        client.webhook_endpoints.delete(endpoint_id)


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def pay(checkout: str) -> None:
    """Pays a quote as a browser does, in the simulator."""
    address = {
        "name": "Ada Lovelace", "email": "ada@example.com", "phone": "+1 512 555 0100", "line1": "1 Main St", "city": "Austin", "state": "TX", "postal_code": "78701", "country": "US", "shipping_id": "DHL Express",
        "build_hours": "48",
    }
    opener = urllib.request.build_opener(_Stay())
    following = ""
    for button in ("update", "pay"):
        page = opener.open(checkout).read().decode()
        hidden = {name: m[1] if (m := re.search(rf'name="{name}" value="([^"]*)"', page)) else "" for name in ("token", "version", "total", "seen")}
        with pytest.raises(urllib.error.HTTPError) as redirect:
            opener.open(checkout, urllib.parse.urlencode({"do": button, **address, **hidden}).encode())
        following = redirect.value.headers["Location"]
    card = {"number": "4242424242424242", "expiry": "12/34", "cvc": "123", "email": address["email"], "name": address["name"]}
    reply = urllib.request.urlopen(urllib.request.Request(following, urllib.parse.urlencode(card).encode(), {"Accept": "application/json"}))
    assert json.load(reply)["status"] == "paid"


def test_follow_order(running: Running, tmp_path: Path) -> None:
    client = BoardOrder(running.base, running.key)
    upload = client.uploads.create(running.board)
    quote = client.quotes.create({"upload_id": upload["upload_id"], "quantity": 10, "standard_for_unstated": True})
    follower = Run(running, tmp_path, "follow_order.py", quote["quote_id"], KEY=running.key)
    within("the quote", 30, lambda: "quote_ready" in follower.out or None)
    pay(quote["checkout_url"])
    follower.finish(r"ordered BO-\S+ \$\d+\.\d\d.*shipped BO-\S+ \S+ \S+ \S+")
    assert (tmp_path / "cursor.txt").read_text()


def test_checks_links_and_orders(running: Running) -> None:
    client = BoardOrder(running.base, running.test_key)
    upload_id = client.uploads.create(running.board)["upload_id"]
    progress: list[types.DesignCheckReport] = []
    assert client.design_checks.run({"upload_id": upload_id}, on_progress=progress.append)["status"] != "checking"
    parts = client.part_checks.run({"boards": 10, "parts": [{"reference": "U1", "mpn": "TEST-STOCKED"}, {"reference": "U2", "mpn": "TEST-UNKNOWN"}]})
    assert [parts["phase"], *(p["verdict"] for p in parts["parts"])] == ["complete", "ok", "problem"]
    client.buy_links.close(client.buy_links.create({"upload_id": upload_id, "project_name": "Lamp"})["buy_url"])
    order = client.orders.submit({"name": "Lamp", "qty": 50, "board_layers": 2, "services": {"fabrication": True}}, gerbers=running.board)
    assert [f["name"] for f in order["files"]] == ["sample-board.zip"]
    assert any(o["order_id"] == order["order_id"] for o in client.orders.list(limit=1)), "the order is not on the list"
    assert client.account.check_key()["key"]["livemode"] is False
    with pytest.raises(DesignError) as raised:
        client.quotes.create({"upload_id": upload_id, "quantity": 10, "project_name": "test_design_files"})
    assert raised.value.findings and raised.value.request_id
