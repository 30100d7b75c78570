import type { Answer, BoardSize, ErrorReply, FieldProblem, Finding, PartQuestion, PendingQuoteReply, Question } from "./api.js";

/** What kind of failure it is, the same words in every client library. */
export type ErrorKind =
  | "authentication" | "permission" | "not_found" | "gone" | "cursor_expired" | "conflict" | "payment" | "needs_answers" | "design"
  | "rate_limited" | "server" | "unavailable" | "invalid" | "protocol" | "connection" | "timeout";

/** What is known of a failure. */
export interface Failure {
  /** The code of the closed list; empty where none was read. Act on it, not on the message. */
  code?: string;
  /** The HTTP status; 0 where there was no reply. */
  status?: number;
  /** Every refused field, at once. */
  fields?: FieldProblem[];
  /** Seconds until a retry makes sense; null where nobody said. */
  retryAfterS?: number | null;
  /** Tell it when asking for help. */
  requestId?: string;
  /** The whole error, for what has no property here. */
  reply?: Partial<ErrorReply>;
  cause?: unknown;
}

/** The parent of all errors of this library. None holds the API key. */
export class BoardOrderError extends Error {
  readonly kind: ErrorKind = "invalid";
  readonly code: string;
  readonly status: number;
  readonly fields: FieldProblem[];
  readonly retryAfterS: number | null;
  readonly requestId: string;
  readonly reply: Partial<ErrorReply>;

  constructor(message: string, failure: Failure = {}) {
    super(message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.name = new.target.name;
    this.code = failure.code ?? "";
    this.status = failure.status ?? 0;
    this.fields = failure.fields ?? [];
    this.retryAfterS = failure.retryAfterS ?? null;
    this.requestId = failure.requestId ?? "";
    this.reply = failure.reply ?? {};
  }
}

/** 401: no usable key. */
export class AuthenticationError extends BoardOrderError {
  override readonly kind = "authentication";
}

/** 403: the key lacks a scope, or a link was altered. */
export class PermissionError extends BoardOrderError {
  override readonly kind = "permission";
}

/** 404: there is none, or not for this key. */
export class NotFoundError extends BoardOrderError {
  override readonly kind = "not_found";
}

/** 410: it has expired. */
export class GoneError extends BoardOrderError {
  override readonly kind: ErrorKind = "gone";
}

/** 410 `cursor_expired`: events after the cursor are not kept any more. */
export class CursorExpiredError extends GoneError {
  override readonly kind = "cursor_expired";
  /** Where to go on, once the objects that you follow were read. */
  get oldestCursor(): string {
    return this.reply.oldest_cursor ?? "";
  }
}

/** 409: it stands otherwise than the call expects. */
export class ConflictError extends BoardOrderError {
  override readonly kind = "conflict";
}

/** 402: nothing was charged. */
export class PaymentError extends BoardOrderError {
  override readonly kind = "payment";
  /** Where the customer can pay instead. */
  get checkoutUrl(): string | undefined {
    return this.reply.checkout_url;
  }
}

/** What a refusal tells of the files. */
abstract class FilesError extends BoardOrderError {
  /** Options that the files state, with `layers`, `width_mm` and `height_mm` as far as they were read. */
  get known(): Record<string, unknown> {
    return this.reply.known ?? {};
  }
  /** Where it is open which board of the upload is meant: each of them. */
  get boards(): BoardSize[] {
    return this.reply.boards ?? [];
  }
  /** What was found in the files. */
  get findings(): Finding[] {
    return this.reply.findings ?? [];
  }
  /** The design check of these files as one page, for people. */
  get reportUrl(): string | undefined {
    return this.reply.report_url;
  }
  /** Every way on that the service offers: send one with `withAnswer`. */
  get answers(): Answer[] {
    return [...(this.reply.questions ?? []), ...this.findings].flatMap((from) => from.answers ?? []);
  }
}

/** 422 `needs_details`, `needs_part_numbers`, `off_board_parts`: the customer is asked something first. */
export class NeedsAnswersError extends FilesError {
  override readonly kind = "needs_answers";
  get questions(): Question[] {
    return this.reply.questions ?? [];
  }
  /** Lines of the bill of materials without a part number. */
  get parts(): PartQuestion[] {
    return this.reply.parts ?? [];
  }
  /** Lines of the bill of materials without a place on the board. */
  get offBoardParts(): PartQuestion[] {
    return this.reply.off_board_parts ?? [];
  }
}

/** 422 `design_files`: the files have a problem that must be solved first. */
export class DesignError extends FilesError {
  override readonly kind = "design";
}

/** 429: a quota is used up. */
export class RateLimitedError extends BoardOrderError {
  override readonly kind = "rate_limited";
}

/** 500: a fault of the service. */
export class ServerError extends BoardOrderError {
  override readonly kind = "server";
}

/** Any other 5xx: it cannot be done right now. */
export class UnavailableError extends BoardOrderError {
  override readonly kind = "unavailable";
}

/** Any other 4xx, and what this library refuses before anything is sent. */
export class InvalidError extends BoardOrderError {
  override readonly kind = "invalid";
}

/** A reply that is none of this service, such as a redirect or a proxy's page. */
export class ProtocolError extends BoardOrderError {
  override readonly kind = "protocol";
}

/** No reply. */
export class ConnectionError extends BoardOrderError {
  override readonly kind = "connection";
}

/** The time that the caller gave is over; the work goes on, and `pending` says where. */
export class WaitTimeoutError extends BoardOrderError {
  override readonly kind = "timeout";
  constructor(readonly pending: PendingQuoteReply | { status: "checking" }) {
    super("The time to wait is over, and the work goes on. Ask again.");
  }
}
