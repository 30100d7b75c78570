package asyncapi

import (
	"encoding/json"
	"reflect"
	"strconv"
	"testing"
	"time"

	"boardorder/pkg/contract"

	"github.com/google/go-cmp/cmp"
)

type leaf struct {
	Name string `json:"name"`
}

type kinds struct {
	leaf
	Self     *kinds `json:"self,omitempty"`
	Untagged int
	Left     string `json:"-"`
	hidden   string
}

type written struct{}

func (written) MarshalJSON() ([]byte, error) { return []byte(`"as I like"`), nil }

// TestSchemaOf: each kind of Go has the schema of what encoding/json writes of it: what may be nil
// may be null, and bytes are text.
func TestSchemaOf(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		value any
		want  object
	}{
		"a truth value":           {false, object{"type": "boolean"}},
		"text":                    {"", object{"type": "string"}},
		"text of its own type":    {contract.Code(""), object{"type": "string"}},
		"a whole number":          {int64(0), object{"type": "integer"}},
		"one below none":          {int8(0), object{"type": "integer"}},
		"one above":               {uint64(0), object{"type": "integer"}},
		"a length of time":        {time.Second, object{"type": "integer"}},
		"a number":                {1.5, object{"type": "number"}},
		"a time":                  {time.Time{}, object{"type": "string", "format": "date-time"}},
		"a time that may lack":    {(*time.Time)(nil), object{"type": []any{"string", "null"}, "format": "date-time"}},
		"text that may lack":      {(*string)(nil), object{"type": []any{"string", "null"}}},
		"a list":                  {[]string(nil), object{"type": []any{"array", "null"}, "items": object{"type": "string"}}},
		"so many":                 {[2]float64{}, object{"type": "array", "items": object{"type": "number"}, "minItems": 2, "maxItems": 2}},
		"bytes":                   {[]byte(nil), object{"type": []any{"string", "null"}, "contentEncoding": "base64"}},
		"by name":                 {map[string]int(nil), object{"type": []any{"object", "null"}, "additionalProperties": object{"type": "integer"}}},
		"anything by name":        {map[string]any(nil), object{"type": []any{"object", "null"}, "additionalProperties": object{}}},
		"JSON as it is":           {json.RawMessage(nil), object{}},
		"a list that may lack":    {(*[]string)(nil), object{"type": []any{"array", "null"}, "items": object{"type": "string"}}},
		"what writes itself":      {written{}, object{"description": "Written by its own rules."}},
		"a struct":                {leaf{}, object{"$ref": "#/components/schemas/leaf"}},
		"a struct that may lack":  {(*leaf)(nil), object{"oneOf": []any{object{"type": "null"}, object{"$ref": "#/components/schemas/leaf"}}}},
		"structs":                 {[]leaf(nil), object{"type": []any{"array", "null"}, "items": object{"$ref": "#/components/schemas/leaf"}}},
		"a struct without a name": {struct{ A int }{}, object{"type": "object", "properties": object{"A": object{"type": "integer"}}, "required": []any{"A"}}},
	} {
		if d := cmp.Diff(tt.want, schemas{}.schemaOf(reflect.TypeOf(tt.value))); d != "" {
			t.Errorf("%s, %T (-want +got)\n%s", rule, tt.value, d)
		}
	}
}

// TestFieldsOfStructs: fields stand under their names of JSON; those that are embedded stand among
// the others, what is left out is, and what is always written is required. A struct may hold itself.
func TestFieldsOfStructs(t *testing.T) {
	t.Parallel()
	s := schemas{}
	s.schemaOf(reflect.TypeFor[kinds]())
	want := schemas{"kinds": object{
		"type": "object", "required": []any{"name", "Untagged"},
		"properties": object{
			"name": object{"type": "string"}, "Untagged": object{"type": "integer"},
			"self": object{"oneOf": []any{object{"type": "null"}, object{"$ref": "#/components/schemas/kinds"}}},
		},
	}}
	if d := cmp.Diff(want, s); d != "" {
		t.Errorf("the schema of %+v (-want +got)\n%s", kinds{hidden: "not written"}, d)
	}
	if d := cmp.Diff(object{"type": "object", "properties": object{}}, schemas{}.fields(reflect.TypeFor[struct{}]())); d != "" {
		t.Errorf("a struct of nothing (-want +got)\n%s", d)
	}
}

// TestHeadersOfMessages: the headers of an event name its type in the format of its aggregate, and
// those of a command its verb.
func TestHeadersOfMessages(t *testing.T) {
	t.Parallel()
	for _, a := range contract.Aggregates() {
		got := eventHeaders(a, "done")["properties"].(object)
		want := string(a) + ".done.v" + strconv.Itoa(contract.FormatOf(a))
		if kind := got["ce-type"].(object)["const"]; kind != want {
			t.Errorf("an event of %s is of the type %q, want %q", a, kind, want)
		}
		if pattern := got["ce-subject"].(object)["pattern"]; pattern != "^"+string(a)+"/[A-Za-z0-9_-]{1,80}$" {
			t.Errorf("an event of %s is about %q, want one of its ids", a, pattern)
		}
	}
	got := commandHeaders(contract.CommandName{Service: "pricing", Verb: "quote"})["properties"].(object)
	if kind, subject := got["ce-type"].(object)["const"], got["ce-subject"].(object)["const"]; kind != "command.pricing.quote.v1" || subject != "pricing.quote" {
		t.Errorf("the command pricing.quote is of the type %q about %q, want command.pricing.quote.v1 about pricing.quote", kind, subject)
	}
	if got := len(partition("id")["enum"].([]any)); got != contract.Partitions {
		t.Errorf("there are %d partitions, want %d", got, contract.Partitions)
	}
	d := document{messages: object{}, channels: object{}, operations: object{}}
	d.deadLetters()
	d.wakeUps()
	d.timers()
	for channel, address := range map[string]string{"dead_letters": "dead.{service}.{verb}", "wake_ups": "wake.{aggregate}.{id}", "timers": "timer.{aggregate}.{id}.{what}", "due_timers": "timer.{aggregate}.{id}.{what}.due"} {
		c, _ := d.channels[channel].(object)
		if c["address"] != address || d.operations["publish_"+channel] == nil {
			t.Errorf("the channel %s is at %v, published %v; want %q, and by whom", channel, c["address"], d.operations["publish_"+channel], address)
		}
	}
}
