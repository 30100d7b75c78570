package openapi_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/openapi"
	"boardorder/services/edge/internal/problem"

	"github.com/google/go-cmp/cmp"
)

// The values that an instant quote takes are enums, and those of the catalogue.
func TestAllowedValuesAreEnums(t *testing.T) {
	t.Parallel()
	text, err := openapi.JSON("https://api.example.com")
	if err != nil {
		t.Fatal(err)
	}
	type schema struct {
		Enum       []string
		Type       any
		Known      []string `json:"x-extensible-enum"`
		Properties map[string]schema
	}
	var doc struct {
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	schemas := doc.Components.Schemas
	for field, want := range map[string]struct {
		schema string
		values []string
	}{
		"surface_finish": {"SurfaceFinish", c.SurfaceFinishIDs()}, "solder_mask": {"SolderMask", c.SolderMaskIDs()},
		"material": {"Laminate", c.MaterialIDs()}, "via_process": {"ViaProcess", c.ViaProcessIDs()},
	} {
		if diff := cmp.Diff(want.values, schemas[want.schema].Enum); diff != "" || len(want.values) == 0 {
			t.Errorf("%s (-catalogue +document)\n%s", want.schema, diff)
		}
		for _, body := range []string{"QuoteRequest", "ReorderRequest"} {
			property := schemas[body].Properties[field]
			if !cmp.Equal(property.Type, []any{"string", "null"}) || !cmp.Equal(property.Known, want.values) || property.Enum != nil {
				t.Errorf("%s.%s takes %+v, want any string or null, and %q as the values that are known", body, field, property, want.values)
			}
		}
	}
}

// The statuses that the list of codes tells are those that are answered.
func TestCodesTellTheirStatus(t *testing.T) {
	t.Parallel()
	text, err := openapi.JSON("https://api.example.com")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Components struct {
			Schemas struct {
				ErrorCode struct{ Description string }
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	list, _, _ := strings.Cut(doc.Components.Schemas.ErrorCode.Description, "422 all others")
	reported := map[string]int{}
	for entry := range strings.SplitSeq(list[strings.Index(list, ":")+1:], "·") {
		status, codes, _ := strings.Cut(strings.TrimSpace(entry), " ")
		for code := range strings.SplitSeq(codes, ",") {
			reported[strings.Trim(code, " `\n")], _ = strconv.Atoi(status)
		}
	}
	for _, code := range contract.Codes() {
		got, named := reported[string(code)]
		if !named {
			got = http.StatusUnprocessableEntity
		}
		if want := problem.Status(code); got != want {
			t.Errorf("%s is told as %d, want %d", code, got, want)
		}
		delete(reported, string(code))
	}
	delete(reported, "")
	if len(reported) != 0 {
		t.Errorf("codes that do not exist: %v", reported)
	}
}

// A value that is fixed has a type: without one, generators know nothing of it.
func TestConstantsHaveAType(t *testing.T) {
	t.Parallel()
	text, err := openapi.JSON("https://api.example.com")
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	n := 0
	var visit func(path string, v any)
	visit = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			if constant, ok := v["const"]; ok {
				if n++; v["type"] == nil {
					t.Errorf("%s is always %v and has no type", path, constant)
				}
			}
			for name, inner := range v {
				visit(path+"/"+name, inner)
			}
		case []any:
			for _, inner := range v {
				visit(path, inner)
			}
		}
	}
	visit("", doc)
	if n == 0 {
		t.Error("the description has no constants")
	}
}
