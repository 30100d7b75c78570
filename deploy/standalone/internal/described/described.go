// Package described holds messages to the AsyncAPI document that is generated
// from the contract: subject, headers and body. Every object of the document is
// closed for it, so that a message cannot hold what is not described.
package described

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/asyncapi"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// A Message is what was seen at the broker.
type Message struct {
	Subject string
	Headers map[string]string
	Data    []byte
}

// Document is the description, ready to hold messages to it. It is safe for
// concurrent use.
type Document struct {
	channels []channel
	messages map[string]*message
	compiler *jsonschema.Compiler
	mu       sync.Mutex
}

type channel struct {
	address  *regexp.Regexp
	messages []string
}

type message struct {
	ceType        string // that the headers have to name; empty: any
	hasPayload    bool
	headers, body *jsonschema.Schema // compiled when first needed
}

const address = "https://example.com/asyncapi.json"

type object = map[string]any

// Load reads the document as the contract's types make it.
func Load() (*Document, error) {
	text, err := asyncapi.Document()
	if err != nil {
		return nil, err
	}
	var read object
	if err := yaml.Unmarshal(text, &read); err != nil {
		return nil, err
	}
	asJSON, err := json.Marshal(read)
	if err != nil {
		return nil, err
	}
	plain, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		return nil, err
	}
	doc := plain.(object)
	components := doc["components"].(object)
	for _, schema := range components["schemas"].(object) {
		closeObjects(schema)
	}
	d := &Document{messages: map[string]*message{}, compiler: jsonschema.NewCompiler()}
	for name, m := range components["messages"].(object) {
		d.messages[name] = readMessage(components, m.(object))
	}
	for _, c := range doc["channels"].(object) {
		d.channels = append(d.channels, readChannel(c.(object)))
	}
	d.compiler.AssertFormat()
	return d, d.compiler.AddResource(address, doc)
}

// readMessage merges the headers of a message's traits into its own, as AsyncAPI
// has it: what the message says itself wins.
func readMessage(components, m object) *message {
	merged := object{}
	traits, _ := m["traits"].([]any)
	for _, trait := range traits {
		name := trait.(object)["$ref"].(string)
		merge(merged, components["messageTraits"].(object)[name[strings.LastIndexByte(name, '/')+1:]].(object)["headers"].(object))
	}
	own, has := m["headers"].(object)
	if has {
		merge(merged, own)
		m["headers"] = merged
	}
	_, hasPayload := m["payload"]
	properties, _ := merged["properties"].(object)
	kind, _ := properties["ce-type"].(object)
	ceType, _ := kind["const"].(string)
	return &message{ceType: ceType, hasPayload: hasPayload}
}

// merge adds from to into. Of lists that say what is required both hold.
func merge(into, from object) {
	for name, v := range from {
		was, isObject := into[name].(object)
		switch v := v.(type) {
		case object:
			if !isObject {
				was = object{}
			}
			copied := maps.Clone(was)
			merge(copied, v)
			into[name] = copied
		case []any:
			before, _ := into[name].([]any)
			into[name] = slices.Concat(before, v)
		default:
			into[name] = v
		}
	}
}

func closeObjects(v any) {
	switch v := v.(type) {
	case object:
		_, named := v["properties"].(object)
		if _, open := v["additionalProperties"]; named && !open {
			v["additionalProperties"] = false
		}
		for _, inner := range v {
			closeObjects(inner)
		}
	case []any:
		for _, inner := range v {
			closeObjects(inner)
		}
	}
}

var parameter = regexp.MustCompile(`\\\{([a-z]+)\\\}`)

// readChannel makes a pattern of a channel's address.
func readChannel(c object) channel {
	parameters, _ := c["parameters"].(object)
	pattern := parameter.ReplaceAllStringFunc(regexp.QuoteMeta(c["address"].(string)), func(found string) string {
		one, _ := parameters[parameter.FindStringSubmatch(found)[1]].(object)
		allowed, _ := one["enum"].([]any)
		if len(allowed) == 0 {
			return "[A-Za-z0-9_-]{1,80}"
		}
		words := make([]string, len(allowed))
		for i, word := range allowed {
			words[i] = regexp.QuoteMeta(word.(string))
		}
		return "(?:" + strings.Join(words, "|") + ")"
	})
	return channel{regexp.MustCompile("^" + pattern + "$"), slices.Sorted(maps.Keys(c["messages"].(object)))}
}

// Names are those of all messages that are described.
func (d *Document) Names() []string { return slices.Sorted(maps.Keys(d.messages)) }

// Check gives the name of a message, or what of it is not as described.
func (d *Document) Check(m Message) (name string, err error) {
	name, err = d.find(m)
	if err != nil {
		return name, err
	}
	if err := d.check(name, m); err != nil {
		return name, fmt.Errorf("%s on %s: %w", name, m.Subject, err)
	}
	return name, nil
}

// find gives the message that a subject's channel has of a type.
func (d *Document) find(m Message) (string, error) {
	known, untyped := false, ""
	for _, c := range d.channels {
		if !c.address.MatchString(m.Subject) {
			continue
		}
		known = true
		for _, name := range c.messages {
			switch d.messages[name].ceType {
			case "":
				untyped = name
			case m.Headers["ce-type"]:
				return name, nil
			}
		}
	}
	if untyped != "" {
		return untyped, nil
	}
	if !known {
		return "", fmt.Errorf("no channel has the subject %s (type %q)", m.Subject, m.Headers["ce-type"])
	}
	return "", fmt.Errorf("the channel of %s has no message of type %q", m.Subject, m.Headers["ce-type"])
}

func (d *Document) check(name string, m Message) error {
	if kind, id, ok := contract.ParseEventSubject(m.Subject); ok && m.Subject != contract.EventSubject(kind, id) {
		return fmt.Errorf("the subject is not that of %s %s", kind, id)
	}
	headers, body, err := d.schemas(name)
	if err != nil {
		return err
	}
	if headers == nil || body == nil {
		if len(m.Headers)+len(m.Data) > 0 {
			return fmt.Errorf("has headers %v and %d bytes, and should have none", m.Headers, len(m.Data))
		}
		return nil
	}
	values := object{}
	for header, value := range m.Headers {
		values[header] = value
	}
	if err := headers.Validate(values); err != nil {
		return fmt.Errorf("headers: %w", err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(m.Data))
	if err == nil {
		err = body.Validate(value)
	}
	return err
}

// schemas are those of a message's headers and body; none if it has neither.
func (d *Document) schemas(name string) (headers, body *jsonschema.Schema, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := d.messages[name]
	if m.body != nil || !m.hasPayload {
		return m.headers, m.body, nil
	}
	at := address + "#/components/messages/" + name
	if m.headers, err = d.compiler.Compile(at + "/headers"); err == nil {
		m.body, err = d.compiler.Compile(at + "/payload")
	}
	return m.headers, m.body, err
}
