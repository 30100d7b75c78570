import assert from "node:assert/strict";
import { test } from "node:test";
import { BoardOrder, BoardOrderError } from "../src/index.js";
import { decideRetry } from "../src/retry.js";
import { readError } from "../src/reply.js";
import { serveScript, type Reply } from "./server.js";
import { readVectors } from "./vectors.js";

interface Decision { name: string; method: string; idempotency_key: boolean; attempt: number; status?: number; headers?: Record<string, string>; code?: string; decision: "stop" | "wait"; wait_ms?: [number, number] }
interface Calls { name: string; method: "GET" | "POST"; idempotency_key?: string; idempotency_key_sent?: string; replies: Reply[]; requests: number; distinct_idempotency_keys: number; result: string }

const { decisions, calls } = readVectors<{ decisions: Decision[]; calls: Calls[] }>("retries");

test("decisions", async (t) => {
  for (const d of decisions) {
    await t.test(d.name, () => {
      const retryAfterS = readError(d.status ?? 0, new Headers(d.headers ?? {}), "").retryAfterS;
      const waits = [0, 1].map((chance) => decideRetry({ method: d.method, repeatable: d.idempotency_key, attempt: d.attempt, status: d.status ?? 0, code: d.code ?? "", retryAfterS }, 2, () => chance));
      assert.deepEqual(waits, d.decision === "stop" ? [null, null] : d.wait_ms);
    });
  }
});

test("calls", async (t) => {
  for (const c of calls) {
    await t.test(c.name, async () => {
      const service = await serveScript(c.replies);
      const client = new BoardOrder(service.url, "k", { sleep: async () => undefined });
      const call = c.method === "GET" ? client.uploads.get("up_1") : client.uploads.create({ name: "a.gbr", data: new Uint8Array([1]) }, { idempotencyKey: c.idempotency_key });
      const result = await call.then(() => "ok", (e: unknown) => (e instanceof BoardOrderError ? e.kind : String(e)));
      service.close();
      const keys = new Set(service.requests.map((r) => r.headers["idempotency-key"]).filter((k) => k !== undefined));
      assert.deepEqual({ result, requests: service.requests.length, keys: keys.size }, { result: c.result, requests: c.requests, keys: c.distinct_idempotency_keys });
      if (c.idempotency_key_sent) assert.deepEqual([...keys], [c.idempotency_key_sent]);
      for (const r of service.requests) if (c.method === "POST") assert.ok(r.body.includes("\x01"), "an attempt was sent without the file");
    });
  }
});

test("a call that is ended by its signal is not sent again", async () => {
  const end = new AbortController();
  const service = await serveScript([], () => end.abort(new Error("enough")));
  await assert.rejects(new BoardOrder(service.url, "k").account.checkKey({ signal: end.signal }), /enough/);
  service.close();
});
