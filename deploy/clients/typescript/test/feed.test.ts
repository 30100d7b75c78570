import assert from "node:assert/strict";
import { test } from "node:test";
import { BoardOrder, BoardOrderError, CursorExpiredError } from "../src/index.js";
import { serveScript, type Reply } from "./server.js";
import { readVectors } from "./vectors.js";

interface Case { name: string; after?: string; types?: string[]; take?: number; script: { after?: string; reply: Reply }[]; events: string[]; cursor: string; error?: string; oldest_cursor?: string }

const { path, cases } = readVectors<{ path: string; cases: Case[] }>("feed");

test("feed", async (t) => {
  for (const c of cases) {
    await t.test(c.name, async () => {
      const end = new AbortController();
      const service = await serveScript(c.script.map((line) => line.reply), () => end.abort());
      const feed = new BoardOrder(service.url, "k", { sleep: async () => undefined }).events.follow({ after: c.after, types: c.types, signal: end.signal });
      const events: string[] = [];
      let error: unknown;
      try {
        for await (const event of feed) {
          events.push(event.id);
          if (events.length === c.take) break;
        }
      } catch (e) {
        error = e;
      }
      service.close();
      assert.deepEqual(
        { events, cursor: feed.cursor, error: error instanceof BoardOrderError ? error.kind : error, oldest: error instanceof CursorExpiredError ? error.oldestCursor : undefined },
        { events: c.events, cursor: c.cursor, error: c.error, oldest: c.oldest_cursor },
      );
      const asked = service.requests.map(({ url }) => ({ path: url.pathname, after: url.searchParams.get("after"), types: url.searchParams.get("types") }));
      assert.deepEqual(asked, c.script.map(({ after }) => ({ path, after: after ?? null, types: c.types?.join(",") ?? null })));
    });
  }
});

test("an event that was not done with comes again to whoever goes on with the same feed", async () => {
  const page = { ok: true, events: [{ id: "e1" }, { id: "e2" }], has_more: false, next_cursor: "c2" };
  const service = await serveScript([{ body: page }, { body: page }]);
  const feed = new BoardOrder(service.url, "k").events.follow();
  const seen: string[] = [];
  for await (const event of feed) if (seen.push(event.id) === 2) break;
  for await (const event of feed) if (seen.push(event.id)) break;
  service.close();
  assert.deepEqual(seen, ["e1", "e2", "e2"]);
});
