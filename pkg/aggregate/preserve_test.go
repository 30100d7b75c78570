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
