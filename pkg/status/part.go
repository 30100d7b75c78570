// Package status is what customers may know of how the service does: each part of it in
// words of their own, what was measured of it on each of the last 90 days, and what
// operators wrote about incidents. Addresses and names that nobody gave for the public stay
// out of it.
package status

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/provider"
)

// A State is how a part does.
type State string

// The states, the gravest first.
const (
	Away        State = "away"
	QuotaUsed   State = "quota_used"
	Slow        State = "slow"
	Works       State = "works"
	NotMeasured State = "not_measured"
)

// States lists them, the gravest first.
func States() []State { return []State{Away, QuotaUsed, Slow, Works, NotMeasured} }

// A Kind is what a part does for customers.
type Kind string

// The kinds, in the order in which they are shown.
const (
	Service       Kind = "service"
	Fabricator    Kind = "fabricator"
	Supplier      Kind = "supplier"
	CardPayments  Kind = "card_payments"
	Email         Kind = "email"
	ExchangeRates Kind = "exchange_rates"
)

// Kinds lists them in the order in which they are shown.
func Kinds() []Kind {
	return []Kind{Service, Fabricator, Supplier, CardPayments, Email, ExchangeRates}
}

// A Part is one of those that the service stands on, or all of it.
type Part struct {
	ID   string `json:"id"`
	Kind Kind   `json:"kind"`
	Name string `json:"name,omitempty"` // public, of fabricators and suppliers
}

// Whole is the service itself.
var Whole = Part{ID: string(Service), Kind: Service}

// kinds are those of providers. Those that are named go by the name that the operator gave
// for the public; of all others the name is our own affair, such as a mail server's address.
var kinds = map[provider.Kind]struct {
	kind  Kind
	named bool
}{
	provider.Fabricator: {Fabricator, true}, provider.PartsSupplier: {Supplier, true}, provider.CardProcessor: {CardPayments, false},
	provider.MailServer: {Email, false}, provider.ExchangeRates: {ExchangeRates, false},
}

// partOf is the part that a provider is; ok is false for a kind that is not shown.
func partOf(h provider.Health) (p Part, ok bool) {
	k, ok := kinds[h.Kind]
	p = Part{ID: slug(string(k.kind)), Kind: k.kind}
	if k.named {
		p.ID, p.Name = slug(string(k.kind)+" "+h.Name), h.Name
	}
	return p, ok
}

func slug(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return '-'
	}, strings.ToLower(text))
}

// A Standing is how a part does now.
type Standing struct {
	Part
	State State
	Since time.Time // of the state; zero where it is not known
}

var states = map[provider.State]State{
	provider.Away: Away, provider.UsedUp: QuotaUsed, provider.Slow: Slow, provider.Works: Works, provider.Unasked: NotMeasured,
}

// Standings are how all parts do, in the order in which they are shown: the service, which
// is reached where service is nil, and each provider. One of which no running process reports
// is not measured.
func Standings(service error, healths []provider.Health) []Standing {
	whole := Standing{Part: Whole, State: Works}
	if service != nil {
		whole.State = Away
	}
	out := []Standing{whole}
	for _, h := range healths {
		part, ok := partOf(h)
		if !ok {
			continue
		}
		now := Standing{part, states[h.State], h.Since}
		if h.Processes == 0 || now.State == "" {
			now.State, now.Since = NotMeasured, time.Time{}
		}
		i := slices.IndexFunc(out, func(other Standing) bool { return other.ID == part.ID })
		switch {
		case i < 0:
			out = append(out, now)
		case rank(now.State) < rank(out[i].State):
			out[i] = now // of two that do the same for customers the worse one
		}
	}
	sortParts(out, func(s Standing) Part { return s.Part })
	return out
}

func rank(s State) int { return slices.Index(States(), s) }

func sortParts[T any](list []T, part func(T) Part) {
	slices.SortStableFunc(list, func(a, b T) int {
		p, q := part(a), part(b)
		return cmp.Or(slices.Index(Kinds(), p.Kind)-slices.Index(Kinds(), q.Kind), cmp.Compare(p.Name, q.Name))
	})
}
