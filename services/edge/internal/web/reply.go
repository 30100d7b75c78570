package web

import (
	"encoding/json"
	"slices"
)

// encode gives the JSON of an error reply; a part that has none is left out
// rather than the whole reply.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		return []byte(`{"ok":false,"error":"internal_error","message":"The reply could not be written."}`)
	}
	return data
}

var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"}

func standardMethod(m string) bool { return slices.Contains(methods, m) }

// methodLabel keeps what a client made up out of logs and metrics.
func methodLabel(m string) string {
	if standardMethod(m) {
		return m
	}
	return "other"
}
