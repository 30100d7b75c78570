package openapi_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"boardorder/services/edge/internal/openapi"
)

// TestBodiesHaveNoDefaults: generators take a property with a default for one that is
// always there, and then ask for it in requests. What holds for a property that is not
// sent stands in its description.
func TestBodiesHaveNoDefaults(t *testing.T) {
	t.Parallel()
	text, err := openapi.JSON("https://api.example.com")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct {
			Schemas map[string]map[string]any `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for name, schema := range document.Components.Schemas {
		properties, _ := schema["properties"].(map[string]any)
		for property, of := range properties {
			if fields, _ := of.(map[string]any); fields["default"] != nil {
				t.Errorf("%s.%s has the default %s, want none", name, property, fmt.Sprint(fields["default"]))
			}
		}
	}
}
