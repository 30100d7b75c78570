package untrusted

import (
	"encoding/json"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// FuzzWalkStrings holds the one reading against a decoder, value by value.
func FuzzWalkStrings(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a":"b"}`, `{"a":["b",["c"],{"d":"e","f":[]},"g"],"h":{"i":"j"},"k":"l"}`, ` { "a" : "b\"\\" , "\u0063" : [ "\u00e4" , 1 , null ] } `,
		`{"questions":[{"choices":["x"],"option":"finish"},{"option":"board","choices":["y",{"name":"z"}]},{"question":"?"}]}`,
		`{"a":"\\\\","b":"\\\"","c":""}`, `{"a":"b`, `}`, `"a"`, `{"a":{"b":"c"}]`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		type found struct {
			Field, Top, Value string
			Option            bool
		}
		var got []found
		walkStrings(text, func(at place, value string) { got = append(got, found{at.field, at.top, value, at.option}) })
		var v map[string]any
		if !utf8.ValidString(text) || json.Unmarshal([]byte(text), &v) != nil || twice(text) {
			return // it must only not panic
		}
		var want []found
		var walk func(at place, v any)
		walk = func(at place, v any) {
			switch v := v.(type) {
			case string:
				want = append(want, found{at.field, at.top, v, at.option})
			case []any:
				for _, e := range v {
					walk(at, e)
				}
			case map[string]any:
				for name, e := range v {
					walk(place{name, at.top, at.option || name == "choices" && !isBoard(v["option"])}, e)
				}
			}
		}
		for name, e := range v {
			walk(place{name, name, name == "choices" && !isBoard(v["option"])}, e)
		}
		order := func(a, b found) int {
			x, _ := json.Marshal(a)
			y, _ := json.Marshal(b)
			return slices.Compare(x, y)
		}
		slices.SortFunc(got, order)
		slices.SortFunc(want, order)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", text, diff)
		}
	})
}

func isBoard(v any) bool { s, _ := v.(string); return s == "board" }

// twice reports whether an object of the text may have a field twice, of which a decoder keeps
// one.
func twice(text string) bool {
	var compact json.RawMessage
	if json.Unmarshal([]byte(text), &compact) != nil {
		return true
	}
	var v any
	_ = json.Unmarshal(compact, &v)
	again, _ := json.Marshal(v)
	count := func(b []byte) (n int) {
		for _, c := range b {
			if c == ':' {
				n++
			}
		}
		return n
	}
	return count(compact) != count(again)
}
