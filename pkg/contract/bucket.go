package contract

import (
	"time"
)

// A Bucket declares a key-value bucket: small shared values whose changes must
// be atomic across replicas. Like streams, buckets are made by package topology.
type Bucket struct {
	Name   string
	TTL    time.Duration // of each value since its last change; 0 = for ever
	Memory bool          // lost with the broker; for what is cheap to lose
	// Erasable buckets let go of a key without a trace; the others keep a marker of it.
	Erasable bool
	Bytes    int64
	About    string
}

// Names of the buckets.
const (
	AttemptsBucket         = "ATTEMPTS"
	APIKeyUseBucket        = "API_KEY_USE"
	RateLimitsBucket       = "RATE_LIMITS"
	QuotasBucket           = "QUOTAS"
	EmailsSentBucket       = "EMAILS_SENT"
	ConsoleLinksBucket     = "CONSOLE_LINKS"
	ConsoleSessionsBucket  = "CONSOLE_SESSIONS"
	ConsoleAttemptsBucket  = "CONSOLE_ATTEMPTS"
	ConsoleFactorsBucket   = "CONSOLE_FACTORS"
	APIKeyFlagsBucket      = "API_KEY_FLAGS"
	UploadLinksBucket      = "UPLOAD_LINKS"
	UploadArrivalsBucket   = "UPLOAD_ARRIVALS"
	CodeAttemptsBucket     = "CODE_ATTEMPTS"
	PartAnswersBucket      = "PART_ANSWERS"
	PartClaimsBucket       = "PART_CLAIMS"
	SupplierQuotasBucket   = "SUPPLIER_QUOTAS"
	StackupsBucket         = "STACKUPS"
	RatesBucket            = "EXCHANGE_RATES"
	DuplicateUploadsBucket = "DUPLICATE_UPLOADS"
	DuplicateOrdersBucket  = "DUPLICATE_ORDERS"
	ProviderHealthBucket   = "PROVIDER_HEALTH"
	IdempotencyKeysBucket  = "IDEMPOTENCY_KEYS"
	StatusDaysBucket       = "STATUS_DAYS"
	StatusIncidentsBucket  = "STATUS_INCIDENTS"
	PortalCodesBucket      = "PORTAL_CODES"
	PortalSessionsBucket   = "PORTAL_SESSIONS"
	WebhookProgressBucket  = "WEBHOOK_PROGRESS"
	WebhookSharesBucket    = "WEBHOOK_SHARES"
	FailedRequestsBucket   = "FAILED_REQUESTS"
)

// Lives of values in buckets.
const (
	EmailsSentRetention = 60 * Day
	PartAnswerRetention = 12 * time.Hour
	// PartClaimRetention is how long a part stays claimed by a replica that went away.
	PartClaimRetention = 10 * time.Second
	StackupRetention   = 7 * Day // asked for anew every day
	ConsoleSessionTTL  = 12 * time.Hour
	PortalSessionTTL   = 12 * time.Hour
	// PortalCodeRetention is how long a code to sign in with is known: longer than it is good for.
	PortalCodeRetention = 20 * time.Minute
	// ProviderHealthRetention is how long it is known what a process saw that has ended.
	ProviderHealthRetention = 2 * Day
	// StatusDayRetention is how long it is known what was measured on a day.
	StatusDayRetention = 92 * Day
	// UploadArrivalRetention is as long as a command to unpack files can wait.
	UploadArrivalRetention = CommandRetention
	// FailedRequestRetention is how long it is known which requests of a partner failed: they are shown for
	// a day less, since what is kept of some hours goes together.
	FailedRequestRetention = 8 * Day
	// ConsoleAttemptWindow is how long an attempt to sign in is counted.
	ConsoleAttemptWindow = 15 * time.Minute
	// CodeAttemptWindow is how long a mail with a code, and a code that was entered, is counted.
	CodeAttemptWindow = time.Hour
)
