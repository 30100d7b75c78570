package wording

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// JSON writes what stands in JSON for people: yes and no, lists with commas,
// objects as name: value. Nothing is "".
func JSON(raw json.RawMessage) string {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil || v == nil || v == false {
		return ""
	}
	return Value(v)
}

// Value is JSONWords of a value that was read.
func Value(v any) string {
	switch v := v.(type) {
	case nil:
		return "–"
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		parts, between := make([]string, len(v)), ", "
		for i, one := range v {
			if parts[i] = Value(one); strings.Contains(parts[i], between) {
				between = "; "
			}
		}
		return strings.Join(parts, between)
	case map[string]any:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, strings.ReplaceAll(name, "_", " ")+": "+Value(v[name]))
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(v)
}

// Count writes how many there are of something: "1 board", "10 boards".
func Count(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}
