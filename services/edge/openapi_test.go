package edge_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/openapi"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const described = "https://api.example.com/openapi.json"

// description is the document as the tests read it: every object with named
// properties is closed, so that a reply cannot hold what is not described.
type description struct {
	doc      map[string]any
	compiler *jsonschema.Compiler
	mu       sync.Mutex
	schemas  map[string]*jsonschema.Schema
}

var theDescription = sync.OnceValues(loadDescription)

func loadDescription() (*description, error) {
	text, err := openapi.JSON("https://api.example.com")
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	d := &description{doc: doc.(map[string]any), compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	closeObjects(d.doc["components"].(map[string]any)["schemas"])
	d.compiler.AssertFormat()
	return d, d.compiler.AddResource(described, d.doc)
}

func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		_, named := v["properties"].(map[string]any)
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

func (d *description) schema(pointer string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.schemas[pointer]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile(described + "#" + pointer)
	d.schemas[pointer] = s
	return s, err
}

// operation finds what is described for a method and an actual path.
func (d *description) operation(method, path string) (pointer string, op map[string]any) {
	paths := d.doc["paths"].(map[string]any)
	if own, ok := paths[path]; ok { // before one with a parameter in its place
		paths = map[string]any{path: own}
	}
	for template, item := range paths {
		pattern := "^" + regexp.MustCompile(`\\\{[^}]*\\\}`).ReplaceAllString(regexp.QuoteMeta(template), "[^/]+") + "$"
		if op, ok := item.(map[string]any)[strings.ToLower(method)].(map[string]any); ok && regexp.MustCompile(pattern).MatchString(path) {
			return "/paths/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(template) + "/" + strings.ToLower(method), op
		}
	}
	return "", nil
}

// check holds a reply against the description.
func (d *description) check(method, path string, a answer) error {
	pointer, op := d.operation(method, path)
	if op == nil {
		if a.status >= 400 {
			return d.validate("/components/schemas/ErrorReply", a.body)
		}
		return nil
	}
	response, ok := op["responses"].(map[string]any)[fmt.Sprint(a.status)].(map[string]any)
	if !ok {
		return fmt.Errorf("status %d is not described", a.status)
	}
	pointer += "/responses/" + fmt.Sprint(a.status)
	if ref, ok := response["$ref"].(string); ok {
		pointer = strings.TrimPrefix(ref, "#")
		response = d.resolve(pointer)
	}
	for name := range maps.Keys(objectOf(response["headers"])) {
		if optional := name == "Deduplicated" || name == "Idempotent-Replayed" || a.status == 200 && name == "Retry-After" || a.status == 429 && strings.HasPrefix(name, "RateLimit"); !optional && a.header.Get(name) == "" {
			return fmt.Errorf("header %s of %d is missing", name, a.status)
		}
	}
	kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	content := objectOf(response["content"])
	if len(content) == 0 && len(a.body) == 0 {
		return nil
	}
	if content[kind] == nil {
		return fmt.Errorf("content %q of %d is not described", kind, a.status)
	}
	if kind != "application/json" {
		return nil
	}
	return d.validate(pointer+"/content/application~1json/schema", a.body)
}

func objectOf(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func (d *description) resolve(pointer string) map[string]any {
	v := d.doc
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		v = objectOf(v[part])
	}
	return v
}

func (d *description) validate(pointer string, body []byte) error {
	s, err := d.schema(pointer)
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

func TestEveryRouteIsDescribedAndNoOther(t *testing.T) {
	t.Parallel()
	w := start(t)
	routes, err := w.edge.RoutesForTest()
	if err != nil {
		t.Fatal(err)
	}
	var built []string
	for _, r := range routes {
		if !r.Page && !r.Carries {
			built = append(built, r.Method+" "+r.Path)
		}
	}
	d, err := theDescription()
	if err != nil {
		t.Fatal(err)
	}
	var written []string
	for path, item := range d.doc["paths"].(map[string]any) {
		for method := range item.(map[string]any) {
			written = append(written, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(built)
	slices.Sort(written)
	if diff := cmp.Diff(built, written); diff != "" {
		t.Errorf("routes (-built +described):\n%s", diff)
	}
}

func TestDescriptionIsSound(t *testing.T) {
	t.Parallel()
	d, err := theDescription()
	if err != nil {
		t.Fatal(err)
	}
	for name := range objectOf(objectOf(d.doc["components"])["schemas"]) {
		if _, err := d.schema("/components/schemas/" + name); err != nil {
			t.Errorf("schema %s: %v", name, err)
		}
	}
	ids := map[string]bool{}
	for path, item := range d.doc["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			id, _ := objectOf(op)["operationId"].(string)
			if id == "" || ids[id] {
				t.Errorf("%s %s: operationId %q, want one that no other has", method, path, id)
			}
			ids[id] = true
		}
	}
	codes := objectOf(objectOf(objectOf(d.doc["components"])["schemas"])["ErrorCode"])["enum"].([]any)
	if len(codes) != len(contract.Codes()) {
		t.Errorf("%d error codes, want %d", len(codes), len(contract.Codes()))
	}
	checkReferences(t, d, d.doc)
}

func checkReferences(t *testing.T, d *description, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok && d.resolve(strings.TrimPrefix(ref, "#")) == nil {
			t.Errorf("%s leads nowhere", ref)
		}
		for _, inner := range v {
			checkReferences(t, d, inner)
		}
	case []any:
		for _, inner := range v {
			checkReferences(t, d, inner)
		}
	}
}

// The examples are what people copy: each must be what its schema says.
func TestExamplesFitTheirSchemas(t *testing.T) {
	t.Parallel()
	d, err := theDescription()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	var visit func(pointer string, v any)
	visit = func(pointer string, v any) {
		m := objectOf(v)
		if examples := objectOf(m["examples"]); m["schema"] != nil && examples != nil {
			for name, e := range examples {
				ex := objectOf(e)
				if ref, ok := ex["$ref"].(string); ok {
					ex = d.resolve(strings.TrimPrefix(ref, "#"))
				}
				body, err := json.Marshal(ex["value"])
				if err == nil {
					err = d.validate(pointer+"/schema", body)
				}
				if n++; err != nil {
					t.Errorf("%s example %s: %v", pointer, name, err)
				}
			}
		}
		for name, inner := range m {
			visit(pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), inner)
		}
	}
	visit("", d.doc)
	if n < 20 {
		t.Errorf("%d examples, want 20 at least", n)
	}
}

func TestDescriptionIsServed(t *testing.T) {
	t.Parallel()
	w := start(t)
	a := w.get("/openapi.json", "X-API-Key", "")
	m := a.json(t)
	if a.status != 200 || m["openapi"] != "3.1.0" || !cmp.Equal(m["servers"], []any{map[string]any{"url": w.url}}) {
		t.Errorf("GET = %d %v %v, want 200, 3.1.0, %s", a.status, m["openapi"], m["servers"], w.url)
	}
}
