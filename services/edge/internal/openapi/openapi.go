// Package openapi serves the description of the interface: one YAML file, kept
// true by a test that holds it against the routes and their replies.
package openapi

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"boardorder/services/edge/internal/web"

	"go.yaml.in/yaml/v3"
)

//go:embed openapi.yaml
var source []byte

// Document is the description for a server at publicURL, as JSON.
func Document(publicURL string) (*web.Static, error) {
	body, err := JSON(publicURL)
	if err != nil {
		return nil, err
	}
	return web.NewStatic("application/json", "public, max-age=300", body), nil
}

// JSON is the text of the description.
func JSON(publicURL string) ([]byte, error) {
	var doc map[string]any
	if err := yaml.Unmarshal(source, &doc); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	doc["servers"] = []any{map[string]any{"url": publicURL}}
	body, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	return body, nil
}
