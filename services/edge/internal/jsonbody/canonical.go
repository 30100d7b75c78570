package jsonbody

import (
	"encoding/json"
	"math"
	"strconv"

	"boardorder/pkg/board/untrusted"
)

// Canonical gives a value whose JSON is the same for all spellings of it: 1.0,
// 1 and 1e0 are one number, and texts are cleaned.
func Canonical(v any) any {
	switch v := v.(type) {
	case json.Number:
		return canonicalNumber(v)
	case string:
		return untrusted.Clean(v)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = Canonical(e)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = Canonical(e)
		}
		return out
	}
	return v
}

// Text is the canonical JSON of a body: the same for all spellings of it.
func Text(body map[string]any) string {
	text, err := json.Marshal(Canonical(body))
	if err != nil {
		return "" // what was parsed can be written
	}
	return string(text)
}

func canonicalNumber(n json.Number) json.Number {
	f, err := n.Float64()
	if err != nil {
		return n
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return json.Number(strconv.FormatInt(int64(f), 10))
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}

// Depth is how many objects and arrays lie within each other.
func Depth(v any) int {
	deepest := 0
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			deepest = max(deepest, Depth(e))
		}
		return deepest + 1
	case map[string]any:
		for _, e := range v {
			deepest = max(deepest, Depth(e))
		}
		return deepest + 1
	}
	return 0
}
