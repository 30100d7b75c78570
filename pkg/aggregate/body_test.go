package aggregate

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"boardorder/pkg/contract"
)

// TestRemember: an aggregate knows the last 24 commands, in their order, and a list that
// another snapshot holds does not change.
func TestRemember(t *testing.T) {
	t.Parallel()
	ids := func(from, to int) (out []string) {
		for i := from; i <= to; i++ {
			out = append(out, fmt.Sprint(i))
		}
		return out
	}
	for _, tt := range []struct {
		rule         string
		before, want []string
	}{
		{"the first", nil, []string{"new"}},
		{"one more", ids(1, 2), []string{"1", "2", "new"}},
		{"the last that fits", ids(1, 23), append(ids(1, 23), "new")},
		{"the oldest goes", ids(1, 24), append(ids(2, 24), "new")},
		{"of a longer list all that is too old goes", ids(1, 30), append(ids(8, 30), "new")},
	} {
		before := slices.Clone(tt.before)
		if got := remember(tt.before, "new"); !slices.Equal(got, tt.want) || !slices.Equal(before, tt.before) {
			t.Errorf("%s: remember(%q) = %q and leaves %q, want %q and %q", tt.rule, before, got, tt.before, tt.want, before)
		}
	}
}

// TestDecode: an event without a state is no aggregate yet, and what is no JSON is an error.
func TestDecode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule, data string
		exists, ok bool
		n          int
	}{
		{"a state", `{"state":{"N":3}}`, true, true, 3},
		{"an unknown member", `{"state":{"N":3,"new":1},"later":[]}`, true, true, 3},
		{"an empty state is one", `{"state":{}}`, true, true, 0},
		{"no state", `{}`, false, true, 0},
		{"null", `{"state":null}`, false, true, 0},
		{"another type", `{"state":{"N":"three"}}`, false, false, 0},
		{"torn", `{"state":{"N":3}`, false, false, 0},
		{"nothing", ``, false, false, 0},
	} {
		s, err := Decode[struct{ N int }](contract.Event{Aggregate: contract.QuoteAggregate, AggregateID: "q", Version: 1, Seq: 7, Data: json.RawMessage(tt.data)})
		if (err == nil) != tt.ok || s.Exists() != tt.exists || s.State.N != tt.n || tt.ok && s.Seq != 7 {
			t.Errorf("%s: Decode(%q) = %+v, %v; want N %d, exists %t, read %t", tt.rule, tt.data, s, err, tt.n, tt.exists, tt.ok)
		}
	}
}
