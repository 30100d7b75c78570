package registry

import (
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/duplicates"
)

// Buckets lists every bucket.
func Buckets() []contract.Bucket {
	return []contract.Bucket{
		{Name: contract.AttemptsBucket, TTL: 7 * contract.Day, Bytes: 256 << 20, About: "how often each command failed, or did not come to an end"},
		{Name: contract.APIKeyUseBucket, Memory: true, Bytes: 16 << 20, About: "when each API key was last used"},
		{Name: contract.RateLimitsBucket, TTL: 25 * time.Hour, Memory: true, Bytes: 32 << 20, About: "what each caller took lately of quotas of less than an hour"},
		{Name: contract.QuotasBucket, TTL: 25 * time.Hour, Bytes: 64 << 20, About: "what each caller took lately of quotas of an hour or more"},
		{Name: contract.EmailsSentBucket, TTL: contract.EmailsSentRetention, Bytes: 256 << 20, About: "which e-mails a mail server has taken, and a list of them by what they are about"},
		{Name: contract.ConsoleLinksBucket, Bytes: 1 << 20, About: "sign-in links of the console that were used"},
		{Name: contract.ConsoleSessionsBucket, TTL: contract.ConsoleSessionTTL, Bytes: 16 << 20, About: "operators who are signed in"},
		{Name: contract.PortalSessionsBucket, TTL: contract.PortalSessionTTL, Bytes: 32 << 20, About: "members of accounts who are signed in to the portal"},
		{Name: contract.PortalCodesBucket, TTL: contract.PortalCodeRetention, Bytes: 32 << 20, About: "codes to sign in to the portal with: keyed hashes"},
		{Name: contract.ConsoleAttemptsBucket, TTL: contract.ConsoleAttemptWindow, Bytes: 64 << 20, About: "attempts to sign in to the console"},
		{Name: contract.ConsoleFactorsBucket, Bytes: 1 << 20, About: "operators' second factors: sealed secrets, hashes of recovery codes"},
		{Name: contract.CodeAttemptsBucket, TTL: contract.CodeAttemptWindow, Bytes: 64 << 20, About: "mails with codes, and codes that were entered"},
		{Name: contract.APIKeyFlagsBucket, Bytes: 4 << 20, About: "API keys that were sent in an address, and when first"},
		{Name: contract.PartAnswersBucket, TTL: contract.PartAnswerRetention, Bytes: 512 << 20, About: "what suppliers said of parts"},
		{Name: contract.PartClaimsBucket, TTL: contract.PartClaimRetention, Memory: true, Bytes: 16 << 20, About: "which parts a replica is asking a supplier about"},
		{Name: contract.SupplierQuotasBucket, TTL: 2 * contract.Day, Bytes: 4 << 20, About: "when each supplier was called, where it counts our calls"},
		{Name: contract.UploadLinksBucket, TTL: 90 * contract.Day, Bytes: 16 << 20, About: "versions of uploads' links, where some were revoked"},
		{Name: contract.UploadArrivalsBucket, TTL: contract.UploadArrivalRetention, Bytes: 32 << 20, About: "uploads whose ids were given before their files were unpacked, and to whom"},
		{Name: contract.StackupsBucket, TTL: contract.StackupRetention, Bytes: 4 << 20, About: "layer build-ups that the fabricator has on its shelf, by material and layers"},
		{Name: contract.RatesBucket, Bytes: 1 << 20, About: "the last reference rates of the European Central Bank, by which invoices state VAT"},
		{Name: contract.ProviderHealthBucket, TTL: contract.ProviderHealthRetention, Memory: true, Bytes: 16 << 20, About: "how external providers do, as each process sees them"},
		{Name: contract.IdempotencyKeysBucket, TTL: 25 * time.Hour, Bytes: 256 << 20, About: "which request each Idempotency-Key of a client's names, and a keyed hash of what was sent with it"},
		{Name: contract.StatusDaysBucket, TTL: contract.StatusDayRetention, Bytes: 8 << 20, About: "how many minutes of each day the service and each of its providers did how, as the status page shows"},
		{Name: contract.StatusIncidentsBucket, Bytes: 16 << 20, About: "what operators wrote about incidents, for the status page"},
		{Name: contract.WebhookProgressBucket, Bytes: 256 << 20, About: "how far each webhook endpoint was delivered to, and what waits for another attempt"},
		{Name: contract.WebhookSharesBucket, TTL: time.Hour, Memory: true, Bytes: 1 << 20, About: "which replica delivers to which part of the webhook endpoints"},
		{Name: contract.FailedRequestsBucket, TTL: contract.FailedRequestRetention, Bytes: 256 << 20, About: "requests of partners that were answered 4xx or 5xx: at most a hundred of each account in four hours, the others as numbers"},
		{Name: contract.DuplicateUploadsBucket, TTL: duplicates.Retention, Erasable: true, Bytes: 512 << 20, About: "uploads by what their files hold: where a declaration finds others of the same"},
		{Name: contract.DuplicateOrdersBucket, Erasable: true, Bytes: 256 << 20, About: "orders by what their files hold, and since when both are entered"},
	}
}
