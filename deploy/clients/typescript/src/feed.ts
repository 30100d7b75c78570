import type { Event } from "./api.js";
import { BoardOrderError, ConnectionError, ProtocolError } from "./errors.js";
import type { Transport } from "./http.js";
import { waitFor } from "./retry.js";

/** What of the feed is followed, and from where. */
export interface FeedOptions {
  /** The cursor of an earlier run; `now` for what happens from now on; from the oldest event that is kept on unless it is given. */
  after?: string | undefined;
  /** The types that are wanted; all unless they are given. */
  types?: string[] | undefined;
  /** Ends the feed, as `break` does. */
  signal?: AbortSignal | undefined;
  /** Is told of each failure that the feed gets over by asking again. */
  onFailure?: (error: BoardOrderError) => void;
  /** How long one call waits for an event; 60 s. */
  waitS?: number;
}

const remembered = 2_000;

/**
 * Events as they happen, oldest first, over any number of broken connections. It ends with a CursorExpiredError where events were lost,
 * and with an error where asking again cannot help, such as a revoked key.
 */
export class EventFeed implements AsyncIterable<Event> {
  /** What to write down: all events before it were handled. Unset until the first reply where no `after` was given. */
  cursor: string | undefined;
  readonly #transport: Transport;
  readonly #options: FeedOptions;
  readonly #seen = new Set<string>();

  constructor(transport: Transport, options: FeedOptions) {
    this.#transport = transport;
    this.#options = options;
    this.cursor = options.after;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    const { signal, types, waitS = 60 } = this.#options;
    for (let failures = 0; !signal?.aborted; ) {
      let page;
      try {
        page = await this.#transport.call("get", "/v1/events", { query: { after: this.cursor, types: types?.join(","), limit: 100, wait_s: waitS }, signal, maxRetries: 0 });
        if (!Array.isArray(page.events) || typeof page.next_cursor !== "string") throw new ProtocolError("A page of events that is none.", { status: 200 });
        failures = 0;
      } catch (error) {
        if (signal?.aborted) return;
        if (!(error instanceof BoardOrderError) || !passes(error)) throw error;
        this.#options.onFailure?.(error);
        await this.#transport.sleep(waitFor(++failures, error.retryAfterS), signal).catch(() => undefined);
        continue;
      }
      for (const event of page.events) {
        if (this.#seen.has(event.id)) continue;
        yield event;
        this.#remember(event.id); // only once the caller is done with it
        if (signal?.aborted) return;
      }
      this.cursor = page.next_cursor;
    }
  }

  #remember(id: string): void {
    this.#seen.add(id);
    const [oldest] = this.#seen;
    if (this.#seen.size > remembered && oldest) this.#seen.delete(oldest);
  }
}

/** Whether asking again may help: no connection, a reply that is none, and what the service or a proxy before it gets over. */
const passes = (error: BoardOrderError): boolean =>
  error instanceof ConnectionError || (error instanceof ProtocolError && error.status === 200) || error.status === 408 || error.status === 429 || error.status >= 500;
