package aggregate

import (
	"encoding/json"
	"testing"
)

// An older program must not drop what a newer one wrote.
func TestPreserve(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ before, known, next, want string }{
		"nothing unknown":         {`{"a":1}`, `{"a":1}`, `{"a":2}`, `{"a":2}`},
		"a member":                {`{"a":1,"new":{"x":1}}`, `{"a":1}`, `{"a":2}`, `{"a":2,"new":{"x":1}}`},
		"inside an object":        {`{"o":{"a":1,"new":true}}`, `{"o":{"a":1}}`, `{"o":{"a":2}}`, `{"o":{"a":2,"new":true}}`},
		"the object went":         {`{"o":{"a":1,"new":true}}`, `{"o":{"a":1}}`, `{"b":1}`, `{"b":1}`},
		"of an unchanged item":    {`{"l":[{"a":1,"new":9}]}`, `{"l":[{"a":1}]}`, `{"l":[{"a":0},{"a":1}]}`, `{"l":[{"a":0},{"a":1,"new":9}]}`},
		"of an item by id":        {`{"l":[{"id":"x","a":1,"new":9}]}`, `{"l":[{"id":"x","a":1}]}`, `{"l":[{"id":"x","a":2}]}`, `{"l":[{"a":2,"id":"x","new":9}]}`},
		"of an item that went":    {`{"l":[{"a":1,"new":9}]}`, `{"l":[{"a":1}]}`, `{"l":[{"a":7}]}`, `{"l":[{"a":7}]}`},
		"omitted since empty":     {`{"a":1,"b":"","c":[],"d":0,"e":{}}`, `{"a":1}`, `{"a":2}`, `{"a":2}`},
		"numbers keep their form": {`{"a":1,"new":12345678901234567890.5}`, `{"a":1}`, `{"a":2}`, `{"a":2,"new":12345678901234567890.5}`},
	} {
		got, err := preserve(json.RawMessage(tt.before), json.RawMessage(tt.known), json.RawMessage(tt.next))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %s, %v; want %s", name, got, err, tt.want)
		}
	}
}

// TestPreserveLists: what a newer program wrote in the items of a list stays with its item, which
// is found by its id, else by what is known of it; where neither finds it, it goes with the item.
func TestPreserveLists(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ before, known, next, want string }{
		"items that changed places":   {`[{"id":"a","new":1},{"id":"b","new":2}]`, `[{"id":"a"},{"id":"b"}]`, `[{"id":"b"},{"id":"a"}]`, `[{"id":"b","new":2},{"id":"a","new":1}]`},
		"one of several":              {`[{"id":"a"},{"id":"b","new":2}]`, `[{"id":"a"},{"id":"b"}]`, `[{"id":"a"},{"id":"b"},{"id":"c"}]`, `[{"id":"a"},{"id":"b","new":2},{"id":"c"}]`},
		"an item that went":           {`[{"id":"a","new":1},{"id":"b","new":2}]`, `[{"id":"a"},{"id":"b"}]`, `[{"id":"b"}]`, `[{"id":"b","new":2}]`},
		"all went":                    {`[{"id":"a","new":1}]`, `[{"id":"a"}]`, `[]`, `[]`},
		"a list became something":     {`{"l":[{"id":"a","new":1}]}`, `{"l":[{"id":"a"}]}`, `{"l":null}`, `{"l":null}`},
		"a list in an item":           {`[{"id":"a","l":[{"id":"x","new":1}]}]`, `[{"id":"a","l":[{"id":"x"}]}]`, `[{"id":"a","l":[{"id":"x"}]}]`, `[{"id":"a","l":[{"id":"x","new":1}]}]`},
		"plain values are no objects": {`{"l":[1,2],"new":3}`, `{"l":[1,2]}`, `{"l":[2]}`, `{"l":[2],"new":3}`},
	} {
		got, err := preserve(json.RawMessage(tt.before), json.RawMessage(tt.known), json.RawMessage(tt.next))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: preserve(%s, %s, %s) = %s, %v; want %s", name, tt.before, tt.known, tt.next, got, err, tt.want)
		}
	}
}

// TestPreserveMembers: a member that the older program knows is its own to change or to drop; one
// that is written anew by it beats the unknown one of that name.
func TestPreserveMembers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ before, known, next, want string }{
		"dropped":                     {`{"a":1,"b":2}`, `{"a":1,"b":2}`, `{"a":1}`, `{"a":1}`},
		"changed":                     {`{"a":1,"new":2}`, `{"a":1}`, `{"a":3}`, `{"a":3,"new":2}`},
		"written anew":                {`{"a":1,"new":2}`, `{"a":1}`, `{"a":1,"new":5}`, `{"a":1,"new":5}`},
		"null is nothing":             {`{"a":1,"new":null}`, `{"a":1}`, `{"a":2}`, `{"a":2}`},
		"false is nothing":            {`{"a":1,"new":false}`, `{"a":1}`, `{"a":2}`, `{"a":2}`},
		"a list of something is kept": {`{"a":1,"new":[0]}`, `{"a":1}`, `{"a":2}`, `{"a":2,"new":[0]}`},
		"nothing is left":             {`{"a":1,"new":2}`, `{"a":1}`, `null`, `null`},
		"signs of HTML stay":          {`{"a":1,"new":"<b>"}`, `{"a":1}`, `{"a":2}`, `{"a":2,"new":"\u003cb\u003e"}`},
	} {
		got, err := preserve(json.RawMessage(tt.before), json.RawMessage(tt.known), json.RawMessage(tt.next))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: preserve(%s, %s, %s) = %s, %v; want %s", name, tt.before, tt.known, tt.next, got, err, tt.want)
		}
	}
	for _, broken := range [][3]string{{`{`, `{"a":1}`, `{}`}, {`{"a":1,"b":2}`, `{`, `{}`}, {`{"a":1,"b":2}`, `{"a":1}`, `{`}} {
		if got, err := preserve(json.RawMessage(broken[0]), json.RawMessage(broken[1]), json.RawMessage(broken[2])); err == nil {
			t.Errorf("preserve of broken %q = %s, want an error", broken, got)
		}
	}
}
