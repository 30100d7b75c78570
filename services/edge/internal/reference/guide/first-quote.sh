# BASE is the address of the service, KEY an API key: a test key (bo_test_…) costs nothing.
set -eu

# 1. Send the files. The reply names the upload.
upload=$(curl -sS "$BASE/v1/uploads" -H "X-API-Key: $KEY" -F files=@board.zip |
  sed -n 's/.*"upload_id":"\([^"]*\)".*/\1/p')

# 2. Ask for the price, and wait for it up to two minutes. An error is printed as it is.
curl -sS "$BASE/v1/quotes?wait_s=120" -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -d '{
  "upload_id": "'"$upload"'", "quantity": 10, "standard_for_unstated": true,
  "ship_to": {"country": "DE", "postal_code": "10115", "city": "Berlin"}
}'

# 3. Send the customer to "checkout_url" of the reply.
