package manifests

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// The samples are what the services' handlers really wrote: each is as its message is
// described.
func TestSamplesFitTheirDescription(t *testing.T) {
	t.Parallel()
	const contract = root + "/pkg/contract"
	text, err := os.ReadFile(contract + "/asyncapi/asyncapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	read, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatal(err)
	}
	const address = "https://example.com/asyncapi.json"
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(address, read); err != nil {
		t.Fatal(err)
	}
	seen := 0
	err = filepath.WalkDir(contract+"/testdata", func(path string, d fs.DirEntry, err error) error {
		rest, _ := filepath.Rel(contract+"/testdata", path)
		parts := strings.Split(filepath.ToSlash(rest), "/") // <kind>/<of>/v<n>/<name>.json
		if err != nil || d.IsDir() || parts[0] == "states" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var sample struct{ Data json.RawMessage }
		if err := json.Unmarshal(data, &sample); err != nil {
			return err
		}
		name := parts[1] + "." + strings.TrimSuffix(parts[3], ".json")
		schema, err := c.Compile(address + "#/components/messages/" + name + "/payload")
		if err != nil {
			return err
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(sample.Data))
		if err == nil {
			err = schema.Validate(v)
		}
		if seen++; err != nil {
			t.Errorf("%s: %v", rest, err)
		}
		return nil
	})
	if err != nil || seen < 60 {
		t.Errorf("%d samples, %v", seen, err)
	}
}
