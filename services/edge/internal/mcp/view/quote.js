"use strict";
// The view of a quote speaks to its host alone, in JSON-RPC by postMessage. All that it shows is text: nothing in a
// result becomes markup, and no address is opened but the service's own page.
const origin = document.documentElement.dataset.origin;
const waiting = new Map();
let last = 0, host = {}, shown;
const at = (id) => document.getElementById(id);
const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
const ask = (method, params) => new Promise((resolve, reject) => {
  waiting.set(++last, { resolve, reject });
  send({ id: last, method, params });
});

const say = (id, text) => { at(id).textContent = text || ""; at(id).hidden = !text; };
const money = (cents, currency) => new Intl.NumberFormat("en", { style: "currency", currency }).format(cents / 100);

function adorn(context) {
  if (!context) return;
  if (context.theme === "light" || context.theme === "dark") document.documentElement.dataset.theme = context.theme;
  for (const [name, value] of Object.entries(context.styles?.variables ?? {}))
    if (/^--(color|font)-[a-z0-9-]+$/.test(name) && typeof value === "string" && !/url\(/i.test(value)) document.documentElement.style.setProperty(name, value);
}

async function show(result) {
  const quote = result.structuredContent ?? {};
  const links = (result.content ?? []).filter((c) => c.type === "resource_link" && c.mimeType === "image/png");
  if (!quote.total) return say("wait", quote.status === "pending" ? "The price is being worked out." : quote.message || "There is no price yet.");
  shown = quote;
  at("wait").hidden = true;
  at("quote").hidden = false;
  say("total", `${quote.total} for ${quote.quantity}${quote.quantity === 1 ? " board" : " boards"}`);
  say("delivery", quote.delivery);
  say("note", quote.test_note);
  say("board", quote.board);
  rows(quote);
  list(quote.board_findings ?? []);
  const known = typeof quote.checkout_url === "string" && quote.checkout_url.startsWith(origin + "/checkout/");
  at("pay").hidden = !known || !host.openLinks;
  say("address", known && !host.openLinks && `You can look at it and pay at ${quote.checkout_url}`);
  await draw(links);
}

function rows(quote) {
  const body = at("prices").tBodies[0];
  body.replaceChildren();
  const row = (label, amount) => {
    const tr = body.insertRow(), th = document.createElement("th");
    th.scope = "row";
    th.textContent = label;
    tr.append(th);
    tr.insertCell().textContent = amount;
    return tr;
  };
  for (const line of quote.lines ?? []) row(line.label, money(line.cents, quote.currency));
  if (quote.tax_cents) row("Tax", quote.tax);
  at("prices").hidden = body.rows.length === 0;
  if (body.rows.length) row("Total, delivered", quote.total).className = "sum";
}

function list(found) {
  at("findings").hidden = found.length === 0;
  at("findings").querySelector("ul").replaceChildren(...found.slice(0, 20).map((f) => {
    const li = document.createElement("li");
    li.textContent = f.what;
    return li;
  }));
}

async function draw(links) {
  at("sides").replaceChildren();
  if (!host.serverResources) return;
  for (const link of links) {
    try {
      const { contents: [picture] } = await ask("resources/read", { uri: link.uri });
      const img = new Image();
      img.alt = link.title;
      img.src = "data:image/png;base64," + picture.blob;
      at("sides").append(img);
    } catch { /* the other side may be there */ }
  }
}

at("pay").addEventListener("click", () => ask("ui/open-link", { url: shown.checkout_url }).catch(() => say("address", `It could not be opened from here: ${shown.checkout_url}`)));

addEventListener("message", ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== "2.0") return;
  if (data.method === undefined) {
    const w = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) w?.reject(data.error); else w?.resolve(data.result);
    return;
  }
  switch (data.method) {
    case "ui/notifications/tool-result": show(data.params); break;
    case "ui/notifications/tool-cancelled": say("wait", "It was cancelled."); break;
    case "ui/notifications/host-context-changed": adorn(data.params); break;
    case "ping": case "ui/resource-teardown": send({ id: data.id, result: {} }); break;
    default: if (data.id !== undefined) send({ id: data.id, error: { code: -32601, message: "There is no such method." } });
  }
});

ask("ui/initialize", { protocolVersion: "2026-01-26", appInfo: { name: "quote", version: "1" }, appCapabilities: { availableDisplayModes: ["inline"] } }).then((r) => {
  host = r.hostCapabilities ?? {};
  adorn(r.hostContext);
  send({ method: "ui/notifications/initialized", params: {} });
  new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect();
    send({ method: "ui/notifications/size-changed", params: { width: Math.ceil(width), height: Math.ceil(height) } });
  }).observe(document.documentElement);
});
