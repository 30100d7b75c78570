package contract

import "time"

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
	AttemptsBucket        = "ATTEMPTS"
	APIKeyUseBucket       = "API_KEY_USE"
	RateLimitsBucket      = "RATE_LIMITS"
	QuotasBucket          = "QUOTAS"
	LettersSentBucket     = "LETTERS_SENT"
	ConsoleLinksBucket    = "CONSOLE_LINKS"
	ConsoleSessionsBucket = "CONSOLE_SESSIONS"
	ConsoleAttemptsBucket = "CONSOLE_ATTEMPTS"
	ConsoleFactorsBucket  = "CONSOLE_FACTORS"
	APIKeyFlagsBucket     = "API_KEY_FLAGS"
	UploadLinksBucket     = "UPLOAD_LINKS"
	UploadArrivalsBucket  = "UPLOAD_ARRIVALS"
	CodeAttemptsBucket    = "CODE_ATTEMPTS"
	PartAnswersBucket     = "PART_ANSWERS"
	PartClaimsBucket      = "PART_CLAIMS"
	SupplierQuotasBucket  = "SUPPLIER_QUOTAS"
	StackupsBucket        = "STACKUPS"
	EqualUploadsBucket    = "EQUAL_UPLOADS"
	EqualOrdersBucket     = "EQUAL_ORDERS"
)

// Lives of values in buckets.
const (
	LettersSentKept = 60 * day
	PartAnswersKept = 12 * time.Hour
	// PartClaimsKept is how long a part stays claimed by a replica that went away.
	PartClaimsKept     = 10 * time.Second
	StackupsKept       = 7 * day // asked for anew every day
	ConsoleSessionLife = 12 * time.Hour
	// UploadArrivalsKept is as long as a command to unpack files can wait.
	UploadArrivalsKept = commandsKept
	// EqualUploadsKept is longer than an upload's last event, which comes hours after its last files.
	EqualUploadsKept = uploadKept + 2*day
	// ConsoleAttemptWindow is how long an attempt to sign in is counted.
	ConsoleAttemptWindow = 15 * time.Minute
	// CodeAttemptWindow is how long a mail with a code, and a code that was entered, is counted.
	CodeAttemptWindow = time.Hour
)

// Buckets lists every bucket.
func Buckets() []Bucket {
	return []Bucket{
		{Name: AttemptsBucket, TTL: 7 * day, Bytes: 256 << 20, About: "how often each command failed, or did not come to an end"},
		{Name: APIKeyUseBucket, Memory: true, Bytes: 16 << 20, About: "when each API key was last used"},
		{Name: RateLimitsBucket, TTL: 25 * time.Hour, Memory: true, Bytes: 32 << 20, About: "what each caller took lately of quotas of less than an hour"},
		{Name: QuotasBucket, TTL: 25 * time.Hour, Bytes: 64 << 20, About: "what each caller took lately of quotas of an hour or more"},
		{Name: LettersSentBucket, TTL: LettersSentKept, Bytes: 256 << 20, About: "which letters a mail server has taken"},
		{Name: ConsoleLinksBucket, Bytes: 1 << 20, About: "sign-in links of the console that were used"},
		{Name: ConsoleSessionsBucket, TTL: ConsoleSessionLife, Bytes: 16 << 20, About: "operators who are signed in"},
		{Name: ConsoleAttemptsBucket, TTL: ConsoleAttemptWindow, Bytes: 64 << 20, About: "attempts to sign in to the console"},
		{Name: ConsoleFactorsBucket, Bytes: 1 << 20, About: "operators' second factors: sealed secrets, hashes of recovery codes"},
		{Name: CodeAttemptsBucket, TTL: CodeAttemptWindow, Bytes: 64 << 20, About: "mails with codes, and codes that were entered"},
		{Name: APIKeyFlagsBucket, Bytes: 4 << 20, About: "API keys that were sent in an address, and when first"},
		{Name: PartAnswersBucket, TTL: PartAnswersKept, Bytes: 512 << 20, About: "what suppliers said of parts"},
		{Name: PartClaimsBucket, TTL: PartClaimsKept, Memory: true, Bytes: 16 << 20, About: "which parts a replica is asking a supplier about"},
		{Name: SupplierQuotasBucket, TTL: 2 * day, Bytes: 4 << 20, About: "when each supplier was called, where it counts our calls"},
		{Name: UploadLinksBucket, TTL: 90 * day, Bytes: 16 << 20, About: "versions of uploads' links, where some were revoked"},
		{Name: UploadArrivalsBucket, TTL: UploadArrivalsKept, Bytes: 32 << 20, About: "uploads whose ids were given before their files were unpacked, and to whom"},
		{Name: StackupsBucket, TTL: StackupsKept, Bytes: 4 << 20, About: "layer build-ups that the fabricator has on its shelf, by material and layers"},
		{Name: EqualUploadsBucket, TTL: EqualUploadsKept, Erasable: true, Bytes: 512 << 20, About: "uploads by what their files hold: where a declaration finds others of the same"},
		{Name: EqualOrdersBucket, Erasable: true, Bytes: 256 << 20, About: "orders by what their files hold, and since when both are entered"},
	}
}
