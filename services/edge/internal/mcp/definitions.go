package mcp

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.yaml.in/yaml/v3"
)

//go:embed tools.yaml
var source []byte

// definitions are the words that a model reads.
type definitions struct {
	Instructions string                 `json:"instructions"`
	Tools        []mcp.Tool             `json:"tools"`
	Resources    []mcp.ResourceTemplate `json:"resources"`
}

// readDefinitions reads tools.yaml, whose shared parts are named by YAML's anchors. What a
// client is told is sorted by it and the SDK, so that it is the same each time.
func readDefinitions() (d definitions, err error) {
	var all map[string]any
	if err := yaml.Unmarshal(source, &all); err != nil {
		return d, fmt.Errorf("tools: %w", err)
	}
	text, err := json.Marshal(all)
	if err != nil {
		return d, fmt.Errorf("tools: %w", err)
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return d, fmt.Errorf("tools: %w", err)
	}
	return d, nil
}
