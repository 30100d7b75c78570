import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Webhook } from "standardwebhooks";
import type { Event } from "./api.js";
import { parseObject } from "./reply.js";

/** What is wrong with a delivery, or with a secret. */
export type WebhookFault = "secret" | "headers" | "timestamp" | "signature" | "body";

/** The delivery is not to be trusted: answer 400 and do nothing. It never holds a secret. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  constructor(readonly fault: WebhookFault, message: string) {
    super(message);
  }
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const shortest = 24; // bytes of a secret

/**
 * The event of a delivery, once it is known to come from the service.
 * @param body the bytes as they came: what a framework has parsed and written again has another signature
 * @param secrets `whsec_…`; during a rotation both
 * @param check `now` in milliseconds, and how many seconds from it a delivery may be
 */
export function verifyWebhook(
  body: Uint8Array | string, headers: Headers | IncomingHttpHeaders | Record<string, string | string[] | undefined>, secrets: string | string[], check: { now?: number; toleranceS?: number } = {},
): Event {
  const keys = (typeof secrets === "string" ? [secrets] : secrets).map(readSecret);
  if (!keys.length) throw new WebhookError("secret", "There is no secret to verify with.");
  const id = findHeader(headers, "webhook-id"), at = findHeader(headers, "webhook-timestamp"), signed = findHeader(headers, "webhook-signature");
  if (!id || !at || !signed) throw new WebhookError("headers", "A header of webhook-id, webhook-timestamp and webhook-signature is missing.");
  const now = Math.floor((check.now ?? Date.now()) / 1000);
  if (!/^\d{1,12}$/.test(at) || Math.abs(now - Number(at)) > (check.toleranceS ?? 300)) throw new WebhookError("timestamp", "webhook-timestamp is not of now: is the clock right?");
  const text = readText(body), time = new Date(Number(at) * 1000);
  const given = signed.split(" ").map((s) => Buffer.from(s));
  const fits = keys.some((key) => {
    const expected = Buffer.from(key.sign(id, time, text));
    return given.some((s) => s.length === expected.length && timingSafeEqual(s, expected));
  });
  if (!fits) throw new WebhookError("signature", "No signature fits. Was the body parsed and written again, or is it another endpoint's secret?");
  const event = parseObject(text);
  if (typeof event.id !== "string" || typeof event.type !== "string") throw new WebhookError("body", "The body is no event.");
  return event as unknown as Event;
}

function readSecret(secret: string): Webhook {
  const text = secret.trim().replace(/^whsec_/, "");
  if (!base64.test(text) || Buffer.from(text, "base64").length < shortest) throw new WebhookError("secret", "A webhook secret is whsec_ and base64, as the endpoint was given it.");
  return new Webhook(text);
}

function readText(body: Uint8Array | string): string {
  if (typeof body === "string") return body;
  if (!(body instanceof Uint8Array)) throw new TypeError("Verify the raw bytes of the body, before anything parses them.");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new WebhookError("signature", "The body is no UTF-8, so it is not what was signed.");
  }
}

function findHeader(headers: Headers | IncomingHttpHeaders | Record<string, string | string[] | undefined>, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found[0] : found;
}
