package jsonbody

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/problem"
)

const (
	// MaxBytes and MaxDepth bound every JSON request.
	MaxBytes = 1 << 20
	MaxDepth = 20
)

// Bytes reads a body of at most MaxBytes. With an error it gives what came: the
// beginning of a body that is too large, or broke off. length is what was
// announced, or -1.
func Bytes(r io.Reader, length int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	switch {
	case length > MaxBytes, len(data) > MaxBytes:
		return data, sizeError()
	case err != nil:
		return data, problem.New(contract.InvalidJSON, "The body did not arrive completely.")
	}
	return data, nil
}

func sizeError() error {
	return problem.New(contract.BodyTooLarge, "The body is larger than %d bytes.", MaxBytes)
}

// ErrNoObject says that a body is JSON, but no object.
var ErrNoObject = errors.New("the body is no JSON object")

// Parse reads one JSON object; numbers become json.Number. A name that stands twice in an object is
// refused: readers differ in which one they believe.
func Parse(data []byte) (map[string]any, error) {
	if !utf8.Valid(data) {
		return nil, jsonError("The body is not UTF-8.")
	}
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return nil, jsonError("The body begins with a byte-order mark. Send it without one.")
	}
	p := parser{d: json.NewDecoder(bytes.NewReader(data))}
	p.d.UseNumber()
	v, err := p.value(0)
	if err == nil {
		if _, end := p.d.Token(); !errors.Is(end, io.EOF) {
			return nil, jsonError("The body goes on after the JSON object.")
		}
		if m, ok := v.(map[string]any); ok {
			return m, nil
		}
		p := problem.New(contract.InvalidJSON, "The body is not a JSON object.")
		p.Cause = ErrNoObject
		return nil, p
	}
	if p := problem.Find(err); p.Refusal.Code == contract.InvalidJSON {
		return nil, p
	}
	return nil, jsonError(fmt.Sprintf("The body is not valid JSON: an error near byte %d.", p.d.InputOffset()))
}

func jsonError(message string) error { return problem.New(contract.InvalidJSON, "%s", message) }

type parser struct{ d *json.Decoder }

func (p parser) value(depth int) (any, error) {
	t, err := p.d.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := t.(json.Delim)
	if !ok {
		return t, nil
	}
	if depth >= MaxDepth {
		return nil, jsonError(fmt.Sprintf("The body is nested deeper than %d levels.", MaxDepth))
	}
	if delim == '{' {
		return p.object(depth)
	}
	return p.array(depth)
}

func (p parser) object(depth int) (any, error) {
	m := map[string]any{}
	for p.d.More() {
		t, err := p.d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := t.(string) // the decoder lets nothing else stand here
		if _, twice := m[name]; twice {
			return nil, jsonError("The same name stands twice in one object.")
		}
		if m[name], err = p.value(depth + 1); err != nil {
			return nil, err
		}
	}
	_, err := p.d.Token()
	return m, err
}

func (p parser) array(depth int) (any, error) {
	list := []any{}
	for p.d.More() {
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := p.d.Token()
	return list, err
}
