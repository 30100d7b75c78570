import assert from "node:assert/strict";
import { test } from "node:test";
import { BoardOrder, BoardOrderError } from "../src/index.js";
import { serveScript } from "./server.js";
import { readVectors } from "./vectors.js";

interface Case { name: string; limit?: number; take?: number; requests: { cursor: string | null; status?: number; reply: unknown }[]; items: string[]; error?: string }

test("pages", async (t) => {
  const { path, cases } = readVectors<{ path: string; cases: Case[] }>("pages");
  for (const c of cases) {
    await t.test(c.name, async () => {
      const service = await serveScript(c.requests.map(({ status, reply }) => ({ status: status ?? 200, body: reply })));
      const items: string[] = [];
      let error: string | undefined;
      try {
        for await (const order of new BoardOrder(service.url, "k").orders.list(c.limit ? { limit: c.limit } : {})) {
          items.push(order.order_id);
          if (items.length === c.take) break;
        }
      } catch (e) {
        error = e instanceof BoardOrderError ? e.kind : String(e);
      }
      service.close();
      assert.deepEqual({ items, error }, { items: c.items, error: c.error });
      const asked = service.requests.map(({ url }) => ({ path: url.pathname, cursor: url.searchParams.get("cursor"), limit: url.searchParams.get("limit") }));
      assert.deepEqual(asked, c.requests.map(({ cursor }) => ({ path, cursor, limit: c.limit ? String(c.limit) : null })));
    });
  }
});
