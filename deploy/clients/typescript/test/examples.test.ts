import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { after, before, test } from "node:test";
import { BoardOrder, DesignError, type DesignCheckReport } from "../src/index.js";

const program = process.env.STANDALONE;
const folder = mkdtempSync(join(tmpdir(), "boardorder-"));
const board = join(folder, "data", "sample-board.zip");
let service: ChildProcess;
let base = "", key = "", testKey = "";

const within = async <T>(what: string, seconds: number, look: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await delay(50)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`${what} did not come within ${seconds} s`);
};

before(async () => {
  if (!program) return;
  const file = join(folder, "ready.json");
  service = spawn(program, ["-data", join(folder, "data"), "-http", "127.0.0.1:0", "-ready-file", file], { stdio: ["ignore", "ignore", "inherit"] });
  const ready = await within("the service", 90, () => {
    assert.equal(service.exitCode, null, "the service ended");
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { base_url: string; api_key: string }) : undefined;
  });
  [base, key, testKey] = [ready.base_url, ready.api_key, readFileSync(join(folder, "data", "demo-test.key"), "utf8")];
});

after(async () => {
  if (service?.exitCode === null) {
    service.kill("SIGTERM");
    await new Promise((ended) => service.once("exit", ended));
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Run { out: string; err: string; code: number | null; process: ChildProcess; ended: Promise<void> }

function run(example: string, args: string[], env: Record<string, string>, input = ""): Run {
  const child = spawn(process.execPath, [new URL(`../examples/${example}.js`, import.meta.url).pathname, ...args], { cwd: folder, env: { ...process.env, BASE: base, KEY: testKey, ...env }, stdio: "pipe" });
  const result: Run = { out: "", err: "", code: null, process: child, ended: new Promise((end) => child.once("close", (code) => { result.code = code; end(); })) };
  child.stdout.on("data", (part: Buffer) => (result.out += part.toString()));
  child.stderr.on("data", (part: Buffer) => (result.err += part.toString()));
  child.stdin.end(input);
  return result;
}

async function finish(r: Run, want: RegExp): Promise<string> {
  await r.ended;
  assert.equal(r.code, 0, r.err);
  assert.match(r.out, want);
  return r.out;
}

/** Pays a quote as a browser does, in the simulator. */
async function pay(checkout: string): Promise<void> {
  const address = { name: "Ada Lovelace", email: "ada@example.com", phone: "+1 512 555 0100", line1: "1 Main St", city: "Austin", state: "TX", postal_code: "78701", country: "US", shipping_id: "DHL Express", build_hours: "48" };
  let next = "";
  for (const button of ["update", "pay"]) {
    const page = await (await fetch(checkout)).text();
    const form = new URLSearchParams({ do: button, ...address });
    for (const name of ["token", "version", "total", "seen"]) form.set(name, new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "");
    const reply = await fetch(checkout, { method: "POST", body: form, redirect: "manual" });
    next = reply.headers.get("Location") ?? "";
    assert.ok(next, `${button}: ${reply.status} ${await reply.text()}`);
  }
  const card = await fetch(next, { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams({ number: "4242424242424242", expiry: "12/34", cvc: "123", email: address.email, name: address.name }) });
  assert.equal(((await card.json()) as { status: string }).status, "paid");
}

test("the examples against a running service", { skip: program ? false : "STANDALONE names no service", concurrency: true }, async (t) => {
  const checkout = (): RegExp => new RegExp(`\\$\\d+\\.\\d\\d ${base}/checkout/`);
  await Promise.all([
    t.test("first quote", async () => void (await finish(run("first-quote", [board], {}), checkout()))),
    t.test("answer questions", async () => {
      const asked = run("answer-questions", [board], {}, "\n".repeat(20));
      await finish(asked, checkout());
      assert.match(asked.err, /\?\n {2}1 /, "nothing was asked");
    }),
    t.test("price table", async () => {
      const out = await finish(run("price-table", [board], {}), checkout());
      assert.ok(out.match(/^(US|DE) +\d+ /gm)!.length >= 8, out);
    }),
    t.test("webhook receiver", async () => {
      const client = new BoardOrder(base, testKey);
      const port = await freePort();
      const made = await client.webhookEndpoints.create({ url: `http://127.0.0.1:${port}/`, types: ["webhook_endpoint.test"] });
      const receiver = run("webhook-receiver", [], { PORT: String(port), WEBHOOK_SECRET: made.secret! });
      try {
        await within("the receiver", 20, () => (receiver.err.includes("listening") ? true : undefined));
        const { event_id } = await client.webhookEndpoints.test(made.endpoint.endpoint_id);
        await within("the event", 20, () => (receiver.out.includes("webhook_endpoint.test") ? true : undefined));
        const [delivery] = await within("the delivery", 20, async () => {
          const all = await collect(client.webhookEndpoints.deliveries(made.endpoint.endpoint_id));
          return all.length ? all : undefined;
        });
        assert.deepEqual([delivery!.event_id, delivery!.outcome], [event_id, "delivered"]);
        const body = JSON.stringify(await client.events.get(event_id)), at = String(Math.floor(Date.now() / 1000));
        const forged = createHmac("sha256", "guess").update(`${event_id}.${at}.${body}`).digest("base64");
        const reply = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body, headers: { "webhook-id": event_id, "webhook-timestamp": at, "webhook-signature": `v1,${forged}` } });
        assert.equal(reply.status, 400, "a forged event was taken");
      } finally {
        receiver.process.kill();
        await receiver.ended;
        await client.webhookEndpoints.delete(made.endpoint.endpoint_id);
      }
    }),
    t.test("follow an order", async () => {
      const client = new BoardOrder(base, key);
      const upload = await client.uploads.create(board);
      const quote = await client.quotes.create({ upload_id: upload.upload_id, quantity: 10, standard_for_unstated: true });
      const follower = run("follow-order", [quote.quote_id], { KEY: key });
      await within("the quote", 30, () => (follower.out.includes("quote_ready") ? true : undefined));
      await pay(quote.checkout_url);
      await finish(follower, /ordered BO-\S+ \$\d+\.\d\d[^]*shipped BO-\S+ \S+ \S+ \S+/);
      assert.ok(readFileSync(join(folder, "cursor.txt"), "utf8"));
    }),
    t.test("checks, links and orders", async () => {
      const client = new BoardOrder(base, testKey);
      const { upload_id } = await client.uploads.create(board);
      const progress: DesignCheckReport[] = [];
      const report = await client.designChecks.run({ upload_id }, { onProgress: (p) => progress.push(p) });
      assert.notEqual(report.status, "checking");
      const parts = await client.partChecks.run({ boards: 10, parts: [{ reference: "U1", mpn: "TEST-STOCKED" }, { reference: "U2", mpn: "TEST-UNKNOWN" }] });
      assert.deepEqual([parts.phase, ...parts.parts.map((p) => p.verdict)], ["complete", "ok", "problem"]);
      const link = await client.buyLinks.create({ upload_id, project_name: "Lamp" });
      await client.buyLinks.close(link.buy_url);
      const order = await client.orders.submit({ name: "Lamp", qty: 50, gerbers: board, board_layers: 2, services: { fabrication: true } });
      const listed = await collect(client.orders.list({ limit: 1 }));
      assert.ok(listed.some((o) => o.order_id === order.order_id), "the order is not on the list");
      assert.deepEqual(order.files.map((f) => f.name), ["sample-board.zip"]);
      assert.equal((await client.account.checkKey()).key.livemode, false);
      await assert.rejects(client.quotes.create({ upload_id, quantity: 10, project_name: "test_design_files" }), (e: unknown) => e instanceof DesignError && e.findings.length > 0 && e.requestId !== "");
    }),
  ]);
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const item of items) out.push(item);
  return out;
}

async function freePort(): Promise<number> {
  const { createServer } = await import("node:net");
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((ready) => server.once("listening", ready));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}
