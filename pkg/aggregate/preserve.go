package aggregate

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// preserve adds to the JSON of a state what the state before held and this
// program does not know: before is that state as it was stored, known what this
// program writes of it. So an older replica does not drop what a newer one
// wrote. Unknown members are followed through objects, and through elements of
// lists that are the same still, or have the same id.
func preserve(before, known, next json.RawMessage) (json.RawMessage, error) {
	if len(before) == len(known) && bytes.Equal(before, known) {
		return next, nil // nearly always
	}
	b, err := decodeTree(before)
	if err != nil {
		return nil, err
	}
	k, err := decodeTree(known)
	if err != nil {
		return nil, err
	}
	unknown, any := difference(b, k)
	if !any {
		return next, nil
	}
	n, err := decodeTree(next)
	if err != nil {
		return nil, err
	}
	return json.Marshal(graft(n, k, unknown))
}

// decodeTree keeps numbers as they are written.
func decodeTree(data []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return v, d.Decode(&v)
}

// difference is what of a stored tree is missing in the known one: a map of
// members of objects, or of positions of lists.
func difference(stored, known any) (any, bool) {
	switch s := stored.(type) {
	case map[string]any:
		k, ok := known.(map[string]any)
		if !ok {
			return nil, false
		}
		return differentMembers(s, k)
	case []any:
		k, ok := known.([]any)
		if !ok || len(k) != len(s) {
			return nil, false
		}
		out := map[int]any{}
		for i := range s {
			if d, any := difference(s[i], k[i]); any {
				out[i] = d
			}
		}
		return out, len(out) > 0
	}
	return nil, false
}

func differentMembers(stored, known map[string]any) (any, bool) {
	out := map[string]any{}
	for name, v := range stored {
		k, ok := known[name]
		if !ok {
			if !isZero(v) { // omitted because it is empty, not because it is unknown
				out[name] = whole{v}
			}
			continue
		}
		if d, any := difference(v, k); any {
			out[name] = d
		}
	}
	return out, len(out) > 0
}

// whole marks a member that is unknown altogether.
type whole struct{ value any }

func isZero(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case json.Number:
		return v == "0"
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// graft puts unknown members into the next tree. known is the tree before, as
// far as it was known: an element of a list is the same if it equals that one's.
func graft(next, known, unknown any) any {
	switch u := unknown.(type) {
	case whole:
		return u.value
	case map[string]any:
		n, ok := next.(map[string]any)
		if !ok {
			return next
		}
		k, _ := known.(map[string]any)
		for name, d := range u {
			_, present := n[name]
			if _, isWhole := d.(whole); isWhole && !present || !isWhole && present {
				n[name] = graft(n[name], k[name], d)
			}
		}
		return n
	case map[int]any:
		n, ok := next.([]any)
		k, known := known.([]any)
		if !ok || !known {
			return next
		}
		for i, d := range u {
			if j := find(n, k[i], i); j >= 0 {
				n[j] = graft(n[j], k[i], d)
			}
		}
		return n
	}
	return next
}

// find gives where an element of a list is now: the one with its id, or else the
// one that equals it, first looked for where it was.
func find(list []any, element any, was int) int {
	same := func(v any) bool {
		if id := idOf(element); id != nil {
			return idOf(v) == id
		}
		return reflect.DeepEqual(v, element)
	}
	if was < len(list) && same(list[was]) {
		return was
	}
	for i, v := range list {
		if same(v) {
			return i
		}
	}
	return -1
}

func idOf(v any) any {
	m, _ := v.(map[string]any)
	id, _ := m["id"].(string)
	if id == "" {
		return nil
	}
	return id
}
