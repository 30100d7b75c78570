import type {
  AcceptQuote, AnswerQuestion, BuyLink, BuyLinkRequest, Capabilities, CodeSent, DesignCheckReport, DesignCheckRequest, DesignReview, Event, FormalOrder, FormalOrderForm, KeyCheck, KeyEvents, Paid,
  PartCheckReply, PartCheckRequest, PaymentConfirmed, PendingQuoteReply, PreviousOrders, PreviousOrdersRequest, PriceTable, PriceTableRequest, QuoteComparison, QuoteReply, QuoteRequest, QuoteStanding,
  ReorderRequest, ResendReply, ResendRequest, Savings, TestedEndpoint, Upload, WebhookDelivery, WebhookEndpointChange, WebhookEndpointList, WebhookEndpointReply, WebhookEndpointRequest,
} from "./api.js";
import { WaitTimeoutError } from "./errors.js";
import { EventFeed, type FeedOptions } from "./feed.js";
import { type CallOptions, type Options, Transport } from "./http.js";
import { walkPages } from "./pages.js";
import { openSource, packFiles, type Source } from "./upload.js";

/** How a result is waited for. */
export interface WaitOptions<P = PendingQuoteReply> extends CallOptions {
  /** Milliseconds to wait at most, 600,000; then a WaitTimeoutError. */
  waitMs?: number;
  /** Is told how far it is, every few seconds. */
  onProgress?: (pending: P) => void;
}

const waitMs = 600_000, waitS = 20, waitSWithProgress = 4;

/** The whole interface, by area. */
export class BoardOrder {
  readonly uploads: Uploads;
  readonly quotes: Quotes;
  readonly priceTables: PriceTables;
  readonly designChecks: DesignChecks;
  readonly partChecks: PartChecks;
  readonly buyLinks: BuyLinks;
  readonly orders: Orders;
  readonly customers: Customers;
  readonly events: Events;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly account: Account;

  /**
   * @param url the address of the service, as `https://api.example.com`
   * @param key an API key; a test key (`bo_test_…`) costs nothing
   */
  constructor(url: string, key: string, options: Options = {}) {
    const transport = new Transport(url, key, options);
    this.uploads = new Uploads(transport);
    this.quotes = new Quotes(transport);
    this.priceTables = new PriceTables(transport);
    this.designChecks = new DesignChecks(transport);
    this.partChecks = new PartChecks(transport);
    this.buyLinks = new BuyLinks(transport);
    this.orders = new Orders(transport);
    this.customers = new Customers(transport);
    this.events = new Events(transport);
    this.webhookEndpoints = new WebhookEndpoints(transport);
    this.account = new Account(transport);
  }
}

class Area {
  constructor(protected readonly transport: Transport) {}

  /** Asks until there is a result: first with the call that begins it, then with `again`. */
  protected async settle<T extends object>(begin: (waitS: number) => Promise<T | PendingQuoteReply>, again: (pending: PendingQuoteReply, waitS: number) => Promise<T | PendingQuoteReply>, options: WaitOptions): Promise<T> {
    const end = Date.now() + (options.waitMs ?? waitMs);
    const seconds = (): number => Math.max(0, Math.min(options.onProgress ? waitSWithProgress : waitS, Math.ceil((end - Date.now()) / 1000)));
    let reply = await begin(seconds());
    while (isPending(reply)) {
      options.onProgress?.(reply);
      if (Date.now() + reply.retry_after_s * 1000 >= end) throw new WaitTimeoutError(reply);
      await this.transport.sleep(reply.retry_after_s * 1000, options.signal);
      reply = await again(reply, seconds());
    }
    return reply;
  }

  /** Sends the same check until it has ended. */
  protected async repeat<T extends { retry_after_s?: number }>(ask: (waitS: number) => Promise<T>, runs: (reply: T) => boolean, options: WaitOptions<T>): Promise<T> {
    const end = Date.now() + (options.waitMs ?? waitMs);
    for (;;) {
      const reply = await ask(Math.max(0, Math.min(options.onProgress ? waitSWithProgress : waitS, Math.ceil((end - Date.now()) / 1000))));
      if (!runs(reply)) return reply;
      options.onProgress?.(reply);
      const pause = (reply.retry_after_s ?? 1) * 1000;
      if (Date.now() + pause >= end) throw new WaitTimeoutError({ status: "checking" });
      await this.transport.sleep(pause, options.signal);
    }
  }
}

const isPending = (reply: object): reply is PendingQuoteReply => "status" in reply && reply.status === "pending";

/** Design files. */
class Uploads extends Area {
  /**
   * Sends files: paths, files in memory, or the path of a folder, which is packed without what tools leave in it.
   * At most 20 files of 50 MB, 100 MB in all. They are deleted six hours later.
   */
  async create(sources: Source | Source[], options: CallOptions = {}): Promise<Upload> {
    return this.transport.call("post", "/v1/uploads", { ...options, form: await packFiles(sources) });
  }

  /** What an upload holds, and in `classified` what each file was taken for; `reading` until that is known. */
  get(uploadId: string, options: CallOptions = {}): Promise<Upload> {
    return this.transport.call("get", "/v1/uploads/{upload_id}", { ...options, path: { upload_id: uploadId } });
  }

  /** Ends all links of an upload; the reply has a new one. */
  revokeLinks(uploadId: string, options: CallOptions = {}): Promise<Upload> {
    return this.transport.call("post", "/v1/uploads/{upload_id}/revoke-links", { ...options, repeatable: true, path: { upload_id: uploadId } });
  }
}

/** Prices, and where they stand. */
class Quotes extends Area {
  /**
   * A quote, waited for: of `mode` `instant` with a price, or `review` where the team prices it once the customer asks.
   * Throws a NeedsAnswersError with questions, or a DesignError with findings: `withAnswer` puts an answer into the request.
   */
  create(request: QuoteRequest, options: WaitOptions = {}): Promise<QuoteReply> {
    return this.settle<QuoteReply>((s) => this.transport.call("post", "/v1/quotes", { ...options, query: { wait_s: s }, json: request }), (p, s) => this.#ask(p.request_id, s, options), options);
  }

  /** Begins a quote without waiting for it. */
  start(request: QuoteRequest, options: CallOptions = {}): Promise<QuoteReply | PendingQuoteReply> {
    return this.transport.call("post", "/v1/quotes", { ...options, query: { wait_s: 0 }, json: request });
  }

  /** The quote that a request leads to, waited for. */
  wait(requestId: string, options: WaitOptions = {}): Promise<QuoteReply> {
    return this.settle<QuoteReply>((s) => this.#ask(requestId, s, options), (_, s) => this.#ask(requestId, s, options), options);
  }

  #ask(requestId: string, waitS: number, options: CallOptions): Promise<QuoteReply | PendingQuoteReply> {
    return this.transport.call("get", "/v1/quote-requests/{request_id}", { signal: options.signal, path: { request_id: requestId }, query: { wait_s: waitS } });
  }

  /** Where a quote stands, and its order once it is paid. */
  get(quoteId: string, options: CallOptions = {}): Promise<QuoteStanding> {
    return this.transport.call("get", "/v1/quotes/{quote_id}", { ...options, path: { quote_id: quoteId } });
  }

  /** The same quote at today's price, as a quote of its own. */
  refresh(quoteId: string, options: WaitOptions = {}): Promise<QuoteReply> {
    return this.settle<QuoteReply>((s) => this.transport.call("post", "/v1/quotes/{quote_id}/refresh", { ...options, path: { quote_id: quoteId }, query: { wait_s: s } }), (p, s) => this.#ask(p.request_id, s, options), options);
  }

  /** What the second quote has otherwise than the first. */
  compare(quoteId: string, otherQuoteId: string, options: CallOptions = {}): Promise<QuoteComparison> {
    return this.transport.call("get", "/v1/quotes/{quote_id}/compare/{other_quote_id}", { ...options, path: { quote_id: quoteId, other_quote_id: otherQuoteId } });
  }

  /** What would make a quote cheaper, each really priced. */
  savings(quoteId: string, options: WaitOptions = {}): Promise<Savings> {
    return this.settle<Savings>(
      (s) => this.transport.call("post", "/v1/quotes/{quote_id}/savings", { ...options, path: { quote_id: quoteId }, query: { wait_s: s } }),
      (p, s) => this.transport.call("get", "/v1/quotes/{quote_id}/savings/{savings_id}", { signal: options.signal, path: { quote_id: quoteId, savings_id: p.request_id }, query: { wait_s: s } }),
      options,
    );
  }
}

/** Prices of several quantities, build times and destinations at once. */
class PriceTables extends Area {
  /** A table, waited for. A cell becomes a quote by `quotes.create({...request, ...cell.quote_request})`, without `quantities`. */
  create(request: PriceTableRequest, options: WaitOptions = {}): Promise<PriceTable> {
    return this.settle<PriceTable>(
      (s) => this.transport.call("post", "/v1/price-tables", { ...options, query: { wait_s: s }, json: request }),
      (p, s) => this.transport.call("get", "/v1/price-tables/{price_table_id}", { signal: options.signal, path: { price_table_id: p.request_id }, query: { wait_s: s } }),
      options,
    );
  }

  /** A table that was made within a day. */
  get(priceTableId: string, options: CallOptions = {}): Promise<PriceTable | PendingQuoteReply> {
    return this.transport.call("get", "/v1/price-tables/{price_table_id}", { ...options, path: { price_table_id: priceTableId } });
  }
}

/** Would this board come out right? */
class DesignChecks extends Area {
  /** The report of a design, waited for. */
  run(request: Omit<DesignCheckRequest, "wait_s">, options: WaitOptions<DesignCheckReport> = {}): Promise<DesignCheckReport> {
    return this.repeat((s) => this.transport.call("post", "/v1/design-checks", { signal: options.signal, repeatable: true, json: { ...request, wait_s: s } }), (report) => report.status === "checking", options);
  }
}

/** Can these parts be bought? */
class PartChecks extends Area {
  /** What can be bought of a list, waited for. Parts whose supplier could not be reached stay `checking`. */
  run(request: Omit<PartCheckRequest, "wait_s">, options: WaitOptions<PartCheckReply> = {}): Promise<PartCheckReply> {
    return this.repeat((s) => this.transport.call("post", "/v1/part-checks", { signal: options.signal, repeatable: true, json: { ...request, wait_s: s } }), (reply) => reply.phase === "fab", options);
  }
}

/** Buy buttons for a partner's pages. */
class BuyLinks extends Area {
  /** A permanent link, with a button to embed in `notes`. */
  create(request: BuyLinkRequest, options: CallOptions = {}): Promise<BuyLink> {
    return this.transport.call("post", "/v1/buy-links", { ...options, json: request });
  }

  /** Closes a link for good. @param link its id, or its `buy_url` */
  async close(link: string, options: CallOptions = {}): Promise<void> {
    await this.transport.call("delete", "/v1/buy-links/{buy_link_id}", { ...options, path: { buy_link_id: link.slice(link.lastIndexOf("/") + 1) } });
  }
}

/** What a formal order is sent with. */
export type OrderForm = Omit<FormalOrderForm, "gerbers" | "bom" | "cpl"> & { gerbers?: Source; bom?: Source; cpl?: Source };

/** Orders that the operator's team quotes, for any fabricator or assembler. */
class Orders extends Area {
  /** Sends an order; with the same `request_id` it is the same order. */
  async submit(order: OrderForm, options: CallOptions = {}): Promise<FormalOrder> {
    const { gerbers, bom, cpl, services, ...fields } = order;
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, String(value));
    if (services) form.append("services", JSON.stringify(services));
    for (const [name, source] of Object.entries({ gerbers, bom, cpl })) {
      if (!source) continue;
      const file = await openSource(source);
      form.append(name, file.data instanceof Blob ? file.data : new Blob([file.data as Uint8Array<ArrayBuffer>]), file.name);
    }
    return this.transport.call("post", "/v1/orders", { ...options, repeatable: fields.request_id !== undefined, form }); // a request_id does what the key does
  }

  /** All orders, newest first. */
  list(options: CallOptions & { limit?: number } = {}): AsyncGenerator<FormalOrder, void, undefined> {
    return walkPages((cursor) => this.transport.call("get", "/v1/orders", { signal: options.signal, query: { cursor, limit: options.limit } }), (page) => page.orders);
  }

  /** How an order stands. @param order its `order_id` or `order_ref` */
  get(order: string, options: CallOptions = {}): Promise<FormalOrder> {
    return this.transport.call("get", "/v1/orders/{identifier}", { ...options, path: { identifier: order } });
  }

  /** What was found in an order's design. */
  designReview(order: string, options: CallOptions = {}): Promise<DesignReview> {
    return this.transport.call("get", "/v1/orders/{identifier}/design-review", { ...options, path: { identifier: order } });
  }

  /** The current quote as a PDF. */
  quotePdf(order: string, options: CallOptions = {}): Promise<Uint8Array> {
    return this.transport.download("/v1/orders/{identifier}/quote.pdf", { ...options, path: { identifier: order } });
  }

  /** Accepts an option, in the terms that the customer approved. */
  accept(order: string, terms: AcceptQuote, options: CallOptions = {}): Promise<FormalOrder> {
    return this.transport.call("post", "/v1/orders/{identifier}/accept-quote", { ...options, repeatable: true, path: { identifier: order }, json: terms });
  }

  /** Answers the question that is open. */
  answer(order: string, answer: AnswerQuestion, options: CallOptions = {}): Promise<FormalOrder> {
    return this.transport.call("post", "/v1/orders/{identifier}/answers", { ...options, path: { identifier: order }, json: answer });
  }
}

/** Returning customers: earlier orders, ordering again, paying with saved details. */
class Customers extends Area {
  /** With `email` alone a code is mailed; with `code`, or a `history_token`, the earlier orders. */
  previousOrders(request: PreviousOrdersRequest, options: CallOptions = {}): Promise<PreviousOrders> {
    return this.transport.call("post", "/v1/previous-orders", { ...options, json: request });
  }

  /** Prices an earlier order again, and waits for it. */
  reorder(request: ReorderRequest, options: WaitOptions = {}): Promise<QuoteReply> {
    return this.settle<QuoteReply>(
      (s) => this.transport.call("post", "/v1/reorders", { ...options, query: { wait_s: s }, json: request }),
      (p, s) => this.transport.call("get", "/v1/quote-requests/{request_id}", { signal: options.signal, path: { request_id: p.request_id }, query: { wait_s: s } }),
      options,
    );
  }

  /** Mails the customer a code to pay a quote with saved details. */
  sendPaymentCode(quoteId: string, options: CallOptions = {}): Promise<CodeSent> {
    return this.transport.call("post", "/v1/quotes/{quote_id}/saved/code", { ...options, path: { quote_id: quoteId } });
  }

  /** Confirms with the code. Say the summary to the customer before you pay. */
  verifyPaymentCode(quoteId: string, code: string, options: CallOptions = {}): Promise<PaymentConfirmed> {
    return this.transport.call("post", "/v1/quotes/{quote_id}/saved/verify", { ...options, path: { quote_id: quoteId }, json: { code } });
  }

  /** Charges the saved card, once. An UnavailableError with `payment_unknown` means: do not pay again, the quote tells how it ended. */
  pay(quoteId: string, confirmToken: string, options: CallOptions = {}): Promise<Paid> {
    return this.transport.call("post", "/v1/quotes/{quote_id}/saved/pay", { ...options, repeatable: true, path: { quote_id: quoteId }, json: { confirm_token: confirmToken } });
  }
}

/** What happens to quotes, orders, checks and uploads. */
class Events extends Area {
  /** Follows the feed: `for await (const event of client.events.follow({ after: cursor }))`. Write `cursor` of the feed down as you go. */
  follow(options: FeedOptions = {}): EventFeed {
    return new EventFeed(this.transport, options);
  }

  /** One event by its id. */
  async get(eventId: string, options: CallOptions = {}): Promise<Event> {
    return (await this.transport.call("get", "/v1/events/{event_id}", { ...options, path: { event_id: eventId } })).event;
  }
}

/** Addresses that events are sent to. */
class WebhookEndpoints extends Area {
  /** Has events sent to an address. The reply has the secret, this once. */
  create(request: WebhookEndpointRequest, options: CallOptions = {}): Promise<WebhookEndpointReply> {
    return this.transport.call("post", "/v1/webhook-endpoints", { ...options, json: request });
  }

  list(options: CallOptions = {}): Promise<WebhookEndpointList> {
    return this.transport.call("get", "/v1/webhook-endpoints", options);
  }

  get(endpointId: string, options: CallOptions = {}): Promise<WebhookEndpointReply> {
    return this.transport.call("get", "/v1/webhook-endpoints/{endpoint_id}", { ...options, path: { endpoint_id: endpointId } });
  }

  /** Changes, pauses or resumes an endpoint: only what is sent is changed. */
  change(endpointId: string, change: WebhookEndpointChange, options: CallOptions = {}): Promise<WebhookEndpointReply> {
    return this.transport.call("patch", "/v1/webhook-endpoints/{endpoint_id}", { ...options, path: { endpoint_id: endpointId }, json: change });
  }

  async delete(endpointId: string, options: CallOptions = {}): Promise<void> {
    await this.transport.call("delete", "/v1/webhook-endpoints/{endpoint_id}", { ...options, path: { endpoint_id: endpointId } });
  }

  /** Replaces the secret; both are valid for `overlapHours`, 24 unless they are given. */
  rotateSecret(endpointId: string, overlapHours?: number, options: CallOptions = {}): Promise<WebhookEndpointReply> {
    return this.transport.call("post", "/v1/webhook-endpoints/{endpoint_id}/rotate-secret", { ...options, path: { endpoint_id: endpointId }, json: overlapHours === undefined ? {} : { overlap_hours: overlapHours } });
  }

  /** Sends a test event to this endpoint alone. */
  test(endpointId: string, options: CallOptions = {}): Promise<TestedEndpoint> {
    return this.transport.call("post", "/v1/webhook-endpoints/{endpoint_id}/test", { ...options, path: { endpoint_id: endpointId } });
  }

  /** Sends one event again, or all since a time. */
  resend(endpointId: string, what: ResendRequest, options: CallOptions = {}): Promise<ResendReply> {
    return this.transport.call("post", "/v1/webhook-endpoints/{endpoint_id}/resend", { ...options, path: { endpoint_id: endpointId }, json: what });
  }

  /** What was sent, and what came back, newest first. */
  deliveries(endpointId: string, options: CallOptions & { limit?: number } = {}): AsyncGenerator<WebhookDelivery, void, undefined> {
    return walkPages(
      (cursor) => this.transport.call("get", "/v1/webhook-endpoints/{endpoint_id}/deliveries", { signal: options.signal, path: { endpoint_id: endpointId }, query: { cursor, limit: options.limit } }),
      (page) => page.deliveries,
    );
  }
}

/** The key, and what can be ordered. */
class Account extends Area {
  /** Whom the key belongs to, and its quotas. */
  checkKey(options: CallOptions = {}): Promise<KeyCheck> {
    return this.transport.call("get", "/auth/check", options);
  }

  /** What the primary fabricator builds. */
  capabilities(options: CallOptions = {}): Promise<Capabilities> {
    return this.transport.call("get", "/v1/capabilities", options);
  }

  /** What was done to the account's keys, newest first. */
  keyEvents(options: CallOptions & { limit?: number } = {}): AsyncGenerator<KeyEvents["events"][number], void, undefined> {
    return walkPages((cursor) => this.transport.call("get", "/v1/key-events", { signal: options.signal, query: { cursor, limit: options.limit } }), (page) => page.events);
  }
}
