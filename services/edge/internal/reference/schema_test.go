package reference

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// read makes a document of its text, as it is written and served.
func read(t *testing.T, text string) *document {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	served, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	d, err := readDocument(served, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestLimits: bounds in words, with the unit of what they bound.
func TestLimits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{}`: "", `{"minimum": 1, "maximum": 100000}`: "1 to 100000", `{"maximum": 0.5}`: "at most 0.5", `{"minimum": 0}`: "at least 0", `{"maxLength": 64}`: "at most 64 characters",
		`{"minLength": 64, "maxLength": 64}`: "64 characters", `{"minItems": 1, "maxItems": 300}`: "1 to 300 entries", `{"minLength": 1, "maxItems": 3}`: "at least 1 character, at most 3 entries", `{"maxItems": 1}`: "at most 1 entry",
	} {
		var schema object
		if err := json.Unmarshal([]byte(text), &schema); err != nil {
			t.Fatal(err)
		}
		if got := limits(schema); got != want {
			t.Errorf("limits of %s: %q, want %q", text, got, want)
		}
	}
}

// TestTypes: a type in words, with the object that it names.
func TestTypes(t *testing.T) {
	t.Parallel()
	d := read(t, `components: {schemas: {Part: {type: object}}}`)
	for text, want := range map[string]string{
		`{"type": "string"}`:                                                   "string",
		`{"type": ["integer", "null"]}`:                                        "integer | null",
		`{"type": "string", "format": "date-time"}`:                            "string (date-time)",
		`{"type": "string", "format": "binary"}`:                               "file",
		`{"type": "array", "items": {"type": "string"}}`:                       "array of string",
		`{"type": "array", "items": {}}`:                                       "array",
		`{"type": "array", "items": {"$ref": "#/components/schemas/Part"}}`:    "array of Part>Part",
		`{"$ref": "#/components/schemas/Part"}`:                                "Part>Part",
		`{"anyOf": [{"type": "string"}, {"type": "null"}]}`:                    "string | null",
		`{"oneOf": [{"$ref": "#/components/schemas/Part"}, {"type": "null"}]}`: "Part>Part | null",
		`{"allOf": [{"type": "object"}]}`:                                      "object",
		`{}`:                                                                   "any",
		`{"const": true}`:                                                      "",
		`{"enum": ["a"]}`:                                                      "",
	} {
		var schema object
		if err := json.Unmarshal([]byte(text), &schema); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, one := range d.types(nil, schema) {
			name := one.Words
			if one.Object != "" {
				name += ">" + one.Object
			}
			got = append(got, name)
		}
		if joined := strings.Join(got, " | "); joined != want {
			t.Errorf("types of %s: %q, want %q", text, joined, want)
		}
	}
}

// TestFields: the fields of a body in the order of writing, those of an object without a name
// beneath it, and which are needed.
func TestFields(t *testing.T) {
	t.Parallel()
	d := read(t, `
components:
  schemas:
    Base: {type: object, required: [id], properties: {id: {type: string}}}
    Quote:
      allOf: [{$ref: '#/components/schemas/Base'}]
      required: [zeta, id]
      properties:
        zeta: {type: integer, minimum: 1, default: 30, description: "*Seconds*."}
        alpha: {type: string, enum: [b, a], x-extensible-enum: [c]}
        lines:
          type: array
          items: {type: object, required: [cents], properties: {label: {type: string}, cents: {type: integer}}}
        ship_to: {type: object, properties: {country: {type: string}}}
        ok: {const: true}
        other: {$ref: '#/components/schemas/Base'}
`)
	at, schema := d.get(place{"components", "schemas"}, d.root["components"].(object)["schemas"].(object), "Quote")
	var got []string
	for _, f := range d.fields(at, schema) {
		one := fmt.Sprintf("%s/%d", f.Name, f.Depth)
		if f.Needed {
			one += " needed"
		}
		if f.Default != "" {
			one += " default " + f.Default
		}
		if f.Limits != "" {
			one += " " + f.Limits
		}
		if len(f.Values) > 0 {
			one += " of " + strings.Join(f.Values, ",")
		}
		got = append(got, one)
	}
	want := []string{
		"id/0 needed", "zeta/0 needed default 30 at least 1", `alpha/0 of "b","a","c"`, "lines/0", "lines[].label/1", "lines[].cents/1 needed", "ship_to/0", "ship_to.country/1", "ok/0 of true", "other/0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("fields:\n%q, want\n%q", got, want)
	}
	if text := d.fields(at, schema)[1].Text; string(text) != "<p><em>Seconds</em>.</p>\n" {
		t.Errorf("description of zeta: %q, want it as HTML", text)
	}
	var seen []string
	d.collectObjects(at, schema, &seen)
	if !slices.Equal(seen, []string{"Base"}) {
		t.Errorf("objects that Quote leads to: %q, want Base once", seen)
	}
}

// TestOperations: a command that can be pasted, replies and errors apart, and examples in the
// order of writing.
func TestOperations(t *testing.T) {
	t.Parallel()
	d := read(t, `
paths:
  /v1/quotes/{quote_id}:
    get:
      operationId: show
      parameters: [{name: quote_id, in: path, required: true, description: The id., schema: {type: string, maxLength: 80}}]
      responses:
        '404': {description: None, content: {application/json: {examples: {none: {value: {error: not_found, message: No.}}}}}}
        '200': {description: Fine, headers: {Request-Id: {}}, content: {image/png: {schema: {type: string}}}}
    post:
      operationId: change
      requestBody:
        content:
          application/json:
            schema: {type: object, required: [zeta], properties: {zeta: {type: string}, alpha: {type: integer}}}
            examples: {one: {value: {zeta: "it's", alpha: [1, 2]}}}
      responses: {'201': {description: Made}}
    delete: {operationId: close, responses: {'204': {description: Gone}}}
  /v1/uploads:
    post:
      operationId: send
      security: []
      requestBody: {content: {multipart/form-data: {schema: {type: object, required: [files, qty, name], properties: {files: {type: array, items: {type: string, format: binary}}, bom: {type: string, format: binary}, qty: {type: integer}, name: {type: string}, notes: {type: string}}}}}}
      responses: {'200': {description: Taken}}
  /v1/ping:
    post: {operationId: ping, responses: {'200': {description: Fine}}}
`)
	got := map[string]operation{}
	d.walkEndpoints(func(at place, path, method string, o object) {
		op := d.operation(at, path, method, o, "https://api.test")
		got[op.ID] = op
	})
	for id, want := range map[string]string{
		"show":   "curl -s \"https://api.test/v1/quotes/$QUOTE_ID\" \\\n  -H \"X-API-Key: $API_KEY\"",
		"change": "curl -s \"https://api.test/v1/quotes/$QUOTE_ID\" \\\n  -H \"X-API-Key: $API_KEY\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\n  \"zeta\": \"it'\\''s\",\n  \"alpha\": [\n    1,\n    2\n  ]\n}'",
		"close":  "curl -s -X DELETE \"https://api.test/v1/quotes/$QUOTE_ID\" \\\n  -H \"X-API-Key: $API_KEY\"",
		"send":   "curl -s \"https://api.test/v1/uploads\" \\\n  -F files=@board.zip \\\n  -F bom=@bom.csv \\\n  -F qty=10 \\\n  -F name=\"$NAME\"",
		"ping":   "curl -s -X POST \"https://api.test/v1/ping\" \\\n  -H \"X-API-Key: $API_KEY\"",
	} {
		if got[id].Curl != want {
			t.Errorf("command of %s:\n%s\nwant\n%s", id, got[id].Curl, want)
		}
	}
	show := got["show"]
	if len(show.Replies) != 1 || show.Replies[0].Status != "200" || show.Replies[0].Name != "OK" || show.Replies[0].Types[0].Words != "image/png" || !slices.Equal(show.Replies[0].Headers, []string{"Request-Id"}) {
		t.Errorf("replies of show: %+v, want 200 OK with a picture and its header", show.Replies)
	}
	if len(show.Errors) != 1 || show.Errors[0].Status != "404" || len(show.Errors[0].Codes) != 1 || show.Errors[0].Codes[0] != (code{"not_found", "No."}) {
		t.Errorf("errors of show: %+v, want 404 not_found", show.Errors)
	}
	if message, ok := show.mentions("not_found"); !ok || message != "No." {
		t.Errorf("show mentions not_found: %q, %t; want its message", message, ok)
	}
	if _, ok := show.mentions("conflict"); ok {
		t.Error("show mentions conflict, which it has no example of")
	}
	if p := show.Parameters; len(p) != 1 || p[0].Name != "quote_id" || p[0].Location != "path" || !p[0].Needed || p[0].Limits != "at most 80 characters" {
		t.Errorf("parameters of show: %+v, want quote_id in the path, of 80 characters at most", p)
	}
	if !got["send"].Open || got["show"].Open {
		t.Errorf("send needs no key %t, show none %t; want true, false", got["send"].Open, got["show"].Open)
	}
}

// TestDocumentsThatAreNone: what is no description is an error.
func TestDocumentsThatAreNone(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string][2]string{"no JSON": {"{", "{}"}, "no YAML": {"{}", "a: [b"}} {
		if _, err := readDocument([]byte(tt[0]), []byte(tt[1])); err == nil {
			t.Errorf("%s: served %q, written %q: no error, want one", name, tt[0], tt[1])
		}
	}
}
