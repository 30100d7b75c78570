package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/itar"
	"boardorder/services/edge/internal/idempotency"
	"boardorder/services/edge/internal/web"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// usualWait and maxWait are in seconds: many clients give a tool up after a minute.
	usualWait = 40
	maxWait   = 50
)

// arguments are what a model sent to a tool, by name.
type arguments map[string]json.RawMessage

// A route is the call of the API that a tool is.
type route struct {
	method string
	path   string // {name} is an argument
	wait   waiting
	atOnce bool // it waits only if it is asked to
	form   bool // its body would be a form with files, which no tool sends
}

// waiting says where a call has the time for which it waits.
type waiting int

const (
	never waiting = iota
	inBody
	inQuery
)

// routes are the tools, by name. Where a tool has several routes it is the first whose
// argument was sent.
var routes = map[string][]route{
	"get_capabilities":   {{method: http.MethodGet, path: "/v1/capabilities"}},
	"create_upload_link": {{method: http.MethodPost, path: "/v1/uploads", form: true}},
	"get_upload":         {{method: http.MethodGet, path: "/v1/uploads/{upload_id}"}},
	"check_design":       {{method: http.MethodPost, path: "/v1/design-checks", wait: inBody}},
	"check_parts":        {{method: http.MethodPost, path: "/v1/part-checks", wait: inBody}},
	"quote_boards":       {{method: http.MethodPost, path: "/v1/quotes", wait: inQuery}},
	"get_quote":          {{method: http.MethodGet, path: "/v1/quote-requests/{request_id}", wait: inQuery}, {method: http.MethodGet, path: "/v1/quotes/{quote_id}"}},
	"price_table":        {{method: http.MethodPost, path: "/v1/price-tables", wait: inQuery}},
	"create_buy_link":    {{method: http.MethodPost, path: "/v1/buy-links"}},
	"list_events":        {{method: http.MethodGet, path: "/v1/events", wait: inQuery, atOnce: true}},
}

// tool answers calls of a tool.
func (e *Endpoint) tool(t *mcp.Tool) (mcp.ToolHandler, error) {
	ways, known := routes[t.Name]
	if !known {
		return nil, fmt.Errorf("tools: %s has no route", t.Name)
	}
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		c, _ := ctx.Value(callKey{}).(*web.Call)
		args := arguments{}
		if len(req.Params.Arguments) > 0 {
			if err := json.Unmarshal(req.Params.Arguments, &args); err != nil {
				return refuse(c, t.Name, "The arguments of a tool are one JSON object."), nil
			}
		}
		// A declaration holds wherever in a message it stands.
		if message, err := c.Object(); err == nil && itar.DeclaresIn(message) {
			args["itar"] = json.RawMessage("true")
		}
		var wanted []string
		if t.Name == "get_capabilities" && json.Unmarshal([]byte(args.take("parts")), &wanted) != nil {
			wanted = nil // all
		}
		if t.Name == taskTool && args["wait_s"] == nil && followsTasks(req) {
			args["wait_s"] = json.RawMessage(taskWait)
		}
		opens := args.take(openCheckout) == "true"
		in, problem := args.call(ways)
		if problem != "" {
			return refuse(c, t.Name, problem), nil
		}
		in.Header = append(in.Header, identity(c)...)
		_, body := e.cfg.Answer(c, in)
		r, err := e.result(c, t.Name, body, wanted)
		if err == nil && opens {
			if asked, err := e.elicitation(req, r); asked != nil || err != nil {
				return asked, err
			}
		}
		return r, err
	}, nil
}

// call makes a call of the API of a tool's arguments, or says what is wrong with them.
func (args arguments) call(ways []route) (in web.Inner, problem string) {
	way := ways[0]
	for _, w := range slices.Backward(ways) {
		if name := parameter(w.path); name == "" || args[name] != nil {
			way = w
		}
	}
	in = web.Inner{Method: way.method, Target: way.path}
	if name := parameter(way.path); name != "" {
		id := args.take(name)
		if !whole.MatchString(id) {
			return in, fmt.Sprintf("%s is missing or not whole. Give it exactly as an earlier result had it; never shorten, complete or make up an id.", name)
		}
		in.Target = strings.Replace(way.path, "{"+name+"}", id, 1)
	}
	if key := args.take("idempotency_key"); key != "" {
		in.Header = append(in.Header, [2]string{idempotency.Header, key})
	}
	query := url.Values{}
	if problem := args.setWait(way, query); problem != "" {
		return in, problem
	}
	if way.method == http.MethodGet || way.form {
		for name := range args {
			query.Set(name, args.take(name))
		}
	}
	if len(query) > 0 {
		in.Target += "?" + query.Encode()
	}
	if len(args) > 0 {
		in.Body, _ = json.Marshal(args) // of what was JSON
	}
	return in, ""
}

// setWait puts the time that a call waits where its route reads it.
func (args arguments) setWait(way route, query url.Values) (problem string) {
	n := usualWait
	if way.atOnce {
		n = 0
	}
	if text := args.take("wait_s"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 0 || n > maxWait {
			return fmt.Sprintf("wait_s is a whole number of seconds from 0 to %d.", maxWait)
		}
	}
	switch way.wait {
	case inBody:
		args["wait_s"] = json.RawMessage(strconv.Itoa(n))
	case inQuery:
		query.Set("wait_s", strconv.Itoa(n))
	}
	return ""
}

// take takes an argument out, as a query or header writes it; "" where there is none.
func (args arguments) take(name string) string {
	raw := args[name]
	delete(args, name)
	var text string
	if raw == nil || json.Unmarshal(raw, &text) == nil { // null is none
		return text
	}
	return string(raw)
}

// whole is what the ids of the API look like.
var whole = regexp.MustCompile(`^[A-Za-z0-9_-]{8,100}$`)

// parameter is the argument that a path names.
func parameter(path string) string {
	_, rest, _ := strings.Cut(path, "{")
	name, _, _ := strings.Cut(rest, "}")
	return name
}

// identity is what of a message's headers holds for the calls that it asks for: who calls, and
// from where.
func identity(c *web.Call) (out [][2]string) {
	same := []string{"x-api-key", "authorization", "x-forwarded-for", "traceparent"}
	c.Fiber.Request().Header.VisitAll(func(name, value []byte) {
		if n := string(name); slices.Contains(same, strings.ToLower(n)) {
			out = append(out, [2]string{n, string(value)})
		}
	})
	return out
}
