import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { InvalidError } from "../src/index.js";
import { packFiles } from "../src/upload.js";
import { readVectors } from "./vectors.js";

const { archive, cases } = readVectors<{ archive: string; cases: { name: string; files: string[]; packed: string[]; error?: string }[] }>("folders");
const root = mkdtempSync(join(tmpdir(), "boardorder-"));
after(() => rmSync(root, { recursive: true }));

/** The members of an archive as another program reads them. */
const script = "import sys,zipfile,json; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(json.dumps({i.filename: z.read(i).decode() for i in z.infolist()}))";

test("folders", async (t) => {
  for (const [i, c] of cases.entries()) {
    await t.test(c.name, async () => {
      const folder = join(root, String(i));
      mkdirSync(folder);
      for (const name of c.files) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), `content of ${name}`);
      }
      symlinkSync("/etc/hostname", join(folder, "link.gbr"));
      if (c.error) return assert.rejects(packFiles(folder), (e: unknown) => e instanceof InvalidError && e.code === c.error);
      const file = (await packFiles(folder)).get("files") as File;
      assert.equal(file.name, archive);
      const bytes = Buffer.from(await file.arrayBuffer());
      const path = join(root, `${i}.zip`);
      writeFileSync(path, bytes);
      const members = JSON.parse(execFileSync("python3", ["-c", script, path], { encoding: "utf8" })) as Record<string, string>;
      assert.deepEqual(Object.entries(members), c.packed.map((name) => [name, `content of ${name}`]));
      assert.ok(bytes.equals(Buffer.from(await ((await packFiles(folder)).get("files") as File).arrayBuffer())), "the same folder made another archive");
    });
  }
});

test("what the service would refuse is not sent", async () => {
  const large = join(root, "large.zip");
  writeFileSync(large, "");
  truncateSync(large, 51 * 2 ** 20);
  const folder = join(root, "many");
  mkdirSync(folder);
  writeFileSync(join(folder, "large.gbr"), "");
  truncateSync(join(folder, "large.gbr"), 501 * 2 ** 20);
  const half = { name: "a.zip", data: new Uint8Array(40 * 2 ** 20) };
  for (const files of [large, folder, [], Array.from({ length: 21 }, () => half), [half, half, half]]) await assert.rejects(packFiles(files), InvalidError);
});
