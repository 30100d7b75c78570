import os
import sys

from boardorder import BoardOrder

# The address of the service, and a key: a test key (bo_test_…) costs nothing.
client = BoardOrder(os.environ["BASE"], os.environ["KEY"])

# A zip of Gerbers, a KiCad, EAGLE, Altium or EasyEDA file, or the folder of a project.
upload = client.uploads.create(sys.argv[1] if len(sys.argv) > 1 else "board.zip")

quote = client.quotes.create(
    {
        "upload_id": upload["upload_id"], "quantity": 10, "standard_for_unstated": True,
        "ship_to": {"country": "DE", "postal_code": "10115", "city": "Berlin"},
    },
    on_progress=lambda pending: print(pending["progress"], file=sys.stderr),
)

# Send the customer to the checkout.
print(quote.get("total") or "priced by the team, once the customer asks:", quote["checkout_url"])
