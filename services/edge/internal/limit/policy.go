// Package limit counts requests against quotas that all replicas share.
//
// Of each caller and policy it is kept what was taken in each of the last sixty
// slices of the window, which slides: no window of time holds more than the quota,
// wherever it begins. It is changed by compare-and-set, so that no two replicas
// spend the same token.
package limit

import (
	"fmt"
	"time"

	"boardorder/pkg/contract"
)

// A Policy is a quota for any window of time of a length. A caller may use it all
// at once; what was used comes back when the window has passed.
type Policy struct {
	Name   string
	Quota  int
	Window time.Duration
}

// Day is the window of the policies of a day.
const Day = 24 * time.Hour

// The policies.
var (
	// Requests covers every endpoint that has no policy of its own.
	Requests = Policy{"requests", 600, time.Minute}
	// DesignChecks covers POST /v1/design-checks.
	DesignChecks = Policy{"design-checks", 120, time.Hour}
	// PartChecks covers POST /v1/part-checks.
	PartChecks = Policy{"part-checks", 240, time.Hour}
	// Savings covers POST /v1/quotes/{quote_id}/savings, each of which asks for a dozen prices.
	Savings = Policy{"savings", 60, time.Hour}
	// PartApprovals covers POST /v1/quotes/{quote_id}/part-approvals.
	PartApprovals = Policy{"part-approvals", 60, time.Hour}
	// BuyLinks covers POST /v1/buy-links.
	BuyLinks = Policy{"buy-links", 100, Day}
	// WebhookEndpoints covers POST /v1/webhook-endpoints.
	WebhookEndpoints = Policy{"webhook-endpoints", 60, time.Hour}
	// The policies of a day are of an account, with all its keys: with them none
	// fills what all share in the time that it is kept. They come on top of the
	// others, and the edge's configuration can change them for all accounts.

	// QuotesDay covers POST /v1/quotes and /v1/reorders.
	QuotesDay = Policy{"quotes-day", 2000, Day}
	// LinkQuotesDay covers the prices that an account's buy links show.
	LinkQuotesDay = Policy{"link-quotes-day", 4000, Day}
	// AssembliesDay covers quotes of assembled boards, each of which is large; the
	// pages of an account's buy links have as many again.
	AssembliesDay = Policy{"assemblies-day", 220, Day}
	// UploadsDay covers new uploads.
	UploadsDay = Policy{"uploads-day", 800, Day}
	// DesignChecksDay covers POST /v1/design-checks.
	DesignChecksDay = Policy{"design-checks-day", 500, Day}
	// PartChecksDay covers POST /v1/part-checks.
	PartChecksDay = Policy{"part-checks-day", 400, Day}
	// OrdersDay covers formal orders.
	OrdersDay = Policy{"orders-day", 45, Day}
	// OrdersRefused covers calls of an account that make no order, because they are
	// refused, and take nothing of OrdersDay. Their files were received, and count as
	// megabytes.
	OrdersRefused = Policy{"orders-refused", 300, Day}

	// BuyLinksDay covers POST /v1/buy-links.
	BuyLinksDay = Policy{"buy-links-day", 95, Day}
	// BuyLinksRefused covers refused calls of an account that take nothing of the
	// quotas of buy links. What is refused is on record too, so there is an end to it.
	BuyLinksRefused = Policy{"buy-links-refused", 30, Day}

	// Messages covers what a key sends to the endpoint for agents. The calls that these ask for
	// are counted as calls of the API, each by its own policy.
	Messages = Policy{"mcp-messages", 1200, time.Minute}

	// BadKeys covers requests without a usable key, by network.
	BadKeys = Policy{"bad-keys", 60, time.Minute}
	// UploadLink covers posts to one signed link.
	UploadLink = Policy{"upload-link", 120, time.Hour}
	// Uploads covers new uploads of a key: they stay open for six hours, so it
	// bounds how many are.
	Uploads = Policy{"uploads", 500, 6 * time.Hour}
	// UploadMegabytes covers what a key, or a link's account, sends in a day.
	UploadMegabytes = Policy{"upload-megabytes", 10_000, Day}
	// NetworkMegabytes covers what a network sends in a day.
	NetworkMegabytes = Policy{"network-megabytes", 40_000, Day}
	// Pages covers checkout pages, by network.
	Pages = Policy{"pages", 600, time.Minute}
	// Status covers questions how the service does, by network.
	Status = Policy{"status", 120, time.Minute}
	// Pictures covers pictures and reports by link, by network.
	Pictures = Policy{"pictures", 1200, time.Minute}
	// ShopUploads covers what a network sends to the shop's page, and ShopSlowUploads what
	// it sends without having worked for it.
	ShopUploads     = Policy{"shop-uploads", 30, time.Hour}
	ShopSlowUploads = Policy{"shop-slow-uploads", 5, time.Hour}
	// ShopSlowDay covers what all networks together send without having worked for it.
	ShopSlowDay = Policy{"shop-slow-day", 200, Day}
	// ShopQuotes covers prices of the shop's page, by network.
	ShopQuotes = Policy{"shop-quotes", 240, time.Hour}
	// ShopChecks covers reports of the shop's page, by network.
	ShopChecks = Policy{"shop-checks", 30, time.Hour}
	// ShopChallenge lets each challenge of the shop's page be answered once in its life.
	ShopChallenge = Policy{"shop-challenge", 1, time.Hour}
	// LeakedKeys covers reports of leaked keys, by network.
	LeakedKeys = Policy{"leaked-keys", 60, time.Hour}
	// SignInCodes covers codes for the portal that a network asks for, and enters.
	SignInCodes = Policy{"sign-in-codes", 60, time.Hour}
	// Notices covers the card processor's notices, by network.
	Notices = Policy{"card-notices", 1200, time.Minute}
)

// Policies lists the policies that an account's limits can change.
func Policies() []Policy {
	return append(KeyPolicies(), Daily()...)
}

// KeyPolicies lists those of them that each key has by itself.
func KeyPolicies() []Policy {
	return []Policy{Requests, DesignChecks, PartChecks, Savings, PartApprovals, BuyLinks, WebhookEndpoints, Uploads, UploadMegabytes}
}

// Daily lists the policies of a day.
func Daily() []Policy {
	return []Policy{QuotesDay, LinkQuotesDay, AssembliesDay, UploadsDay, DesignChecksDay, PartChecksDay, OrdersDay, BuyLinksDay}
}

// A Cap is how many of something may be under way at once at each replica.
type Cap struct {
	Name string
	Max  int
}

// The caps. The first three can be changed by an account's limits.
var (
	// InHand covers requests of a key, also those that wait.
	InHand = Cap{"in-hand", 50}
	// UploadsInHand covers forms of a key, or of a link's account.
	UploadsInHand = Cap{"uploads-in-hand", 8}
	// EventStreams covers streams of events of an account's mode.
	EventStreams = Cap{"event-streams", 20}
	// Declaring covers requests of a key above its limits that are still looked
	// through for a declaration.
	Declaring = Cap{"declaring", 20}
	// NetworkInHand covers public requests of a network.
	NetworkInHand = Cap{"network-in-hand", 100}
	// NetworkUploads covers forms of a network.
	NetworkUploads = Cap{"network-uploads", 32}
)

// ApplyLimits is the cap with an account's own number, if it has one.
func (c Cap) ApplyLimits(limits map[string]int) Cap {
	if n := limits[c.Name]; n > 0 {
		c.Max = n
	}
	return c
}

// key is where the state of a caller lies.
func (p Policy) key(caller string) string { return p.Name + ".window." + caller }

// ApplyLimits is the policy with an account's own quota, if it has one.
func (p Policy) ApplyLimits(limits map[string]int) Policy {
	if q := limits[p.Name]; q > 0 {
		p.Quota = q
	}
	return p
}

// OwnerPolicy is the policy for an owner: the test mode of an account has half of what the
// account has in a day, so that both together fill no stream either.
func (p Policy) OwnerPolicy(owner string) Policy {
	for _, d := range Daily() {
		if d.Name == p.Name && contract.IsTest(owner) {
			p.Quota = max(p.Quota/2, 1)
		}
	}
	return p
}

// OwnerName names an owner in the shared state, which takes no other characters than an
// account's: what its test keys take is counted apart.
func OwnerName(owner string) string {
	if contract.IsTest(owner) {
		return contract.DeriveID("owner", owner)
	}
	return owner
}

// lease is how many tokens a replica takes from the shared state at once, at
// most: one where every token counts, a twentieth where the quota is large. It
// begins with one and doubles, so what idle replicas hold is little.
func (p Policy) lease() int {
	if p.Quota < 200 {
		return 1
	}
	return p.Quota / 20
}

// Span is the window in words.
func (p Policy) Span() string {
	switch p.Window {
	case time.Minute:
		return "a minute"
	case time.Hour:
		return "an hour"
	}
	return fmt.Sprintf("%.0f hours", p.Window.Hours())
}

// Header is the RateLimit-Policy field.
func (p Policy) Header() string {
	return fmt.Sprintf("%q;q=%d;w=%d", p.Name, p.Quota, int(p.Window/time.Second))
}

// A State is what is left of a policy after a request.
type State struct {
	Policy    Policy
	Allowed   bool
	Remaining int
	Reset     time.Duration // until the whole quota is back
	Retry     time.Duration // until the next request can pass; with !Allowed
	slice     int64         // in which it was taken
}

// Header is the RateLimit field: until the whole quota is back, or, of a refused
// request, until the next one can pass, as Retry-After says.
func (s State) Header() string {
	t := min(seconds(s.Reset), int(s.Policy.Window/time.Second))
	if !s.Allowed {
		t = s.RetryAfter()
	}
	return fmt.Sprintf("%q;r=%d;t=%d", s.Policy.Name, s.Remaining, t)
}

// RetryAfter is Retry in whole seconds, rounded up, at least one.
func (s State) RetryAfter() int { return max(seconds(s.Retry), 1) }

func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
