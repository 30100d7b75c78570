package openapi_test

import (
	"encoding/json"
	"testing"

	"boardorder/pkg/catalog"
	"boardorder/services/edge/internal/openapi"

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
		AnyOf      []map[string]any `json:"anyOf"`
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
		any := schemas["QuoteRequest"].Properties[field].AnyOf
		if len(any) != 3 || any[0]["$ref"] != "#/components/schemas/"+want.schema || any[1]["type"] != "string" || any[2]["type"] != "null" {
			t.Errorf("%s takes %v, want the enum, another string, or null", field, any)
		}
	}
}
