// Package cards stands in for the card processor: it speaks Stripe's HTTP API
// as stripe-go calls it (checkout sessions, payment intents, customers,
// payment methods, refunds, events), shows the hosted card page, and sends
// signed webhooks until they are taken.
//
// Everything that it received and did is in two ledgers on disk, one entry for
// each atomic step, so that it can be killed at any instruction: an entry
// holds the objects after the step, the reply kept for the step's idempotency
// key and the events that the step owes to the webhook endpoint.
//
// Only the processor's documented test card numbers pay here. Full numbers are
// never written down.
package cards
