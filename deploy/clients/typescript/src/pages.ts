import { ProtocolError } from "./errors.js";

interface Page { has_more: boolean; next_cursor: string | null }

/** Every item of a list, page by page as they are asked for. */
export async function* walkPages<P extends Page, T>(ask: (cursor: string | undefined) => Promise<P>, items: (page: P) => T[]): AsyncGenerator<T, void, undefined> {
  for (let cursor: string | undefined; ; ) {
    const page = await ask(cursor);
    yield* items(page);
    if (!page.has_more) return;
    if (!page.next_cursor || page.next_cursor === cursor) throw new ProtocolError("There is more, and nothing to get it with.");
    cursor = page.next_cursor;
  }
}
