package contract

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// Each step leads from one format to the next; a state goes through those that
// its writer did not know.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	add := func(text string) Upcast {
		return func(state json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(strings.TrimSuffix(string(state), "]") + `,"` + text + `"]`), nil
		}
	}
	fails := func(json.RawMessage) (json.RawMessage, error) { return nil, errors.New("not readable") }
	for name, tt := range map[string]struct {
		steps  []Upcast
		format int
		want   string
	}{
		"no steps":           {nil, 1, `["was"]`},
		"from the first":     {[]Upcast{add("2"), add("3")}, 1, `["was","2","3"]`},
		"from the second":    {[]Upcast{add("2"), add("3")}, 2, `["was","3"]`},
		"today's":            {[]Upcast{add("2"), add("3")}, 3, `["was"]`},
		"a newer one":        {[]Upcast{add("2"), add("3")}, 7, `["was"]`},
		"without a number":   {[]Upcast{add("2")}, 0, `["was","2"]`},
		"the second fails":   {[]Upcast{add("2"), fails, add("4")}, 1, ``},
		"a failure is past":  {[]Upcast{fails, add("3")}, 2, `["was","3"]`},
		"a failure is first": {[]Upcast{fails, add("3")}, 1, ``},
	} {
		got, err := upgrade(tt.steps, tt.format, json.RawMessage(`["was"]`))
		if string(got) != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s: %s, %v; want %s", name, got, err, tt.want)
		}
	}
}

// What is written today needs no step.
func TestTodaysFormatStays(t *testing.T) {
	t.Parallel()
	for _, a := range Aggregates() {
		got, err := Upgrade(a, FormatOf(a), json.RawMessage(`{"a":1}`))
		if err != nil || string(got) != `{"a":1}` {
			t.Errorf("Upgrade(%s) from today's format = %s, %v; want it as it was", a, got, err)
		}
	}
}
