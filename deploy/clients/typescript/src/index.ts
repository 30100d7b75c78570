export type * from "./api.js";
export { isOpen, withAnswer } from "./answers.js";
export { BoardOrder, type OrderForm, type WaitOptions } from "./client.js";
export * from "./errors.js";
export { EventFeed, type FeedOptions } from "./feed.js";
export type { CallOptions, Options } from "./http.js";
export { currencyDigits, formatMoney, parseMoney, type Money } from "./money.js";
export type { NamedFile, Source } from "./upload.js";
export { verifyWebhook, WebhookError, type WebhookFault } from "./webhooks.js";
