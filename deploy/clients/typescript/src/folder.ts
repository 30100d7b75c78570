import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** What versions, tools, systems and editors leave beside a design. Names with a full stop before them are left out, too. */
const folders = /^(?:node_modules|__MACOSX|__pycache__|venv|History|__Previews|Project Logs for .*|.*-backups)$/;
const files = /^(?:thumbs\.db|desktop\.ini|fp-info-cache|_autosave-.*|~.*\.lck|~\$.*|#.*#|.*~|.*-bak|.*\.(?:[bs]#\d+|bak|orig|swp|tmp))$/i;

/** The files of a folder that make up its design, by path from it with forward slashes, in the order of bytes. Symbolic links are not followed. */
export async function listFolder(folder: string): Promise<string[]> {
  const found = await walk(folder, "");
  return found.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

async function walk(folder: string, prefix: string): Promise<string[]> {
  const out: string[] = [];
  for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
    if (entry.name.startsWith(".")) continue;
    const path = prefix + entry.name;
    if (entry.isDirectory() && !folders.test(entry.name)) out.push(...(await walk(folder, path + "/")));
    if (entry.isFile() && !files.test(entry.name)) out.push(path);
  }
  return out;
}
