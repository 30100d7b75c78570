package quotes_test

import (
	"encoding/json"
	"testing"

	"boardorder/pkg/contract/wording"
)

// TestJSONWords: lists of plain values have commas, and what has commas itself is
// told apart by semicolons.
func TestJSONWords(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		``: "", `null`: "", `false`: "", `{`: "", `true`: "yes", `1.60`: "1.6", `"top"`: "top",
		`["top","bottom"]`:                  "top, bottom",
		`{"core_mm":1.2,"even":false}`:      "core mm: 1.2, even: no",
		`[{"name":"L1","oz":1},{"name":2}]`: "name: L1, oz: 1; name: 2",
		`["a, b","c"]`:                      "a, b; c",
		`{"sides":["top","bottom"]}`:        "sides: top, bottom",
	} {
		if got := wording.JSON(json.RawMessage(raw)); got != want {
			t.Errorf("JSONWords(%s) = %q, want %q", raw, got, want)
		}
	}
}
