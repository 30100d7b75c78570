"""A board from its files to the link at which a person pays, by the Python client of the protocol."""

import asyncio
import json
import os

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

BASE, KEY, BOARD = (os.environ[name] for name in ("BASE", "KEY", "BOARD"))


async def order(client):
    resources = set()

    async def call(name, **args):
        result = await client.call_tool(name, args, read_timeout_seconds=60)
        if result.is_error:
            raise RuntimeError(f"{name}: {result.content[0].text}")
        for link in (c for c in result.content if c.type == "resource_link"):
            read = await client.read_resource(link.uri)
            if read.contents[0].mime_type == link.mime_type:
                resources.add(link.uri)
        return result.structured_content

    await client.list_tools()
    upload = await call("create_upload_link")
    with open(BOARD, "rb") as board:
        sent = httpx2.post(upload["upload_url"], files={"files": ("board.zip", board.read())})
    sent.raise_for_status()
    await call("get_upload", upload_id=upload["upload_id"])

    args = {"upload_id": upload["upload_id"], "quantity": 5, "ship_to": {"country": "US", "state": "CA", "postal_code": "94103"}}
    questions = 0
    quote = await call("quote_boards", **args)
    while quote.get("error") == "needs_details":
        for q in quote["questions"]:
            args[q["option"]] = q.get("usual") or q["choices"][0]
        questions += 1
        if questions > 5:
            raise RuntimeError(f"asked again: {quote['questions']}")
        quote = await call("quote_boards", **args)
    while quote.get("status") == "pending":
        quote = await call("get_quote", request_id=quote["request_id"])
    check = await call("check_design", upload_id=upload["upload_id"])
    while check["status"] == "checking":
        check = await call("check_design", upload_id=upload["upload_id"])
    link = await call("create_buy_link", upload_id=upload["upload_id"], thickness_mm=1.6, surface_finish="hasl_lead_free")
    state = await call("get_quote", quote_id=quote["quote_id"])
    return {
        "questions": questions, "resources": len(resources), "total": quote["total"], "checkout_url": quote["checkout_url"], "check": check["status"],
        "report_url": check["report_url"], "buy_url": link["buy_url"], "status": state["status"],
    }


async def main():
    headers = httpx2.AsyncClient(headers={"Authorization": f"Bearer {KEY}"}, timeout=70)
    async with headers, Client(streamable_http_client(BASE + "/mcp", http_client=headers)) as client:
        print(json.dumps(await order(client)))


asyncio.run(main())
