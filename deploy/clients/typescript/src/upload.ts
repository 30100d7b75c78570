import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { InvalidError } from "./errors.js";
import { listFolder } from "./folder.js";
import { zip } from "./zip.js";

/** A file that is in memory. */
export interface NamedFile {
  name: string;
  data: Uint8Array | Blob;
}

/** A file in memory, or the path of a file, or of a folder, which is packed without what tools leave in it. */
export type Source = string | NamedFile;

const maxFiles = 20, maxFileMB = 50, maxMB = 100, maxUnpackedMB = 500;
const toMB = (bytes: number): number => bytes / 2 ** 20;

/** A form of all files, which may be sent several times. Refuses what the service would, before anything is sent. */
export async function packFiles(sources: Source | Source[]): Promise<FormData> {
  const list = Array.isArray(sources) ? sources : [sources];
  if (!list.length) throw new InvalidError("There is no file to send.", { code: "no_files" });
  if (list.length > maxFiles) throw new InvalidError(`At most ${maxFiles} files are sent at once; send a zip of them.`, { code: "upload_too_large" });
  const form = new FormData();
  let total = 0;
  for (const source of list) {
    const { name, data } = await openSource(source);
    const blob = data instanceof Blob ? data : new Blob([data as Uint8Array<ArrayBuffer>]);
    total += blob.size;
    if (toMB(blob.size) > maxFileMB) throw tooLarge(name, blob.size, maxFileMB);
    form.append("files", blob, name);
  }
  if (toMB(total) > maxMB) throw tooLarge("All of it", total, maxMB);
  return form;
}

/** A file, by its own name; a folder as the archive `design.zip`. */
export async function openSource(source: Source): Promise<NamedFile> {
  if (typeof source !== "string") return source;
  const found = await stat(source);
  if (found.isDirectory()) return { name: "design.zip", data: await packFolder(source) };
  if (toMB(found.size) > maxFileMB) throw tooLarge(basename(source), found.size, maxFileMB);
  return { name: basename(source), data: await readFile(source) };
}

async function packFolder(folder: string): Promise<Uint8Array> {
  const names = await listFolder(folder);
  if (!names.length) throw new InvalidError("The folder has no file of a design.", { code: "no_files" });
  let total = 0;
  for (const name of names) total += (await stat(join(folder, name))).size;
  if (toMB(total) > maxUnpackedMB) throw tooLarge("The folder", total, maxUnpackedMB);
  return zip(await Promise.all(names.map(async (name) => ({ name, data: await readFile(join(folder, name)) }))));
}

const tooLarge = (what: string, bytes: number, limit: number): InvalidError =>
  new InvalidError(`${what} has ${toMB(bytes).toFixed(1)} MB, and ${limit} MB is the most.`, { code: "upload_too_large" });
