package asyncapi_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/asyncapi"

	"go.yaml.in/yaml/v3"
)

// The files are what the types say: make generate writes them.
func TestFilesAreUpToDate(t *testing.T) {
	t.Parallel()
	document, err := asyncapi.Document()
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string][]byte{
		"asyncapi.yaml":                        document,
		"../../../deploy/handbook/messages.md": asyncapi.Tables(),
	} {
		got, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the types say: run make generate (%v)", file, err)
		}
	}
}

// Everything that services were seen to publish is described, and every reference leads
// somewhere.
func TestEveryMessageIsDescribed(t *testing.T) {
	t.Parallel()
	text, err := asyncapi.Document()
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	messages := doc["components"].(map[string]any)["messages"].(map[string]any)
	seen := 0
	err = filepath.WalkDir("../testdata", func(path string, d fs.DirEntry, err error) error {
		parts := strings.Split(filepath.ToSlash(path), "/") // ../testdata/<kind>/<of>/v<n>/<name>.json
		if err != nil || d.IsDir() || len(parts) != 6 || parts[2] == "states" {
			return err
		}
		name := parts[3] + "." + strings.TrimSuffix(parts[5], ".json")
		if seen++; messages[name] == nil {
			t.Errorf("%s is not described", name)
		}
		return nil
	})
	if err != nil || seen < 60 {
		t.Errorf("%d samples, %v", seen, err)
	}
	for _, a := range contract.Aggregates() {
		if doc["channels"].(map[string]any)["events_"+string(a)] == nil {
			t.Errorf("%s has no channel", a)
		}
	}
	follow(t, doc, doc)
}

func follow(t *testing.T, doc map[string]any, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			var at any = doc
			for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
				m, _ := at.(map[string]any)
				at = m[part]
			}
			if at == nil {
				t.Errorf("%s leads nowhere", ref)
			}
		}
		for _, inner := range v {
			follow(t, doc, inner)
		}
	case []any:
		for _, inner := range v {
			follow(t, doc, inner)
		}
	}
}
