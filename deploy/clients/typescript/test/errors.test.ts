import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { AuthenticationError, BoardOrder, BoardOrderError, CursorExpiredError, GoneError, NeedsAnswersError } from "../src/index.js";
import { serveScript } from "./server.js";
import { readVectors } from "./vectors.js";

interface Case {
  name: string; status: number; headers: Record<string, string>; body: string;
  want: { class: string; code: string; message: string; fields: object[]; retry_after_s: number | null; request_id: string; oldest_cursor?: string; questions?: string[] };
}

test("errors", async (t) => {
  for (const c of readVectors<{ cases: Case[] }>("errors").cases) {
    await t.test(c.name, async () => {
      const service = await serveScript([{ status: c.status, headers: c.headers, text: c.body }]);
      try {
        const error = await new BoardOrder(service.url, "bo_test_secret", { maxRetries: 0 }).quotes.get("q").then(() => undefined, (e: unknown) => e);
        assert.ok(error instanceof BoardOrderError, `it was ${inspect(error)}`);
        assert.deepEqual(
          {
            class: error.kind, code: error.code, message: error.message, fields: error.fields.map(({ field, problem, message }) => ({ field, problem, message })), retry_after_s: error.retryAfterS, request_id: error.requestId,
            ...(c.want.oldest_cursor && { oldest_cursor: (error as CursorExpiredError).oldestCursor }), ...(c.want.questions && { questions: (error as NeedsAnswersError).questions.map((q) => q.option) }),
          },
          c.want,
        );
      } finally {
        service.close();
      }
    });
  }
});

test("a class stands for its kind", () => {
  assert.ok(new CursorExpiredError("") instanceof GoneError);
  assert.equal(new AuthenticationError("").kind, "authentication");
});

test("the key is in no error and in no picture of the client", async () => {
  const service = await serveScript([{ status: 401, body: { ok: false, error: "unauthorized", message: "No." } }, { disconnect: true }]);
  const client = new BoardOrder(service.url, " bo_test_secret\n", { maxRetries: 0 });
  const shown = [inspect(client, { depth: 9, showHidden: true })];
  for (let i = 0; i < 2; i++) shown.push(inspect(await client.account.checkKey().catch((e: unknown) => e), { depth: 9 }));
  service.close();
  assert.equal(service.requests[0]!.headers["x-api-key"], "bo_test_secret");
  for (const bad of ["bo_test_secret\nX: y", "bo_test_secret ü", ""]) assert.throws(() => new BoardOrder(service.url, bad), (e: Error) => (shown.push(inspect(e)), e instanceof BoardOrderError));
  assert.throws(() => new BoardOrder("http://user:bo_test_secret@host", "k"), (e: Error) => (shown.push(inspect(e)), e instanceof BoardOrderError));
  for (const text of shown) assert.ok(!text.includes("bo_test_secret"), text);
});

test("the key is not sent in the open", () => {
  for (const url of ["http://api.example.com", "http://10.0.0.1", "http://localhost.example.com", "file:///etc/passwd", "ftp://host", "host", "", "https://host?x=1"]) assert.throws(() => new BoardOrder(url, "k"), BoardOrderError, url);
  for (const url of ["https://api.example.com/base/", "http://localhost:1", "http://127.0.0.1:1", "http://[::1]:1"]) new BoardOrder(url, "k");
  new BoardOrder("http://10.0.0.1", "k", { allowPlainHttp: true });
});

test("an id leaves its place in the address as it is", async () => {
  const service = await serveScript([{ body: { ok: true } }]);
  const client = new BoardOrder(service.url, "k");
  await client.quotes.get("../auth/check?x=/");
  service.close();
  assert.equal(service.requests[0]!.url.pathname, "/v1/quotes/..%2Fauth%2Fcheck%3Fx%3D%2F");
  for (const id of ["", ".", ".."]) await assert.rejects(async () => client.quotes.get(id), BoardOrderError, id);
});
