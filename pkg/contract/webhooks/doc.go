// Package webhooks is the contract of webhook endpoints: addresses to which accounts have
// public events (package feed) sent as they come, by the Standard Webhooks specification.
package webhooks
