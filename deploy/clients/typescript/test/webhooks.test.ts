import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { verifyWebhook, WebhookError } from "../src/index.js";
import { readVectors } from "./vectors.js";

interface Case { name: string; secrets: string[]; headers: Record<string, string>; body: string; now: number; event?: { id: string; type: string }; error?: string }

const { tolerance_s, cases } = readVectors<{ tolerance_s: number; cases: Case[] }>("webhooks");

test("webhooks", async (t) => {
  for (const c of cases) {
    await t.test(c.name, () => {
      for (const body of [Buffer.from(c.body), new TextEncoder().encode(c.body), c.body]) {
        for (const headers of [c.headers, new Headers(c.headers)]) {
          let got: object;
          try {
            const { id, type } = verifyWebhook(body, headers, c.secrets, { now: c.now * 1000 });
            got = { event: { id, type } };
          } catch (e) {
            assert.ok(e instanceof WebhookError, inspect(e));
            for (const secret of c.secrets.filter(Boolean)) assert.ok(!inspect(e).includes(secret), "the error holds the secret");
            got = { error: e.fault };
          }
          assert.deepEqual(got, c.event ? { event: c.event } : { error: c.error });
        }
      }
    });
  }
  assert.equal(tolerance_s, 300);
});

test("a body that was parsed is told at once", () => {
  const good = cases[0]!;
  assert.throws(() => verifyWebhook(JSON.parse(good.body) as string, good.headers, good.secrets, { now: good.now * 1000 }), /raw bytes/);
});
