"""What several quantities cost in two countries, and a quote of the best cell."""

import os
import sys

from boardorder import BoardOrder, format_money
from boardorder.types import QuoteRequest

client = BoardOrder(os.environ["BASE"], os.environ["KEY"])
upload = client.uploads.create(sys.argv[1] if len(sys.argv) > 1 else "board.zip")
table = client.price_tables.create(
    {"upload_id": upload["upload_id"], "standard_for_unstated": True, "quantities": [5, 10, 50, 100], "ship_to": [{"country": "US", "state": "CA", "postal_code": "94107"}, {"country": "DE"}]}
)

print(table["board"])
for cell in table["cells"]:
    price = cell.get("why", cell["status"])
    if cell["total_cents"] is not None and cell["per_board_cents"] is not None:
        price = f"{format_money(cell['total_cents'], table['currency'])}, {format_money(cell['per_board_cents'], table['currency'])} each"
    print(f"{table['destinations'][cell['destination']]['country']} {cell['quantity']:5}  {cell.get('build', ''):16} {price}")

# Amounts are whole cents, so they can be compared and added.
priced = [(cell["per_board_cents"], cell["quote_request"]) for cell in table["cells"] if cell["per_board_cents"] is not None and cell["quote_request"]]
if priced:
    _, best = min(priced, key=lambda cell: cell[0])
    request: QuoteRequest = {"upload_id": upload["upload_id"], "standard_for_unstated": True, "quantity": best["quantity"]}
    if "build_time_hours" in best:
        request["build_time_hours"] = best["build_time_hours"]
    if "ship_to" in best:
        request["ship_to"] = best["ship_to"]
    quote = client.quotes.create(request)
    print(f"{quote['quantity']} boards: {quote.get('total')} {quote['checkout_url']}")
