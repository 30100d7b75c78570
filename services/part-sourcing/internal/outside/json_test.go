package outside_test

import (
	"encoding/json"
	"testing"

	"boardorder/services/part-sourcing/internal/outside"
)

func TestLenientFields(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]outside.Count{
		`12`: 12, `12.0`: 12, `"12"`: 12, `"1,200"`: 1200, `null`: 0, `""`: 0, `"some"`: 0, `-3`: -3, `1e30`: 0, `true`: 0, `[1]`: 0,
	} {
		var got outside.Count
		if err := json.Unmarshal([]byte(in), &got); err != nil || got != want {
			t.Errorf("%s is %d, %v; want %d", in, got, err, want)
		}
	}
	for in, want := range map[string]outside.Text{`"10 In Stock"`: "10 In Stock", `1500`: "1500", `true`: "true", `null`: "", `{"a":1}`: "", `"a\u00b5"`: "aµ"} {
		var got outside.Text
		if err := json.Unmarshal([]byte(in), &got); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", in, got, err, want)
		}
	}
}
