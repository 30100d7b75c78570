package openapi_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"boardorder/services/edge/internal/openapi"
)

// sentence is a text that ends as a sentence does, a table or a list.
var sentence = regexp.MustCompile(`^[\x60A-Zx].*[.:)|]$`)

// TestPropertiesAreDescribed: each property of requests and replies has a sentence, and
// an example wherever type, format and allowed values leave its form open.
func TestPropertiesAreDescribed(t *testing.T) {
	t.Parallel()
	text, err := openapi.JSON("https://api.example.com")
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	n := 0
	var visit func(path string, v any)
	visit = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			properties, _ := v["properties"].(map[string]any)
			for name, p := range properties {
				if p, ok := p.(map[string]any); ok && p["$ref"] == nil {
					n++
					checkProperty(t, path+"."+name, p)
				}
			}
			for name, inner := range v {
				if name != "example" && name != "examples" {
					visit(path+"/"+name, inner)
				}
			}
		case []any:
			for _, inner := range v {
				visit(path, inner)
			}
		}
	}
	visit("", document)
	if n < 700 {
		t.Errorf("%d properties were found, want 700 at least", n)
	}
}

func checkProperty(t *testing.T, path string, p map[string]any) {
	t.Helper()
	description, _ := p["description"].(string)
	if line := strings.Join(strings.Fields(description), " "); !sentence.MatchString(line) {
		t.Errorf("%s: the description is %q, want a sentence", path, description)
	}
	for _, fixed := range []string{"enum", "const", "format", "pattern", "examples", "x-extensible-enum"} {
		if p[fixed] != nil {
			return
		}
	}
	kinds, _ := p["type"].([]any)
	if kind, ok := p["type"].(string); ok {
		kinds = []any{kind}
	}
	if slices.ContainsFunc(kinds, func(kind any) bool { return kind == "string" || kind == "integer" || kind == "number" }) {
		t.Errorf("%s: %v has no example", path, p["type"])
	}
}
