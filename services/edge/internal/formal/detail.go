package formal

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// The shape of validation failures is that of Pydantic 2: type ids, sentences, and
// where the field stands.

// body is where a field of a request's body stands.
func body(path ...any) []any { return append([]any{"body"}, path...) }

func (f *form) refuse(loc []any, kind, msg string, input any, ctx map[string]any) {
	f.problems = append(f.problems, problem.Detail{Loc: loc, Msg: msg, Type: kind, Input: input, Ctx: ctx})
}

// refuse is the answer to a request with such failures.
func refuse(details ...problem.Detail) error {
	return &problem.Problem{Status: http.StatusUnprocessableEntity, Detail: details}
}

func missing(loc []any) problem.Detail {
	return problem.Detail{Loc: loc, Msg: "Field required", Type: "missing"}
}

// maxEcho is how much of a refused value is repeated.
const maxEcho = 100

func echo(s string) string {
	s = untrusted.CleanLine(s)
	if utf8.RuneCountInString(s) > maxEcho {
		return string([]rune(s)[:maxEcho]) + "…"
	}
	return s
}

// echoValue is a refused value of a JSON body as it is repeated: as it was sent, where
// that is short.
func echoValue(v any) any {
	switch v := v.(type) {
	case nil, bool:
		return v
	case string:
		return echo(v)
	case json.Number:
		if len(v) <= 40 {
			return v
		}
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return echo(string(text))
}

// integer reads a whole number within bounds from a text.
func integer(loc []any, text string, least, most int) (int, *problem.Detail) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	d := problem.Detail{Loc: loc, Input: echo(text)}
	switch {
	case errors.Is(err, strconv.ErrRange), err == nil && n > most && text[0] != '-':
		d.Type, d.Msg, d.Ctx = "less_than_equal", "Input should be less than or equal to "+strconv.Itoa(most), map[string]any{"le": most}
	case err != nil:
		d.Type, d.Msg = "int_parsing", "Input should be a valid integer, unable to parse string as an integer"
	case n < least:
		d.Type, d.Msg, d.Ctx = "greater_than_equal", "Input should be greater than or equal to "+strconv.Itoa(least), map[string]any{"ge": least}
	default:
		return n, nil
	}
	return 0, &d
}

// checkLength is the failure of a text that is longer than it may be; nil if it is not.
func checkLength(loc []any, text string, most int) *problem.Detail {
	if utf8.RuneCountInString(text) <= most {
		return nil
	}
	return &problem.Detail{
		Loc: loc, Type: "string_too_long", Msg: "String should have at most " + strconv.Itoa(most) + " characters", Input: echo(text),
		Ctx: map[string]any{"max_length": most},
	}
}

// maxIdentifier is how many characters an order_id or order_ref has at most.
const maxIdentifier = 80

// identifier is the one in the address.
func identifier(c *web.Call) (string, error) {
	id := c.Param("identifier")
	if d := checkLength([]any{"path", "identifier"}, id, maxIdentifier); d != nil {
		return "", refuse(*d)
	}
	return id, nil
}

// object reads a JSON body, with failures in the shape of this package.
func object(c *web.Call) (map[string]any, error) {
	v, err := c.Object()
	p, ok := errors.AsType[*problem.Problem](err)
	switch {
	case errors.Is(err, jsonbody.ErrNoObject):
		return nil, refuse(problem.Detail{
			Loc: body(), Type: "model_attributes_type", Msg: "Input should be a valid dictionary or object to extract fields from", Input: echo(string(c.Text())),
		})
	case ok && p.Refusal.Code == contract.InvalidJSON:
		return nil, refuse(problem.Detail{Loc: body(), Type: "json_invalid", Msg: "JSON decode error", Input: map[string]any{}, Ctx: map[string]any{"error": p.Refusal.Message}})
	}
	return v, err
}
