// Runs as it is with Node 22.18 or later, and with Deno and Bun.
import { openAsBlob } from "node:fs";

const base = process.env.BASE!; // the address of the service
const headers = { "X-API-Key": process.env.KEY! }; // a test key (bo_test_…) costs nothing

interface Quote {
  status?: "pending";
  poll_url: string;
  retry_after_s: number;
  total: string | null;
  checkout_url: string;
}

async function send<T>(url: string, request: RequestInit = {}): Promise<T> {
  const reply = await fetch(url, { ...request, headers: { ...headers, ...request.headers } });
  const body = await reply.json();
  if (!reply.ok) throw new Error(`${body.error}: ${body.message}`);
  return body;
}

// 1. Send the files. The reply names the upload.
const form = new FormData();
form.append("files", await openAsBlob("board.zip"), "board.zip");
const upload = await send<{ upload_id: string }>(`${base}/v1/uploads`, { method: "POST", body: form });

// 2. Ask for the price. One that takes long is asked about again.
let quote = await send<Quote>(`${base}/v1/quotes`, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({
    upload_id: upload.upload_id, quantity: 10, standard_for_unstated: true,
    ship_to: { country: "DE", postal_code: "10115", city: "Berlin" },
  }),
});
while (quote.status === "pending") {
  await new Promise((done) => setTimeout(done, quote.retry_after_s * 1000));
  quote = await send<Quote>(`${quote.poll_url}?wait_s=30`);
}

// 3. Send the customer to the checkout.
console.log(quote.total, quote.checkout_url);
