package accounts

import (
	"fmt"
	"strconv"
	"strings"

	"boardorder/pkg/contract"
)

// A RuleKind is how a fabricator is chosen among those that have a price.
type RuleKind string

// The kinds of rules. All compare what the customer would pay and wait for: delivered, with
// shipping, duty and tax, in the build that was asked for.
const (
	Cheapest  RuleKind = "cheapest"
	Fastest   RuleKind = "fastest"
	Preferred RuleKind = "preferred"
)

// MaxPercent is the most that a preferred fabricator may be dearer by rule.
const MaxPercent = 100

// A FabricatorRule chooses who builds the boards of a quote. The zero value prefers the
// primary fabricator, whatever it costs.
type FabricatorRule struct {
	Kind RuleKind `json:"kind"`
	// Fabricator is the preferred one's public name; "" is the primary one.
	Fabricator string `json:"fabricator,omitempty"`
	// Percent is how much dearer than the cheapest the preferred one may be; 0 = whatever it
	// costs, and then the others are asked only where it has no price.
	Percent int `json:"percent,omitempty"`
}

// ParseFabricatorRule reads what [FabricatorRule.String] writes: "cheapest", "fastest",
// "preferred", "preferred 10%", "preferred NAME" or "preferred NAME 10%".
func ParseFabricatorRule(text string) (FabricatorRule, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return FabricatorRule{Kind: Preferred}, nil
	}
	r := FabricatorRule{Kind: RuleKind(words[0])}
	words = words[1:]
	if n := len(words); n > 0 && strings.HasSuffix(words[n-1], "%") {
		percent, err := strconv.Atoi(strings.TrimSuffix(words[n-1], "%"))
		if err != nil || percent == 0 {
			return r, fmt.Errorf("%q: want a whole percentage from 1 to %d", text, MaxPercent)
		}
		r.Percent, words = percent, words[:n-1]
	}
	if len(words) > 1 {
		return r, fmt.Errorf("%q: want cheapest, fastest, or preferred, the name of a fabricator and a percentage", text)
	}
	if len(words) == 1 {
		r.Fabricator = words[0]
	}
	return r, r.Check()
}

// Check says what makes r no rule.
func (r FabricatorRule) Check() error {
	switch {
	case r.Kind != Cheapest && r.Kind != Fastest && r.Kind != Preferred:
		return fmt.Errorf("%q is no rule: want %s, %s or %s", r.Kind, Cheapest, Fastest, Preferred)
	case r.Kind != Preferred && (r.Fabricator != "" || r.Percent != 0):
		return fmt.Errorf("the rule %s prefers no fabricator: want no name and no percentage", r.Kind)
	case r.Percent < 0 || r.Percent > MaxPercent:
		return fmt.Errorf("%d %% is no percentage from 1 to %d", r.Percent, MaxPercent)
	case r.Fabricator != "" && (!contract.ValidToken(r.Fabricator) || len(r.Fabricator) > 64):
		return fmt.Errorf("%q is no name of a fabricator", r.Fabricator)
	}
	return nil
}

// String is the rule as configuration and forms have it.
func (r FabricatorRule) String() string {
	out := string(r.Kind)
	if r.Kind == "" {
		out = string(Preferred)
	}
	if r.Fabricator != "" {
		out += " " + r.Fabricator
	}
	if r.Percent != 0 {
		out += " " + strconv.Itoa(r.Percent) + "%"
	}
	return out
}
