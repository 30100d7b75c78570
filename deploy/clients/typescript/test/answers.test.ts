import assert from "node:assert/strict";
import { test } from "node:test";
import { InvalidError, withAnswer } from "../src/index.js";

test("answers are put into a request", () => {
  const request = { upload_id: "up_1", quantity: 10, file_answers: { leave_out: ["a.gbr"], layer_order: ["x", "y"], tool_sizes: { "a.drl": { T01: 0.8 } } } };
  for (const [field, value, want] of [
    ["thickness_mm", 1.6, { ...request, thickness_mm: 1.6 }],
    ["file_answers.no_holes", true, { ...request, file_answers: { ...request.file_answers, no_holes: true } }],
    ["file_answers.leave_out", ["a.gbr", "b.gbr"], { ...request, file_answers: { ...request.file_answers, leave_out: ["a.gbr", "b.gbr"] } }],
    ["file_answers.layer_order", ["y", "x"], { ...request, file_answers: { ...request.file_answers, layer_order: ["y", "x"] } }],
    ["file_answers.tool_sizes", { "a.drl": { T02: 1 } }, { ...request, file_answers: { ...request.file_answers, tool_sizes: { "a.drl": { T01: 0.8, T02: 1 } } } }],
    ["do_not_fit_refs", ["R1"], { ...request, do_not_fit_refs: ["R1"] }],
  ] as const) {
    const before = structuredClone(request);
    assert.deepEqual(withAnswer(request, { field, value }), want, field);
    assert.deepEqual(request, before, "the request itself was changed");
  }
  assert.throws(() => withAnswer(request, { field: "file_answers.tool_sizes", value: { "a.drl": { T01: null } } }), InvalidError);
});
