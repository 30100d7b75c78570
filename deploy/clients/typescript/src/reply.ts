import type { ErrorReply, FieldProblem } from "./api.js";
import {
  AuthenticationError, type BoardOrderError, ConflictError, CursorExpiredError, DesignError, type Failure, GoneError, InvalidError, NeedsAnswersError, NotFoundError, PaymentError, PermissionError,
  ProtocolError, RateLimitedError, ServerError, UnavailableError,
} from "./errors.js";

const classes: Record<string, new (message: string, failure: Failure) => BoardOrderError> = {
  cursor_expired: CursorExpiredError, needs_details: NeedsAnswersError, needs_part_numbers: NeedsAnswersError, off_board_parts: NeedsAnswersError,
  design_files: DesignError, 401: AuthenticationError, 402: PaymentError, 403: PermissionError, 404: NotFoundError, 409: ConflictError, 410: GoneError,
  429: RateLimitedError, 500: ServerError,
};

/** The error that a reply tells of. */
export function readError(status: number, headers: Headers, text: string): BoardOrderError {
  const body = parseObject(text);
  const reply: Partial<ErrorReply> = typeof body.error === "string" ? body : {};
  const details = Array.isArray(body.detail) ? body.detail.filter(isDetail) : [];
  const fields = details.length ? details.map(({ loc, msg, type }) => ({ field: nameField(loc), problem: type, message: msg }) as FieldProblem) : (Array.isArray(reply.fields) ? reply.fields : []);
  const message = details[0] ? details[0].msg + (details.length > 1 ? ` (and ${details.length - 1} more)` : "") : (reply.message ?? `HTTP ${status}`);
  const code = details.length ? "invalid_request" : (reply.error ?? "");
  const failure = { code, status, fields, retryAfterS: readRetryAfter(headers) ?? readSeconds(reply.retry_after_s), requestId: headers.get("Request-Id") ?? "", reply };
  const kind = status < 400 ? ProtocolError : (classes[code] ?? classes[status] ?? (status >= 500 ? UnavailableError : InvalidError));
  return new kind(message, failure);
}

/** The header's whole seconds; null where it says none. */
function readRetryAfter(headers: Headers): number | null {
  const text = headers.get("Retry-After")?.trim() ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

const readSeconds = (value: unknown): number | null => (typeof value === "number" && value >= 0 ? value : null);

/** A JSON object; an empty one of whatever is none. */
export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

interface Detail { loc: (string | number)[]; msg: string; type: string }

const isDetail = (value: unknown): value is Detail =>
  typeof value === "object" && value !== null && "loc" in value && Array.isArray(value.loc) && "msg" in value && typeof value.msg === "string" && "type" in value;

/** The path of a field, without where in the request it stood. */
const nameField = (loc: (string | number)[]): string => loc.slice(1).join(".");
