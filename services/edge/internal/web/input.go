package web

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/problem"
)

// MaxWait is how long a client may ask to wait, in seconds.
const MaxWait = 150

// PathID is an id in the address, of at most so many bytes: a longer one is a refused
// field wherever it stands.
func (c *Call) PathID(name string, most int) (string, error) {
	id := c.Param(name)
	if len(id) <= most {
		return id, nil
	}
	f := jsonbody.NewFields(nil)
	f.Refuse(name, jsonbody.TooLong, map[string]int{"max_length": most}, "%s has at most %d characters.", name, most)
	return "", problem.Fields(f.Problems())
}

// RefuseRepeated refuses query parameters that stand in the address more than once: readers differ in
// which one they believe. People's pages go on with the first.
func (c *Call) RefuseRepeated() error {
	if c.Route.Page || c.Route.Carries {
		return nil
	}
	times, f := map[string]int{}, jsonbody.NewFields(nil)
	c.Fiber.Context().QueryArgs().VisitAll(func(key, _ []byte) {
		name := string(key)
		if times[name]++; times[name] == 2 {
			f.Refuse(name, jsonbody.Conflict, nil, "%s stands more than once in the address.", name)
		}
	})
	p := f.Problems()
	switch {
	case len(p) == 0:
		return nil
	case c.Route.Detail:
		return &problem.Problem{Status: http.StatusUnprocessableEntity, Detail: []problem.Detail{{Loc: []any{"query", p[0].Field}, Msg: p[0].Message, Type: "value_error"}}}
	}
	return problem.Fields(p)
}

// IneffectiveNotes says what of a request has no effect, once its fields were read:
// properties that the service does not know, and an Idempotency-Key where one was sent.
func (c *Call) IneffectiveNotes(f *jsonbody.Fields) []string {
	return append(jsonbody.UnknownNotes(f.Unknown()), jsonbody.KeyNote(c.Header("Idempotency-Key"))...)
}

// Wait reads the query parameter wait_s, or the header Prefer: wait=N in its
// place. A value out of bounds is noted, never clamped.
func (c *Call) Wait(usual int, f *jsonbody.Fields) time.Duration {
	text, given := c.Query("wait_s")
	if !given {
		if n, ok := parsePrefer(c.Header("Prefer")); ok {
			usual = n
		}
		return time.Duration(usual) * time.Second
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil, strings.HasPrefix(text, "+"):
		f.Refuse("wait_s", jsonbody.WrongType, nil, "wait_s is a whole number of seconds.")
	case n < 0 || n > MaxWait:
		f.Refuse("wait_s", jsonbody.OutOfRange, map[string]int{"min": 0, "max": MaxWait}, "wait_s lies between 0 and %d.", MaxWait)
	}
	return time.Duration(n) * time.Second
}

// parsePrefer reads Prefer: wait=N. A preference that cannot be met is
// ignored.
func parsePrefer(prefer string) (int, bool) {
	for part := range strings.SplitSeq(prefer, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if n, err := strconv.Atoi(strings.Trim(value, `"`)); strings.EqualFold(name, "wait") && err == nil && n >= 0 && n <= MaxWait {
			return n, true
		}
	}
	return 0, false
}

// Object reads the body as one JSON object.
func (c *Call) Object() (map[string]any, error) {
	if err := c.PlainBody(); err != nil {
		return nil, err
	}
	media, params, err := mime.ParseMediaType(c.Header("Content-Type"))
	switch {
	case c.Header("Content-Type") == "":
	case err != nil, media != "application/json" && !strings.HasSuffix(media, "+json"):
		return nil, problem.New(contract.UnsupportedMedia, "Send JSON, with Content-Type: application/json.")
	case params["charset"] != "" && !strings.EqualFold(params["charset"], "utf-8"):
		return nil, problem.New(contract.UnsupportedMedia, "Send JSON in UTF-8.")
	}
	if c.body.Empty() {
		return nil, problem.New(contract.InvalidJSON, "The body is empty; send a JSON object.")
	}
	return c.object()
}

// Text is a request's body of at most jsonbody.MaxBytes, as far as it came,
// whatever type it says it has.
func (c *Call) Text() []byte {
	if !c.textRead && !c.body.Empty() {
		c.body.SetTimeout(stall)
		c.text, c.textErr = jsonbody.Bytes(c.body, c.body.Length())
	}
	c.textRead = true
	return c.text
}

// object parses the body once.
func (c *Call) object() (map[string]any, error) {
	if text := c.Text(); c.parsed == nil && c.textErr == nil {
		c.parsed, c.textErr = jsonbody.Parse(text)
	}
	return c.parsed, c.textErr
}

// PlainBody refuses compressed bodies.
func (c *Call) PlainBody() error {
	if e := c.Header("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return problem.New(contract.UnsupportedMedia, "Send the body uncompressed, without Content-Encoding.")
	}
	return nil
}
