# Needs Python 3.9 and "pip install requests".
import os, time
import requests

BASE = os.environ["BASE"]  # the address of the service
api = requests.Session()
api.headers["X-API-Key"] = os.environ["KEY"]  # a test key (bo_test_…) costs nothing


def checked(reply):
    if not reply.ok:
        body = reply.json()
        raise SystemExit(f"{body['error']}: {body['message']}")
    return reply.json()


# 1. Send the files. The reply names the upload.
with open("board.zip", "rb") as board:
    upload = checked(api.post(f"{BASE}/v1/uploads", files={"files": board}))

# 2. Ask for the price. One that takes long is asked about again.
quote = checked(api.post(f"{BASE}/v1/quotes", json={
    "upload_id": upload["upload_id"], "quantity": 10, "standard_for_unstated": True,
    "ship_to": {"country": "DE", "postal_code": "10115", "city": "Berlin"},
}))
while quote.get("status") == "pending":
    time.sleep(quote["retry_after_s"])
    quote = checked(api.get(quote["poll_url"], params={"wait_s": 30}))

# 3. Send the customer to the checkout.
print(quote["total"], quote["checkout_url"])
