package mcp

import (
	"encoding/json"
	"testing"
)

// TestCall: what a tool's arguments become in the API.
func TestCall(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		tool, args                string
		method, target, body, key string
		refused                   bool
	}{
		"a wait in the address":      {tool: "quote_boards", args: `{"quantity":1}`, method: "POST", target: "/v1/quotes?wait_s=40", body: `{"quantity":1}`},
		"a wait in the body":         {tool: "check_design", args: `{"upload_id":"u","wait_s":5}`, method: "POST", target: "/v1/design-checks", body: `{"upload_id":"u","wait_s":5}`},
		"no wait unless asked":       {tool: "list_events", args: `{"limit":3}`, method: "GET", target: "/v1/events?limit=3&wait_s=0"},
		"a key":                      {tool: "create_upload_link", args: `{"idempotency_key":"k"}`, method: "POST", target: "/v1/uploads", key: "k"},
		"an id in the path":          {tool: "get_upload", args: `{"upload_id":"up_12345678"}`, method: "GET", target: "/v1/uploads/up_12345678"},
		"the first of two routes":    {tool: "get_quote", args: `{"request_id":"req_123456","quote_id":"abcdefgh"}`, method: "GET", target: "/v1/quote-requests/req_123456?quote_id=abcdefgh&wait_s=40"},
		"the second":                 {tool: "get_quote", args: `{"quote_id":"abcdefgh"}`, method: "GET", target: "/v1/quotes/abcdefgh"},
		"null is nothing":            {tool: "get_quote", args: `{"quote_id":"abcdefgh","wait_s":null}`, method: "GET", target: "/v1/quotes/abcdefgh"},
		"a wait as text":             {tool: "quote_boards", args: `{"wait_s":"7"}`, method: "POST", target: "/v1/quotes?wait_s=7"},
		"a number as it was written": {tool: "quote_boards", args: `{"thickness_mm":1.60,"wait_s":0}`, method: "POST", target: "/v1/quotes?wait_s=0", body: `{"thickness_mm":1.60}`},
		"a path for an id":           {tool: "get_upload", args: `{"upload_id":"../../healthz"}`, refused: true},
		"half an id":                 {tool: "get_upload", args: `{"upload_id":"up_1..."}`, refused: true},
		"no id":                      {tool: "get_upload", args: `{}`, refused: true},
		"too long a wait":            {tool: "quote_boards", args: `{"wait_s":51}`, refused: true},
		"a wait that is none":        {tool: "quote_boards", args: `{"wait_s":[1]}`, refused: true},
	} {
		var args arguments
		if err := json.Unmarshal([]byte(tt.args), &args); err != nil {
			t.Fatal(err)
		}
		in, problem := args.call(routes[tt.tool])
		key := ""
		for _, h := range in.Header {
			key = h[1]
		}
		if (problem != "") != tt.refused || !tt.refused && (in.Method != tt.method || in.Target != tt.target || string(in.Body) != tt.body || key != tt.key) {
			t.Errorf("%s: %s(%s) = %s %s %s, key %q, refused %q; want %s %s %s, key %q", name, tt.tool, tt.args, in.Method, in.Target, in.Body, key, problem, tt.method, tt.target, tt.body, tt.key)
		}
	}
}
