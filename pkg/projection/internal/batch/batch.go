// Package batch prepares what a Put is given for a store.
package batch

import (
	"encoding/json"
	"fmt"
	"time"

	"boardorder/pkg/projection"

	"github.com/tidwall/gjson"
)

// Compact returns the newest state of each document, without empty keys and with
// Until as it is kept, in the order of first appearance; and apart from them
// the refusals of those that break a rule.
func Compact(docs []projection.Document) (latest []projection.Document, refused []projection.Refusal) {
	type name struct{ kind, id string }
	at := make(map[name]int, len(docs))
	latest = make([]projection.Document, 0, len(docs))
	for _, d := range docs {
		if err := d.Validate(); err != nil {
			refused = append(refused, d.Refuse(err))
			continue
		}
		d.Keys, d.Until = DropEmpty(d.Keys), d.Until.Truncate(time.Millisecond)
		i, seen := at[name{d.Kind, d.ID}]
		switch {
		case !seen:
			at[name{d.Kind, d.ID}] = len(latest)
			latest = append(latest, d)
		case d.Seq > latest[i].Seq:
			latest[i] = d
		}
	}
	return latest, refused
}

// DropEmpty returns the entries of keys that have a value, nil when there is none.
func DropEmpty(keys map[string]string) map[string]string {
	var filled map[string]string
	for k, v := range keys {
		if v == "" {
			continue
		}
		if filled == nil {
			filled = make(map[string]string, len(keys))
		}
		filled[k] = v
	}
	return filled
}

// Text is keys as JSON, ordered by name; "" when there are none.
func Text(keys map[string]string) string {
	if len(keys) == 0 {
		return ""
	}
	text, _ := json.Marshal(keys) // a map of strings always marshals
	return string(text)
}

// Keys is the inverse of Text.
func Keys(text string) (map[string]string, error) {
	if text == "" {
		return nil, nil
	}
	if !gjson.Valid(text) {
		return nil, fmt.Errorf("keys are no JSON: %.100q", text)
	}
	keys := map[string]string{}
	gjson.Parse(text).ForEach(func(name, value gjson.Result) bool {
		keys[name.Str] = value.Str
		return true
	})
	return keys, nil
}
