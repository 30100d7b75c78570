import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { paths } from "./api.js";
import { BoardOrderError, ConnectionError, InvalidError, ProtocolError } from "./errors.js";
import { parseObject, readError } from "./reply.js";
import { decideRetry } from "./retry.js";

/** What a client can be told beside address and key. */
export interface Options {
  /** How often a call is sent again that failed for a moment; 2. */
  maxRetries?: number;
  /** Milliseconds for one reply, beside what the service was asked to wait and what sending and unpacking files takes; 60,000. */
  timeoutMs?: number;
  /** Allows `http:` to another machine, which sends the key in the open. */
  allowPlainHttp?: boolean;
  /** Another fetch, such as one through a proxy. */
  fetch?: typeof fetch;
  /** How pauses between attempts are made, for tests. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, and its waiting. */
  signal?: AbortSignal | undefined;
  /** Names the call for 24 hours; a random one over all attempts unless it is given. */
  idempotencyKey?: string | undefined;
}

type Method = "get" | "post" | "patch" | "delete";
type Operation<P extends keyof paths, M extends Method> = paths[P][M];
type JSONOf<R> = R extends { content: { "application/json": infer J } } ? J : never;
type Success<O> = O extends { responses: infer R } ? { [S in keyof R]: S extends 200 | 201 | 202 ? JSONOf<R[S]> : never }[keyof R] : never;
type PathOf<O> = O extends { parameters: { path: infer P } } ? P : Record<string, never>;
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? { [K in keyof NonNullable<Q>]: NonNullable<Q>[K] | undefined } : never;
type BodyOf<O> = O extends { requestBody?: infer B } ? JSONOf<Exclude<B, undefined>> : never;

/** One call, typed by the description of the interface. */
export interface Call<O> extends CallOptions {
  path?: PathOf<O>;
  query?: QueryOf<O> | undefined;
  json?: BodyOf<O>;
  form?: FormData;
  /** The endpoint does the same thing once however often it is called, and takes no Idempotency-Key. */
  repeatable?: boolean;
  maxRetries?: number;
}

/** Sends calls, and what failed for a moment again. */
export class Transport {
  readonly #base: string;
  readonly #key: string;
  readonly #fetch: typeof fetch;
  readonly #maxRetries: number;
  readonly #timeoutMs: number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;

  constructor(url: string, key: string, options: Options) {
    const base = URL.canParse(url) ? new URL(url) : undefined;
    if (!base || !/^https?:$/.test(base.protocol) || base.username || base.password || base.search) throw new InvalidError("The address of the service is http(s)://host, without a user.");
    if (base.protocol === "http:" && !options.allowPlainHttp && !loopback.test(base.hostname)) throw new InvalidError("The key would be sent in the open: use https, or allowPlainHttp.");
    this.#key = key.trim();
    if (!/^[\x21-\x7e]+$/.test(this.#key)) throw new InvalidError("The API key is empty, or has characters that no key has.");
    this.#base = base.origin + base.pathname.replace(/\/+$/, "");
    this.#fetch = options.fetch ?? fetch;
    this.#maxRetries = options.maxRetries ?? 2;
    this.#timeoutMs = options.timeoutMs ?? 60_000;
    this.sleep = options.sleep ?? ((ms, signal) => delay(ms, undefined, signal && { signal }));
  }

  /** The reply of an endpoint as JSON, or an error of its class. */
  async call<P extends keyof paths, M extends Method>(method: M, path: P, call: Call<Operation<P, M>> = {}): Promise<Success<Operation<P, M>>> {
    const { reply, text } = await this.#send(method, path, call);
    const body: unknown = parseObject(text);
    if (Object.keys(body as object).length === 0) throw new ProtocolError(`HTTP ${reply.status} without JSON`, { status: reply.status, requestId: reply.headers.get("Request-Id") ?? "" });
    return body as Success<Operation<P, M>>;
  }

  /** The reply of an endpoint as bytes. */
  async download<P extends keyof paths>(path: P, call: Call<Operation<P, "get">>): Promise<Uint8Array> {
    return (await this.#send("get", path, call)).bytes;
  }

  async #send(method: Method, path: string, call: Call<unknown>): Promise<Received> {
    const url = this.#base + fillPath(path, (call.path ?? {}) as Record<string, string>) + writeQuery(call.query ?? {});
    const waits = Number((call.query as { wait_s?: number } | undefined)?.wait_s ?? (call.json as { wait_s?: number } | undefined)?.wait_s ?? 0);
    const headers: Record<string, string> = { "X-API-Key": this.#key, "User-Agent": "boardorder-typescript" };
    if (call.json !== undefined) headers["Content-Type"] = "application/json";
    const key = call.idempotencyKey ?? (method === "post" && !call.repeatable ? randomUUID() : undefined);
    if (key !== undefined) headers["Idempotency-Key"] = key;
    const body = call.form ?? (call.json === undefined ? null : JSON.stringify(call.json));
    const timeoutMs = Math.ceil(this.#timeoutMs + waits * 1000 + (call.form ? unpackingMs + sizeOf(call.form) / slowestBytesPerMs : 0));
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(url, { method: method.toUpperCase(), headers, body, redirect: "manual" }, timeoutMs, call.signal);
      if (!(outcome instanceof BoardOrderError)) return outcome;
      const wait = decideRetry(
        { method: method.toUpperCase(), repeatable: key !== undefined || call.repeatable === true, attempt, status: outcome.status, code: outcome.code, retryAfterS: outcome.retryAfterS },
        call.maxRetries ?? this.#maxRetries,
      );
      if (wait === null) throw outcome;
      await this.sleep(wait, call.signal);
    }
  }

  async #attempt(url: string, request: RequestInit, timeoutMs: number, signal: AbortSignal | undefined): Promise<Received | BoardOrderError> {
    const clock = AbortSignal.timeout(timeoutMs);
    try {
      const reply = await this.#fetch(url, { ...request, signal: signal ? AbortSignal.any([signal, clock]) : clock });
      const bytes = new Uint8Array(await reply.arrayBuffer());
      const text = new TextDecoder().decode(bytes);
      return reply.status >= 200 && reply.status < 300 ? { reply, bytes, text } : readError(reply.status, reply.headers, text);
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      return new ConnectionError(clock.aborted ? "The service did not answer in time." : "The service was not reached, or the connection broke.", { cause });
    }
  }
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const unpackingMs = 180_000, slowestBytesPerMs = 64;

function sizeOf(form: FormData): number {
  let bytes = 0;
  for (const value of form.values()) bytes += typeof value === "string" ? value.length : value.size;
  return bytes;
}

interface Received { reply: Response; bytes: Uint8Array; text: string }

const fillPath = (path: string, values: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (!value || value === "." || value === "..") throw new InvalidError(`${name} is no id.`, { code: "invalid_request" });
    return encodeURIComponent(value);
  });

function writeQuery(query: object): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return entries.length ? "?" + new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)])).toString() : "";
}
