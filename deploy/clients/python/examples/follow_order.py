"""Follows a quote from its payment to its parcel by the feed. Ended and started again it goes on where it was."""

import os
import sys
from pathlib import Path

from boardorder import BoardOrder, CursorExpiredError, format_money

client = BoardOrder(os.environ["BASE"], os.environ["KEY"])
quote_id = sys.argv[1]
file = Path(sys.argv[2] if len(sys.argv) > 2 else "cursor.txt")


def show() -> str:
    now = client.quotes.get(quote_id)
    paid = format_money(now["paid_cents"], now.get("currency") or "USD") if "paid_cents" in now else ""
    parcel = f"{now['tracking']['carrier']} {now['tracking']['number']}" if "tracking" in now else ""
    print(now["status"], now.get("order_ref", ""), paid, parcel, flush=True)
    return now["status"]


status = ""
after = file.read_text() if file.exists() else None
while status != "shipped":
    feed = client.events.follow(after, on_failure=lambda error: print("asking again:", error, file=sys.stderr))
    try:
        for event in feed:
            if event["data"].get("quote_id") == quote_id:
                status = show()
            if feed.cursor:
                file.write_text(feed.cursor)  # all before it is done with
            if status == "shipped":
                break
    except CursorExpiredError as error:
        status = show()  # events were lost meanwhile: read what you follow, and go on
        after = error.oldest_cursor
