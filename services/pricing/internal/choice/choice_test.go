package choice_test

import (
	"strings"
	"testing"

	"boardorder/pkg/contract/accounts"
	"boardorder/services/pricing/internal/choice"
)

// TestChoose: the rule decides among those that have a price, of equals the earlier one.
func TestChoose(t *testing.T) {
	t.Parallel()
	away := func(name string) choice.Candidate { return choice.Candidate{Name: name} }
	costs := func(name string, cents int64, days ...int) choice.Candidate {
		c := choice.Candidate{Name: name, Priced: true, Cents: cents, DaysMin: 5, DaysMax: 9}
		if len(days) > 0 {
			c.DaysMin, c.DaysMax = days[0], days[1]
		}
		return c
	}
	for _, tt := range []struct {
		rule string
		all  []choice.Candidate
		want string // "" = none
		why  string
	}{
		{"cheapest", []choice.Candidate{costs("a", 200), costs("b", 100)}, "b", "costs least"},
		{"cheapest", []choice.Candidate{costs("a", 100), costs("b", 100)}, "a", "costs least"},
		{"cheapest", []choice.Candidate{costs("a", 100, 5, 9), costs("b", 100, 5, 8)}, "b", "costs least"},
		{"cheapest", []choice.Candidate{away("a"), costs("b", 900)}, "b", "costs least"},
		{"fastest", []choice.Candidate{costs("a", 100, 5, 9), costs("b", 900, 6, 8)}, "b", "delivers first"},
		{"fastest", []choice.Candidate{costs("a", 100, 5, 9), costs("b", 900, 4, 9)}, "b", "delivers first"},
		{"fastest", []choice.Candidate{costs("a", 900), costs("b", 100)}, "b", "delivers first"},
		{"fastest", []choice.Candidate{costs("a", 900, 1, 2), away("b")}, "a", "delivers first"},
		{"preferred", []choice.Candidate{costs("a", 900), costs("b", 100)}, "a", "a is preferred."},
		{"preferred", []choice.Candidate{away("a"), costs("b", 900), costs("c", 100)}, "b", "b is the next that has one"},
		{"preferred b", []choice.Candidate{costs("a", 100), costs("b", 900)}, "b", "b is preferred."},
		{"preferred b", []choice.Candidate{costs("a", 900), away("b"), costs("c", 100)}, "a", "a is the next that has one"},
		{"preferred 10%", []choice.Candidate{costs("a", 1100), costs("b", 1000)}, "a", "no more than 10 % dearer"},
		{"preferred 10%", []choice.Candidate{costs("a", 1101), costs("b", 1000)}, "b", "more than 10 % dearer"},
		{"preferred 10%", []choice.Candidate{away("a"), costs("b", 900), costs("c", 100)}, "c", "a is preferred and has no price"},
		{"preferred b 10%", []choice.Candidate{costs("a", 1000), costs("b", 1100), costs("c", 1050)}, "b", "no more than 10 % dearer"},
		{"preferred gone 10%", []choice.Candidate{costs("a", 1100), costs("b", 1000)}, "a", "a is preferred"},
		{"cheapest", []choice.Candidate{away("a"), away("b")}, "", "No fabricator has a price."},
		{"preferred", nil, "", "No fabricator has a price."},
	} {
		rule, err := accounts.ParseFabricatorRule(tt.rule)
		if err != nil {
			t.Fatal(err)
		}
		i, why := choice.Choose(rule, tt.all)
		got := ""
		if i >= 0 {
			got = tt.all[i].Name
		}
		if got != tt.want || !strings.Contains(why, tt.why) {
			t.Errorf("%s among %+v: %q, since %q; want %q, since %q", tt.rule, tt.all, got, why, tt.want, tt.why)
		}
	}
}
