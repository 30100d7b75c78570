// A board from its files to the link at which a person pays, by the TypeScript client of the
// protocol that the first argument names.
import { readFile } from "node:fs/promises";

const { BASE, KEY, BOARD } = process.env;
const endpoint = new URL("/mcp", BASE);
const requestInit = { headers: { Authorization: `Bearer ${KEY}` } };
const info = { name: "agent", version: "1" };

const connections = {
  "@modelcontextprotocol/client": async (m) => {
    const client = new m.Client(info, { versionNegotiation: { mode: "auto" } });
    await client.connect(new m.StreamableHTTPClientTransport(endpoint, { requestInit }));
    return client;
  },
  "@modelcontextprotocol/sdk/client/index.js": async (m) => {
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const client = new m.Client(info);
    await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit }));
    return client;
  },
};
const library = process.argv[2];
const client = await connections[library](await import(library));

const resources = new Set();
async function call(name, args) {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
  for (const link of result.content.filter((c) => c.type === "resource_link")) {
    const { contents } = await client.readResource({ uri: link.uri });
    if (contents[0].mimeType === link.mimeType) resources.add(link.uri);
  }
  return result.structuredContent;
}

await client.listTools();
const upload = await call("create_upload_link", {});
const form = new FormData();
form.append("files", new Blob([await readFile(BOARD)]), "board.zip");
const sent = await fetch(upload.upload_url, { method: "POST", body: form });
if (!sent.ok) throw new Error(await sent.text());
await call("get_upload", { upload_id: upload.upload_id });

const order = { upload_id: upload.upload_id, quantity: 5, ship_to: { country: "US", state: "CA", postal_code: "94103" } };
let questions = 0;
let quote = await call("quote_boards", order);
while (quote.error === "needs_details") {
  for (const q of quote.questions) order[q.option] = q.usual ?? q.choices[0];
  if (++questions > 5) throw new Error(`asked again: ${JSON.stringify(quote.questions)}`);
  quote = await call("quote_boards", order);
}
while (quote.status === "pending") quote = await call("get_quote", { request_id: quote.request_id });
let check;
do check = await call("check_design", { upload_id: upload.upload_id });
while (check.status === "checking");
const link = await call("create_buy_link", { upload_id: upload.upload_id, thickness_mm: 1.6, surface_finish: "hasl_lead_free" });
const { status } = await call("get_quote", { quote_id: quote.quote_id });
console.log(JSON.stringify({ questions, resources: resources.size, total: quote.total, checkout_url: quote.checkout_url, check: check.status, report_url: check.report_url, buy_url: link.buy_url, status }));
await client.close();
