package mcp

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"boardorder/services/edge/internal/openapi"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the definitions as they are")

const pinned = "testdata/definitions.json"

// listDefinitions gives the definitions as a client gets them.
func listDefinitions(t *testing.T) []byte {
	t.Helper()
	d, err := readDefinitions()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	if err := e.Encode(d); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestDefinitionsAreAsPinned: what models read changes only on purpose, and stays short.
func TestDefinitionsAreAsPinned(t *testing.T) {
	t.Parallel()
	got := listDefinitions(t)
	if *update {
		if err := os.WriteFile(pinned, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(pinned)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("definitions changed (-pinned +now); go test -update, if that was meant:\n%s", diff)
	}
	var short bytes.Buffer
	if err := json.Compact(&short, got); err != nil {
		t.Fatal(err)
	}
	if n := countTokens(short.String()); n >= 6000 {
		t.Errorf("%d bytes of definitions are about %d tokens, want fewer than 6000", short.Len(), n)
	}
}

// countTokens estimates how many tokens a model reads: pieces of words and signs, or one for
// four bytes, whichever is more.
func countTokens(text string) (n int) {
	for _, word := range regexp.MustCompile(`[A-Za-z]+|[0-9]{1,3}|[^A-Za-z0-9\s]+`).FindAllString(text, -1) {
		n += (len(word) + 7) / 8
	}
	return max(n, len(text)/4)
}

func TestToolsAreWellDefined(t *testing.T) {
	t.Parallel()
	d, err := readDefinitions()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range d.Tools {
		names = append(names, tool.Name)
		a := tool.Annotations
		if tool.Title == "" || tool.OutputSchema == nil || a == nil || a.DestructiveHint == nil || a.OpenWorldHint == nil {
			t.Errorf("%s lacks a title, a schema or a hint: %+v", tool.Name, tool)
		}
		for _, word := range []string{"Free", "Next"} {
			if !strings.Contains(tool.Description, word) && !(word == "Free" && strings.Contains(tool.Description, "free")) && tool.Name != "create_buy_link" && tool.Name != "list_events" {
				t.Errorf("%s does not say %q: %s", tool.Name, word, tool.Description)
			}
		}
		for _, route := range routes[tool.Name] {
			if name := parameter(route.path); name != "" && properties(tool.InputSchema)[name] == nil {
				t.Errorf("%s does not name %s, which it needs", tool.Name, name)
			}
			if reads := route.method == "GET"; reads != a.ReadOnlyHint {
				t.Errorf("%s has readOnlyHint %v, and is %s %s", tool.Name, a.ReadOnlyHint, route.method, route.path)
			}
		}
	}
	if len(names) > 12 || len(names) != len(routes) {
		t.Errorf("tools = %v of %d routes, want one each and at most 12", names, len(routes))
	}
}

// TestToolsAreOfTheAPI: what a tool takes the API takes, under the same name and of the same
// type, so that neither changes without the other.
func TestToolsAreOfTheAPI(t *testing.T) {
	t.Parallel()
	text, err := openapi.JSON("https://api.example.com")
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	d, err := readDefinitions()
	if err != nil {
		t.Fatal(err)
	}
	ours := map[string][]string{"get_capabilities": {"parts"}, "get_quote": {openCheckout}} // of what the reply has, and of what the client does with it
	for _, tool := range d.Tools {
		taken := map[string]any{"wait_s": nil, "idempotency_key": nil}
		for _, way := range routes[tool.Name] {
			op := descend(doc, "paths", way.path, strings.ToLower(way.method))
			named, _ := op["parameters"].([]any)
			for _, p := range named {
				if name, ok := p.(map[string]any)["name"].(string); ok {
					taken[name] = nil
				}
			}
			ref, _ := descend(op, "requestBody", "content", "application/json", "schema")["$ref"].(string)
			for name, p := range descend(doc, "components", "schemas", ref[strings.LastIndex(ref, "/")+1:], "properties") {
				taken[name] = p
			}
		}
		for name, p := range properties(tool.InputSchema) {
			theirs, known := taken[name]
			if !known && !slices.Contains(ours[tool.Name], name) {
				t.Errorf("%s takes %s, which the API does not", tool.Name, name)
			}
			if got, want := types(p), types(theirs); want != nil && !slices.Contains(want, got[0]) {
				t.Errorf("%s takes %s as %v, the API as %v", tool.Name, name, got, want)
			}
		}
	}
}

func descend(v map[string]any, path ...string) map[string]any {
	for _, name := range path {
		v, _ = v[name].(map[string]any)
	}
	return v
}

func properties(schema any) map[string]any {
	m, _ := schema.(map[string]any)
	return descend(m, "properties")
}

// types are the types of a schema, as far as it says them at its top.
func types(schema any) (out []string) {
	m, _ := schema.(map[string]any)
	switch v := m["type"].(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, one := range v {
			out = append(out, one.(string))
		}
	}
	return out
}
