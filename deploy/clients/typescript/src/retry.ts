/** What came of one attempt. */
export interface Attempt {
  method: string;
  /** Sent again it does nothing twice: by its method, its Idempotency-Key or the endpoint. */
  repeatable: boolean;
  /** Which attempt it was, from 1. */
  attempt: number;
  /** 0 where no reply came. */
  status: number;
  code: string;
  retryAfterS: number | null;
}

const base = 500, cap = 8_000, longestRetryAfterS = 60;
const passing = new Set([0, 408, 429, 500, 502, 503, 504]);
const idempotent = new Set(["GET", "HEAD", "PUT", "DELETE"]);
/** What a person has to decide about. */
const final = new Set(["payment_unknown", "code_locked"]);

/** Milliseconds to wait before the same call is sent again, or null where it must not be. */
export function decideRetry(a: Attempt, maxRetries = 2, random: () => number = Math.random): number | null {
  const passes = passing.has(a.status) || (a.status === 409 && a.code === "idempotency_key_in_use");
  if (!passes || final.has(a.code) || a.attempt > maxRetries || !(a.repeatable || idempotent.has(a.method)) || (a.retryAfterS ?? 0) > longestRetryAfterS) return null;
  return waitFor(a.attempt, a.retryAfterS, random);
}

/** Milliseconds before attempt + 1: what the service said and up to a quarter more, or doubled each time, half of it by chance. */
export function waitFor(attempt: number, retryAfterS: number | null, random: () => number = Math.random): number {
  if (retryAfterS) return retryAfterS * 1000 * (1 + random() / 4);
  return Math.min(base * 2 ** (attempt - 1), cap) * (1 + random()) / 2;
}
